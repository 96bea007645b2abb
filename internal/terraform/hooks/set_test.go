package hooks

import (
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/types"
)

// Others can read the name of an operation, and could try the values of which it has a digest.
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
