package attributes

import (
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/action/schema"
	resourceschema "github.com/hashicorp/terraform-plugin-framework/resource/schema"
)

func TestSensitiveConnection(t *testing.T) {
	t.Parallel()
	of := func(connection any) map[string]bool {
		whole, _ := connection.(resourceschema.SingleNestedAttribute)
		exec, _ := whole.Attributes["exec"].(resourceschema.SingleNestedAttribute)
		sensitive := map[string]bool{"exec.env": exec.Attributes["env"].IsSensitive()}
		for name, attribute := range whole.Attributes {
			sensitive[name] = attribute.IsSensitive()
		}
		return sensitive
	}
	marked, unmarked := of(ConnectionOf[resourceschema.Attribute]()[AttributeName]), of(UnmarkedConnectionOf[schema.Attribute]()[AttributeName])
	for _, name := range []string{"kubeconfig", "token", "client_certificate", "client_key", "proxy_url", "exec.env"} {
		if !marked[name] {
			t.Errorf("%s can carry a credential and is not sensitive", name)
		}
	}
	for name, isMarked := range unmarked {
		if isMarked {
			t.Errorf("an action cannot mark %s as sensitive", name)
		}
	}
}
