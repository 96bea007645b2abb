package wanted

import "k8s.io/apimachinery/pkg/apis/meta/v1/validation"

// DryRunManager returns the manager name of a dry-run that must not remove anything: a manager that owns nothing
// removes nothing, and the server makes the same of the body.
func DryRunManager(fieldManager string) string {
	const suffix = "-plan"
	if len(fieldManager)+len(suffix) > validation.FieldManagerMaxLength {
		fieldManager = fieldManager[:validation.FieldManagerMaxLength-len(suffix)]
	}
	return fieldManager + suffix
}
