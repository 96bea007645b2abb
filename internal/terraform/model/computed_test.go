package model

import (
	"reflect"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/paths"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/record"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/rules"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/exports"
)

// An apply leaves no computed attribute unknown, also if the plan did not know the rules.
func TestCompleteLeavesNothingUnknown(t *testing.T) {
	t.Parallel()
	removing, problems := rules.Parse(rules.ProviderBlock, []map[string]any{
		{"kinds": []any{"*"}, "remove_fields": []any{"data.b"}},
	})
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	named, err := paths.ParseAll([]string{"data.a"})
	if err != nil || len(named) != 1 {
		t.Fatal(err)
	}
	for name, all := range map[string]rules.Rules{"no rule": nil, "a rule with remove_fields": removing} {
		for _, isPart := range []bool{false, true} {
			m := &Model{IsPart: isPart, YAMLBody: types.StringValue("{apiVersion: v1, kind: ConfigMap, metadata: {name: web}}")}
			m.PinFields = types.SetValueMust(types.StringType, []attr.Value{types.StringValue("data.a")})
			m.Exports = types.MapValueMust(types.StringType, map[string]attr.Value{"a": types.StringValue("data.a")})
			m.SensitiveExports = m.Exports
			SetRulesUnknown(m)
			m.SetUnknown()
			m.SetObjectUnknown()
			m.Values, m.SensitiveValues = exports.Unknown(m.Exports), exports.Unknown(m.SensitiveExports)

			AddRules(t.Context(), m, all, m.Body().Manifest.Identity)
			observed := record.Observed{
				Object: m.Body().Manifest.Identity, UID: "u", Live: map[string]any{"data": map[string]any{"a": "1"}},
			}
			observed.Unwanted = map[string]string{"data.b": "2"}
			m.Complete(observed)
			computed := reflect.ValueOf(m.Computed)
			for i := range computed.NumField() {
				value, _ := computed.Field(i).Interface().(attr.Value)
				if terraform, err := value.ToTerraformValue(t.Context()); err != nil || !terraform.IsFullyKnown() {
					t.Errorf("%s, a part %t: %s is %s (%v)", name, isPart, computed.Type().Field(i).Name, value, err)
				}
			}
			if shown := all != nil && !isPart; m.FieldsToRemove.IsNull() == shown || shown && len(m.FieldsToRemove.Elements()) != 1 {
				t.Errorf("%s, a part %t: fields_to_remove is %s", name, isPart, m.FieldsToRemove)
			}
		}
	}
}
