package manifestresource_test

import (
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/terraform"
)

// Two configurations with the same field manager: the second adopts the object, and its plan says what goes.
func TestAdoptionTellsWhatGoes(t *testing.T) {
	s := newStory(t)
	s.run(resource.TestStep{
		PreConfig: s.anew(func() { s.as("k8sconnect").apply(configMapIn("kept", `data: {a: "1", b: "2"}`)) }),
		Config:    s.config(configMapIn("kept", `data: {b: "2"}`), "adopt_existing = true"),
		ConfigPlanChecks: checks(
			s.expectPlanSays("the apply removes a field that yaml_body does not have:", `data.a: "1", owned by "k8sconnect"`),
			s.expectPlanSays("another configuration may manage it", "set another field_manager here"),
		),
		Check: s.expectLiveJSON(keptMap, `{"b":"2"}`, "data"),
	})
}

// A value without an owner does not change without a word: kubectl scaled what nobody owned.
func TestUnownedValueThatChanges(t *testing.T) {
	s := newStory(t)
	s.run(
		resource.TestStep{Config: s.config(busy("0"), `ignore_fields = ["spec.replicas"]`)},
		resource.TestStep{
			PreConfig: s.anew(func() { s.as("kubectl").scale(web, 5) }),
			Config:    s.config(busy("0")),
			ConfigPlanChecks: checks(
				s.expectWarning("the apply changes a value that nobody owns:\n\n  spec.replicas: \"5\" -> \"3\""), expectValue("spec.replicas", absent, "3"),
			),
			Check: s.expectLive(web, map[string]any{"spec.replicas": 3}),
		},
	)
}

// What the API server filled in goes with the probe that it filled it into, and the plan says so.
func TestDefaultsThatGo(t *testing.T) {
	s := newStory(t)
	probe := strings.Replace(busy("0"), `image: "nginx:1.25"`, `image: "nginx:1.25", livenessProbe: {httpGet: {path: /, port: 80}}`, 1)
	s.run(
		resource.TestStep{Config: s.config(probe)},
		resource.TestStep{
			PreConfig: s.anew(),
			Config:    s.config(busy("0")),
			ConfigPlanChecks: checks(s.expectOnlyWarning(
				"the apply removes 5 values that nobody owns, together with what leaves yaml_body around them:",
				`spec.template.spec.containers[name="app"].livenessProbe.periodSeconds: "10"`,
			)),
		},
	)
}

// A value of another owner is told as it was, however long it is.
func TestLongValueBefore(t *testing.T) {
	for name, image := range map[string]string{
		"a digest":            "registry.example.com/team/shop/frontend@sha256:" + strings.Repeat("ab", 32),
		"more than is stored": strings.Repeat("a", 200) + "/" + strings.Repeat("b", 200),
	} {
		t.Run(name, func(t *testing.T) {
			s := newStory(t)
			s.run(
				resource.TestStep{Config: s.config(busy("0"), `ignore_fields = ["spec.template.spec.containers[name=\"app\"].image"]`)},
				resource.TestStep{
					PreConfig: s.anew(func() {
						s.as("kubectl-set").strategicPatch(web, `{"spec":{"template":{"spec":{"containers":[{"name":"app","image":"`+image+`"}]}}}}`)
					}),
					Config:           s.config(busy("0")),
					ConfigPlanChecks: checks(s.expectWarning(`"` + image + `" -> "nginx:1.25"`)),
				},
			)
		})
	}
}

// A plan takes one field. Whoever writes to another one before the apply is told what the apply overwrote, and so is
// a second write to the first.
func TestWritesAfterAPlanThatTakes(t *testing.T) {
	s := newStory(t)
	m := s.meter()
	body := configMapIn("kept", `data: {a: "1", b: "2"}`)
	take := func(write func()) resource.TestStep {
		return resource.TestStep{
			PreConfig: func() {
				s.as("bob").patch(keptMap, `{"data":{"a":"9"}}`)
				m.start()
			},
			Config:           s.config(body),
			ConfigPlanChecks: checks(s.expectWarning(`data.a: "9" -> "1"`), meanwhile(write)),
		}
	}
	quiet, noisy := take(func() {}), take(func() { s.as("carol").patch(keptMap, `{"data":{"a":"7","b":"8"}}`) })
	quiet.Check = m.applies(
		"get configmaps NS/kept 200", "patch configmaps NS/kept 200", "patch configmaps NS/kept dry-run 200", "patch configmaps NS/kept dry-run 200",
	)
	noisy.Check = resource.ComposeTestCheckFunc(
		func(*terraform.State) error {
			return s.warned(`data.a: "7", written by "carol"`, `data.b: "8", written by "carol"`)
		},
		s.expectLiveJSON(keptMap, `{"a":"1","b":"2"}`, "data"),
	)
	s.run(resource.TestStep{Config: s.config(body)}, quiet, noisy)
}
