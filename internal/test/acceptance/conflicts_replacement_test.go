package acceptance_test

import (
	"strings"
	"testing"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
)

// A replacement loses what other managers have written. The policies decide about it as about an update, and without
// them the warnings have it.
func TestReplacementThatLosesWhatOthersWrote(t *testing.T) {
	t.Parallel()
	for name, typ := range map[string]string{"of a resource": "k8sconnect_manifest", "in a set": "k8sconnect_manifests"} {
		t.Run(name, func(t *testing.T) {
			s := newSet(t)
			has := func(arguments string, edits ...string) {
				body := "<<-YAML\n" + s.Expand(strings.NewReplacer(edits...).Replace(story.Deployment)) + "\n    YAML\n"
				if typ == "k8sconnect_manifest" {
					s.Configure("resource \"" + typ + "\" \"test\" {\n  yaml_body = " + body + arguments + "\n}\n")
				} else {
					s.Configure("resource \"" + typ + "\" \"test\" {\n  manifests = {\n    web = " + body + "  }\n" + arguments + "\n}\n")
				}
			}
			const strict = "on_conflict = \"fail\"\non_addition = \"fail\""
			has(strict)
			s.Do("apply", "-auto-approve")
			has(strict, "app: web", "app: shop")
			s.expect(s.Do("plan"), "Immutable Field", "not", "Field Ownership Conflict", "Fields Added by Others")
			uid := s.uid(story.Web)
			s.As("kubectl").Scale(story.Web, 4)
			s.As("kubectl-label").Patch(story.Web, `{"metadata":{"labels":{"a":"b"}}}`)

			s.expect(s.Exits(story.Refused, "plan"), "Field Ownership Conflict", `on_conflict is "fail" and on_addition is "fail"`,
				`metadata.labels: "{\"a\":\"b\"}", owned by "kubectl-label"`, `spec.replicas: "4" -> "3", owned by "kubectl"`,
				"The plan replaces the object, and the new one does not have what others have written.", `on_conflict = "force"`, `on_addition = "warn"`,
				"Immutable Field", "not", "with the value it has now")
			has("", "app: web", "app: shop")
			s.expect(s.Do("plan"), "Immutable Field", "Field Ownership Conflict", "Fields Added by Others",
				`metadata.labels: "{\"a\":\"b\"}", owned by "kubectl-label"`, `spec.replicas: "4" -> "3", owned by "kubectl"`,
				"The plan replaces the object, and the new one does not have what others have written.", "not", "with the value it has now", "To accept it")
			// The configuration has agreed to one write, and leaves the other to whoever made it.
			has(strict+"\n"+s.leavesLabel(typ), "app: web", "app: shop", "replicas: 3", "replicas: 4")
			s.expect(s.Do("apply", "-auto-approve"), "Immutable Field", "not", "Field Ownership Conflict", "Fields Added by Others")
			s.settled()
			if s.uid(story.Web) == uid {
				t.Error("the object was not replaced")
			}
		})
	}
}

// leavesLabel returns the argument of a type of resource that leaves a label of Deployments to other managers.
func (s *set) leavesLabel(typ string) string {
	const ignored = `ignore_fields = ["metadata.labels.a"]`
	if typ == "k8sconnect_manifest" {
		return ignored
	}
	return `rules = [{ kinds = ["Deployment"], ` + ignored + " }]"
}
