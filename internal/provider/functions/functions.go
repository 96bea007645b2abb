// Package functions are the provider's functions. parse_managed_fields and annotate_yaml read ownership off an object that
// Terraform has as text; documents and stages cut a text with many manifests into objects. They need no cluster.
package functions

import (
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/function"
)

const needs = "Needs Terraform 1.8 or OpenTofu 1.7."

// wrong returns an error about the text that is the first argument of each function. Terraform puts a full stop behind it.
func wrong(err error) *function.FuncError {
	return function.NewArgumentFuncError(0, strings.TrimSuffix(err.Error(), "."))
}
