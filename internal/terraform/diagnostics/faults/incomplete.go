package faults

import (
	"strings"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
)

// Incomplete returns the advice about fields that the server misses in a body beside other faults; "" without such
// fields.
func Incomplete(body string, lacking []string) string {
	if len(lacking) == 0 {
		return ""
	}
	return "Correct " + body + ", too: the API server misses a value of " + strings.Join(lacking, " and ") + "."
}

// OfNew returns the words of the API server about a dry-run of a new object, which has another name.
func OfNew(err error) string { return strings.ReplaceAll(err.Error(), cluster.DryRunSuffix, "") }
