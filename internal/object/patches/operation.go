package patches

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
)

// operation is one step of a JSON patch.
type operation struct {
	op   string
	path pointer
	// from is the source of a copy.
	from pointer
	// value is as the user wrote it. want is the same without null fields, for comparisons and computations.
	value, want any
	// name is the operation in messages.
	name string
}

// The names of operations.
const (
	opAdd     = "add"
	opRemove  = "remove"
	opReplace = "replace"
	opCopy    = "copy"
	opMove    = "move"
	opTest    = "test"
)

// needs are the members of each operation, except for op.
var needs = map[string][]string{
	opAdd: {"path", "value"}, opRemove: {"path"}, opReplace: {"path", "value"},
	opCopy: {"from", "path"}, opMove: {"from", "path"}, opTest: {"path", "value"},
}

func readOperations(body any) (Patch, error) {
	list, isList := body.([]any)
	switch {
	case !isList && looksLikeOperation(body):
		return Patch{}, &Error{
			Problem:    "the body of a json patch is a list of operations, and this is one operation",
			Suggestion: "Put it in brackets: jsonencode([{ op = ..., path = ... }]).",
		}
	case !isList:
		return Patch{}, &Error{
			Problem: "the body of a json patch is a list of operations, not " + manifest.Describe(body),
			Suggestion: `Write jsonencode([{ op = "replace", path = "/spec/replicas", value = 3 }]), ` +
				`or set type = "merge".`,
		}
	}
	patch, changes := Patch{Type: JSON}, false
	for i, item := range list {
		one, err := readOperation(i+1, item)
		if err != nil {
			return Patch{}, err
		}
		patch.operations = append(patch.operations, one)
		changes = changes || one.op != opTest
	}
	if !changes {
		return Patch{}, emptyPatch()
	}
	return patch, nil
}

func readOperation(number int, item any) (operation, error) {
	name := fmt.Sprintf("operation %d", number)
	members, isMap := item.(map[string]any)
	if !isMap {
		return operation{}, &Error{
			Problem:    name + " is " + manifest.Describe(item) + ", not an object",
			Suggestion: `Write for example { op = "replace", path = "/spec/replicas", value = 3 }.`,
		}
	}
	op, err := textOf(name, members, "op")
	if err != nil {
		return operation{}, err
	}
	if _, known := needs[op]; !known {
		return operation{}, &Error{
			Problem:    fmt.Sprintf("%s has the op %q, which does not exist", name, op),
			Suggestion: "Write add, remove, replace, copy or test.",
		}
	}
	one := operation{op: op, name: fmt.Sprintf("%s (%s)", name, op)}
	if err := one.checkMembers(members); err != nil {
		return operation{}, err
	}
	if one.path, err = pointerOf(one.name, members, "path"); err != nil {
		return operation{}, err
	}
	one.name = fmt.Sprintf("%s (%s %s)", name, op, one.path)
	if slices.Contains(needs[op], "from") {
		if one.from, err = pointerOf(one.name, members, "from"); err != nil {
			return operation{}, err
		}
	}
	if err := one.checkRepeatable(); err != nil {
		return operation{}, err
	}
	one.value = members["value"]
	if one.want, err = canonical(one.value); err != nil {
		return operation{}, err
	}
	return one, nil
}

// checkMembers returns an error for missing and unknown members, as the API server does with strict validation.
func (o operation) checkMembers(members map[string]any) error {
	for _, member := range needs[o.op] {
		if _, has := members[member]; !has {
			return &Error{Problem: o.name + " has no " + member, Suggestion: "Write its " + member + "."}
		}
	}
	for _, member := range sortedNames(members) {
		if member != "op" && !slices.Contains(needs[o.op], member) {
			return &Error{
				Problem:    fmt.Sprintf("%s has a member %q", o.name, member),
				Suggestion: "Remove it: the operation takes op, " + strings.Join(needs[o.op], " and ") + ".",
			}
		}
	}
	return nil
}

// checkRepeatable returns an error for operations that are not in effect on any object after they were applied.
func (o operation) checkRepeatable() error {
	if o.op == opMove {
		return &Error{
			Problem:    o.name + " moves a field that is gone after the first apply",
			Suggestion: fmt.Sprintf("Write an add of the value at %s, and a remove of %s.", o.path, o.from),
		}
	}
	if o.op == opCopy && (o.path.hasPrefix(o.from) || o.from.hasPrefix(o.path)) {
		return &Error{
			Problem:    fmt.Sprintf("%s copies %s within itself", o.name, o.from),
			Suggestion: "Copy to a field outside of it, or write an add of the value.",
		}
	}
	if o.path.last() == endOfList && (o.op == opAdd || o.op == opCopy) {
		list := o.path[:len(o.path)-1].String()
		return &Error{
			Problem: o.name + " adds one more item to the end of the list at each apply",
			Suggestion: fmt.Sprintf("Write the position, such as %s/0, after a test of the item before it: the "+
				"operation does nothing once the item is at that position. Or set the list with replace. To own one "+
				"item of a list that has keys, use server-side apply.", list),
		}
	}
	return nil
}

func pointerOf(name string, members map[string]any, member string) (pointer, error) {
	text, err := textOf(name, members, member)
	if err != nil {
		return nil, err
	}
	at, fault := parsePointer(member, text)
	if fault != nil {
		fault.Problem = name + ": " + fault.Problem
		return nil, fault
	}
	return at, nil
}

func textOf(name string, members map[string]any, member string) (string, error) {
	value, has := members[member]
	text, isText := value.(string)
	switch {
	case !has:
		return "", &Error{Problem: name + " has no " + member, Suggestion: "Write its " + member + "."}
	case !isText:
		return "", &Error{
			Problem:    name + ": " + member + " is " + manifest.Describe(value) + ", not a string",
			Suggestion: "Write a string there.",
		}
	}
	return text, nil
}

func (o operation) wire() map[string]any {
	sent := map[string]any{"op": o.op, "path": o.path.String()}
	switch o.op {
	case opCopy:
		sent["from"] = o.from.String()
	case opRemove:
	default:
		sent["value"] = o.value
	}
	return sent
}

// pointer are the reference tokens of a JSON pointer (RFC 6901), not escaped. It is never empty: the empty pointer is
// the whole object, which no operation may change.
type pointer []string

// endOfList is the token for the position after the last item.
const endOfList = "-"

var (
	unescapeToken  = strings.NewReplacer("~1", "/", "~0", "~")
	escapeToken    = strings.NewReplacer("~", "~0", "/", "~1")
	withoutEscapes = strings.NewReplacer("~1", "", "~0", "")
)

// parsePointer parses the pointer in the member of an operation that is called name.
func parsePointer(name, text string) (pointer, *Error) {
	problem := fmt.Sprintf("%q is not a JSON pointer", text)
	switch {
	case text == "":
		return nil, &Error{
			Problem:    name + " is empty, which means the whole object",
			Suggestion: `Write the pointer to a field, for example "/spec/replicas".`,
		}
	case text[0] != '/':
		return nil, &Error{
			Problem:    problem + ": it does not begin with a slash",
			Suggestion: fmt.Sprintf("Write %q.", asPointer(text)),
		}
	}
	var tokens pointer
	for token := range strings.SplitSeq(text[1:], "/") {
		if strings.Contains(withoutEscapes.Replace(token), "~") {
			return nil, &Error{
				Problem:    problem + ": a ~ stands alone",
				Suggestion: "Write ~0 for ~, and ~1 for a slash within a name.",
			}
		}
		// A Replacer makes one pass. In two passes, ~01 could become a slash instead of ~1.
		tokens = append(tokens, unescapeToken.Replace(token))
	}
	return tokens, nil
}

// asPointer guesses the pointer that the user meant by a string without a leading slash: spec.replicas, $.spec.replicas
// or #/spec.
func asPointer(text string) string {
	text = strings.TrimLeft(text, "#$.")
	if !strings.Contains(text, "/") {
		text = strings.ReplaceAll(text, ".", "/")
	}
	return "/" + strings.TrimPrefix(text, "/")
}

func (p pointer) String() string {
	var text strings.Builder
	for _, token := range p {
		text.WriteString("/" + escapeToken.Replace(token))
	}
	return text.String()
}

func (p pointer) last() string { return p[len(p)-1] }

// hasPrefix reports whether p is at or below a pointer.
func (p pointer) hasPrefix(above pointer) bool {
	return len(above) <= len(p) && slices.Equal(p[:len(above)], above)
}

// position returns the position in a list that a token represents, and false if it represents none.
func position(token string) (int, bool) {
	index, err := strconv.Atoi(token)
	// Atoi also reads +1 and 01, which RFC 6901 does not take for positions.
	return index, err == nil && index >= 0 && strconv.Itoa(index) == token
}

// stringData is the field of a Secret that the server merges into data.
const stringData = "stringData"

// entryMaps are the maps of metadata whose entries have owners of their own.
var entryMaps = []string{"annotations", "labels"}

// entryFields are the top-level fields whose entries have names that users choose.
var entryFields = []string{"binaryData", "data", stringData}

// isItem reports whether the token at a position leads to an item of a list, as far as the pointer shows that: entries
// of labels, annotations and data may be called by numbers.
func (p pointer) isItem(at int) bool {
	if _, isPosition := position(p[at]); !isPosition && p[at] != endOfList || at == 0 {
		return false
	}
	around := p[at-1]
	return !slices.Contains(entryMaps, around) && (at > 1 || !slices.Contains(entryFields, around))
}
