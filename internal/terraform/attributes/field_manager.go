package attributes

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"k8s.io/apimachinery/pkg/apis/meta/v1/validation"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/diagnostics"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/validators"
)

// printable matches what the API server accepts in the name of a field manager.
var printable = regexp.MustCompile(`^[\pL\pM\pN\pP\pS ]*$`)

// FieldManagerValidator accepts the name of a field manager as the API server does: 1 to 128 bytes of printable
// characters.
func FieldManagerValidator() validator.String {
	return validators.Text("1 to 128 bytes of printable characters", func(name string) string {
		if !printable.MatchString(name) {
			return diagnostics.HCLString(name) + " contains characters that cannot be printed.\n\nRemove them."
		}
		return lengthProblem(name)
	})
}

// lengthProblem returns what is wrong with the length of a manager's name; "" if it is valid.
func lengthProblem(name string) string {
	switch length := len(name); {
	case length == 0:
		return "a name is empty.\n\nWrite one, or leave it out."
	case length > validation.FieldManagerMaxLength:
		return fmt.Sprintf("a name has %d bytes.\n\nWrite at most %d.", length, validation.FieldManagerMaxLength)
	default:
		return ""
	}
}

// NameForm describes the names of managers that an attribute accepts.
type NameForm string

const (
	// ExactName is a whole name, without a wildcard.
	ExactName NameForm = "exact"
	// MayEndInStar is a whole name, or a prefix that ends in a star.
	MayEndInStar NameForm = "may end in *"
)

// ManagerValidator accepts the name of a manager, 1 to 128 bytes.
func ManagerValidator(form NameForm) validator.String {
	return validators.Text("the name of a manager", func(name string) string {
		star := strings.Index(name, "*")
		switch {
		case star >= 0 && form == ExactName:
			return diagnostics.HCLString(name) + " contains a *.\n\nWrite the whole name of a manager."
		case star >= 0 && star < len(name)-1:
			return diagnostics.HCLString(name) + " has a * that is not at its end.\n\n" +
				"Write a whole name, or the beginning of names and one * after it."
		default:
			return lengthProblem(name)
		}
	})
}
