package connection

import (
	"regexp"

	"github.com/hashicorp/terraform-plugin-framework-validators/stringvalidator"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
)

// printable matches what the API server accepts in the name of a field manager.
var printable = regexp.MustCompile(`^[\pL\pM\pN\pP\pS ]*$`)

// FieldManagerValidator accepts the name of a field manager as the API server does: 1 to 128 printable
// characters.
func FieldManagerValidator() validator.String {
	return stringvalidator.All(
		stringvalidator.LengthBetween(1, 128),
		stringvalidator.RegexMatches(printable, "must consist of printable characters"),
	)
}
