package acceptance_test

import (
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
)

// What another client changes or removes between the read and the dry-run of a plan is not told as a change of the apply.
func TestValuesWrittenBetweenReadAndDryRun(t *testing.T) {
	t.Parallel()
	for name, write := range map[string]string{
		"changed": story.ConfigMapIn("settings", `data: {theirs: "2"}`),
		"removed": story.ConfigMapIn("settings", `data: {other: "2"}`),
	} {
		t.Run(name, func(t *testing.T) {
			s := story.NewCompared(t)
			s.Run(
				resource.TestStep{Config: s.Config(story.ConfigMapIn("settings", `data: {ours: "1"}`))},
				resource.TestStep{
					PreConfig: s.NextStep(
						func() { s.As("bob").Apply(story.ConfigMapIn("settings", `data: {theirs: "1"}`)) },
						func() { s.Provider.BeforePlan(func() { s.As("bob").Apply(write) }) },
					),
					Config:           s.Config(story.ConfigMapIn("settings", `data: {ours: "2"}`)),
					ConfigPlanChecks: story.PlanChecks(s.ExpectNoWarning()),
				},
			)
		})
	}
}
