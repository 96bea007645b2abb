// Package functions implements the provider's functions. parse_managed_fields and annotate_yaml read field ownership
// from an object in a string. documents splits a stream of YAML documents into objects, tosca reads those of
// a service template, and problems compares them with schemas. None of them needs a cluster.
package functions

import (
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/function"
)

const needs = "Needs Terraform 1.8 or OpenTofu 1.7."

// wrong returns an error about the first argument of a function, the YAML or JSON. Terraform adds a full stop.
func wrong(err error) *function.FuncError {
	return function.NewArgumentFuncError(0, strings.TrimSuffix(err.Error(), "."))
}
