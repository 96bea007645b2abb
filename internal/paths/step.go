package paths

// stepKind is one form of the language.
type stepKind int

const (
	stepWord   stepKind = iota // text is the word; the name of an element may take several
	stepName                   // text is the name
	stepIndex                  // index
	stepAny                    // any one element
	stepMember                 // member
	stepKeys                   // keys, of which an item may have more
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
