package connection

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/hashicorp/terraform-plugin-framework/attr"
	providerschema "github.com/hashicorp/terraform-plugin-framework/provider/schema"
	resourceschema "github.com/hashicorp/terraform-plugin-framework/resource/schema"
)

// described is what both schemas say about an attribute.
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

func TestSchemasAgree(t *testing.T) {
	t.Parallel()
	inProvider, inResource := map[string]description{}, map[string]description{}
	for name, a := range ProviderAttribute().Attributes {
		inProvider[name] = describe(a)
		if nested, ok := a.(providerschema.SingleNestedAttribute); ok {
			for inner, a := range nested.Attributes {
				inProvider[name+"."+inner] = describe(a)
			}
		}
	}
	for name, a := range ResourceAttribute().Attributes {
		inResource[name] = describe(a)
		if nested, ok := a.(resourceschema.SingleNestedAttribute); ok {
			for inner, a := range nested.Attributes {
				inResource[name+"."+inner] = describe(a)
			}
		}
	}
	if diff := cmp.Diff(inProvider, inResource); diff != "" {
		t.Errorf("provider and resource (-provider +resource):\n%s", diff)
	}
	if !ObjectType().Equal(ProviderAttribute().GetType()) || !ObjectType().Equal(ResourceAttribute().GetType()) {
		t.Error("the schemas have another type than ObjectType")
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
