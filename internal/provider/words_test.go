package provider

import (
	"reflect"
	"slices"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/action"
	"github.com/hashicorp/terraform-plugin-framework/resource"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/provider/diagnostics"
)

// The words of each resource are those of its schema.
func TestWords(t *testing.T) {
	t.Parallel()
	resources := (&k8sconnect{}).Resources(t.Context())
	if len(resources) < 2 {
		t.Fatalf("there are %d resources", len(resources))
	}
	for _, make := range resources {
		var resp resource.SchemaResponse
		made := make()
		made.Schema(t.Context(), resource.SchemaRequest{}, &resp)
		var named resource.MetadataResponse
		made.Metadata(t.Context(), resource.MetadataRequest{ProviderTypeName: "k8sconnect"}, &named)
		field := reflect.ValueOf(made).Elem().FieldByName("Words")
		if !field.IsValid() {
			t.Errorf("%s has no field Words with its diagnostics.Words", named.TypeName)
			continue
		}
		words, _ := field.Interface().(diagnostics.Words)
		if words.Type != named.TypeName {
			t.Errorf("the words of %s are those of %q", named.TypeName, words.Type)
		}
		for _, field := range reflect.VisibleFields(reflect.TypeOf(words)) {
			name := reflect.ValueOf(words).FieldByIndex(field.Index)
			if name.Kind() != reflect.String || name.String() == "" || field.Name == "Type" || field.Name == "Noun" {
				continue
			}
			_, isAttribute := resp.Schema.Attributes[name.String()]
			_, isBlock := resp.Schema.Blocks[name.String()]
			if !isAttribute && !isBlock {
				t.Errorf("%s: %s is %q, which the schema does not have", named.TypeName, field.Name, name)
			}
		}
	}
}

// So are those of each action.
func TestWordsOfActions(t *testing.T) {
	t.Parallel()
	actions := (&k8sconnect{}).Actions(t.Context())
	if len(actions) < 4 {
		t.Fatalf("there are %d actions", len(actions))
	}
	for _, make := range actions {
		var resp action.SchemaResponse
		made := make()
		made.Schema(t.Context(), action.SchemaRequest{}, &resp)
		words, _ := reflect.ValueOf(made).Elem().FieldByName("Words").Interface().(diagnostics.Words)
		for _, name := range []string{words.Target, words.Cluster, words.Body, words.Timeouts} {
			_, isAttribute := resp.Schema.Attributes[name]
			_, isBlock := resp.Schema.Blocks[name]
			if name != "" && !isAttribute && !isBlock {
				t.Errorf("%s: the schema has no %s", words.Type, name)
			}
		}
		if diags := resp.Schema.ValidateImplementation(t.Context()); diags.HasError() {
			t.Errorf("%s: %v", words.Type, diags)
		}
	}
}

// The manifest resource has every word but those of parts, of data sources and of clusters with a name.
func TestManifestHasAllWords(t *testing.T) {
	t.Parallel()
	words, _ := reflect.ValueOf((&k8sconnect{}).Resources(t.Context())[0]()).Elem().FieldByName("Words").Interface().(diagnostics.Words)
	for _, field := range reflect.VisibleFields(reflect.TypeOf(words)) {
		if reflect.ValueOf(words).FieldByIndex(field.Index).IsZero() != slices.Contains([]string{"Target", "FixedTimeout", "RemoveFields", "Patch", "Optional", "OpensInPlan", "ImportPrefix"}, field.Name) {
			t.Errorf("%s is %v", field.Name, reflect.ValueOf(words).FieldByIndex(field.Index))
		}
	}
}
