package acceptance_test

import (
	"context"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
)

// A manager that is taken over by default keeps its list item: the item stays when we pin a part of it, and when we
// release that part.
func TestPinItemOfTakenOver(t *testing.T) {
	s := story.New(t)
	s.InstallGadgets()
	const weight, routes = `spec.routes[host="b",port=80].weight`, `[{"host":"a","port":80},{"host":"b","port":80,"weight":5}]`
	gadget := story.Gadget("routes: [{host: a}]")
	stays := s.ExpectLiveJSON(s.GadgetTarget(), routes, "spec", "routes")
	pinned := s.Config(gadget, `pin_fields = ["spec.routes[*].weight"]`)
	s.Run(
		resource.TestStep{Config: s.Config(gadget)},
		resource.TestStep{
			PreConfig: func() {
				s.As("kubectl-client-side-apply").JSONPatch(s.GadgetTarget(), `[{"op": "replace", "path": "/spec/routes", "value": `+routes+`}]`)
			},
			Config: pinned, Check: resource.ComposeTestCheckFunc(stays, s.ExpectOwners(s.GadgetTarget(), weight, "k8sconnect", "kubectl-client-side-apply")),
		},
		s.Noop(pinned),
		resource.TestStep{
			Config: s.Config(gadget), Check: resource.ComposeTestCheckFunc(stays, s.ExpectOwners(s.GadgetTarget(), weight, "kubectl-client-side-apply")),
		},
		s.Noop(s.Config(gadget)),
	)
}

// The server refuses pinned node ports once another client has given the Service a type without any. The error names
// them, and what it says to do helps.
func TestPinnedValuesThatNoLongerFit(t *testing.T) {
	s := story.New(t)
	untyped := strings.Replace(service, "  type: NodePort\n", "", 1)
	become := func(kind string) func() {
		return func() { s.As("kubectl-edit").Patch(serviceTarget, `{"spec": {"type": "`+kind+`"}}`) }
	}
	refused := story.Saying("Pinned Value Refused", "may not be used when `type` is", "The API server accepts yaml_body without the values that pin_fields holds:\n\n  "+nodePort+"\n\n",
		"Remove the paths that no longer fit from pin_fields, or change repin")
	s.Run(
		resource.TestStep{Config: s.Config(untyped)},
		resource.TestStep{PreConfig: become("NodePort"), Config: s.Config(untyped, ports), Check: s.ExpectOwners(serviceTarget, nodePort, "k8sconnect")},
		resource.TestStep{PreConfig: become("ClusterIP"), Config: s.Config(untyped, ports), ExpectError: refused},
		resource.TestStep{
			Config: s.Config(untyped, `pin_fields = ["spec.clusterIP"]`),
			Check:  s.ExpectLiveJSON(serviceTarget, `[{"name":"http","port":80,"protocol":"TCP","targetPort":80}]`, "spec", "ports"),
		},
	)
}

// What was ignored while other managers changed it is pinned with the value that it has when it is pinned.
func TestPinWhatWasIgnored(t *testing.T) {
	s := story.New(t)
	const target, field, pins = "v1 ConfigMap web", "metadata.annotations.note", `pin_fields = ["metadata.annotations"]`
	ignoring := s.Config(story.ConfigMap, pins, `ignore_fields = ["metadata.annotations.note"]`)
	note := func(value string) func() {
		return func() { s.As("kubectl").Patch(target, `{"metadata": {"annotations": {"note": "`+value+`"}}}`) }
	}
	s.Run(
		resource.TestStep{Config: ignoring},
		resource.TestStep{PreConfig: note("one"), Config: ignoring, Check: s.ExpectOwners(target, field, "kubectl")},
		resource.TestStep{PreConfig: note("two"), Config: ignoring, Check: s.ExpectOwners(target, field, "kubectl")},
		resource.TestStep{
			Config:            s.Config(story.ConfigMap, pins),
			ConfigStateChecks: story.StateChecks(story.ExpectState("pinned", field+": two")),
			Check:             s.ExpectLiveJSON(target, `"two"`, "metadata", "annotations", "note"),
		},
		s.Noop(s.Config(story.ConfigMap, pins)),
	)
}

// A list item that left yaml_body stays, because other managers have a part of it and we pin another one. It stays when
// the pin ends, too.
func TestPinEndsInItemOfOthers(t *testing.T) {
	s := story.New(t)
	s.InstallGadgets()
	const weight, routes = `spec.routes[host="b",port=80].weight`, `[{"host":"a","port":80},{"host":"b","port":80,"weight":5}]`
	one := story.Gadget("routes: [{host: a}]")
	stays := s.ExpectLiveJSON(s.GadgetTarget(), routes, "spec", "routes")
	pins := `pin_fields = ["spec.routes[*].weight"]`
	s.Run(
		resource.TestStep{Config: s.Config(story.Gadget("routes: [{host: a}, {host: b}]"), pins)},
		resource.TestStep{
			PreConfig: routesOf(s, routes), Config: s.Config(one, pins),
			Check: resource.ComposeTestCheckFunc(stays, s.ExpectOwners(s.GadgetTarget(), weight, "controller", "k8sconnect")),
		},
		s.Noop(s.Config(one, pins)),
		resource.TestStep{Config: s.Config(one), Check: resource.ComposeTestCheckFunc(stays, s.ExpectOwners(s.GadgetTarget(), weight, "controller"))},
		s.Noop(s.Config(one)),
	)
}

// A list item of ours goes as a whole, and the plan does not say of values in it that they stay: of one that is ignored from
// now on, and of a pinned one, whose other owner is taken over.
func TestReleaseInItemThatLeaves(t *testing.T) {
	s := story.New(t)
	s.InstallGadgets()
	const weight, one = `spec.routes[host="b",port=80].weight`, "routes: [{host: a}]"
	written := s.Config(story.Gadget("routes: [{host: a}, {host: b, weight: 5}]"))
	ignored := s.Config(story.Gadget(one), `ignore_fields = ["spec.routes[*].weight"]`)
	pinned := s.Config(story.Gadget("routes: [{host: a}, {host: b}]"), `pin_fields = ["spec.routes[*].weight"]`)
	takenOver := s.Config(story.Gadget(one), `take_over_managers = ["controller"]`)
	goes := story.PlanChecks(story.ExpectValue(weight, "5", story.Absent), saysOfNoneThatItStays(s))
	gone := s.ExpectLiveJSON(s.GadgetTarget(), `[{"host":"a","port":80}]`, "spec", "routes")
	s.Run(
		resource.TestStep{Config: written},
		resource.TestStep{Config: ignored, ConfigPlanChecks: goes, Check: gone},
		resource.TestStep{Config: pinned},
		resource.TestStep{
			PreConfig: routesOf(s, `[{"host":"a","port":80},{"host":"b","port":80,"weight":5}]`), Config: pinned,
			Check: s.ExpectOwners(s.GadgetTarget(), weight, "controller", "k8sconnect"),
		},
		resource.TestStep{Config: takenOver, ConfigPlanChecks: goes, Check: gone},
		s.Noop(takenOver),
	)
}

var stays = regexp.MustCompile("its value stays|keeps its value|keep their values")

// saysOfNoneThatItStays asserts that the plan says of no value that it stays.
func saysOfNoneThatItStays(s *story.Story) plancheck.PlanCheck {
	return story.Check(func(context.Context, plancheck.CheckPlanRequest) error {
		if warnings, _ := s.Provider.LastPlan(); stays.MatchString(strings.Join(warnings, "\n")) {
			return fmt.Errorf("the plan says that a value stays: %q", warnings)
		}
		return nil
	})
}

// A change of the type makes the server choose node ports, for the port of another client too. The same apply pins all
// of them.
func TestPinPortsOfAnotherType(t *testing.T) {
	s := story.New(t)
	untyped := strings.Replace(service, "  type: NodePort\n", "", 1)
	s.Run(
		resource.TestStep{Config: s.Config(untyped, ports)},
		resource.TestStep{
			PreConfig: func() {
				s.As("controller").JSONPatch(serviceTarget, `[{"op": "add", "path": "/spec/ports/-", "value": {"name": "https", "port": 443, "protocol": "TCP"}}]`)
			},
			Config: s.Config(service, ports),
			Check:  resource.ComposeTestCheckFunc(s.ExpectOwners(serviceTarget, nodePort, "k8sconnect"), s.ExpectOwners(serviceTarget, secondPort, "k8sconnect")),
		},
		s.Noop(s.Config(service, ports)),
	)
}

// A pinned value that does not fit another member of a union, which yaml_body declares now: the error names the pin, and what
// it says to do helps.
func TestPinOfASwitchedUnion(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		before, after, pins, pinned string
		change                      func(s *story.Story)
	}{
		"a strategy": {
			story.Deployment, strings.Replace(story.Deployment, "spec:\n", "spec:\n  strategy: {type: Recreate}\n", 1), "spec.strategy.rollingUpdate",
			"spec.strategy.rollingUpdate.maxSurge\n  spec.strategy.rollingUpdate.maxUnavailable", nil,
		},
		"a variable": {
			story.Probed("env: [{name: E}]"), story.Probed("env: [{name: E, valueFrom: {fieldRef: {fieldPath: spec.nodeName}}}]"),
			"spec.template.spec.containers[*].env[*].value", `spec.template.spec.containers[name="app"].env[name="E"].value`,
			func(s *story.Story) {
				s.As("editor").JSONPatch(story.Web, `[{"op": "add", "path": "/spec/template/spec/containers/0/env/0/value", "value": "x"}]`)
			},
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := story.New(t)
			const other = "spec.template.spec.terminationGracePeriodSeconds"
			pins, rest := `pin_fields = ["`+test.pins+`", "`+other+`"]`, `pin_fields = ["`+other+`"]`
			steps := []resource.TestStep{{Config: s.Config(test.before, pins)}}
			if test.change != nil {
				steps = append(steps, resource.TestStep{PreConfig: func() { test.change(s) }, Config: s.Config(test.before, pins)})
			}
			s.Run(append(steps,
				resource.TestStep{
					Config: s.Config(test.after, pins),
					ExpectError: story.Saying("Pinned Value Refused", "without the values that pin_fields holds:\n\n  "+test.pinned+"\n\n",
						"Remove the paths that no longer fit from pin_fields"),
				},
				resource.TestStep{Config: s.Config(test.after, rest)},
				s.Noop(s.Config(test.after, rest)),
			)...)
		})
	}
}

// An item of another manager stays after managedFields was reset, and so does the value in it that we pin, or have pinned until
// now.
func TestPinInItemOfOthersAfterReset(t *testing.T) {
	t.Parallel()
	const weight, routes = `spec.routes[host="b",port=80].weight`, `[{"host":"a","port":80},{"host":"b","port":80,"weight":5}]`
	pins := `pin_fields = ["spec.routes[*].weight"]`
	gadget, changed := story.Gadget("routes: [{host: a}], size: 1"), story.Gadget("routes: [{host: a}], size: 2")
	for name, c := range map[string]struct {
		arguments []string
		owners    []string
	}{
		"the pin stays": {[]string{pins}, []string{"before-first-apply", "k8sconnect"}},
		"the pin ends":  {nil, []string{"before-first-apply"}},
	} {
		t.Run(name, func(t *testing.T) {
			s := story.New(t)
			s.InstallGadgets()
			after := s.Config(changed, c.arguments...)
			s.Run(
				resource.TestStep{Config: s.Config(gadget, pins)},
				resource.TestStep{PreConfig: routesOf(s, routes), Config: s.Config(gadget, pins), Check: s.ExpectOwners(s.GadgetTarget(), weight, "controller", "k8sconnect")},
				resource.TestStep{
					PreConfig: s.NextStep(func() {
						s.As("restore").StripManagedFields(s.GadgetTarget(), "[{}]")
						s.As("policy").Apply(story.Gadget("routes: [{host: a}]"))
					}),
					Config: after,
					Check: resource.ComposeTestCheckFunc(s.ExpectLiveJSON(s.GadgetTarget(), routes, "spec", "routes"),
						s.ExpectOwners(s.GadgetTarget(), weight, c.owners...)),
				},
				s.Noop(after),
			)
		})
	}
}

// The same without an apply of another client after the reset.
func TestPinInItemOfNobody(t *testing.T) {
	t.Parallel()
	const routes = `[{"host":"a","port":80},{"host":"b","port":80,"weight":5}]`
	pins := `pin_fields = ["spec.routes[*].weight"]`
	gadget, changed := story.Gadget("routes: [{host: a}], size: 1"), story.Gadget("routes: [{host: a}], size: 2")
	for name, arguments := range map[string][]string{"the pin stays": {pins}, "the pin ends": nil} {
		t.Run(name, func(t *testing.T) {
			s := story.New(t)
			s.InstallGadgets()
			after := s.Config(changed, arguments...)
			s.Run(
				resource.TestStep{Config: s.Config(gadget, pins)},
				resource.TestStep{PreConfig: routesOf(s, routes), Config: s.Config(gadget, pins)},
				resource.TestStep{
					PreConfig: s.NextStep(func() { s.As("restore").StripManagedFields(s.GadgetTarget(), "[{}]") }),
					Config:    after,
					Check:     s.ExpectLiveJSON(s.GadgetTarget(), routes, "spec", "routes"),
				},
				s.Noop(after),
			)
		})
	}
}

// A pin claims the entries of a list that no manager owns. They stay pinned, and stay when the pin ends.
func TestPinEntriesOfNobody(t *testing.T) {
	s := story.New(t)
	s.InstallGadgets()
	body, pins := story.Gadget("size: 1"), `pin_fields = ["spec.colours", "spec.routes"]`
	stays := resource.ComposeTestCheckFunc(
		s.ExpectLiveJSON(s.GadgetTarget(), `["red"]`, "spec", "colours"),
		s.ExpectLiveJSON(s.GadgetTarget(), `[{"host":"a","port":80,"weight":5}]`, "spec", "routes"),
	)
	s.Run(
		resource.TestStep{Config: s.Config(body)},
		resource.TestStep{
			PreConfig: s.NextStep(func() {
				s.As("controller").Patch(s.GadgetTarget(), `{"spec": {"colours": ["red"], "routes": [{"host": "a", "weight": 5}]}}`)
				dropEntry(s, s.GadgetTarget(), "controller")
			}),
			Config:            s.Config(body, pins),
			ConfigStateChecks: story.StateChecks(story.ExpectState("pinned", `spec.colours[="red"]: red`)),
			Check:             stays,
		},
		s.Noop(s.Config(body, pins)),
		resource.TestStep{
			PreConfig: s.NextStep(func() { s.As("kubectl").Patch(s.GadgetTarget(), `{"spec": {"colours": ["blue"], "size": 3}}`) }),
			Config:    s.Config(body, pins), Check: s.ExpectLiveJSON(s.GadgetTarget(), `["blue","red"]`, "spec", "colours"),
		},
		resource.TestStep{Config: s.Config(body), Check: s.ExpectLiveJSON(s.GadgetTarget(), `[{"host":"a","port":80,"weight":5}]`, "spec", "routes")},
		s.Noop(s.Config(body)),
	)
}
