// Package policies runs the shipped policies over recorded plans.
//
// It is a module of its own, so that OPA has no say in the versions of what the provider is built from.
package policies

import (
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/open-policy-agent/opa/v1/rego"
)

const shop = "../acceptance/testdata/conflicts/shop/plan.json"

// plan returns the recorded plan, changed by pairs of an old and a new text.
func plan(t *testing.T, pairs ...string) any {
	t.Helper()
	content, err := os.ReadFile(shop)
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; i < len(pairs); i += 2 {
		if !strings.Contains(string(content), pairs[i]) {
			t.Fatalf("the plan does not have %s", pairs[i])
		}
		content = []byte(strings.ReplaceAll(string(content), pairs[i], pairs[i+1]))
	}
	var parsed any
	if err := json.Unmarshal(content, &parsed); err != nil {
		t.Fatal(err)
	}
	return parsed
}

// says returns the messages of a rule of the policy, as conftest reads them.
func says(t *testing.T, rule string, plan any) []string {
	t.Helper()
	policy, err := os.ReadFile("../../../policies/k8sconnect.rego")
	if err != nil {
		t.Fatal(err)
	}
	found, err := rego.New(rego.Query("data.main."+rule), rego.Module("k8sconnect.rego", string(policy)), rego.Input(plan), rego.Strict(true)).Eval(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	var messages []string
	for _, message := range found[0].Expressions[0].Value.([]any) {
		messages = append(messages, message.(string))
	}
	slices.Sort(messages)
	return messages
}

func TestRego(t *testing.T) {
	t.Parallel()
	const (
		autoscaler = "k8sconnect_manifest.web: kube-controller-manager would lose spec.replicas"
		volume     = "k8sconnect_manifest.orders: PersistentVolumeClaim orders would be deleted"
		adoption   = "k8sconnect_manifest.limits: only the log of the plan says which fields its apply takes from others"
		claimOfSet = `"id": "apiVersion=v1,kind=PersistentVolumeClaim,namespace=shop,name=banner-winter"`
		mapOfSet   = `"id": "apiVersion=v1,kind=ConfigMap,namespace=shop,name=banner-winter"`
	)
	for name, test := range map[string]struct {
		plan any
		deny []string
	}{
		"the shop":               {plan(t), []string{volume, autoscaler}},
		"a manager of a pattern": {plan(t, "kube-controller-manager", "keda-autoscaler"), []string{volume, strings.Replace(autoscaler, "kube-controller-manager", "keda-autoscaler", 1)}},
		"a manager of a set": {plan(t, "kubectl-edit", "vpa-recommender"), []string{
			"k8sconnect_manifest.login: vpa-recommender would lose data.password", volume, autoscaler, `k8sconnect_manifests.banners["summer"]: vpa-recommender would lose data.text`}},
		"an object of a set": {plan(t, mapOfSet, claimOfSet), []string{volume, autoscaler, `k8sconnect_manifests.banners["winter"]: PersistentVolumeClaim banner-winter would be deleted`}},
		"a replacement":      {plan(t, "\"delete\"\n    ],", "\"delete\",\n    \"create\"\n    ],"), []string{volume, autoscaler}},
		"an object that stays": {plan(t, "\"before\": {\n     \"co_owners\": {},\n     \"field_manager\": \"k8sconnect\",\n     \"field_ownership\": {\n      \"spec.accessModes\"",
			"\"before\": {\n     \"on_destroy\": \"release\",\n     \"co_owners\": {},\n     \"field_manager\": \"k8sconnect\",\n     \"field_ownership\": {\n      \"spec.accessModes\""), []string{autoscaler}},
		"an object that is handed over": {plan(t, "\"before\": {\n     \"co_owners\": {},\n     \"field_manager\": \"k8sconnect\",\n     \"field_ownership\": {\n      \"spec.accessModes\"",
			"\"before\": {\n     \"on_destroy\": \"hand_over\",\n     \"co_owners\": {},\n     \"field_manager\": \"k8sconnect\",\n     \"field_ownership\": {\n      \"spec.accessModes\""), []string{autoscaler}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			slices.Sort(test.deny)
			if got := says(t, "deny", test.plan); !slices.Equal(got, test.deny) {
				t.Errorf("got  %q\nwant %q", got, test.deny)
			}
			if got := says(t, "warn", test.plan); !slices.Equal(got, []string{adoption}) {
				t.Errorf("warnings %q", got)
			}
		})
	}
	if got := says(t, "deny", map[string]any{"format_version": "1.2", "errored": true}); len(got) != 1 || !strings.HasPrefix(got[0], "the plan failed") {
		t.Errorf("a plan that failed: %q", got)
	}
	empty := map[string]any{"format_version": "1.2", "planned_values": map[string]any{}}
	if got := slices.Concat(says(t, "deny", empty), says(t, "warn", empty)); len(got) > 0 {
		t.Errorf("a plan without changes: %q", got)
	}
	if got := says(t, "deny", state); len(got) != 1 || !strings.HasPrefix(got[0], "this is no plan") {
		t.Errorf("a state: %q", got)
	}
}

// state is what terraform show prints without a plan.
var state = map[string]any{"format_version": "1.0", "values": map[string]any{"root_module": map[string]any{}}}

// The policy sees by the objects of a set what is deleted, and not by the keys; and what stays on the cluster.
func TestDeletionsOfRego(t *testing.T) {
	t.Parallel()
	const (
		kept     = `"{apiVersion: v1, kind: Namespace, metadata: {name: one, annotations: {helm.sh/resource-policy: keep}}}"`
		one, two = `{"id":"apiVersion=v1,kind=Namespace,name=one","uid":"1"}`, `{"id":"apiVersion=v1,kind=Namespace,name=two"}`
		object   = `{"object_ref":{"kind":"Namespace","name":"one"}`
	)
	for name, test := range map[string]struct {
		resource, actions, before, after, unknown string
		want                                      int
	}{
		"an object":                        {"manifest", `"delete"`, object + `}`, `null`, `{}`, 1},
		"one that a rule releases":         {"manifest", `"delete"`, object + `,"on_destroy":null,"rules_applied":{"on_destroy":"release"}}`, `null`, `{}`, 0},
		"one that is deleted all the same": {"manifest", `"delete"`, object + `,"on_destroy":"delete","rules_applied":{"on_destroy":"release"}}`, `null`, `{}`, 1},
		"one that Helm keeps":              {"manifest", `"delete"`, object + `,"rules_applied":null,"yaml_body":` + kept + `}`, `null`, `{}`, 0},
		"a set":                            {"manifests", `"delete"`, `{"objects":{"a":` + one + `}}`, `null`, `{}`, 1},
		"a set that Helm keeps":            {"manifests", `"delete"`, `{"secret_manifests":{"a":` + kept + `},"objects":{"a":` + one + `}}`, `null`, `{}`, 0},
		"one that leaves":                  {"manifests", `"update"`, `{"objects":{"a":` + one + `}}`, `{"objects":{}}`, `{}`, 1},
		"one that stays":                   {"manifests", `"update"`, `{"objects":{"a":` + one + `}}`, `{"objects":{"a":` + one + `}}`, `{}`, 0},
		"one in another version":           {"manifests", `"update"`, `{"objects":{"a":` + strings.Replace(one, "v1", "v1beta1", 1) + `}}`, `{"objects":{"a":` + one + `}}`, `{}`, 0},
		"one under another key":            {"manifests", `"update"`, `{"objects":{"a":` + one + `}}`, `{"objects":{"a":` + two + `,"b":` + one + `}}`, `{"objects":{"a":{"uid":true}}}`, 0},
		"one whose key another gets":       {"manifests", `"update"`, `{"objects":{"a":` + one + `}}`, `{"objects":{"a":` + two + `}}`, `{"objects":{"a":{"uid":true}}}`, 1},
		"one that is replaced":             {"manifests", `"update"`, `{"objects":{"a":` + one + `}}`, `{"objects":{"a":` + strings.Replace(one, `,"uid":"1"`, "", 1) + `}}`, `{"objects":{"a":{"uid":true}}}`, 1},
		"one whose manifest is unknown":    {"manifests", `"update"`, `{"objects":{"a":` + one + `}}`, `{"objects":{"a":{}}}`, `{"objects":{"a":{"id":true,"uid":true}}}`, 0},
	} {
		var plan any
		if err := json.Unmarshal([]byte(`{"resource_changes":[{"address":"x","mode":"managed","type":"k8sconnect_`+test.resource+`","change":{"actions":[`+test.actions+`],"before":`+
			test.before+`,"after":`+test.after+`,"after_unknown":`+test.unknown+`}}]}`), &plan); err != nil {
			t.Fatal(name, err)
		}
		if got := says(t, "deny", plan); len(got) != test.want {
			t.Errorf("%s: %q", name, got)
		}
	}
}
