package validators

import (
	"time"

	"github.com/hashicorp/terraform-plugin-framework/schema/validator"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/diagnostics"
)

const durations = `a number with a unit, for example "30s", "10m" or "1h30m"`

// Duration accepts durations of more than zero.
func Duration() validator.String {
	return Text(durations, func(text string) string {
		duration, err := time.ParseDuration(text)
		var problem string
		switch {
		case err != nil:
			problem = " is not a duration in hours, minutes and seconds"
		case duration <= 0:
			problem = " is not more than zero"
		default:
			return ""
		}
		return diagnostics.HCLString(text) + problem + ".\n\nWrite " + durations + "."
	})
}
