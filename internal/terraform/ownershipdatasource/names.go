package ownershipdatasource

import (
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/attributes"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/diagnostics"
)

// names are what diagnostics say of this data source.
var names = diagnostics.Names{
	Noun: "data source", Target: "its name and namespace", Cluster: attributes.AttributeName, FixedTimeout: timeout,
}
