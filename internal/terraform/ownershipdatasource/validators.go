package ownershipdatasource

import (
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/paths"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/validators"
)

var fieldPath = validators.Checked("a field path", func(text string) string {
	if _, err := paths.ParseArgument(text); err != nil {
		return err.Error()
	}
	return ""
})
