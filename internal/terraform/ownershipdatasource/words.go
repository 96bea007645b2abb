package ownershipdatasource

import (
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/attributes"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/diagnostics"
)

// words are what diagnostics say of this data source.
var words = diagnostics.Words{Noun: "data source", Target: "its name and namespace", Cluster: attributes.AttributeName, FixedTimeout: timeout}
