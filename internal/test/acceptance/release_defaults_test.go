package acceptance_test

import (
	"strings"
	"testing"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
)

// A field that leaves the manifest and gets a default is told with both values and the way to keep it, which keeps it.
func TestDefaultOfAFieldThatLeaves(t *testing.T) {
	t.Parallel()
	const deployment = "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web, namespace: NS}\nspec:\n  replicas: 4\n" +
		"  progressDeadlineSeconds: 60\n  selector: {matchLabels: {app: web}}\n  template:\n    metadata: {labels: {app: web}}\n" +
		"    spec: {terminationGracePeriodSeconds: 300, containers: [{name: web, image: web}]}\n"
	left := strings.NewReplacer("  replicas: 4\n", "", "  progressDeadlineSeconds: 60\n", "", "terminationGracePeriodSeconds: 300, ", "").Replace(deployment)
	told := []string{
		"3 fields leave", "and the API server gives them their defaults:", `spec.replicas: "4" -> "1" (default)`,
		`spec.progressDeadlineSeconds: "60" -> "600" (default)`, `spec.template.spec.terminationGracePeriodSeconds: "300" -> "30" (default)`,
	}
	replicas := func(s *set, want int64) {
		t.Helper()
		if got := s.Live("apps/v1 Deployment web").Object["spec"].(map[string]any)["replicas"]; got != want {
			t.Errorf("replicas: %v, want %d", got, want)
		}
	}
	t.Run("alone", func(t *testing.T) {
		s := newSet(t)
		s.Configure(s.Manifest("test", deployment))
		s.Do("apply", "-auto-approve")
		s.Configure(s.Manifest("test", left))
		s.expect(s.Do("plan"), append(told, `ignore_fields = ["spec.progressDeadlineSeconds", "spec.replicas",`)...)
		s.Configure(s.Manifest("test", left, `ignore_fields = ["spec.replicas"]`))
		s.expect(s.Do("apply", "-auto-approve"), "2 fields leave", `spec.replicas: "4", owned by nobody else`, "1 changed")
		replicas(s, 4)
		s.settled()
	})
	t.Run("in a set", func(t *testing.T) {
		s := newSet(t)
		s.has(map[string]string{"web": deployment})
		s.Do("apply", "-auto-approve")
		s.has(map[string]string{"web": left})
		s.expect(s.Do("plan"), append(told, `add this to rules:`, `{ kinds = ["Deployment"], namespaces = ["NS"], names = ["web"], ignore_fields = [`)...)
		s.Do("apply", "-auto-approve")
		replicas(s, 1)
		s.settled()
	})
	t.Run("with an autoscaler that has written", func(t *testing.T) {
		s := newSet(t)
		s.Configure(s.Manifest("test", deployment))
		s.Do("apply", "-auto-approve")
		s.As("autoscaler").Apply("apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web, namespace: NS}\nspec: {replicas: 4}\n")
		s.Configure(s.Manifest("test", left))
		s.expect(s.Do("apply", "-auto-approve"), "2 fields leave", "stays on the object, because others own it", story.Address)
		replicas(s, 4)
	})
}
