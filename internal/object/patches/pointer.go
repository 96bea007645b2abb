package patches

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// pointer are the reference tokens of a JSON pointer (RFC 6901), not escaped. It is never empty: the empty pointer is
// the whole object, which no operation may change.
type pointer []string

// endOfList is the token for the position after the last item.
const endOfList = "-"

var (
	unescapeToken = strings.NewReplacer("~1", "/", "~0", "~")
	escapeToken   = strings.NewReplacer("~", "~0", "/", "~1")
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
		for i := strings.IndexByte(token, '~'); i >= 0; i = nextTilde(token, i) {
			if i+1 == len(token) || token[i+1] != '0' && token[i+1] != '1' {
				return nil, &Error{
					Problem:    problem + ": a ~ stands alone",
					Suggestion: "Write ~0 for ~, and ~1 for a slash within a name.",
				}
			}
		}
		// A Replacer makes one pass. In two passes, ~01 could become a slash instead of ~1.
		tokens = append(tokens, unescapeToken.Replace(token))
	}
	return tokens, nil
}

func nextTilde(token string, after int) int {
	next := strings.IndexByte(token[after+1:], '~')
	if next < 0 {
		return next
	}
	return after + 1 + next
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
	if len(above) > len(p) {
		return false
	}
	for i, token := range above {
		if p[i] != token {
			return false
		}
	}
	return true
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
