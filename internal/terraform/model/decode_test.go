package model

import (
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/paths"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/arguments"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/rules"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/attributes"
)

// The default field manager of a part of a Secret is a digest that everybody sees who may read managedFields.
func TestDigestsOfPartsOfSecrets(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		one, other string
		same       bool
	}{
		"another value":                 {`{"stringData":{"pin":"1234"}}`, `{"stringData":{"pin":"5678"}}`, true},
		"another key":                   {`{"stringData":{"pin":"1234"}}`, `{"stringData":{"puk":"1234"}}`, false},
		"another value of a patch":      {`merge {"data":{"pin":"MTIzNA=="}}`, `merge {"data":{"pin":"NTY3OA=="}}`, true},
		"another type of patch":         {`merge {"data":{"pin":"MTIzNA=="}}`, `strategic {"data":{"pin":"MTIzNA=="}}`, false},
		"another value of an operation": {`json [{"op":"add","path":"/data/pin","value":"MTIzNA=="}]`, `json [{"op":"add","path":"/data/pin","value":"NTY3OA=="}]`, true},
		"values in a map":               {`json [{"op":"add","path":"/data","value":{"pin":"MTIzNA=="}}]`, `json [{"op":"add","path":"/data","value":{"pin":"NTY3OA=="}}]`, true},
		"another path":                  {`json [{"op":"remove","path":"/data/pin"}]`, `json [{"op":"remove","path":"/data/puk"}]`, false},
		"another finalizer":             {`{"metadata":{"finalizers":["a.example.com/x"]}}`, `{"metadata":{"finalizers":["b.example.com/x"]}}`, false},
		"a secret value in a list":      {`merge {"l":[{"name":"a","pin":"1"}]}`, `merge {"l":[{"name":"a","pin":"2"}]}`, true},
		"another item":                  {`merge {"l":[{"name":"a","pin":"1"}]}`, `merge {"l":[{"name":"b","pin":"1"}]}`, false},
		"a list of an operation":        {`json [{"op":"add","path":"/l","value":[{"pin":"1"}]}]`, `json [{"op":"add","path":"/l","value":[{"pin":"2"}]}]`, true},
		"keys of lists":                 {`merge {"data":{"pin":"1"}} list_keys {"a":["name"]}`, `merge {"data":{"pin":"2"}} list_keys {"a":["name"]}`, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			sensitive := paths.PatternsOf([]string{"l[0].pin"})
			one, other := withoutValues(test.one, sensitive), withoutValues(test.other, sensitive)
			if (one == other) != test.same {
				t.Errorf("%s and %s: same is %v, want %v", one, other, one == other, test.same)
			}
		})
	}
}

func TestManagersOfSensitiveParts(t *testing.T) {
	t.Parallel()
	manager := func(key, pin string, sensitive ...attr.Value) types.String {
		m := Model{IsPart: true}
		m.Target = types.ObjectValueMust(targetTypes, identityValues(manifest.Identity{APIVersion: "v1", Kind: "ConfigMap", Name: "a"}))
		m.YAMLBody = types.StringValue("{data: {" + key + ": '" + pin + "'}}")
		m.SensitiveFields = types.SetValueMust(types.StringType, sensitive)
		return m.PartManager()
	}
	if manager("pin", "1") == manager("pin", "2") {
		t.Error("another body has the same name")
	}
	if manager("pin", "1", types.StringValue("data")) == manager("puk", "1", types.StringValue("data")) {
		t.Error("another key has the same name")
	}
	if one := manager("pin", "1", types.StringValue("data")); one != manager("pin", "2", types.StringValue("data")) || one.IsUnknown() {
		t.Error("the name depends on a sensitive value")
	}
	rule := func(pin string) types.String {
		m := Model{IsPart: true}
		m.Target = types.ObjectValueMust(targetTypes, identityValues(manifest.Identity{APIVersion: "v1", Kind: "ConfigMap", Name: "a"}))
		m.YAMLBody = types.StringValue("{data: {pin: '" + pin + "'}}")
		m.RulesApplied = attributes.RulesAppliedOf(t.Context(), rules.Added{Arguments: rules.Arguments{arguments.SensitiveFields: []string{"data"}}})
		return m.PartManager()
	}
	if one := rule("1"); one != rule("2") || one.IsUnknown() {
		t.Error("the name depends on a value that a rule makes sensitive")
	}
}
