package paths

import "reflect"

// stepKind is one form of the language.
type stepKind int

const (
	stepWord   stepKind = iota // text is the word; the name of an element may take several
	stepName                   // text is the name
	stepIndex                  // index
	stepAny                    // any one element
	stepMember                 // member
	stepKeys                   // keys; an item may have more
	stepExact                  // exact is the element itself
)

type step struct {
	kind   stepKind
	text   string
	index  int
	member operand
	keys   []keyOperand
	exact  PathElement
}

type keyOperand struct {
	name  string
	value operand
}

// covers reports whether a step of one pattern matches all that a step of another does.
func (s step) covers(other step) bool {
	switch {
	case s.kind == stepAny:
		return true
	case s.isName() && other.isName():
		return s.text == other.text
	default:
		return reflect.DeepEqual(s, other)
	}
}

func (s step) isName() bool { return s.kind == stepWord || s.kind == stepName }
