package waitresource

import (
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/attributes"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/diagnostics"
)

// names are what diagnostics say of this resource.
var names = diagnostics.Names{
	Noun:     "resource",
	Type:     "k8sconnect_wait",
	Target:   "target",
	Cluster:  attributes.AttributeName,
	Timeouts: "timeouts",
}
