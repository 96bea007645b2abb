package model

import (
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
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
		"keys of lists":                 {`merge {"data":{"pin":"1"}} list_keys {"a":["name"]}`, `merge {"data":{"pin":"2"}} list_keys {"a":["name"]}`, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			one, other := withoutValues(test.one), withoutValues(test.other)
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
}
