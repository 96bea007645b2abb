package acceptance_test

import (
	"strings"
	"testing"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
)

// Rules hold for an object that is imported from its first plan on: a field that one leaves to others keeps its value, and a
// conflict that one refuses stops the plan.
func TestImportUnderRules(t *testing.T) {
	s := story.New(t)
	w := s.HostedWorkspace()
	s.As("kubectl-create").Create(story.ConfigMap)
	block := s.Expand("import {\n  to = k8sconnect_manifest.test\n  id = \"apiVersion=v1,kind=ConfigMap,namespace=NS,name=web\"\n}\n")
	configure := func(rule string) {
		w.ConfigureProvider(`{ config_path = "kubeconfig" }`+"\n  rules = [{ kinds = [\"ConfigMap\"], "+rule+" }]",
			block+s.Manifest("test", strings.Replace(story.ConfigMap, "colour: red", "colour: blue", 1)))
	}
	configure(`on_conflict = "fail"`)
	if out := w.Exits(story.Refused, "plan"); !strings.Contains(out, `data.colour: "red" -> "blue", owned by "kubectl-create"`) || !strings.Contains(out, "rules[0] of the provider") {
		t.Error(out)
	}
	configure(`ignore_fields = ["data.colour"]`)
	if out := w.Do("plan"); !strings.Contains(out, "1 to import, 0 to add") || strings.Contains(out, `data.colour: "red" -> "blue"`) {
		t.Error(out)
	}
	w.Do("apply", "-auto-approve")
	w.Do("plan", "-detailed-exitcode")
	if data, _ := s.Live("v1 ConfigMap web").Object["data"].(map[string]any); data["colour"] != "red" {
		t.Errorf("the field that the rule leaves to its owner is %v", data)
	}
}
