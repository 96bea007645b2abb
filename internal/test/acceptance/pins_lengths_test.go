package acceptance_test

import (
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
)

const atMostTwo = `list_lengths = { "spec.routes" = { max = 2 } }`

// routesOf returns a function that sets the routes of the story's Gadget, as a controller does.
func routesOf(s *story.Story, list string) func() {
	return func() {
		s.As("controller").JSONPatch(s.GadgetTarget(), `[{"op": "replace", "path": "/spec/routes", "value": `+list+`}]`)
	}
}

// A list that has more entries than it may have is in each plan, with the entries of other managers. Nothing is
// removed.
func TestListLengthWarns(t *testing.T) {
	s := story.New(t)
	s.InstallGadgets()
	gadget := story.Gadget("routes: [{host: a}]")
	three := routesOf(s, `[{"host": "a", "port": 80}, {"host": "b", "port": 80}, {"host": "c", "port": 80, "weight": 1}]`)
	m := s.Meter()
	s.Run(
		resource.TestStep{Config: s.Config(gadget, atMostTwo)},
		resource.TestStep{
			PreConfig: s.NextStep(three, m.Start), Config: s.Config(gadget, atMostTwo),
			ConfigPlanChecks: story.PlanChecks(
				plancheck.ExpectEmptyPlan(),
				m.Plans("get gadgets NS/one 200"),
				s.ExpectOnlyWarning("List Too Long", "spec.routes has 3 entries, and list_lengths allows 2. Undeclared entries:\n",
					"\n  spec.routes[host=\"b\",port=80]: owned by \"controller\"", "\n  spec.routes[host=\"c\",port=80]: owned by \"controller\"",
					"Raise max, or remove entries with the tool that manages them."),
			),
		},
		resource.TestStep{
			Config:           s.Config(story.Gadget("routes: [{host: a}], size: 2"), atMostTwo),
			ConfigPlanChecks: story.PlanChecks(s.ExpectWarning("List Too Long", "spec.routes has 3 entries")),
			Check:            s.ExpectLiveJSON(s.GadgetTarget(), `[{"host":"a","port":80},{"host":"b","port":80},{"host":"c","port":80,"weight":1}]`, "spec", "routes"),
		},
		resource.TestStep{
			PreConfig: s.NextStep(), Config: s.Config(story.Gadget("routes: [{host: a}], size: 2"), `list_lengths = { "spec.routes" = { max = 3 } }`),
			ConfigPlanChecks: story.PlanChecks(s.ExpectNoWarning()),
		},
	)
}

// Keys of entries are secret: they are counted, and no plan names them.
func TestSecretListIsTooLong(t *testing.T) {
	s := story.New(t)
	s.InstallGadgets()
	const secret = `sensitive_fields = ["spec.routes[host=\"b\"]"]`
	gadget := story.Gadget("routes: [{host: a}]")
	s.Run(
		resource.TestStep{Config: s.Config(gadget, atMostTwo, secret)},
		resource.TestStep{
			PreConfig:        s.NextStep(routesOf(s, `[{"host":"a","port":80},{"host":"b","port":80},{"host":"c","port":80}]`)),
			Config:           s.Config(gadget, atMostTwo, secret),
			ConfigPlanChecks: story.PlanChecks(plancheck.ExpectEmptyPlan(), s.ExpectWarning("List Too Long", "spec.routes has 3 entries, and list_lengths allows 2.\n\nRaise max")),
		},
	)
}

// A list that is too short fails the plan, which names the pinned entries that are gone. What the apply itself adds counts.
func TestListTooShort(t *testing.T) {
	s := story.New(t)
	s.InstallGadgets()
	const two = `list_lengths = { "spec.routes" = { min = 2 } }`
	pins := `pin_fields = ["spec.routes[*].weight"]`
	gadget := story.Gadget("routes: [{host: a}]")
	s.Run(
		resource.TestStep{Config: s.Config(gadget, two, pins), ExpectError: story.Saying("List Too Short")},
		resource.TestStep{
			Config:      s.Config(gadget, two, pins),
			ExpectError: story.Saying("List Too Short", "spec.routes has 1 entry, and list_lengths asks for 2 or more. It lacks 1.", "Add the entries with the tool that manages them, or lower min."),
		},
		resource.TestStep{
			PreConfig: routesOf(s, `[{"host": "a", "port": 80}, {"host": "b", "port": 80, "weight": 5}]`),
			Config:    s.Config(gadget, two, pins),
		},
		resource.TestStep{
			PreConfig:   routesOf(s, `[{"host": "a", "port": 80}]`),
			Config:      s.Config(gadget, two, pins),
			ExpectError: story.Saying("It lacks 1. Pinned entries that are gone:", `spec.routes[host="b",port=80]`),
		},
		resource.TestStep{
			Config: s.Config(story.Gadget("routes: [{host: a}, {host: d}]"), two, pins),
			Check:  s.ExpectLiveJSON(s.GadgetTarget(), `[{"host":"a","port":80},{"host":"d","port":80}]`, "spec", "routes"),
		},
	)
}

// Members of a set are counted as list items are.
func TestListLengthOfASet(t *testing.T) {
	s := story.New(t)
	s.InstallGadgets()
	const two = `list_lengths = { "spec.colours" = { max = 2 } }`
	gadget := story.Gadget("colours: [red]")
	s.Run(
		resource.TestStep{Config: s.Config(gadget, two)},
		resource.TestStep{
			PreConfig: s.NextStep(func() {
				s.As("controller").JSONPatch(s.GadgetTarget(), `[{"op": "replace", "path": "/spec/colours", "value": ["red", "blue", "green"]}]`)
			}),
			Config: s.Config(gadget, two),
			ConfigPlanChecks: story.PlanChecks(plancheck.ExpectEmptyPlan(), s.ExpectOnlyWarning("List Too Long", "spec.colours has 3 entries, and list_lengths allows 2. Undeclared entries:\n",
				"\n  spec.colours[=\"blue\"]: owned by \"controller\"", "\n  spec.colours[=\"green\"]: owned by \"controller\"")),
		},
	)
}

// An invalid limit is refused before any call. A path to something other than a list of entries with owners is refused
// once the server's schema is known.
func TestListLengthBadInput(t *testing.T) {
	s := story.New(t)
	s.InstallGadgets()
	gadget := story.Gadget("routes: [{host: a}, {host: b}], steps: [x], size: 1")
	limit := func(path, limits string) string {
		return `list_lengths = { "` + path + `" = { ` + limits + ` } }`
	}
	var steps []resource.TestStep
	for _, bad := range []struct {
		limits string
		says   []string
	}{
		{limit("spec.routes", "max = 1"), []string{"Invalid List Length", "spec.routes: max is 1, and yaml_body has 2 entries.", "Set max to 2 or more"}},
		{limit("spec.routes", "min = 1"), []string{"spec.routes: min is 1, and yaml_body has 2 entries, which the object always has.", "Set min to 2 or more, or remove it."}},
		{limit("spec.routes", "min = 4, max = 3"), []string{"spec.routes: max is 3 and min is 4.", "Set max to 4 or more, or lower min."}},
		{limit("spec.routes", "max = -1"), []string{"-1 is too small.", "Write a number from 0 to 2147483647."}},
		{limit("spec.size", "max = 1"), []string{"spec.size: the value in yaml_body is not a list.", "Correct the path."}},
		{limit("spec.routes[*]", "max = 1"), []string{"spec.routes[*] selects entries of a list.", "Write the path of the list itself"}},
		{limit("spec.routes[", "max = 1"), []string{"list_lengths: field path"}},
		{limit("metadata.managedFields", "max = 1"), []string{"metadata.managedFields is written by the API server and by controllers alone"}},
		{limit("spec.steps", "max = 3"), []string{"spec.steps is an atomic list: the list as a whole has owners, and its entries have none.", "To leave the list to others, add it to ignore_fields."}},
	} {
		steps = append(steps, resource.TestStep{Config: s.Config(gadget, bad.limits), PlanOnly: true, ExpectError: story.Saying(bad.says...)})
	}
	s.Run(append(steps,
		resource.TestStep{Config: s.Config(gadget)},
		resource.TestStep{Config: s.Config(gadget, limit("spec.steps", "max = 3")), ExpectError: story.Saying("spec.steps is an atomic list")},
	)...)
}
