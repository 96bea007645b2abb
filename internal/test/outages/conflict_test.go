package outages_test

import (
	"testing"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
)

// on_conflict = "fail" refuses plans, and never a destroy, which begins with a plan like any other.
func TestConflictsDoNotBlockADestroy(t *testing.T) {
	t.Parallel()
	for name, destroy := range map[string][][]string{
		"destroy":            {{"destroy", "-auto-approve"}},
		"apply -destroy":     {{"apply", "-destroy", "-auto-approve"}},
		"a plan to destroy":  {{"plan", "-destroy", "-out=p"}, {"apply", "p"}},
		"without a refresh":  {{"destroy", "-auto-approve", "-refresh=false"}},
		"by the environment": {{"plan", "-out=p"}, {"apply", "p"}},
	} {
		t.Run(name, func(t *testing.T) {
			s := newStage(t)
			s.Configure(s.Manifest("asked", colour("red"), `on_conflict = "fail"`))
			s.exits(story.Nothing, "apply", "-auto-approve")
			s.As("somebody").Patch(askedTarget, `{"data":{"colour":"theirs"}}`)
			s.says(s.exits(story.Refused, "plan", "-detailed-exitcode"), "Error: Field Ownership Conflict", `owned by "somebody"`)
			if name == "by the environment" {
				s.Env = append(s.Env, "TF_CLI_ARGS_plan=-destroy")
			}
			for _, command := range destroy {
				s.exits(story.Nothing, command...)
			}
			if left := len(s.configMaps("asked")); left != 0 {
				t.Errorf("%d objects are left", left)
			}
		})
	}
}
