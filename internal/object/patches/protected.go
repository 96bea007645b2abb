package patches

import (
	"fmt"
	"slices"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
)

// checkTarget returns an error for a change of a field that identifies the object, or that only the server writes.
func checkTarget(at pointer, subresource string) *Error {
	switch {
	case at[0] == "apiVersion" || at[0] == "kind":
		return identityField(at[0])
	case at[0] == subresource:
		return nil
	case subresource != "":
		return &Error{
			Problem:    fmt.Sprintf("the patch changes %s, which is not in the subresource %s", at[0], subresource),
			Suggestion: "Write only " + subresource + ", and other fields into a patch without a subresource.",
		}
	case at[0] == manifest.Status:
		return &Error{
			Problem:    "the patch changes status, which the controller of the object writes",
			Suggestion: "Remove status from the patch, or move it to a patch of the subresource status.",
		}
	case at[0] != "metadata":
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

// checkTargets returns the first error of checkTarget among all fields of the patch.
func (p Patch) checkTargets(subresource string) error {
	for _, one := range p.operations {
		if one.op == opTest {
			continue
		}
		if err := checkTarget(one.path, subresource); err != nil {
			return err
		}
	}
	return checkFields(p.fields, subresource)
}

// checkFields returns the first error of checkTarget among fields, which are a part of an object.
func checkFields(fields map[string]any, subresource string) error {
	for _, name := range sortedNames(fields) {
		metadata, isMap := fields[name].(map[string]any)
		if name != "metadata" || !isMap {
			if err := checkTarget(pointer{name}, subresource); err != nil {
				return err
			}
			continue
		}
		for _, inner := range sortedNames(metadata) {
			if err := checkTarget(pointer{name, inner}, subresource); err != nil {
				return err
			}
		}
	}
	return nil
}
