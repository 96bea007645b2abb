package ownershipdatasource

import (
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/paths"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/reading"
)

var fieldPath = reading.Checked("a field path", func(text string) string {
	if _, err := paths.Parse(text); err != nil {
		return err.Error()
	}
	return ""
})
