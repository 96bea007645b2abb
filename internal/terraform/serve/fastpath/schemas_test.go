package fastpath

import (
	"context"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	frameworkprovider "github.com/hashicorp/terraform-plugin-framework/provider"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/provider"
)

// idle are the plan modifiers that change nothing if the argument is that of the state.
var idle = []string{"attributes.keepEqual", "objectplanmodifier.requiresReplaceIfModifier"}

// The schemas have nothing for which the framework changes a read, or a plan in another way than propose does.
func TestSchemas(t *testing.T) {
	registered := provider.New("test")()
	if _, is := registered.(frameworkprovider.ProviderWithMetaSchema); is {
		t.Error("requests have provider_meta, which is not passed on")
	}
	kinds := kindsOf(registered)
	if len(kinds) < 4 {
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
			if _, is := r.(resource.ResourceWithConfigValidators); is || k.schema.DeprecationMessage != "" {
				t.Error("the framework finds in a configuration what Validate does not ask for")
			}
			for name, block := range k.schema.Blocks {
				single, is := block.(schema.SingleNestedBlock)
				if !is || len(single.Validators) > 0 {
					t.Errorf("the framework validates the block %s, even without it in the configuration", name)
				}
				for attribute, of := range single.Attributes {
					if of.IsRequired() {
						t.Errorf("%s.%s is required, even without the block", name, attribute)
					}
				}
			}
			if seen := inspect(t, "", reflect.ValueOf(k.schema)); seen < 10 {
				t.Errorf("the test has seen %d attributes", seen)
			}
		})
	}
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
