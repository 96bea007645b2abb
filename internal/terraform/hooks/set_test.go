package hooks

import (
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
)

// Other users can read the name of an operation, and could try the values of which it has a digest.
func TestOperationsOfSecretManifests(t *testing.T) {
	t.Parallel()
	id := func(key, text string) string {
		secret := types.MapValueMust(types.StringType, map[string]attr.Value{key: types.StringValue(text)})
		o := Operation{plan: &Set{SecretManifests: types.DynamicValue(secret)}, does: "install"}
		o.identify()
		return o.id
	}
	if id("a", "1") != id("a", "2") || id("a", "1") == id("b", "1") {
		t.Error("want a digest of the keys alone")
	}
}

// The log of a hook may have the values that its set knows.
func TestSecretsOfHooks(t *testing.T) {
	t.Parallel()
	strings := func(text string) types.Map {
		return types.MapValueMust(types.StringType, map[string]attr.Value{"a": types.StringValue(text)})
	}
	s := Set{
		Attributes: &Attributes{Hooks: strings("{apiVersion: v1, kind: Secret, metadata: {name: a, annotations: " +
			"{helm.sh/hook: pre-install}}, stringData: {a: of-the-hook}}")},
		SecretManifests: types.DynamicValue(strings(
			"{apiVersion: v1, kind: Secret, metadata: {name: web}, stringData: {a: hunter2-of-web}}")),
	}
	const want = "(sensitive) and (sensitive) of web"
	if got := s.secrecy().Show(cluster.Remark{Text: "of-the-hook and hunter2-of-web of web"}); got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
