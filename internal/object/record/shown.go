package record

import "github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/ownership"

// Shown are the computed attributes that describe the fields of an object.
type Shown struct {
	// Owners are the managers of each field.
	Owners ownership.View
	// ManagedState are the values of the fields that we declare, by field.
	ManagedState map[string]string
	// Pinned are the values that pin_fields holds, by field.
	Pinned map[string]string
	// Added are the outermost fields of ours that had no value before we applied them, as sorted strings.
	Added []string
	// Unwanted are the values of the fields that are to be removed, by field.
	Unwanted map[string]string
}
