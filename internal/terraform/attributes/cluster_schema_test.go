package attributes

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/hashicorp/terraform-plugin-framework/attr"
	datasourceschema "github.com/hashicorp/terraform-plugin-framework/datasource/schema"
	providerschema "github.com/hashicorp/terraform-plugin-framework/provider/schema"
	resourceschema "github.com/hashicorp/terraform-plugin-framework/resource/schema"
)

// described is what the attributes of all kinds of schemas have in common.
type described interface {
	GetType() attr.Type
	GetMarkdownDescription() string
	IsRequired() bool
	IsSensitive() bool
}

type description struct {
	Type                string
	Markdown            string
	Required, Sensitive bool
}

func describe(of described) description {
	return description{of.GetType().String(), of.GetMarkdownDescription(), of.IsRequired(), of.IsSensitive()}
}

// descriptions returns the descriptions of all attributes of a schema. The key of a nested attribute has both names.
func descriptions[A described](listed map[string]A, nested func(A) (map[string]A, bool)) map[string]description {
	all := map[string]description{}
	for name, attribute := range listed {
		all[name] = describe(attribute)
		if inner, isNested := nested(attribute); isNested {
			for below, description := range descriptions(inner, nested) {
				all[name+"."+below] = description
			}
		}
	}
	return all
}

func TestSchemasAgree(t *testing.T) {
	t.Parallel()
	inProvider := descriptions(ProviderAttribute().Attributes, func(a providerschema.Attribute) (map[string]providerschema.Attribute, bool) {
		nested, is := a.(providerschema.SingleNestedAttribute)
		return nested.Attributes, is
	})
	ofResource, _ := ConnectionOfResource()[AttributeName].(resourceschema.SingleNestedAttribute)
	inResource := descriptions(ofResource.Attributes, func(a resourceschema.Attribute) (map[string]resourceschema.Attribute, bool) {
		nested, is := a.(resourceschema.SingleNestedAttribute)
		return nested.Attributes, is
	})
	ofDataSource, _ := ConnectionOfDataSource()[AttributeName].(datasourceschema.SingleNestedAttribute)
	inDataSource := descriptions(ofDataSource.Attributes, func(a datasourceschema.Attribute) (map[string]datasourceschema.Attribute, bool) {
		nested, is := a.(datasourceschema.SingleNestedAttribute)
		return nested.Attributes, is
	})
	if diff := cmp.Diff(inProvider, inResource); diff != "" {
		t.Errorf("provider and resource (-provider +resource):\n%s", diff)
	}
	if diff := cmp.Diff(inProvider, inDataSource); diff != "" {
		t.Errorf("provider and data source (-provider +data source):\n%s", diff)
	}
	for _, attribute := range []described{ProviderAttribute(), ofResource, ofDataSource} {
		if !ObjectType().Equal(attribute.GetType()) {
			t.Errorf("%T has another type than ObjectType", attribute)
		}
	}
	for _, name := range []string{"kubeconfig", "token", "client_certificate", "client_key", "proxy_url", "exec.env"} {
		if !inProvider[name].Sensitive {
			t.Errorf("%s can carry a credential and is not sensitive", name)
		}
	}
	for name, a := range inProvider {
		if a.Markdown == "" {
			t.Errorf("%s has no description", name)
		}
	}
}
