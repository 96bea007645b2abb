package provider

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/providerserver"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/providerdata"
)

// described are the descriptions by what they describe.
type described map[string]string

func (d described) block(name string, block *tfprotov6.SchemaBlock) {
	d[name] = block.Description
	d.attributes(name, block.Attributes)
	for _, nested := range block.BlockTypes {
		d.attributes(name+"."+nested.TypeName, nested.Block.Attributes)
	}
}

func (d described) attributes(of string, all []*tfprotov6.SchemaAttribute) {
	for _, attribute := range all {
		name := of + "." + attribute.Name
		d[name] = attribute.Description
		if attribute.NestedType != nil {
			d.attributes(name, attribute.NestedType.Attributes)
		}
	}
}

func (d described) function(name string, of *tfprotov6.Function) {
	d[name] = of.Description
	for _, parameter := range of.Parameters {
		d[name+"."+parameter.Name] = parameter.Description
	}
	if of.VariadicParameter != nil {
		d[name+"."+of.VariadicParameter.Name] = of.VariadicParameter.Description
	}
}

// Everything in the schema has a description, and descriptions.md has none that the schema lacks.
func TestDescriptions(t *testing.T) {
	t.Parallel()
	schema, err := providerserver.NewProtocol6(New("test")())().GetProviderSchema(t.Context(), &tfprotov6.GetProviderSchemaRequest{})
	if err != nil {
		t.Fatal(err)
	}
	all := described{}
	all.block("provider", schema.Provider.Block)
	for kind, schemas := range map[string]map[string]*tfprotov6.Schema{
		"resource": schema.ResourceSchemas, "data": schema.DataSourceSchemas, "ephemeral": schema.EphemeralResourceSchemas,
		"list": schema.ListResourceSchemas,
	} {
		for name, of := range schemas {
			all.block(kind+" "+name, of.Block)
		}
	}
	for name, of := range schema.ActionSchemas {
		all.block("action "+name, of.Schema.Block)
	}
	for name, of := range schema.Functions {
		all.function("function "+name, of)
	}
	// A text of the page is wrapped.
	shown := map[string]bool{}
	for name, text := range all {
		if text == "" {
			t.Errorf("%s has no description", name)
		}
		shown[strings.Join(strings.Fields(text), " ")] = true
	}
	page, err := os.ReadFile("../attributes/descriptions.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, section := range regexp.MustCompile(`(?m)^###? `).Split(string(page), -1)[1:] {
		heading, text, _ := strings.Cut(section, "\n")
		if text = strings.Join(strings.Fields(text), " "); text != "" && !shown[text] {
			t.Errorf("nothing has the description %q of descriptions.md", heading)
		}
	}
	for name, fact := range map[string]string{
		"provider.field_manager": providerdata.DefaultFieldManager, "provider.schemas": providerdata.SchemasVariable,
		"list k8sconnect_manifest.unmanaged": providerdata.DefaultFieldManager,
	} {
		if !strings.Contains(all[name], "`"+fact+"`") {
			t.Errorf("%s: %q has no word of %s", name, all[name], fact)
		}
	}
}
