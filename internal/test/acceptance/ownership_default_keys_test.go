package acceptance_test

import (
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
)

// Two items of a list may differ in a key that one of them leaves to its default: TCP and UDP on one port. What happens
// to the one says nothing of the other.

const (
	overTCP     = "    - {name: https, port: 443}\n"
	overUDP     = "    - {name: http3, port: 443, protocol: UDP}\n"
	portsByName = `{range .spec.ports[*]}{.name}/{.protocol} {end}`
)

// portsOf returns the service with these lines of ports.
func portsOf(lines ...string) string {
	return strings.Replace(service, "    - {name: http, port: 80}\n", strings.Join(lines, ""), 1)
}

// A pinned port leaves the manifest, and the other stays what it is.
func TestPinnedPortLeavesBesideAnother(t *testing.T) {
	s := story.New(t)
	s.Run(
		resource.TestStep{Config: s.Config(portsOf(overTCP, overUDP), ports)},
		resource.TestStep{
			Config: s.Config(portsOf(overTCP), ports),
			Check:  s.ExpectJSONPath(serviceTarget, map[string]string{portsByName: "https/TCP "}),
		},
	)
}

// Another client adds the port of another protocol, which is pinned then, and stays.
func TestPinnedPortComesBesideAnother(t *testing.T) {
	s := story.New(t)
	s.Run(
		resource.TestStep{Config: s.Config(portsOf(overTCP), ports)},
		resource.TestStep{
			PreConfig: s.NextStep(func() {
				s.As("controller").JSONPatch(serviceTarget,
					`[{"op": "add", "path": "/spec/ports/-", "value": {"name": "http3", "port": 443, "protocol": "UDP"}}]`)
			}),
			Config: s.Config(portsOf(overTCP), ports),
			Check: story.LiveChecks(
				s.ExpectJSONPath(serviceTarget, map[string]string{portsByName: "https/TCP http3/UDP "}),
				s.ExpectOwners(serviceTarget, `spec.ports[port=443,protocol="UDP"].nodePort`, "k8sconnect"),
			),
		},
		resource.TestStep{
			Config: s.Config(strings.Replace(portsOf(overTCP), "app: web", "app: other", 1), ports),
			Check:  s.ExpectJSONPath(serviceTarget, map[string]string{portsByName: "https/TCP http3/UDP "}),
		},
	)
}

// Another client gives a pinned port another protocol: the apply gives back the declared one.
func TestPinnedPortGetsAnotherKey(t *testing.T) {
	for name, c := range map[string]struct{ pins, live string }{
		"pinned":     {weights, `[{"host":"a","port":80},{"host":"a","port":81,"weight":2}]`},
		"not pinned": {"", `[{"host":"a","port":81,"weight":2},{"host":"a","port":80}]`},
	} {
		t.Run(name, func(t *testing.T) {
			s := story.New(t)
			s.InstallGadgets()
			target := s.GadgetTarget()
			body := story.Gadget(`routes: [{host: a}], size: 1`)
			s.Run(
				resource.TestStep{Config: s.Config(body, c.pins)},
				resource.TestStep{
					PreConfig: s.NextStep(func() {
						s.As("controller").JSONPatch(target, `[{"op": "replace", "path": "/spec/routes/0", "value": {"host": "a", "port": 81, "weight": 2}}]`)
					}),
					Config: s.Config(body, c.pins),
					Check:  s.ExpectLiveJSON(target, c.live, "spec", "routes"),
				},
			)
		})
	}
}

// A released item beside one that leaves its key to the default: the plan and the apply keep both.
func TestReleasedItemBesideAnother(t *testing.T) {
	const ignored = `ignore_fields = ["spec.routes[host=\"a\",port=81]"]`
	both, one := `routes: [{host: a, weight: 1}, {host: a, port: 81, weight: 2}]`, `routes: [{host: a, weight: 1}]`
	for name, after := range map[string]string{"declared": both, "not declared": one} {
		t.Run(name, func(t *testing.T) {
			s := story.NewCompared(t)
			s.InstallGadgets()
			target := s.GadgetTarget()
			s.Run(
				resource.TestStep{Config: s.Config(story.Gadget(both))},
				resource.TestStep{
					PreConfig: s.NextStep(),
					Config:    s.Config(story.Gadget(after), ignored),
					ConfigPlanChecks: story.PlanChecks(
						story.ExpectOnly(story.ManagedState, `spec.routes[host="a",port=81].host: a -> (absent)`,
							`spec.routes[host="a",port=81].port: 81 -> (absent)`, `spec.routes[host="a",port=81].weight: 2 -> (absent)`),
						s.ExpectWarning(`spec.routes[host="a",port=81].port: "81", owned by nobody else`),
					),
					Check: story.LiveChecks(
						s.ExpectLiveJSON(target, `[{"host":"a","port":80,"weight":1},{"host":"a","port":81,"weight":2}]`, "spec", "routes"),
						s.ExpectOwners(target, `spec.routes[host="a",port=80].weight`, "k8sconnect"),
						s.ExpectNotOverwritten(),
					),
				},
			)
		})
	}
}

// An item leaves with what other managers have put into it since the plan: an apply that must not take it is refused.
func TestItemLeavesBesideAnotherMeanwhile(t *testing.T) {
	s := story.NewCompared(t)
	s.InstallGadgets()
	target := s.GadgetTarget()
	both, one := story.Gadget(`routes: [{host: a, weight: 1}, {host: a, port: 81}]`), story.Gadget(`routes: [{host: a, weight: 1}]`)
	s.Run(
		resource.TestStep{Config: s.Config(both, story.OrFail)},
		resource.TestStep{
			PreConfig: s.NextStep(), Config: s.Config(one, story.OrFail),
			ConfigPlanChecks: resource.ConfigPlanChecks{PreApply: []plancheck.PlanCheck{story.Meanwhile(func() {
				s.As("controller").JSONPatch(target, `[{"op": "add", "path": "/spec/routes/1/weight", "value": 7}]`)
			})}},
			ExpectError: story.Saying("Object Changed Since the Plan", "Plan again"),
		},
	)
}

// An item that another manager shares, and gives up before the apply, stays as the plan has promised.
func TestSharedItemBesideAnotherIsGivenUp(t *testing.T) {
	s := story.NewCompared(t)
	s.InstallGadgets()
	target := s.GadgetTarget()
	both, one := story.Gadget(`routes: [{host: a, weight: 1}, {host: a, port: 81}]`), story.Gadget(`routes: [{host: a, weight: 1}]`)
	s.Run(
		resource.TestStep{Config: s.Config(both)},
		resource.TestStep{
			PreConfig: s.NextStep(func() { s.As("policy").Apply(story.Gadget(`routes: [{host: a, port: 81}]`)) }),
			Config:    s.Config(one),
			ConfigPlanChecks: resource.ConfigPlanChecks{PreApply: []plancheck.PlanCheck{story.Meanwhile(func() {
				s.As("policy").Apply(story.Gadget(`size: 1`))
			})}},
			Check: s.ExpectLiveJSON(target, `[{"host":"a","port":80,"weight":1},{"host":"a","port":81}]`, "spec", "routes"),
		},
	)
}

// A value in an item that leaves is released: it goes with the item, whatever its sibling has.
func TestReleasedValueInItemThatLeavesBesideAnother(t *testing.T) {
	s := story.NewCompared(t)
	s.InstallGadgets()
	target := s.GadgetTarget()
	s.Run(
		resource.TestStep{Config: s.Config(story.Gadget(`routes: [{host: a, weight: 1}, {host: a, port: 81, weight: 2}]`))},
		resource.TestStep{
			PreConfig: s.NextStep(),
			Config:    s.Config(story.Gadget(`routes: [{host: a, weight: 1}]`), `ignore_fields = ["spec.routes[*].weight"]`),
			ConfigPlanChecks: story.PlanChecks(
				story.ExpectOnly(story.ManagedState, `spec.routes[host="a",port=80].weight: 1 -> (absent)`,
					`spec.routes[host="a",port=81].host: a -> (absent)`, `spec.routes[host="a",port=81].port: 81 -> (absent)`,
					`spec.routes[host="a",port=81].weight: 2 -> (absent)`),
			),
			Check: s.ExpectLiveJSON(target, `[{"host":"a","port":80,"weight":1}]`, "spec", "routes"),
		},
	)
}

// An update of something else does not touch the port of another protocol that another manager has, and says nothing of it.
func TestPortOfAnotherManagerBesideOurs(t *testing.T) {
	s := story.NewCompared(t)
	s.Run(
		resource.TestStep{Config: s.Config(portsOf(overTCP))},
		resource.TestStep{
			PreConfig: s.NextStep(func() {
				s.As("controller").JSONPatch(serviceTarget,
					`[{"op": "add", "path": "/spec/ports/-", "value": {"name": "http3", "port": 443, "protocol": "UDP"}}]`)
			}),
			Config: s.Config(strings.Replace(portsOf(overTCP), "app: web", "app: other", 1)),
			ConfigPlanChecks: resource.ConfigPlanChecks{PreApply: []plancheck.PlanCheck{story.Meanwhile(func() {
				s.As("controller").JSONPatch(serviceTarget, `[{"op": "replace", "path": "/spec/ports/1/name", "value": "quic"}]`)
			})}},
			Check: story.LiveChecks(
				s.ExpectJSONPath(serviceTarget, map[string]string{portsByName: "https/TCP quic/UDP "}), s.ExpectNotOverwritten(),
			),
		},
	)
}

// An item leaves after managedFields was reset: it goes as a whole, and the other keeps its key.
func TestItemLeavesBesideAnotherAfterReset(t *testing.T) {
	for name, pins := range map[string]string{"pinned": weights, "not pinned": ""} {
		t.Run(name, func(t *testing.T) {
			s := story.NewCompared(t)
			s.InstallGadgets()
			target := s.GadgetTarget()
			one, both := story.Gadget(`routes: [{host: a}]`), story.Gadget(`routes: [{host: a}, {host: a, port: 81}]`)
			s.Run(
				resource.TestStep{Config: s.Config(both, pins)},
				resource.TestStep{
					PreConfig: s.NextStep(func() {
						s.As("controller").JSONPatch(target, `[{"op": "add", "path": "/spec/routes/1/weight", "value": 2}]`)
					}),
					Config: s.Config(both, pins),
				},
				resource.TestStep{
					PreConfig: s.NextStep(func() { s.As("restore").StripManagedFields(target, "[{}]") }),
					Config:    s.Config(one, pins),
					ConfigPlanChecks: story.PlanChecks(
						story.ExpectAction(plancheck.ResourceActionUpdate), s.ExpectWarning("Owners Reset: "),
					),
					Check: s.ExpectOwners(target, `spec.routes[host="a",port=80].host`, "k8sconnect"),
				},
			)
		})
	}
}

// A line of ignore_fields for the item of another manager leaves ours alone: one that is new, and one whose default key
// comes after that of the other.
func TestIgnoredItemBesideOurs(t *testing.T) {
	t.Run("new", func(t *testing.T) {
		const overHTTP = "    - {name: http, port: 80}\n"
		s := story.New(t)
		ignored := `ignore_fields = ["spec.ports[port=443,protocol=\"UDP\"]"]`
		s.Run(
			resource.TestStep{Config: s.Config(portsOf(overHTTP))},
			resource.TestStep{
				PreConfig: s.NextStep(func() {
					s.As("controller").JSONPatch(serviceTarget,
						`[{"op": "add", "path": "/spec/ports/-", "value": {"name": "http3", "port": 443, "protocol": "UDP"}}]`)
				}),
				Config: s.Config(portsOf(overHTTP), ignored),
			},
			resource.TestStep{
				PreConfig: s.NextStep(),
				Config:    s.Config(portsOf(overHTTP, overTCP), ignored),
				Check: story.LiveChecks(
					s.ExpectOwners(serviceTarget, `spec.ports[port=443,protocol="TCP"].name`, "k8sconnect"),
					s.ExpectOwners(serviceTarget, `spec.ports[port=443,protocol="UDP"].name`, "controller"),
				),
			},
		)
	})
	t.Run("known", func(t *testing.T) {
		s := story.New(t)
		s.InstallGadgets()
		target, body := s.GadgetTarget(), story.Gadget(`routes: [{host: a, weight: 1}]`)
		s.Run(
			resource.TestStep{Config: s.Config(body)},
			resource.TestStep{
				PreConfig: s.NextStep(func() {
					s.As("controller").JSONPatch(target, `[{"op": "add", "path": "/spec/routes/-", "value": {"host": "a", "port": 79}}]`)
				}),
				Config: s.Config(body, `ignore_fields = ["spec.routes[host=\"a\",port=79]"]`),
				Check:  s.ExpectLiveJSON(target, `[{"host":"a","port":80,"weight":1},{"host":"a","port":79}]`, "spec", "routes"),
			},
		)
	})
}

// A value in an item leaves a patch beside an item that leaves its key to the default: it stays.
func TestValueLeavesAPatchBesideAnother(t *testing.T) {
	s := story.New(t)
	s.InstallGadgets()
	target := s.GadgetTarget()
	s.As("owner").Create(story.Gadget(`routes: [{host: a, weight: 1}, {host: a, port: 81, weight: 5}]`))
	s.Run(
		resource.TestStep{Config: s.PatchConfig(target, `spec: {routes: [{host: a, weight: 2}, {host: a, port: 81, weight: 7}]}`)},
		resource.TestStep{
			PreConfig: s.NextStep(), Config: s.PatchConfig(target, `spec: {routes: [{host: a, weight: 2}]}`),
			Check: s.ExpectLiveJSON(target, `[{"host":"a","port":80,"weight":2},{"host":"a","port":81,"weight":7}]`, "spec", "routes"),
		},
	)
}
