package acceptance_test

import (
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
)

// What a rule makes secret appears in no attribute and no message: neither our value nor that of another manager.
func TestRuleHidesValues(t *testing.T) {
	s := story.New(t)
	const ours, theirs, later = "correct-horse-battery", "staple-of-another", "staple-of-tomorrow"
	block := s.WithRules(`kinds = ["ConfigMap"], sensitive_fields = ["data"]`)
	body := func(value string) string {
		return s.Manifest("test", story.ConfigMapIn("kept", `data: {password: "`+value+`"}`))
	}
	s.Run(
		resource.TestStep{
			Config:            block + body(ours),
			ConfigStateChecks: story.StateChecks(s.ExpectStateRedacted(ours), story.ExpectState("rules_applied", "sensitive_fields: [data]")),
		},
		resource.TestStep{
			PreConfig: s.NextStep(func() { s.As("kubectl-edit").Patch(story.KeptMap, `{"data":{"password":"`+theirs+`"}}`) }),
			Config:    block + body(later),
			ConfigPlanChecks: story.PlanChecks(
				s.ExpectPlanSays("data.password", "owned by"), s.ExpectRedacted(ours, theirs, later)),
			ConfigStateChecks: story.StateChecks(s.ExpectStateRedacted(ours, theirs, later)),
			Check:             s.ExpectLive(story.KeptMap, map[string]any{"data.password": later}),
		},
	)
}

// A patch cannot restore what a rule makes secret, and an export cannot show it.
func TestRuleRefusesStoredSecrets(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		block func(s *story.Story) string
		want  []string
	}{
		"restore": {
			func(s *story.Story) string {
				return s.PatchBlock("test", story.SettingsTarget, `data: {level: "2"}`, `on_destroy = "restore"`)
			},
			[]string{"values of this patch are secret by sensitive_fields of rules[0] of the provider block", `Use "remove" or "release"`},
		},
		"export": {
			func(s *story.Story) string {
				return s.Manifest("test", story.ConfigMap, `exports = { colour = "data.colour" }`)
			},
			[]string{"Secret Value Exported"},
		},
		"pin": {
			func(s *story.Story) string {
				return s.Manifest("test", story.ConfigMap, `pin_fields = ["data.shade"]`)
			},
			[]string{"data.shade is secret by data in sensitive_fields of rules[0] of the provider block"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := story.New(t)
			s.As("helm").Create(story.Settings)
			s.Run(resource.TestStep{
				Config:      s.WithRules(`kinds = ["ConfigMap"], sensitive_fields = ["data"]`) + tt.block(s),
				ExpectError: story.Saying(tt.want...),
			})
		})
	}
}
