package direct

import (
	"context"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	frameworkprovider "github.com/hashicorp/terraform-plugin-framework/provider"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/tfsdk"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/provider"
)

// idle are the plan modifiers that change nothing if the argument is that of the state.
var idle = []string{"attributes.keepEqualManifest", "objectplanmodifier.requiresReplaceIfModifier"}

// The schemas have nothing for which the framework changes a read, or a plan in another way than propose does.
func TestSchemas(t *testing.T) {
	registered := provider.New("test")()
	if _, is := registered.(frameworkprovider.ProviderWithMetaSchema); is {
		t.Error("requests have provider_meta, which is not passed on")
	}
	kinds := kindsOf(registered)
	if len(kinds) < 3 {
		t.Errorf("only %d resources are answered", len(kinds))
	}
	for name, k := range kinds {
		t.Run(name, func(t *testing.T) {
			r := k.make()
			if k.identity != nil {
				var about resource.MetadataResponse
				r.Metadata(t.Context(), resource.MetadataRequest{}, &about)
				if !about.ResourceBehavior.MutableIdentity {
					t.Error("the framework compares its identities")
				}
			}
			acceptsAbsence(t, k)
			if seen := inspect(t, "", reflect.ValueOf(k.schema)); seen < 10 {
				t.Errorf("the test has seen %d attributes", seen)
			}
		})
	}
}

// acceptsAbsence holds that no validator of an attribute which is not a string finds anything if the attribute is null.
func acceptsAbsence(t *testing.T, k *kind) {
	t.Helper()
	ctx, values := t.Context(), map[string]tftypes.Value{}
	for name, attribute := range k.schema.Attributes {
		values[name] = tftypes.NewValue(attribute.GetType().TerraformType(ctx), nil)
	}
	for name, block := range k.schema.Blocks {
		values[name] = tftypes.NewValue(block.Type().TerraformType(ctx), nil)
		if validators := reflect.ValueOf(block).FieldByName("Validators"); validators.Len() > 0 {
			t.Errorf("the block %s has validators, which may refuse its absence", name)
		}
	}
	config := tfsdk.Config{Schema: k.schema, Raw: tftypes.NewValue(k.typ, values)}
	for name, attribute := range k.schema.Attributes {
		if _, isText := attribute.(schema.StringAttribute); isText {
			continue
		}
		null, err := attribute.GetType().ValueFromTerraform(ctx, values[name])
		if err != nil {
			t.Fatal(err)
		}
		validators := reflect.ValueOf(attribute).FieldByName("Validators")
		for i := range validators.Len() {
			if said := validate(t, validators.Index(i).Interface(), name, null, config); len(said) > 0 {
				t.Errorf("a validator of %s refuses its absence: %s", name, said)
			}
		}
	}
}

// validate calls the method of a validator that validates this type of value.
func validate(t *testing.T, of any, name string, value attr.Value, config tfsdk.Config) diag.Diagnostics {
	t.Helper()
	v := reflect.ValueOf(of)
	for i := range v.NumMethod() {
		method := v.Method(i)
		if !strings.HasPrefix(v.Type().Method(i).Name, "Validate") || method.Type().NumIn() != 3 {
			continue
		}
		request, response := reflect.New(method.Type().In(1)).Elem(), reflect.New(method.Type().In(2).Elem())
		if configured := request.FieldByName("ConfigValue"); !configured.IsValid() || configured.Type() != reflect.TypeOf(value) {
			continue
		}
		for field, content := range map[string]any{"Path": path.Root(name), "PathExpression": path.MatchRoot(name), "Config": config, "ConfigValue": value} {
			request.FieldByName(field).Set(reflect.ValueOf(content))
		}
		method.Call([]reflect.Value{reflect.ValueOf(t.Context()), request, response})
		return response.Elem().FieldByName("Diagnostics").Interface().(diag.Diagnostics)
	}
	t.Errorf("a validator of %s has no method that validates", name)
	return nil
}

// inspect looks at all attributes and blocks below a schema, an attribute or a block, and returns how many there are.
func inspect(t *testing.T, path string, of reflect.Value) int {
	t.Helper()
	for of.Kind() == reflect.Interface || of.Kind() == reflect.Pointer {
		of = of.Elem()
	}
	for _, field := range []string{"Default", "CustomType"} {
		value := of.FieldByName(field)
		if !value.IsValid() || value.IsNil() {
			continue
		}
		custom, is := value.Interface().(attr.Type)
		if !is {
			t.Errorf("%s has a default", path)
			continue
		}
		if kind := reflect.TypeOf(custom.ValueType(context.Background())); hasSemanticEquality(kind) {
			t.Errorf("%s has semantic equality", path)
		}
	}
	if modifiers := of.FieldByName("PlanModifiers"); modifiers.IsValid() {
		for i := range modifiers.Len() {
			if name := fmt.Sprintf("%T", modifiers.Index(i).Interface()); !slices.Contains(idle, name) {
				t.Errorf("%s has the plan modifier %s", path, name)
			}
			if kind := of.Type().Name(); kind != "StringAttribute" && kind != "SingleNestedAttribute" {
				t.Errorf("%s, a %s, has a plan modifier, which propose does not call", path, kind)
			}
		}
	}
	seen := 1
	if nested := of.FieldByName("NestedObject"); nested.IsValid() {
		seen += inspect(t, path+"[]", nested)
	}
	for _, field := range []string{"Attributes", "Blocks"} {
		children := of.FieldByName(field)
		if !children.IsValid() {
			continue
		}
		for _, name := range children.MapKeys() {
			child := children.MapIndex(name)
			if kind := child.Elem().Type().Name(); field == "Blocks" && kind != "SingleNestedBlock" {
				t.Errorf("%s.%s is a %s, whose absence is an empty collection", path, name, kind)
			}
			seen += inspect(t, path+"."+name.String(), child)
		}
	}
	return seen
}

func hasSemanticEquality(kind reflect.Type) bool {
	for i := range kind.NumMethod() {
		if strings.HasSuffix(kind.Method(i).Name, "SemanticEquals") {
			return true
		}
	}
	return false
}
