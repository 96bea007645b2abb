package prediction

import (
	utiljson "k8s.io/apimachinery/pkg/util/json"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/paths"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/projection"
)

// ValueType is the type of a value in JSON, as messages name it.
type ValueType string

// The types of values that attributes may show in the same way.
const (
	AString  ValueType = "a string"
	ANumber  ValueType = "a number"
	ABoolean ValueType = "a boolean"
)

// Retyped is the type of a value before and after, if only the type changes: attributes show "1" and 1 in the same way.
// The zero value means that the type stays.
type Retyped struct{ Was, Becomes ValueType }

func typeOf(value any) ValueType {
	switch value.(type) {
	case string:
		return AString
	case bool:
		return ABoolean
	case int64, float64, int:
		return ANumber
	default:
		return ""
	}
}

// retyped compares a field's value before the apply with what the server makes of the body. If other managers hold the
// field, the value before is the live one; otherwise it is the one that we applied last.
func (f fieldDiff) retyped(path paths.Path) Retyped {
	becomes, after := f.answer.Lookup(path)
	was, before := f.before.sent.Lookup(path)
	if print, held := f.Wanted.Prior.Snapshot.Values[paths.ID(path)]; held {
		before = projection.Present
		// The fingerprint of a long value is a digest, not JSON.
		if utiljson.Unmarshal([]byte(print), &was) != nil {
			return Retyped{}
		}
	}
	types := Retyped{typeOf(was), typeOf(becomes)}
	if after != projection.Present || before != projection.Present || types.Was == "" || types.Becomes == "" ||
		types.Was == types.Becomes {
		return Retyped{}
	}
	if f.priorRenderer.IsSecret(path) || f.renderer.IsSecret(path) ||
		f.priorRenderer.Text(path, was) != f.priorRenderer.Text(path, becomes) {
		return Retyped{}
	}
	return types
}
