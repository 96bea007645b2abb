package outages_test

import (
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// on_conflict = "fail" refuses plans, and never a destroy, which begins with a plan like any other.
func TestConflictsDoNotBlockADestroy(t *testing.T) {
	for name, destroy := range map[string][][]string{
		"destroy":            {{"destroy", "-auto-approve"}},
		"apply -destroy":     {{"apply", "-destroy", "-auto-approve"}},
		"a plan to destroy":  {{"plan", "-destroy", "-out=p"}, {"apply", "p"}},
		"without a refresh":  {{"destroy", "-auto-approve", "-refresh=false"}},
		"by the environment": {{"plan", "-out=p"}, {"apply", "p"}},
	} {
		t.Run(name, func(t *testing.T) {
			s := newStage(t)
			s.configure(s.manifest("asked", colour("red"), `on_conflict = "fail"`))
			s.exits(nothing, "apply", "-auto-approve")
			live := s.configMaps("asked")["asked"]
			live.Data["colour"] = "theirs"
			_, err := s.typed.CoreV1().ConfigMaps(s.namespace).Update(t.Context(), &live, metav1.UpdateOptions{FieldManager: "somebody"})
			must(t, err)
			s.says(s.exits(refused, "plan", "-detailed-exitcode"), "Error: Field Ownership Conflict", `owned by "somebody"`)
			if name == "by the environment" {
				s.tf.Env = append(s.tf.Env, "TF_CLI_ARGS_plan=-destroy")
			}
			for _, command := range destroy {
				s.exits(nothing, command...)
			}
			if left := len(s.configMaps("asked")); left != 0 {
				t.Errorf("%d objects are left", left)
			}
		})
	}
}
