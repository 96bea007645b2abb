package acceptance_test

import (
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
)

// Our last field of a map leaves yaml_body, and what was released or ignored in the map stays: the API server
// would remove it with the map.
func TestReleasedValuesOutliveOurLastField(t *testing.T) {
	t.Parallel()
	const ignored = `ignore_fields = ["data.a"]`
	both, one := story.ConfigMapIn("kept", `data: {a: "1", b: "2"}`), story.ConfigMapIn("kept", `data: {a: "1"}`)
	tests := map[string][]resource.TestStep{
		"released before":   {{Config: both}, {Config: both + ignored}, {Config: one + ignored}},
		"in one apply":      {{Config: both}, {Config: one + ignored}},
		"ignored at create": {{Config: both + ignored}, {Config: one + ignored}},
		"two applies later": {
			{Config: both}, {Config: both + ignored}, {Config: story.ConfigMapIn("kept", `data: {b: "2"}`)}, {Config: story.ConfigMapIn("kept", "")},
		},
	}
	for name, steps := range tests {
		t.Run(name, func(t *testing.T) {
			s := story.New(t)
			for i := range steps {
				body, argument, _ := strings.Cut(steps[i].Config, ignored)
				if body != steps[i].Config {
					argument = ignored
				}
				steps[i].Config = s.Config(body, argument)
			}
			steps[len(steps)-1].Check = resource.ComposeTestCheckFunc(
				s.ExpectLiveJSON(story.KeptMap, `{"a":"1"}`, "data"), s.ExpectNoOwner(story.KeptMap, "data.a"), s.ExpectNoOwner(story.KeptMap, "data.b"),
			)
			s.Run(steps...)
		})
	}
}

// The same for labels, annotations, maps inside of list items and keyed items. An item of ours goes as a whole.
func TestReleasedValuesOutliveOurLastFieldAnywhere(t *testing.T) {
	t.Parallel()
	t.Run("labels and annotations", func(t *testing.T) {
		s := story.New(t)
		arguments := `ignore_fields = ["metadata.labels.kept", "metadata.annotations.kept"]`
		s.Run(
			resource.TestStep{Config: s.Config(story.ConfigMapIn("kept", "", `labels: {kept: "1", gone: "2"}`, `annotations: {kept: "1", gone: "2"}`), arguments)},
			resource.TestStep{
				Config: s.Config(story.ConfigMapIn("kept", "", `labels: {kept: "1"}`, `annotations: {kept: "1"}`), arguments),
				Check: resource.ComposeTestCheckFunc(
					s.ExpectLiveJSON(story.KeptMap, `{"kept":"1"}`, "metadata", "labels"), s.ExpectLiveJSON(story.KeptMap, `{"kept":"1"}`, "metadata", "annotations"),
				),
			},
		)
	})
	t.Run("a map in a list item", func(t *testing.T) {
		s := story.New(t)
		body := strings.Replace(story.Busy("0"), `image: "nginx:1.25"`, `image: "nginx:1.25", resources: {limits: {cpu: "1", memory: 1Gi}}`, 1)
		arguments := `ignore_fields = ["spec.template.spec.containers[name=\"app\"].resources.limits.cpu"]`
		s.Run(
			resource.TestStep{Config: s.Config(body, arguments)},
			resource.TestStep{
				Config: s.Config(strings.Replace(body, ", memory: 1Gi", "", 1), arguments),
				Check:  s.ExpectContainer(story.Web, "app", "resources.limits", `map[cpu:1]`),
			},
		)
	})
	t.Run("a keyed item beside our last one", func(t *testing.T) {
		s := story.New(t)
		s.InstallGadgets()
		gadget := func(routes string) string {
			return "\napiVersion: NS.example.com/v1\nkind: Gadget\nmetadata: {name: one, namespace: NS}\nspec: {size: 1, routes: [" + routes + "]}\n"
		}
		arguments := `ignore_fields = ["spec.routes[host=\"kept\"]"]`
		s.Run(
			resource.TestStep{Config: s.Config(gadget("{host: kept, weight: 5}, {host: gone, weight: 6}"), arguments)},
			resource.TestStep{
				Config: s.Config(gadget("{host: kept, weight: 7}"), arguments),
				Check:  s.ExpectLiveJSON(s.GadgetTarget(), `[{"host":"kept","port":80,"weight":5}]`, "spec", "routes"),
			},
		)
	})
	t.Run("an entry of a map of maps", func(t *testing.T) {
		s := story.New(t)
		s.InstallGadgets()
		body, arguments := story.Gadget("size: 1, nest: {kept: {b: 1}, gone: {b: 2}}"), `ignore_fields = ["spec.nest.kept.b"]`
		s.Run(
			resource.TestStep{Config: s.Config(body)},
			resource.TestStep{Config: s.Config(body, arguments), Check: s.ExpectNoOwner(s.GadgetTarget(), "spec.nest.kept")},
			resource.TestStep{
				Config: s.Config(story.Gadget("size: 1"), arguments),
				Check:  s.ExpectLiveJSON(s.GadgetTarget(), `{"kept":{"b":1}}`, "spec", "nest"),
			},
		)
	})
	t.Run("an entry of a map of maps, whose part is another manager's by now", func(t *testing.T) {
		s := story.New(t)
		s.InstallGadgets()
		const arguments = `ignore_fields = ["spec.nest.kept.b"]`
		for _, after := range []string{"size: 2, nest: {kept: {b: 1}, ours: {b: 3}}", "size: 2, nest: {ours: {b: 3}}"} {
			s.Run(
				resource.TestStep{Config: s.Config(story.Gadget("size: 1, nest: {kept: {b: 1}, ours: {b: 3}}"))},
				resource.TestStep{
					PreConfig: s.NextStep(func() { s.As("kubectl").Patch(s.GadgetTarget(), `{"spec": {"nest": {"kept": {"b": 2}}}}`) }),
					Config:    s.Config(story.Gadget(after), arguments),
					Check:     s.ExpectLiveJSON(s.GadgetTarget(), `{"kept":{"b":2},"ours":{"b":3}}`, "spec", "nest"),
				},
				s.Noop(s.Config(story.Gadget(after), arguments)),
			)
		}
	})
	t.Run("an item of ours goes as a whole", func(t *testing.T) {
		s := story.New(t)
		arguments := `ignore_fields = ["spec.template.spec.containers[*].image"]`
		s.Run(
			resource.TestStep{Config: s.Config(story.Sidecar, arguments)},
			resource.TestStep{
				PreConfig: s.NextStep(),
				Config:    s.Config(story.WithoutSidecar, arguments),
				ConfigPlanChecks: story.PlanChecks(s.ExpectWarning("that nobody owns, because what contains",
					`spec.template.spec.containers[name="log"].image: "fluent:1"`)),
				Check: s.ExpectJSONPath(story.Web, map[string]string{`{.spec.template.spec.containers[*].name}`: "app"}),
			},
		)
	})
}

// To keep such values costs one more GET in the apply that would remove them, one more PATCH if anything else is
// applied, and nothing in the plan.
func TestKeepingCosts(t *testing.T) {
	s := story.New(t)
	m := s.Meter()
	const ignored = `ignore_fields = ["data.a"]`
	s.Run(
		resource.TestStep{Config: s.Config(story.ConfigMapIn("kept", `data: {a: "1", b: "2"}`), ignored)},
		resource.TestStep{
			PreConfig: m.Start,
			Config:    s.Config(story.ConfigMapIn("kept", `data: {a: "1"}`), ignored),
			Check: m.Applies(
				"get configmaps NS/kept 200", "get configmaps NS/kept 200", "patch configmaps NS/kept dry-run 200", "patch configmaps NS/kept dry-run 200",
				"patch configmaps NS/kept 200",
				"patch configmaps NS/kept 200", // A placeholder, since nobody owns any of it.
			),
		},
	)
}
