package actions

import (
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/attributes"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/diagnostics"
)

// namesOf returns the names of an action in messages. target is the argument that names its object.
func namesOf(typeName, target string) diagnostics.Names {
	return diagnostics.Names{
		Noun: "action", Type: typeName, Target: target, Cluster: attributes.AttributeName, Timeouts: timeoutsBlock,
	}
}
