package rendering

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// anywhere is the length in bytes from which on Tells finds a word inside of another one.
const anywhere = 5

// Tells reports whether a string that a person wrote may tell a value that Scrub leaves in it: a short one, as a word
// of its own. Case does not matter.
func (s Secrets) Tells(text string) bool {
	text = strings.ToLower(text)
	for word := range s.words {
		if !slices.Contains(s.names(), word) && holdsWord(text, strings.ToLower(word)) {
			return true
		}
	}
	return false
}

// names are the words of the object's own name.
func (s Secrets) names() []string {
	return strings.FieldsFunc(s.named, func(r rune) bool { return strings.ContainsRune(" /()", r) })
}

// holdsWord reports whether a string has a word. A word of some length counts anywhere.
func holdsWord(text, word string) bool {
	for rest := text; ; {
		at := strings.Index(rest, word)
		if at < 0 {
			return false
		}
		before, after := len(text)-len(rest)+at, len(text)-len(rest)+at+len(word)
		if len(word) >= anywhere || isEdge(text, before) && isEdge(text, after) {
			return true
		}
		_, size := utf8.DecodeRuneInString(rest[at:])
		rest = rest[at+size:]
	}
}

// isEdge reports whether a word of letters and digits can begin or end at a position of a string.
func isEdge(text string, at int) bool {
	before, _ := utf8.DecodeLastRuneInString(text[:at])
	after, _ := utf8.DecodeRuneInString(text[at:])
	return !isWordRune(before) || !isWordRune(after)
}

func isWordRune(r rune) bool {
	return r != utf8.RuneError && (unicode.IsLetter(r) || unicode.IsDigit(r))
}

// fieldName matches what may be the name of a field. Other keys are the user's own, and count as values.
var fieldName = regexp.MustCompile(`^[a-z][a-zA-Z]*$`)

// addKey adds the key of a map below a sensitive field.
func (s Secrets) addKey(key string) {
	if key == "" {
		return
	}
	s.keys[key] = struct{}{}
	s.forms[fmt.Sprintf("Invalid value: %q", key)] = struct{}{}
	s.forms[fmt.Sprintf("[%s]: Invalid value: %q", key, key)] = struct{}{}
}

// Keys returns s with the keys of maps as values, except for those that may be names of fields: for strings that a
// person wrote.
func (s Secrets) Keys() Secrets {
	if len(s.keys) == 0 {
		return s
	}
	s.forms, s.words = maps.Clone(s.forms), maps.Clone(s.words)
	for key := range s.keys {
		if !fieldName.MatchString(key) {
			s.addText(key)
		}
	}
	return s
}

var (
	// unknownKey matches the paragraphs and the quotes in which a message names a field that the kind does not have.
	unknownKey = regexp.MustCompile(`no such fields?:(?:\n+  .*)+|(?:unknown|duplicate) field "[^"]*"` +
		`|no field \S+|\.\S+: field not declared in schema`)
	suggestion = regexp.MustCompile(`\(did you mean [^)]*\)`)
)

// withoutUnknownKeys returns a string without the keys that are no fields: below a sensitive field, this key may be a
// value.
func (s Secrets) withoutUnknownKeys(text string) string {
	if len(s.keys) == 0 {
		return text
	}
	keys := make([]string, 0, len(s.keys))
	for key := range s.keys {
		keys = append(keys, regexp.QuoteMeta(key))
	}
	// A regular expression takes the first alternative that fits, and a short key may begin a longer one.
	slices.SortFunc(keys, func(a, b string) int { return len(b) - len(a) })
	inPath := regexp.MustCompile(`\.(?:` + strings.Join(keys, "|") + `)($|["\s.:\[,])`)
	hide := func(text string) string {
		for range 2 { // A match ends with the dot of the next key.
			text = inPath.ReplaceAllString(text, "."+Redacted+"$1")
		}
		return text
	}
	return unknownKey.ReplaceAllStringFunc(text, func(named string) string {
		var clean strings.Builder
		from := 0
		for _, at := range suggestion.FindAllStringIndex(named, -1) {
			clean.WriteString(hide(named[from:at[0]]) + named[at[0]:at[1]])
			from = at[1]
		}
		return clean.String() + hide(named[from:])
	})
}

// shortest is the length in bytes of the shortest beginning of a value that withoutBeginnings removes.
const shortest = 3

var ellipsis = regexp.MustCompile(`\.\.\.|…`)

// withoutBeginnings returns a string without beginnings of values at the places where a message was cut.
func (s Secrets) withoutBeginnings(text string) string {
	var clean strings.Builder
	from := 0
	for _, at := range ellipsis.FindAllStringIndex(text, -1) {
		before := text[from:at[0]]
		if length := s.beginningAtEnd(before); length >= shortest {
			before = before[:len(before)-length] + Redacted
		}
		clean.WriteString(before + text[at[0]:at[1]])
		from = at[1]
	}
	return clean.String() + text[from:]
}

// beginningAtEnd returns the length of the longest beginning of a value that is at the end of a string.
func (s Secrets) beginningAtEnd(text string) int {
	longest := 0
	for _, values := range []map[string]struct{}{s.forms, s.words} {
		for value := range values {
			for length := min(len(value), len(text)); length > longest; length-- {
				if strings.HasSuffix(text, value[:length]) {
					longest = length
				}
			}
		}
	}
	return longest
}
