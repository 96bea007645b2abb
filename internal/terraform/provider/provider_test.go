package provider

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/hashicorp/terraform-plugin-framework/providerserver"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

// configuration returns a provider block with some attributes set and the others null.
func configuration(t *testing.T, server tfprotov6.ProviderServer, set map[string]tftypes.Value) *tfprotov6.DynamicValue {
	t.Helper()
	schema, err := server.GetProviderSchema(t.Context(), &tfprotov6.GetProviderSchemaRequest{})
	if err != nil {
		t.Fatal(err)
	}
	if len(schema.Diagnostics) > 0 {
		t.Fatalf("schema: %v", schema.Diagnostics[0])
	}
	of := schema.Provider.ValueType().(tftypes.Object)
	all := map[string]tftypes.Value{}
	for name, kind := range of.AttributeTypes {
		all[name] = tftypes.NewValue(kind, nil)
		if value, found := set[name]; found {
			all[name] = value
		}
	}
	value, err := tfprotov6.NewDynamicValue(of, tftypes.NewValue(of, all))
	if err != nil {
		t.Fatal(err)
	}
	return &value
}

func TestProvider(t *testing.T) {
	t.Parallel()
	number := func(n float64) tftypes.Value { return tftypes.NewValue(tftypes.Number, n) }
	name := func(s string) tftypes.Value { return tftypes.NewValue(tftypes.String, s) }
	cases := map[string]struct {
		set map[string]tftypes.Value
		// invalid is the attribute with a problem.
		invalid string
	}{
		"nothing is needed":                    {nil, ""},
		"a manager and a rate limit":           {map[string]tftypes.Value{"field_manager": name("équipe A"), "qps": number(50), "burst": number(100)}, ""},
		"everything may be unknown":            {map[string]tftypes.Value{"field_manager": tftypes.NewValue(tftypes.String, tftypes.UnknownValue), "qps": tftypes.NewValue(tftypes.Number, tftypes.UnknownValue)}, ""},
		"an empty manager":                     {map[string]tftypes.Value{"field_manager": name("")}, "field_manager"},
		"a manager that does not print":        {map[string]tftypes.Value{"field_manager": name("a\tb")}, "field_manager"},
		"a rate of nothing":                    {map[string]tftypes.Value{"qps": number(0)}, "qps"},
		"a burst without a rate":               {map[string]tftypes.Value{"burst": number(10)}, "burst"},
		"a burst that lets no request through": {map[string]tftypes.Value{"qps": number(1), "burst": number(0)}, "burst"},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			server := providerserver.NewProtocol6(New("test")())()
			config := configuration(t, server, tc.set)
			validated, err := server.ValidateProviderConfig(t.Context(), &tfprotov6.ValidateProviderConfigRequest{Config: config})
			if err != nil {
				t.Fatal(err)
			}
			var got, want []string
			for _, d := range validated.Diagnostics {
				got = append(got, d.Attribute.String())
			}
			if tc.invalid != "" {
				want = []string{tftypes.NewAttributePath().WithAttributeName(tc.invalid).String()}
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Fatalf("problems (-want +got):\n%s", diff)
			}
			if tc.invalid != "" {
				return
			}
			configured, err := server.ConfigureProvider(t.Context(), &tfprotov6.ConfigureProviderRequest{Config: config})
			if err != nil || len(configured.Diagnostics) > 0 {
				t.Errorf("configure: %v, %v", configured.Diagnostics, err)
			}
		})
	}
}
