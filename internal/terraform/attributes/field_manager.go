package attributes

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

// NameForm describes the names of managers that an attribute accepts.
type NameForm string

const (
	// ExactName is a whole name, without a wildcard.
	ExactName NameForm = "exact"
	// MayEndInStar is a whole name, or a prefix that ends in a star.
	MayEndInStar NameForm = "may end in *"
)

// ManagerValidator accepts the name of a manager, 1 to 128 characters.
func ManagerValidator(form NameForm) validator.String {
	star := stringvalidator.RegexMatches(regexp.MustCompile(`^[^*]*\*?$`), "may have one *, at its end")
	if form == ExactName {
		star = stringvalidator.RegexMatches(regexp.MustCompile(`^[^*]*$`), "must be the whole name of a manager, without *")
	}
	return stringvalidator.All(stringvalidator.LengthBetween(1, 128), star)
}
