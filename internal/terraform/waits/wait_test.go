package waits

import (
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/types"
)

func texts(key, value string) types.Map {
	return types.MapValueMust(types.StringType, map[string]attr.Value{key: types.StringValue(value)})
}

// The arguments mean the same below wait and at the top level.
func TestOf(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		given  map[string]attr.Value
		judges bool
		reads  bool
	}{
		"nothing":    {nil, true, true},
		"exists":     {map[string]attr.Value{"until": types.StringValue("exists")}, false, true},
		"conditions": {map[string]attr.Value{"until": types.StringNull(), "conditions": texts("Ready", "True")}, true, true},
		"both":       {map[string]attr.Value{"until": types.StringValue("ready"), "fields": texts("spec.a", "1")}, false, false},
	} {
		wait, err := Of(test.given)
		if (wait.Judge != nil) != test.judges || (err == nil) != test.reads {
			t.Errorf("%s: %v, %v", name, wait, err)
		}
	}
}

// An error names the argument as the configuration has it.
func TestValidate(t *testing.T) {
	t.Parallel()
	given := map[string]attr.Value{"conditions": texts("Ready", "yes")}
	for want, at := range map[string]path.Path{
		`conditions["Ready"]: "yes" is not a status. Write "True", "False" or "Unknown".`:      path.Empty(),
		`wait.conditions["Ready"]: "yes" is not a status. Write "True", "False" or "Unknown".`: path.Root(Attribute),
	} {
		diags := Validate(at, given)
		if len(diags) != 1 || diags[0].Detail() != want {
			t.Errorf("%s: %v", at, diags)
		}
	}
	null := map[string]attr.Value{"fields": types.MapValueMust(types.StringType, map[string]attr.Value{"a": types.StringNull()})}
	if diags := Validate(path.Empty(), null); len(diags) != 1 || diags[0].Detail() != `fields["a"]: the value is null. Remove it, or write a value.` {
		t.Errorf("a null: %v", diags)
	}
	given["until"] = types.StringUnknown()
	if diags := Validate(path.Empty(), given); len(diags) > 0 {
		t.Errorf("what is unknown is refused: %v", diags)
	}
}

// A rule has values of any type, which are waited for as the text of their JSON.
func TestPlain(t *testing.T) {
	t.Parallel()
	for want, value := range map[string]any{
		"a": "a", "true": true, "3": int64(3), "2500000.5": 2500000.5, `{"app":"web"}`: map[string]any{"app": "web"},
	} {
		wait, diags := Plain(t.Context(), path.Empty(), map[string]any{"fields": map[string]any{"spec.a": value}})
		if got := wait.Attributes()["fields"]; len(diags) > 0 || !got.Equal(texts("spec.a", want)) {
			t.Errorf("%v is waited for as %v: %v", value, got, diags)
		}
	}
}
