package actions

import (
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/attributes"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/diagnostics"
)

// wordsOf returns the names of an action in messages. target is the argument that names its object.
func wordsOf(typeName, target string) diagnostics.Words {
	return diagnostics.Words{Noun: "action", Type: typeName, Target: target, Cluster: attributes.AttributeName, Timeouts: timeoutsBlock}
}
