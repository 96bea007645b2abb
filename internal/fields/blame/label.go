package blame

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/ownership"
)

// labelsOf returns a short and unique name for each manager: its name with its subresource, and with operation and API
// version if those tell it from another manager with the same name and subresource.
func labelsOf(claims ownership.Claims) map[ownership.Manager]string {
	labels := make(map[ownership.Manager]string, len(claims))
	for _, claim := range claims {
		manager := claim.Manager
		var details []string
		if manager.Subresource != "" {
			details = append(details, printable(manager.Subresource))
		}
		operations, versions := namesakes(manager, claims)
		if operations {
			details = append(details, printable(string(manager.Operation)))
		}
		if versions {
			details = append(details, printable(manager.APIVersion))
		}
		label := printable(manager.Name)
		if len(details) > 0 {
			label += " (" + strings.Join(details, ", ") + ")"
		}
		labels[manager] = label
	}
	return labels
}

// namesakes reports whether managers of the same name and subresource have other operations, and whether
// those of the same operation too have other API versions.
func namesakes(of ownership.Manager, claims ownership.Claims) (operations, versions bool) {
	for _, other := range claims {
		if other.Name != of.Name || other.Subresource != of.Subresource {
			continue
		}
		operations = operations || other.Operation != of.Operation
		versions = versions || other.Operation == of.Operation && other.APIVersion != of.APIVersion
	}
	return operations, versions
}

// printable returns a string for a comment: quoted if it is empty, begins or ends with blanks, or has characters that
// do not print.
func printable(text string) string {
	odd := func(r rune) bool { return r == utf8.RuneError || !strconv.IsPrint(r) }
	if text == "" || strings.TrimSpace(text) != text || strings.ContainsFunc(text, odd) {
		return strconv.Quote(text)
	}
	return text
}
