package sets_test

import (
	"testing"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
)

// Rules of the provider block hold for the objects of a set, and a rule that comes or goes is planned.
func TestSetUnderRules(t *testing.T) {
	s := newSet(t)
	manifests := configMaps("1", "one", "two")
	s.has(manifests)
	s.Do("apply", "-auto-approve")
	s.As("bob").Patch("v1 ConfigMap one", `{"data": {"a": "9"}}`)

	s.rules = `[{ kinds = ["ConfigMap"], ignore_managers = ["bob"] }]`
	s.has(manifests)
	s.Exits(story.Changes, "plan", "-detailed-exitcode")
	s.Do("apply", "-auto-approve")
	s.settled()
	if got, _ := s.Live("v1 ConfigMap one").Object["data"].(map[string]any); got["a"] != "9" {
		t.Errorf("the value that the rule leaves to bob is %v", got)
	}

	s.rules = `[{ names = ["o*"], on_conflict = "fail" }]`
	s.has(manifests)
	s.expect(s.Exits(story.Refused, "plan"), `data.a: "9" -> "1", owned by "bob"`, "on_conflict")

	s.rules = ""
	s.has(manifests)
	s.expect(s.Do("apply", "-auto-approve"), `data.a: "9" -> "1", owned by "bob"`)
	s.settled()
}
