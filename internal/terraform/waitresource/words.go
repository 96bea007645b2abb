package waitresource

import (
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/attributes"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/diagnostics"
)

// words are what diagnostics say of this resource.
var words = diagnostics.Words{
	Noun:     "resource",
	Type:     "k8sconnect_wait",
	Target:   "target",
	Cluster:  attributes.AttributeName,
	Timeouts: "timeouts",
}
