package patches

import (
	"slices"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifest"
)

// checkTarget refuses a change of a field that says which object it is, or that only the server writes.
func checkTarget(at pointer) *Error {
	switch at[0] {
	case "apiVersion", "kind":
		return identityField(at[0])
	case "status":
		return &Error{
			Problem:    "the patch changes status, which the controller of the object writes",
			Suggestion: "Remove status from the patch.",
		}
	case "metadata":
	default:
		return nil
	}
	switch {
	case len(at) == 1:
		return &Error{
			Problem:    "the patch changes metadata as a whole, and with it the name of the object",
			Suggestion: "Write the field of metadata to change, such as labels or annotations.",
		}
	case at[1] == "name" || at[1] == "namespace":
		return identityField("metadata." + at[1])
	case slices.Contains(manifest.ServerMetadata(), at[1]):
		return &Error{
			Problem:    "the patch changes metadata." + at[1] + ", which only the API server writes",
			Suggestion: "Remove metadata." + at[1] + " from the patch.",
		}
	}
	return nil
}

func identityField(name string) *Error {
	return &Error{
		Problem:    "the patch has " + name + ", which says which object it is",
		Suggestion: "Remove " + name + " from the patch: the target of the resource names the object.",
	}
}

// checkFields is checkTarget for a part of an object.
func checkFields(fields map[string]any) error {
	for _, name := range sortedNames(fields) {
		metadata, isMap := fields[name].(map[string]any)
		if name != "metadata" || !isMap {
			if err := checkTarget(pointer{name}); err != nil {
				return err
			}
			continue
		}
		for _, inner := range sortedNames(metadata) {
			if err := checkTarget(pointer{name, inner}); err != nil {
				return err
			}
		}
	}
	return nil
}
