package attributes

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/hashicorp/terraform-plugin-framework/attr"
	datasourceschema "github.com/hashicorp/terraform-plugin-framework/datasource/schema"
	providerschema "github.com/hashicorp/terraform-plugin-framework/provider/schema"
	resourceschema "github.com/hashicorp/terraform-plugin-framework/resource/schema"
)

// attribute is what the attributes of all kinds of schemas have in common.
type attribute interface {
	GetType() attr.Type
	IsRequired() bool
	IsSensitive() bool
}

type shape struct {
	Type                string
	Required, Sensitive bool
}

func shapeOf(of attribute) shape {
	return shape{of.GetType().String(), of.IsRequired(), of.IsSensitive()}
}

// shapes returns the shapes of all attributes of a schema. The key of a nested attribute has both names.
func shapes[A attribute](listed map[string]A, nested func(A) (map[string]A, bool)) map[string]shape {
	all := map[string]shape{}
	for name, one := range listed {
		all[name] = shapeOf(one)
		if inner, isNested := nested(one); isNested {
			for below, inside := range shapes(inner, nested) {
				all[name+"."+below] = inside
			}
		}
	}
	return all
}

func TestSchemasAgree(t *testing.T) {
	t.Parallel()
	inProvider := shapes(ProviderAttribute().Attributes, func(a providerschema.Attribute) (map[string]providerschema.Attribute, bool) {
		nested, is := a.(providerschema.SingleNestedAttribute)
		return nested.Attributes, is
	})
	ofResource, _ := ConnectionOfResource()[AttributeName].(resourceschema.SingleNestedAttribute)
	inResource := shapes(ofResource.Attributes, func(a resourceschema.Attribute) (map[string]resourceschema.Attribute, bool) {
		nested, is := a.(resourceschema.SingleNestedAttribute)
		return nested.Attributes, is
	})
	ofDataSource, _ := ConnectionOfDataSource()[AttributeName].(datasourceschema.SingleNestedAttribute)
	inDataSource := shapes(ofDataSource.Attributes, func(a datasourceschema.Attribute) (map[string]datasourceschema.Attribute, bool) {
		nested, is := a.(datasourceschema.SingleNestedAttribute)
		return nested.Attributes, is
	})
	if diff := cmp.Diff(inProvider, inResource); diff != "" {
		t.Errorf("provider and resource (-provider +resource):\n%s", diff)
	}
	if diff := cmp.Diff(inProvider, inDataSource); diff != "" {
		t.Errorf("provider and data source (-provider +data source):\n%s", diff)
	}
	for _, whole := range []attribute{ProviderAttribute(), ofResource, ofDataSource} {
		if !ObjectType().Equal(whole.GetType()) {
			t.Errorf("%T has another type than ObjectType", whole)
		}
	}
	for _, name := range []string{"kubeconfig", "token", "client_certificate", "client_key", "proxy_url", "exec.env"} {
		if !inProvider[name].Sensitive {
			t.Errorf("%s can carry a credential and is not sensitive", name)
		}
	}
}
