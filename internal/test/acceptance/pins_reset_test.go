package acceptance_test

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
	"github.com/hashicorp/terraform-plugin-testing/terraform"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
)

const (
	weights  = `pin_fields = ["spec.routes[*].weight"]`
	weightOf = `spec.routes[host="b",port=80].weight`
)

// Another client resets managedFields, and changes a pinned value, which has no owner then. The plan shows what it sets back,
// and what is pinned stays ours.
func TestPinsAfterReset(t *testing.T) {
	t.Parallel()
	gadget, size := story.Gadget("routes: [{host: a}], size: 1"), story.Gadget("routes: [{host: a}], size: 2")
	for name, c := range map[string]struct {
		body, after, pins string
		// give is what other managers give the object before it is pinned, change what they do after the reset.
		target, give, change, field string
		was, pinned                 string
		owners                      []string
	}{
		"a scalar": {
			body: service, after: strings.Replace(service, "app: web", "app: other", 1), pins: `pin_fields = ["spec.sessionAffinity"]`,
			target: serviceTarget, change: `[{"op": "replace", "path": "/spec/sessionAffinity", "value": "ClientIP"}]`,
			field: "spec.sessionAffinity", was: "ClientIP", pinned: "None", owners: []string{"k8sconnect"},
		},
		"a value in an item of the manifest": {
			body: gadget, after: size, pins: weights, target: "",
			give:   `[{"op": "add", "path": "/spec/routes/0/weight", "value": 5}]`,
			change: `[{"op": "add", "path": "/spec/routes/0/weight", "value": 9}]`,
			field:  `spec.routes[host="a",port=80].weight`, was: "9", pinned: "5", owners: []string{"k8sconnect"},
		},
		"a value in an item of others": {
			body: gadget, after: size, pins: weights,
			give:   `[{"op": "add", "path": "/spec/routes/-", "value": {"host": "b", "port": 80, "weight": 5}}]`,
			change: `[{"op": "add", "path": "/spec/routes/1/weight", "value": 9}]`,
			field:  weightOf, was: "9", pinned: "5", owners: []string{"k8sconnect"},
		},
		"a map": {
			body: gadget, after: size, pins: `pin_fields = ["metadata.annotations"]`,
			give:   `[{"op": "add", "path": "/metadata/annotations", "value": {"note": "one"}}]`,
			change: `[{"op": "add", "path": "/metadata/annotations/note", "value": "two"}]`,
			field:  "metadata.annotations.note", was: "two", pinned: "one", owners: []string{"k8sconnect"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := story.New(t)
			target := c.target
			if target == "" {
				s.InstallGadgets()
				target = s.GadgetTarget()
			}
			steps := []resource.TestStep{{Config: s.Config(c.body, c.pins)}}
			if c.give != "" {
				steps = append(steps, resource.TestStep{
					PreConfig: func() { s.As("controller").JSONPatch(target, c.give) }, Config: s.Config(c.body, c.pins),
				})
			}
			s.Run(append(steps,
				resource.TestStep{
					PreConfig: s.NextStep(func() {
						s.As("restore").StripManagedFields(target, "[{}]")
						s.As("restore").JSONPatch(target, c.change)
					}),
					Config:            s.Config(c.after, c.pins),
					ConfigPlanChecks:  story.PlanChecks(s.ExpectWarning("Owners Reset: "), story.ExpectValue(c.field, c.was, c.pinned)),
					ConfigStateChecks: story.StateChecks(story.ExpectState("pinned", c.field+": "+c.pinned)),
					Check:             s.ExpectOwners(target, c.field, c.owners...),
				},
				s.Noop(s.Config(c.after, c.pins)),
			)...)
		})
	}
}

// What was ignored until managedFields was reset is pinned next to what was pinned before, and a list that is too long is
// reported as before.
func TestPinsOfIgnoredAfterReset(t *testing.T) {
	s := story.New(t)
	s.InstallGadgets()
	const routes = `[{"host":"a","port":80},{"host":"b","port":80,"weight":5},{"host":"c","port":80,"weight":7}]`
	gadget := story.Gadget("routes: [{host: a}]")
	ignoring := s.Config(gadget, weights, atMostTwo, `ignore_fields = ["spec.routes[host=\"c\"]"]`)
	pinning := s.Config(gadget, weights, atMostTwo)
	s.Run(
		resource.TestStep{Config: ignoring},
		resource.TestStep{PreConfig: routesOf(s, routes), Config: ignoring, Check: s.ExpectOwners(s.GadgetTarget(), weightOf, "controller", "k8sconnect")},
		resource.TestStep{
			PreConfig: s.NextStep(func() { s.As("restore").StripManagedFields(s.GadgetTarget(), "[{}]") }),
			Config:    pinning,
			ConfigPlanChecks: story.PlanChecks(
				s.ExpectPlanSays("Owners Reset: "), s.ExpectPlanSays("List Too Long", "spec.routes has 3 entries, and list_lengths allows 2.")),
			Check: resource.ComposeTestCheckFunc(
				s.ExpectLiveJSON(s.GadgetTarget(), routes, "spec", "routes"),
				s.ExpectOwners(s.GadgetTarget(), weightOf, "before-first-apply", "k8sconnect"),
				s.ExpectOwners(s.GadgetTarget(), `spec.routes[host="c",port=80].weight`, "before-first-apply", "k8sconnect"),
			),
		},
		s.Noop(pinning),
	)
}

// No manager owns a list item any more, in which a value was pinned: our entry in managedFields is gone, and so is the
// claim of who added the item. It stays, and so does the pin.
func TestPinInItemOfNobodyAnyMore(t *testing.T) {
	s := story.New(t)
	s.InstallGadgets()
	const routes = `[{"host":"a","port":80},{"host":"b","port":80,"weight":5}]`
	pinned := s.Config(story.Gadget("routes: [{host: a}]"), weights)
	s.Run(
		resource.TestStep{Config: pinned},
		resource.TestStep{PreConfig: routesOf(s, routes), Config: pinned},
		resource.TestStep{
			PreConfig: s.NextStep(func() {
				s.As("policy").Patch(s.GadgetTarget(), `{"metadata": {"annotations": {"note": "one"}}}`)
				dropEntry(s, s.GadgetTarget(), "k8sconnect")
				dropEntry(s, s.GadgetTarget(), "controller")
			}),
			Config: pinned,
			Check: resource.ComposeTestCheckFunc(
				s.ExpectLiveJSON(s.GadgetTarget(), routes, "spec", "routes"), s.ExpectOwners(s.GadgetTarget(), weightOf, "k8sconnect")),
		},
		s.Noop(pinned),
	)
}

// No manager owns a list item, because the entry of who added it is gone from managedFields. What pin_fields covers in
// it is ours with the next apply, stays so when the manifest changes, and stays with its value when the pin ends.
// Another apply pins it again.
func TestPinsInItemsThatNobodyOwned(t *testing.T) {
	t.Parallel()
	pod := func(label string) string {
		return `{apiVersion: apps/v1, kind: Deployment, metadata: {name: web, namespace: NS, labels: {side: ` + label + `}}, spec: {
			selector: {matchLabels: {app: web}}, template: {metadata: {labels: {app: web}}, spec: {containers: [{name: app, image: "nginx:1.27"}]}}}}`
	}
	for name, c := range map[string]struct {
		target, body, after, pins string
		// give is what other managers add to the list at path.
		give, field string
		path        []string
		// isFirst is true if the pin is there before the item.
		isFirst bool
	}{
		"of a custom resource": {
			body: story.Gadget("routes: [{host: a}], size: 1"), after: story.Gadget("routes: [{host: a}], size: 2"), pins: weights,
			give:  `[{"op": "add", "path": "/spec/routes/-", "value": {"host": "b", "port": 80, "weight": 5}}]`,
			field: weightOf, path: []string{"spec", "routes"},
		},
		"pinned before": {
			body: story.Gadget("routes: [{host: a}], size: 1"), after: story.Gadget("routes: [{host: a}], size: 2"), pins: weights,
			give:  `[{"op": "add", "path": "/spec/routes/-", "value": {"host": "b", "port": 80, "weight": 5}}]`,
			field: weightOf, path: []string{"spec", "routes"}, isFirst: true,
		},
		"beside an item that leaves its key to the default": {
			body: story.Gadget("routes: [{host: a}], size: 1"), after: story.Gadget("routes: [{host: a}], size: 2"), pins: weights,
			give:  `[{"op": "add", "path": "/spec/routes/-", "value": {"host": "a", "port": 81, "weight": 5}}]`,
			field: `spec.routes[host="a",port=81].weight`, path: []string{"spec", "routes"}, isFirst: true,
		},
		"a member of a set": {
			body: story.Gadget("colours: [blue], size: 1"), after: story.Gadget("colours: [blue], size: 2"),
			pins: `pin_fields = ["spec.colours[=\"red\"]"]`,
			give: `[{"op": "add", "path": "/spec/colours/-", "value": "red"}]`, field: `spec.colours[="red"]`, path: []string{"spec", "colours"},
		},
		"a port": {
			target: serviceTarget, body: service, after: strings.Replace(service, "app: web", "app: other", 1), pins: ports,
			give:  `[{"op": "add", "path": "/spec/ports/-", "value": {"name": "https", "port": 443, "protocol": "TCP"}}]`,
			field: secondPort, path: []string{"spec", "ports"},
		},
		"a container": {
			target: story.Web, body: pod("one"), after: pod("two"), pins: `pin_fields = ["spec.template.spec.containers[name=\"log\"].image"]`,
			give:  `[{"op": "add", "path": "/spec/template/spec/containers/-", "value": {"name": "log", "image": "fluent:1"}}]`,
			field: `spec.template.spec.containers[name="log"].image`, path: []string{"spec", "template", "spec", "containers"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := story.New(t)
			if c.target == "" {
				s.InstallGadgets()
				c.target = s.GadgetTarget()
			}
			var list string
			given := func() {
				s.As("controller").JSONPatch(c.target, c.give)
				dropEntry(s, c.target, "controller")
				list = liveText(s, c.target, c.path...)
			}
			is := func(owners ...string) resource.TestCheckFunc {
				return func(state *terraform.State) error {
					return errors.Join(s.ExpectLiveJSON(c.target, list, c.path...)(state), s.ExpectOwners(c.target, c.field, owners...)(state))
				}
			}
			unpinned, pinned, changed := s.Config(c.body), s.Config(c.body, c.pins), s.Config(c.after, c.pins)
			first := unpinned
			if c.isFirst {
				first = pinned
			}
			s.Run(
				resource.TestStep{Config: first},
				resource.TestStep{PreConfig: s.NextStep(given), Config: pinned, Check: is("k8sconnect")},
				s.Noop(pinned),
				resource.TestStep{Config: changed, Check: is("k8sconnect")},
				s.Noop(changed),
				resource.TestStep{Config: s.Config(c.after), Check: is()},
				s.Noop(s.Config(c.after)),
				resource.TestStep{Config: pinned, Check: is("k8sconnect")},
				s.Noop(pinned),
			)
		})
	}
}

// The first apply to an object that is adopted pins what no manager owns in it. The manifest then changes nothing of
// that, and a change of what the item has is drift.
func TestPinInItemOfNobodyWithAdoption(t *testing.T) {
	s := story.New(t)
	s.InstallGadgets()
	const routes = `[{"host":"a","port":80},{"host":"b","port":80,"weight":5}]`
	adopt := "adopt_existing = true"
	body, changed := s.Config(story.Gadget("routes: [{host: a}], size: 1"), weights, adopt), s.Config(story.Gadget("routes: [{host: a}], size: 2"), weights, adopt)
	is := func(weight string) resource.TestCheckFunc {
		return resource.ComposeTestCheckFunc(s.ExpectLiveJSON(s.GadgetTarget(), weight, "spec", "routes"), s.ExpectOwners(s.GadgetTarget(), weightOf, "k8sconnect"))
	}
	s.Run(
		resource.TestStep{
			PreConfig: s.NextStep(func() {
				s.As("policy").Apply(story.Gadget("routes: [{host: a}], size: 1"))
				routesOf(s, routes)()
				dropEntry(s, s.GadgetTarget(), "controller")
			}),
			Config: body, Check: is(routes),
		},
		s.Noop(body),
		resource.TestStep{Config: changed, Check: is(routes)},
		s.Noop(changed),
		resource.TestStep{
			PreConfig: s.NextStep(func() {
				s.As("kubectl").JSONPatch(s.GadgetTarget(), `[{"op": "replace", "path": "/spec/routes/1/weight", "value": 9}]`)
			}),
			Config: changed, ConfigPlanChecks: story.PlanChecks(story.ExpectValue(weightOf, "9", "5")), Check: is(routes),
		},
		s.Noop(changed),
	)
}

// liveText returns a part of a live object in JSON.
func liveText(s *story.Story, target string, path ...string) string {
	value, _, err := unstructured.NestedFieldNoCopy(s.Live(target).Object, path...)
	story.Must(s.T, err)
	text, err := json.Marshal(value)
	story.Must(s.T, err)
	return string(text)
}

// A pinned item that is away comes back between the plan after a reset and its apply, with another value. The apply changes
// nothing in it. The next plan shows what it sets back.
func TestPinnedItemReturnsAfterResetAndPlan(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		item string
		says func(*story.Story) []plancheck.PlanCheck
	}{
		"with another value": {`{"host":"b","port":80,"weight":9}`, func(s *story.Story) []plancheck.PlanCheck {
			return []plancheck.PlanCheck{s.ExpectPlanSays(weightOf, `"9"`, "flux")}
		}},
		"without a value": {`{"host":"b","port":80}`, func(*story.Story) []plancheck.PlanCheck { return nil }},
	} {
		t.Run(name, func(t *testing.T) {
			s := story.New(t)
			s.InstallGadgets()
			back := `[{"host":"a","port":80},` + c.item + `]`
			body, changed := story.Gadget("routes: [{host: a}], size: 1"), s.Config(story.Gadget("routes: [{host: a}], size: 2"), weights)
			s.Run(
				resource.TestStep{Config: s.Config(body, weights)},
				resource.TestStep{PreConfig: routesOf(s, `[{"host": "a", "port": 80}, {"host": "b", "port": 80, "weight": 5}]`), Config: s.Config(body, weights)},
				resource.TestStep{
					PreConfig: s.NextStep(func() {
						routesOf(s, `[{"host": "a", "port": 80}]`)()
						s.As("restore").StripManagedFields(s.GadgetTarget(), "[{}]")
					}),
					Config: changed,
					ConfigPlanChecks: story.PlanChecks(s.ExpectWarning("Owners Reset: "), story.Meanwhile(func() {
						s.As("flux").Apply(story.Gadget("routes: [" + c.item + "]"))
					})),
					Check:              s.ExpectLiveJSON(s.GadgetTarget(), back, "spec", "routes"),
					ExpectNonEmptyPlan: true,
				},
				resource.TestStep{
					Config: changed, ConfigPlanChecks: story.PlanChecks(append(c.says(s), story.ExpectValue(weightOf, story.Absent, "5"))...),
					Check: s.ExpectOwners(s.GadgetTarget(), weightOf, "k8sconnect"),
				},
			)
		})
	}
}

// The server refuses a pinned value in an item of nobody. The plan says so, and nothing is applied.
func TestPinsThatNoLongerFitAfterReset(t *testing.T) {
	s := story.New(t)
	untyped := strings.Replace(service, "  type: NodePort\n", "", 1)
	pins := `pin_fields = ["spec.ports[port=443].nodePort"]`
	config := s.Config(untyped, pins)
	s.Run(
		resource.TestStep{Config: s.Config(untyped)},
		resource.TestStep{
			PreConfig: func() {
				s.As("editor").JSONPatch(serviceTarget, `[{"op": "replace", "path": "/spec/type", "value": "NodePort"},
					{"op": "add", "path": "/spec/ports/-", "value": {"name": "https", "port": 443, "protocol": "TCP"}}]`)
			},
			Config: config, Check: s.ExpectOwners(serviceTarget, secondPort, "k8sconnect"),
		},
		resource.TestStep{
			PreConfig: func() {
				s.As("editor").Patch(serviceTarget, `{"spec": {"type": "ClusterIP"}}`)
				s.As("restore").StripManagedFields(serviceTarget, "[{}]")
			},
			Config: config, ExpectError: story.Saying("Pinned Value Refused", secondPort, "Remove the paths that no longer fit from pin_fields"),
		},
		resource.TestStep{
			Config: s.Config(untyped, pins, `repin = "2"`),
			Check:  s.ExpectLiveJSON(serviceTarget, `"ClusterIP"`, "spec", "type"),
		},
		s.Noop(s.Config(untyped, pins, `repin = "2"`)),
	)
}

// A container leaves the manifest after a reset, with a variable of nobody in which a value is pinned: it goes as a whole.
func TestPinInContainerThatLeavesAfterReset(t *testing.T) {
	s := story.New(t)
	const pins, value = `pin_fields = ["spec.template.spec.containers[name=\"log\"].env[*].value"]`, `spec.template.spec.containers[name="log"].env[name="T"].value`
	sidecar, without := s.Config(story.Sidecar, pins), s.Config(story.WithoutSidecar, pins)
	s.Run(
		resource.TestStep{Config: sidecar},
		resource.TestStep{
			PreConfig: func() {
				s.As("policy").StrategicPatch(story.Web, `{"spec": {"template": {"spec": {"containers": [{"name": "log", "env": [{"name": "T", "value": "2"}]}]}}}}`)
			},
			Config: sidecar, Check: s.ExpectOwners(story.Web, value, "k8sconnect", "policy"),
		},
		resource.TestStep{
			PreConfig: s.NextStep(func() { s.As("restore").StripManagedFields(story.Web, "[{}]") }),
			Config:    without, ConfigPlanChecks: story.PlanChecks(s.ExpectWarning("Owners Reset: ")),
			ConfigStateChecks: story.StateChecks(story.ExpectState("pinned", value+": "+story.Absent)),
			Check:             s.ExpectContainerOrder("app"),
		},
		s.Noop(without),
	)
}

// A map entry leaves after a reset, with a value that is not ours to remove: one that is not pinned any more, that is ignored
// now, or that moves to pin_fields. The value stays, and so does the entry around it. What else is in the entry goes.
func TestValueInMapEntryStaysAfterReset(t *testing.T) {
	const nest, pins, ignored = "nest: {part: {b: 1}}", `pin_fields = ["spec.nest"]`, `ignore_fields = ["spec.nest.part.b"]`
	for name, c := range map[string]struct {
		body  string
		with  string
		give  string
		after string
		// then are the arguments after the reset, live is what is left.
		then, live string
	}{
		"not pinned any more": {
			body: "size: 1", with: pins, give: `{"spec": {"nest": {"part": {"b": 1}}}}`, after: "nest: {m: {b: 2}}",
			live: `{"m":{"b":2},"part":{"b":1}}`,
		},
		"not pinned any more, and another is declared": {
			body: "size: 1", with: pins, give: `{"spec": {"nest": {"m": {}, "part": {"b": 1}}}}`, after: "nest: {m: {}}",
			live: `{"m":{},"part":{"b":1}}`,
		},
		"ignored now": {body: nest, after: "size: 1", then: ignored, live: `{"part":{"b":1}}`},
		"pinned now":  {body: nest, after: "size: 1", then: pins, live: `{"part":{"b":1}}`},
		"neither":     {body: nest + ", size: 1", after: "size: 1", live: "{}"},
	} {
		t.Run(name, func(t *testing.T) {
			s := story.New(t)
			s.InstallGadgets()
			before, after := s.Config(story.Gadget(c.body), c.with), s.Config(story.Gadget(c.after), c.then)
			steps := []resource.TestStep{{Config: before}}
			if c.give != "" {
				steps = append(steps, resource.TestStep{
					PreConfig: func() { s.As("controller").Patch(s.GadgetTarget(), c.give) }, Config: before,
					Check: s.ExpectOwners(s.GadgetTarget(), "spec.nest.part.b", "controller", "k8sconnect"),
				})
			}
			s.Run(append(steps,
				resource.TestStep{
					PreConfig: s.NextStep(func() { s.As("restore").StripManagedFields(s.GadgetTarget(), "[{}]") }),
					Config:    after, Check: s.ExpectLiveJSON(s.GadgetTarget(), c.live, "spec", "nest"),
				},
				s.Noop(after),
			)...)
		})
	}
}
