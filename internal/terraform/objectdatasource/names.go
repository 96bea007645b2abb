package objectdatasource

import (
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/attributes"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/diagnostics"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/reading"
)

// names are what diagnostics say of this data source.
var names = diagnostics.Names{
	Noun: "data source", Type: "k8sconnect_object", Target: "its name and namespace", Cluster: attributes.AttributeName,
	Optional: reading.OptionalAttribute, Timeouts: "timeouts",
}
