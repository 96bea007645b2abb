package patches

import (
	"fmt"

	"k8s.io/apimachinery/pkg/types"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
)

// Type is the format in which a body describes its changes.
type Type string

// The types.
const (
	// JSON is a list of operations (RFC 6902).
	JSON Type = "json"
	// Merge is a part of an object (RFC 7386): null removes a field, and a list replaces a list.
	Merge Type = "merge"
	// Strategic is a part of an object of a built-in kind: lists are merged by the keys of their items.
	Strategic Type = "strategic"
)

// MediaType returns the Content-Type of a request.
func (t Type) MediaType() types.PatchType {
	switch t {
	case JSON:
		return types.JSONPatchType
	case Merge:
		return types.MergePatchType
	default:
		return types.StrategicMergePatchType
	}
}

// Patch is a change of a part of an object that may be applied again and again.
type Patch struct {
	Type Type
	// Text is the type and the body as a canonical string, the same for bodies that differ only in how they are
	// written.
	Text string
	// operations are the body of a JSON patch, fields that of the other types. fields is not mutated.
	operations []operation
	fields     map[string]any
	// keys are the lists of which a merge patch sets single entries.
	keys []ListKeys
}

// Parse reads the body, which is JSON, of a patch of an object, or of its subresource unless that is "". Every failure
// is an [*Error].
func Parse(subresource string, kind Type, body string) (Patch, error) {
	var read func(any) (Patch, error)
	switch kind {
	case JSON:
		read = readOperations
	case Merge:
		read = readMerge
	case Strategic:
		read = readStrategic
	default:
		return Patch{}, &Error{
			Problem:    fmt.Sprintf("%q is not a type of patch", string(kind)),
			Suggestion: `Write "json", "merge" or "strategic".`,
		}
	}
	decoded, err := decodeBody(body)
	if err != nil {
		return Patch{}, err
	}
	patch, err := read(decoded)
	if err == nil {
		err = patch.checkTargets(subresource)
	}
	if err != nil {
		return Patch{}, err
	}
	text, err := encode(decoded)
	patch.Text = string(kind) + " " + string(text)
	return patch, err
}

// MergesItems reports whether the patch names items of lists by their keys.
func (p Patch) MergesItems() bool { return p.Type == Strategic }

func readMerge(body any) (Patch, error) {
	fields, err := readFields(Merge, body)
	if err != nil {
		return Patch{}, err
	}
	if err := checkNoDirectives(fields, nil); err != nil {
		return Patch{}, err
	}
	return Patch{Type: Merge, fields: fields}, nil
}

func readStrategic(body any) (Patch, error) {
	fields, err := readFields(Strategic, body)
	if err != nil {
		return Patch{}, err
	}
	if err := checkDirectives(fields, nil); err != nil {
		return Patch{}, err
	}
	return Patch{Type: Strategic, fields: fields}, nil
}

// readFields returns a body that is a part of an object.
func readFields(kind Type, body any) (map[string]any, error) {
	fields, isMap := body.(map[string]any)
	switch {
	case !isMap && looksLikeOperations(body):
		return nil, &Error{
			Problem:    fmt.Sprintf("the body of a %s patch is an object, and this is a list of operations", kind),
			Suggestion: `Set type = "json" for a list of operations.`,
		}
	case !isMap:
		return nil, &Error{
			Problem: fmt.Sprintf("the body of a %s patch is an object, not %s", kind, manifest.Describe(body)),
			Suggestion: "Write the fields to change as in a manifest, for example jsonencode({ spec = { replicas = " +
				"3 } }).",
		}
	case len(fields) == 0:
		return nil, emptyPatch()
	}
	return fields, nil
}

func looksLikeOperations(body any) bool {
	list, _ := body.([]any)
	if len(list) == 0 {
		return false
	}
	return looksLikeOperation(list[0])
}

func looksLikeOperation(value any) bool {
	fields, _ := value.(map[string]any)
	return fields["op"] != nil
}
