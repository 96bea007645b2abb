package manifestresource

import (
	"reflect"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/resource"
)

// The words are those of the schema.
func TestWords(t *testing.T) {
	t.Parallel()
	var resp resource.SchemaResponse
	New().Schema(t.Context(), resource.SchemaRequest{}, &resp)
	var named resource.MetadataResponse
	New().Metadata(t.Context(), resource.MetadataRequest{ProviderTypeName: "k8sconnect"}, &named)
	for _, field := range reflect.VisibleFields(reflect.TypeOf(words)) {
		name := reflect.ValueOf(words).FieldByIndex(field.Index).String()
		_, isAttribute := resp.Schema.Attributes[name]
		_, isBlock := resp.Schema.Blocks[name]
		switch {
		case field.Name == "Type" && name == named.TypeName, field.Name == "Noun":
		case field.Name == "Target" || field.Name == "FixedTimeout":
		case !isAttribute && !isBlock:
			t.Errorf("%s is %q, which the schema does not have", field.Name, name)
		}
	}
}
