package acceptance_test

import (
	"strings"
	"testing"
)

// An object of which the manifest has no field belongs to nobody, and the API server would record no owner of what
// other managers write to it.
func TestAdditionsToObjectsWithoutFields(t *testing.T) {
	t.Parallel()
	const account = "apiVersion: v1\nkind: ServiceAccount\nmetadata: {name: bot, namespace: NS}\n"
	const accountTarget, spaceTarget = "v1 ServiceAccount bot", "v1 Namespace NS-bare"
	const space = "apiVersion: v1\nkind: Namespace\nmetadata: {name: NS-bare}\n"
	accounts := func(s *set, arguments ...string) string {
		return "resource \"k8sconnect_manifests\" \"test\" {\n  " + strings.Join(arguments, "\n  ") + "\n  manifests = { bot = <<-YAML\n" +
			s.Expand(account) + "    YAML\n  }\n}\n"
	}
	annotate := func(s *set) {
		s.As("kubectl-annotate").Patch(accountTarget, `{"metadata":{"annotations":{"example.com/role":"admin"}}}`)
	}
	told := []string{"Fields Added by Others: Namespace NS-bare", `metadata.labels.pod-security.kubernetes.io/enforce: "privileged", owned by "kubectl-label"`,
		"Fields Added by Others: ServiceAccount NS/bot", "example.com/role", `owned by "kubectl-annotate"`}
	t.Run("created", func(t *testing.T) {
		s := newSet(t)
		s.Configure(s.Manifest("space", space), accounts(s))
		s.Do("apply", "-auto-approve")
		s.settled()
		annotate(s)
		s.As("kubectl-label").Patch(spaceTarget, `{"metadata":{"labels":{"pod-security.kubernetes.io/enforce":"privileged"}}}`)
		s.expect(s.Do("plan"), told...)
		s.Configure(s.Manifest("space", space, `on_addition = "remove"`), accounts(s))
		s.Do("apply", "-auto-approve")
		if labels := s.Live(spaceTarget).GetLabels(); len(labels) != 1 {
			t.Errorf("the labels are %v", labels)
		}
	})
	t.Run("adopted", func(t *testing.T) {
		s := newSet(t)
		s.As("kubectl-create").Create(account)
		s.Configure(accounts(s, "adopt_existing = true"))
		s.Do("apply", "-auto-approve")
		s.settled()
		annotate(s)
		s.expect(s.Do("plan"), told[2:]...)
	})
	t.Run("the last field is left to others", func(t *testing.T) {
		s := newSet(t)
		labelled := strings.Replace(account, "namespace: NS", "namespace: NS, labels: {a: b}", 1)
		s.Configure(s.Manifest("bot", labelled, `ignore_fields = ["metadata.labels.a"]`))
		s.Do("apply", "-auto-approve")
		s.settled()
		annotate(s)
		s.expect(s.Do("plan"), told[2:]...)
		s.Do("destroy", "-auto-approve")
	})
}
