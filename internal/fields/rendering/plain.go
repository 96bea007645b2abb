package rendering

import "github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/projection"

// Plain returns a value as other parts of a configuration take it: strings as they are, everything else as JSON. It
// shortens and hides nothing.
func Plain(value any) string {
	if text, isString := value.(string); isString {
		return text
	}
	return projection.JSON(value)
}
