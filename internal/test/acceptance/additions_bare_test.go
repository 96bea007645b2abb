package acceptance_test

import (
	"strings"
	"testing"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
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

// A destroy begins with a plan, which nothing that it would refuse of an update stops.
func TestDestroyDespiteAdditionsAndShortLists(t *testing.T) {
	s := &set{Workspace: story.New(t).Workspace()} // The provider knows a destroy by the command line of its parent.
	const one, two, short = "v1 ConfigMap one", "v1 ConfigMap two", "apps/v1 Deployment web"
	config := func(name string) string {
		return "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: " + name + ", namespace: NS}\ndata: {a: b}\n"
	}
	s.Configure(s.Manifest("one", config("one"), `on_addition = "fail"`),
		s.Manifest("web", story.Deployment, `list_lengths = { "spec.template.spec.containers" = { min = 2 } }`, story.Adopting),
		"resource \"k8sconnect_manifests\" \"two\" {\n  on_addition = \"fail\"\n  manifests = { two = <<-YAML\n"+s.Expand(config("two"))+"    YAML\n  }\n}\n")
	s.As("kubectl-create").Create(strings.Replace(story.Deployment, "containers: [", "containers: [{name: side, image: \"side:1\"}, ", 1))
	s.Do("apply", "-auto-approve")
	for _, target := range []string{one, two} {
		s.As("kubectl-label").Patch(target, `{"metadata":{"labels":{"added":"yes"}}}`)
	}
	s.As("kubectl-edit").StrategicPatch(short, `{"spec":{"template":{"spec":{"containers":[{"name":"side","$patch":"delete"}]}}}}`)
	if out, err := s.Try("plan"); err == nil || !strings.Contains(out, "Fields Added by Others") || !strings.Contains(out, "List Too Short") {
		t.Errorf("%v: the plan refuses nothing:\n%s", err, out)
	}
	s.Do("destroy", "-auto-approve")
	for _, target := range []string{one, two, short} {
		if !s.Gone(target) {
			t.Errorf("%s is still there", target)
		}
	}
}
