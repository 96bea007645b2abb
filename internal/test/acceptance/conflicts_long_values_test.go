package acceptance_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
)

// corefile returns a text of 20 lines that forwards to an address.
func corefile(forward string) string {
	var text strings.Builder
	for i := 1; i <= 20; i++ {
		line := fmt.Sprintf("plugin%d on", i)
		if i == 12 {
			line = "forward . " + forward
		}
		text.WriteString(line + "\n")
	}
	return text.String()
}

func corefileMap(forward string) string {
	return story.ConfigMapIn("web", "data:\n  Corefile: "+story.AsJSON(corefile(forward)))
}

// changeCorefile writes another Corefile, as kubectl edit does.
func changeCorefile(s *story.Story, forward string) {
	s.As("kubectl-edit").Patch("v1 ConfigMap web", story.AsJSON(map[string]any{"data": map[string]any{"Corefile": corefile(forward)}}))
}

// differing are the lines of a warning about a Corefile in which one address changes.
func differing(was, becomes string) []string {
	return []string{
		"data.Corefile: changes in part (see below), owned by \"kubectl-edit\"",
		"line 12:\n      - forward . " + was + "\n      + forward . " + becomes + "\n",
	}
}

// Of a long text that another client changed, the warning has the lines that differ, for a whole object and for each
// kind of patch.
func TestLongTextOfOthers(t *testing.T) {
	t.Parallel()
	const target = "v1 ConfigMap web"
	body := "data:\n  Corefile: " + story.AsJSON(corefile("8.8.8.8"))
	patch, err := json.Marshal(map[string]any{"data": map[string]any{"Corefile": corefile("8.8.8.8")}})
	if err != nil {
		t.Fatal(err)
	}
	for name, config := range map[string]func(*story.Story) string{
		"an apply":         func(s *story.Story) string { return s.PatchConfig(target, body) },
		"a merge patch":    func(s *story.Story) string { return s.TypedPatchConfig(target, "merge", string(patch)) },
		"an adopted whole": func(s *story.Story) string { return s.Config(corefileMap("8.8.8.8"), story.Adopting) },
	} {
		t.Run(name, func(t *testing.T) {
			s := story.New(t)
			s.As("kubectl-edit").Create(corefileMap("1.1.1.1"))
			s.Run(resource.TestStep{
				Config:           config(s),
				ConfigPlanChecks: story.PlanChecks(s.ExpectWarning(differing("1.1.1.1", "8.8.8.8")...)),
			})
		})
	}
}

// Drift in a long text shows the lines that the apply sets back, and nothing of them if the field is sensitive.
func TestDriftInLongText(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		argument string
		says     []string
	}{
		"a plain one":     {"", differing("1.1.1.1", "8.8.8.8")},
		"a sensitive one": {`sensitive_fields = ["data.Corefile"]`, []string{"data.Corefile: \"(sensitive, hmac"}},
	} {
		t.Run(name, func(t *testing.T) {
			s := story.New(t)
			config := s.Config(corefileMap("8.8.8.8"), test.argument)
			s.Run(
				resource.TestStep{Config: config},
				resource.TestStep{
					PreConfig: func() { changeCorefile(s, "1.1.1.1") },
					Config:    config, ConfigPlanChecks: story.PlanChecks(s.ExpectWarning(test.says...)),
				},
			)
		})
	}
}

// Drift in an atomic list of many kilobytes shows the paths that differ: in a CustomResourceDefinition, this is the
// field that matters.
func TestDriftInLongStructure(t *testing.T) {
	s := story.New(t)
	t.Cleanup(s.DropDefinition)
	long := strings.Replace(story.WidgetDefinition, "size: {type: integer,",
		"size: {type: integer, description: "+strings.Repeat("word ", 1200)+",", 1)
	config := s.Config(long)
	s.Run(
		resource.TestStep{Config: config},
		resource.TestStep{
			PreConfig: func() {
				s.As("operator").Patch("apiextensions.k8s.io/v1 CustomResourceDefinition widgets.NS.example.com", strings.ReplaceAll(
					story.AsJSON(map[string]any{"spec": map[string]any{"versions": s.Live(
						"apiextensions.k8s.io/v1 CustomResourceDefinition widgets.NS.example.com").Object["spec"].(map[string]any)["versions"]}}),
					`"default":3`, `"default":5,"maximum":9`))
			},
			Config: config,
			ConfigPlanChecks: story.PlanChecks(s.ExpectWarning(`spec.versions: changes in part (see below), owned by "operator"`,
				`[name="v1"].schema.openAPIV3Schema.properties.spec.properties.size.default: 5 -> 3`,
				`[name="v1"].schema.openAPIV3Schema.properties.spec.properties.size.maximum: 9 -> (none)`)),
		},
	)
}
