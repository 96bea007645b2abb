package validators

import (
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"
)

func TestDuration(t *testing.T) {
	t.Parallel()
	const write = ".\n\nWrite " + durations + "."
	for given, want := range map[string]string{
		"30s": "", "1h30m": "", "0.5s": "",
		"-5s": `timeouts.create: "-5s" is not more than zero` + write,
		"0s":  `timeouts.create: "0s" is not more than zero` + write,
		"0":   `timeouts.create: "0" is not more than zero` + write,
		"30":  `timeouts.create: "30" is not a duration in hours, minutes and seconds` + write,
		"1d":  `timeouts.create: "1d" is not a duration in hours, minutes and seconds` + write,
		"":    `timeouts.create: "" is not a duration in hours, minutes and seconds` + write,
	} {
		req := validator.StringRequest{Path: path.Root("timeouts").AtName("create"), ConfigValue: types.StringValue(given)}
		var resp validator.StringResponse
		Duration().ValidateString(t.Context(), req, &resp)
		got := ""
		if resp.Diagnostics.HasError() {
			got = resp.Diagnostics[0].Detail()
		}
		if got != want {
			t.Errorf("%q: %q, want %q", given, got, want)
		}
	}
}
