package openapi

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/kube-openapi/pkg/validation/spec"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
)

func TestBrokenRules(t *testing.T) {
	t.Parallel()
	var root spec.Schema
	if err := json.Unmarshal([]byte(`{
		"x-kubernetes-validations": [{"rule": "self.metadata.name != 'a'"}],
		"properties": {"spec": {
			"x-kubernetes-validations": [
				{"rule": "self.size != 3", "message": "three is one too many"},
				{"rule": "self.size != 4", "message": "four is two too many", "fieldPath": ".size"},
				{"rule": "has(self.password)", "message": "not for this type", "fieldPath": ".password"},
				{"rule": "has(self.profile)", "message": "not for this type", "fieldPath": ".profile"},
				{"rule": "has(self.a) == has(oldSelf.a)", "message": "a is immutable"},
				{"rule": "!has(self.a) || self.a == oldSelf.a", "message": "a is immutable"},
				{"rule": "has(self.labels) == has(oldSelf.labels)", "message": "stay"}],
			"properties": {
				"size": {"type": "integer"}, "quota": {"type": "integer", "x-kubernetes-validations": [
					{"rule": "self >= oldSelf", "messageExpression": "'is immutable downwards'"}, {"rule": "self != 7", "message": "seven"}]},
				"password": {"type": "string"}, "profile": {"type": "string"},
				"routes": {"type": "array", "items": {"x-kubernetes-validations": [{"rule": "has(self.host)", "message": "no host"}]}},
				"labels": {"additionalProperties": {"x-kubernetes-validations": [{"rule": "self == oldSelf", "message": "stay"}]}}
			}}}}`), &root); err != nil {
		t.Fatal(err)
	}
	isUnclear := map[string]bool{"one of two rules": true, "a computed message": true}
	for name, test := range map[string]struct {
		field, message string
		want           cluster.BrokenRule
	}{
		"a rule of the field":           {"spec", `Invalid value: {"size":3}: three is one too many`, cluster.BrokenRule{Field: "spec", Rule: "self.size != 3"}},
		"a rule about a field below":    {"spec.size", `Invalid value: 4: four is two too many`, cluster.BrokenRule{Field: "spec", Rule: "self.size != 4"}},
		"a rule of the map around it":   {"spec.size", `Invalid value: 3: three is one too many`, cluster.BrokenRule{}},
		"a rule of the root":            {"<nil>", `Invalid value: {}: failed rule: self.metadata.name != 'a'`, cluster.BrokenRule{Rule: "self.metadata.name != 'a'"}},
		"a rule of a list item":         {"spec.routes[4]", `Invalid value: {}: no host`, cluster.BrokenRule{Field: "spec.routes[4]", Rule: "has(self.host)"}},
		"a rule of a map's value":       {"spec.labels[a.b]", `Invalid value: "x": stay`, cluster.BrokenRule{Field: `spec.labels["a.b"]`, Rule: "self == oldSelf"}},
		"one of two fields below":       {"spec.profile", `Invalid value: "x": not for this type`, cluster.BrokenRule{Field: "spec", Rule: "has(self.profile)"}},
		"one of two rules":              {"spec", `Invalid value: {}: a is immutable`, cluster.BrokenRule{}},
		"a computed message":            {"spec.quota", `Invalid value: 3: is immutable downwards`, cluster.BrokenRule{}},
		"a rule beside a computed one":  {"spec.quota", `Invalid value: 7: seven`, cluster.BrokenRule{Field: "spec.quota", Rule: "self != 7"}},
		"validation of the schema":      {"spec.size", "Invalid value: 100: spec.size in body should be less than or equal to 10", cluster.BrokenRule{}},
		"a field that has no schema":    {"spec.other.part", "Invalid value: 1: no", cluster.BrokenRule{}},
		"words that end like a message": {"spec", "Invalid value: 1: twenty-three is one too many", cluster.BrokenRule{}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var want []cluster.BrokenRule
			if test.want.Rule != "" {
				want = []cluster.BrokenRule{test.want}
			}
			got, unclear := (&Kind{root: &root}).BrokenRules([]metav1.StatusCause{{Field: test.field, Message: test.message}})
			if diff := cmp.Diff(want, got); diff != "" || unclear != isUnclear[name] {
				t.Errorf("unclear is %t (-want +got):\n%s", unclear, diff)
			}
		})
	}
}
