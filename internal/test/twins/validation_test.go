package twins_test

import (
	"context"
	"maps"
	"slices"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/twins"
)

const body = `{"apiVersion":"apps/v1","kind":"Deployment","metadata":{"name":"a","namespace":"b"},"spec":{"replicas":1}}`

// texts are what the strings of a configuration are, each of which some arguments accept; nil is unknown.
var texts = []any{"spec.replicas", body, "a", "", "v1", "10s", nil}

// valid are configurations, whose strings are the given ones.
var valid = map[string]map[string]string{
	"k8sconnect_manifest":  {"yaml_body": body},
	"k8sconnect_manifests": {"manifests": body},
	"k8sconnect_patch":     {"target": "v1", "yaml_body": "spec: {replicas: 1}"},
	"k8sconnect_wait":      {"target": "v1"},
}

// Each argument with each value, and each two arguments, are as valid ahead of the framework as in the framework.
func TestValidations(t *testing.T) {
	t.Parallel()
	for name, base := range valid {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			v := newValidator(t, name)
			given := map[string]tftypes.Value{}
			for argument, text := range base {
				given[argument] = filled(v.kind.AttributeTypes[argument], text)
			}
			accepted := map[string]tftypes.Value{}
			for argument, kind := range v.kind.AttributeTypes {
				values := []tftypes.Value{tftypes.NewValue(kind, nil), tftypes.NewValue(kind, tftypes.UnknownValue)}
				for _, text := range texts {
					values = append(values, filled(kind, text))
				}
				for _, value := range values {
					if len(v.say(with(given, argument, value))) == 0 && !value.IsNull() && accepted[argument].IsNull() {
						accepted[argument] = value
					}
				}
			}
			names := slices.Sorted(maps.Keys(accepted))
			for i, one := range names {
				for _, other := range names[:i] {
					v.say(with(with(given, one, accepted[one]), other, accepted[other]))
				}
			}
			if ahead := v.server.Compared.Validations.Load(); ahead < 20 {
				t.Errorf("%d configurations were validated ahead of the framework", ahead)
			}
		})
	}
}

// What is wrong is said as the framework says it: by itself, or by the resource ahead of it.
func TestInvalid(t *testing.T) {
	t.Parallel()
	v := newValidator(t, "k8sconnect_manifest")
	text := tftypes.NewValue(tftypes.String, body)
	paths := v.kind.AttributeTypes["ignore_fields"]
	path := tftypes.NewValue(tftypes.String, "spec.replicas")
	for name, given := range map[string]map[string]tftypes.Value{
		"nothing":             {},
		"a bad manifest":      {"yaml_body": path},
		"a computed argument": {"yaml_body": text, "id": path},
		"two manifests":       {"yaml_body": text, "manifest": text},
		"half of two":         {"yaml_body": text, "yaml_body_wo": tftypes.NewValue(tftypes.String, "data: {}")},
		"an unknown value":    {"yaml_body": text, "on_destroy": path},
		"a path twice":        {"yaml_body": text, "ignore_fields": tftypes.NewValue(paths, []tftypes.Value{path, path})},
		"a wrong duration":    {"yaml_body": text, "timeouts": filled(v.kind.AttributeTypes["timeouts"], "long")},
		"a bad connection":    {"yaml_body": text, "cluster": filled(v.kind.AttributeTypes["cluster"], "a")},
	} {
		before := v.server.Compared.Validations.Load()
		if said := v.say(given); len(said) == 0 {
			t.Errorf("%s: nothing is wrong", name)
		} else if v.server.Compared.Validations.Load() > before {
			t.Errorf("%s: the resource, not an attribute, is at fault: %s", name, said[0].Summary)
		}
	}
	before := v.server.Compared.Validations.Load()
	if said := v.say(map[string]tftypes.Value{"yaml_body": text, "pin_fields": tftypes.NewValue(paths, []tftypes.Value{path}),
		"ignore_fields": tftypes.NewValue(paths, []tftypes.Value{path})}); len(said) == 0 || v.server.Compared.Validations.Load() == before {
		t.Errorf("a field that is pinned and ignored: %v", said)
	}
	v.client.WriteOnlyAttributesAllowed = false
	version := tftypes.NewValue(tftypes.String, "1")
	written := map[string]tftypes.Value{"yaml_body": text, "yaml_body_wo": tftypes.NewValue(tftypes.String, "data: {}"), "yaml_body_wo_version": version}
	if said := v.say(written); len(said) != 1 || said[0].Summary != "WriteOnly Attribute Not Allowed" {
		t.Errorf("a CLI without write-only arguments: %v", said)
	}
	number, err := tfprotov6.NewDynamicValue(tftypes.Number, tftypes.NewValue(tftypes.Number, 1))
	if err != nil {
		t.Fatal(err)
	}
	if said := v.ask(&number); len(said) == 0 {
		t.Error("a number is a configuration")
	}
}

type configurations struct {
	*testing.T
	server *twins.Server
	name   string
	kind   tftypes.Object
	client tfprotov6.ValidateResourceConfigClientCapabilities
}

func newValidator(t *testing.T, name string) *configurations {
	t.Helper()
	server := twins.New("test")
	schemas, err := server.GetProviderSchema(context.Background(), &tfprotov6.GetProviderSchemaRequest{})
	if err != nil {
		t.Fatal(err)
	}
	kind, _ := schemas.ResourceSchemas[name].ValueType().(tftypes.Object)
	v := &configurations{T: t, server: server, name: name, kind: kind}
	v.client.WriteOnlyAttributesAllowed = true
	return v
}

// say returns what the provider says of a configuration. The other arguments are null.
func (v *configurations) say(given map[string]tftypes.Value) []*tfprotov6.Diagnostic {
	v.Helper()
	all := map[string]tftypes.Value{}
	for name, kind := range v.kind.AttributeTypes {
		all[name] = tftypes.NewValue(kind, nil)
	}
	maps.Copy(all, given)
	encoded, err := tfprotov6.NewDynamicValue(v.kind, tftypes.NewValue(v.kind, all))
	if err != nil {
		v.Fatal(err)
	}
	return v.ask(&encoded)
}

func (v *configurations) ask(config *tfprotov6.DynamicValue) []*tfprotov6.Diagnostic {
	v.Helper()
	answer, err := v.server.ValidateResourceConfig(v.Context(), &tfprotov6.ValidateResourceConfigRequest{
		TypeName: v.name, Config: config, ClientCapabilities: &v.client,
	})
	if err != nil {
		v.Error(err)
	}
	return answer.Diagnostics
}

func with(given map[string]tftypes.Value, name string, value tftypes.Value) map[string]tftypes.Value {
	given = maps.Clone(given)
	given[name] = value
	return given
}

// filled returns a value of a type in which nothing is left out, and each string is the text; unknown for nil.
func filled(kind tftypes.Type, text any) tftypes.Value {
	if text == nil {
		text = tftypes.UnknownValue
	}
	switch kind := kind.(type) {
	case tftypes.Object:
		values := map[string]tftypes.Value{}
		for name, kind := range kind.AttributeTypes {
			values[name] = filled(kind, text)
		}
		return tftypes.NewValue(kind, values)
	case tftypes.Map:
		return tftypes.NewValue(kind, map[string]tftypes.Value{"spec.containers": filled(kind.ElementType, text)})
	case tftypes.List:
		return tftypes.NewValue(kind, []tftypes.Value{filled(kind.ElementType, text)})
	case tftypes.Set:
		return tftypes.NewValue(kind, []tftypes.Value{filled(kind.ElementType, text)})
	}
	switch {
	case kind.Is(tftypes.Bool):
		return tftypes.NewValue(kind, true)
	case kind.Is(tftypes.Number):
		return tftypes.NewValue(kind, 1)
	case kind.Is(tftypes.DynamicPseudoType):
		objects := tftypes.Map{ElementType: tftypes.String}
		return tftypes.NewValue(objects, map[string]tftypes.Value{"a": filled(tftypes.String, text)})
	}
	return tftypes.NewValue(kind, text)
}
