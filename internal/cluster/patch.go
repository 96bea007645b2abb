package cluster

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
)

// Update is a patch that a user has written, of an object that is still at ResourceVersion.
type Update struct {
	Type types.PatchType
	// Body is JSON of that type.
	Body []byte
	// FieldManager owns the fields that get another value.
	FieldManager         string
	UID, ResourceVersion string
	// DryRun asks the server for the result and persists nothing.
	DryRun bool
}

// Patch sets fields of an object that is still at ResourceVersion.
type Patch struct {
	// FieldManager owns the fields that get another value.
	FieldManager    string
	ResourceVersion string
	Edits           []Edit
	// DryRun asks the server for the result and persists nothing.
	DryRun bool
}

// Edit sets the value of one field that the object has, or removes it.
type Edit struct {
	// Pointer are the steps of a JSON pointer to the field, not escaped.
	Pointer []string
	Value   any
	// Remove is true if the field is removed; Value is not used then.
	Remove bool
}

// SetManagedFields returns the edit that replaces metadata.managedFields. The server drops entries without fields. Once
// an object has no entry left, the server accepts no new ones in this way.
func SetManagedFields(entries []metav1.ManagedFieldsEntry) Edit {
	if len(entries) == 0 {
		// The documented way to report that no entry is left.
		entries = []metav1.ManagedFieldsEntry{{}}
	}
	return Edit{Pointer: []string{"metadata", "managedFields"}, Value: entries}
}

// SetFinalizers returns the edit that replaces metadata.finalizers.
func SetFinalizers(finalizers []string) Edit {
	return Edit{Pointer: []string{"metadata", "finalizers"}, Value: finalizers}
}
