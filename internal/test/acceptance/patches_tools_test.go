package acceptance_test

import (
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
)

// The plan says what will happen to a tool when a patch takes its field: a tool that applies without force gets a conflict.
func TestPatchTakesFromATool(t *testing.T) {
	t.Parallel()
	for manager, says := range map[string]string{
		"helm":                 `the next "helm upgrade" fails with a conflict`,
		"kustomize-controller": "Flux forces its applies",
		"argocd-controller":    "its next sync takes the field back",
	} {
		t.Run(manager, func(t *testing.T) {
			s := story.New(t)
			s.As(manager).Apply(story.ConfigMapIn("settings", `data: {a: "1"}`))
			s.Run(resource.TestStep{
				Config:           s.PatchConfig(story.SettingsTarget, "data: {a: ours}"),
				ConfigPlanChecks: story.PlanChecks(s.ExpectPlanSays(`data.a: "1" -> "ours", owned by "`+manager+`"`, says)),
			})
		})
	}
}
