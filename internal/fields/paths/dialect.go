package paths

import (
	"regexp"
	"strconv"
	"strings"
)

// Translate translates a path from another path language into this one, best result first: JSONPath, as kubectl and
// other tools write it, a JSON pointer, and positions between dots. Each result parses. It returns nil if the string is
// in none of these languages, or has no equivalent in this one.
func Translate(text string) []string {
	var results []string
	for _, hasPositions := range []bool{true, false} {
		t := translation{rest: text, hasPositions: hasPositions}
		if !t.read() {
			continue
		}
		result := string(t.text)
		_, err := Parse(result)
		if err == nil && result != text && (len(results) == 0 || results[0] != result) {
			results = append(results, result)
		}
	}
	return results
}

// translation consumes rest from left to right and appends to text.
type translation struct {
	rest string
	// hasPositions is true if a number that could also be a name is a position.
	hasPositions bool
	text         []byte
}

func (t *translation) read() bool {
	if pointer := strings.TrimPrefix(t.rest, "#"); strings.HasPrefix(pointer, "/") {
		return t.pointer(pointer[1:])
	}
	if strings.HasPrefix(t.rest, "{") && strings.HasSuffix(t.rest, "}") {
		t.rest = t.rest[1 : len(t.rest)-1]
	}
	t.rest = strings.TrimPrefix(t.rest, "$")
	if t.rest == "" {
		return false
	}
	if !strings.HasPrefix(t.rest, "[") && !strings.HasPrefix(t.rest, ".") {
		t.rest = "." + t.rest
	}
	for t.rest != "" {
		understood := false
		switch t.rest[0] {
		case '.':
			understood = t.word()
		case '[':
			understood = t.bracket()
		}
		if !understood {
			return false
		}
	}
	return true
}

func (t *translation) write(pe PathElement) { t.text = appendElement(t.text, pe, false) }

// name writes a name, or a position.
func (t *translation) name(name string) bool {
	position, err := strconv.Atoi(name)
	switch {
	case name == "":
		return false
	case name == "*":
		t.text = append(t.text, "[*]"...)
	case err == nil && position >= 0 && t.hasPositions && len(t.text) > 0:
		t.write(Index(position))
	default:
		t.write(Field(name))
	}
	return true
}

// pointer reads a JSON pointer after its first slash.
func (t *translation) pointer(text string) bool {
	for name := range strings.SplitSeq(text, "/") {
		// In the other order, ~01 would become a slash instead of ~1.
		if !t.name(strings.ReplaceAll(strings.ReplaceAll(name, "~1", "/"), "~0", "~")) {
			return false
		}
	}
	return true
}

// word reads a dot and a name, in which a backslash takes its meaning from the character that follows.
func (t *translation) word() bool {
	var name strings.Builder
	at := 1
	for ; at < len(t.rest) && t.rest[at] != '.' && t.rest[at] != '['; at++ {
		if t.rest[at] == '\\' && at+1 < len(t.rest) {
			at++
		}
		name.WriteByte(t.rest[at])
	}
	t.rest = t.rest[at:]
	return t.name(name.String())
}

var (
	quotedName = regexp.MustCompile(`^\['([^'\\]+)'\]`)
	filter     = regexp.MustCompile(`^\[\?\s*\(?((?:[^'"\]]|'[^']*'|"[^"]*")*?)\)?\s*\]`)
	comparison = regexp.MustCompile(`^@(?:\.([\w-]+)|\['([^']+)'\])?\s*==?\s*("[^"]*"|'[^']*'|[\w.+-]+)$`)
)

// bracket reads a bracket of this language, a name in single quotes, or a filter for equal keys.
func (t *translation) bracket() bool {
	if strings.HasPrefix(t.rest, "[?") {
		condition := filter.FindStringSubmatch(t.rest)
		if condition == nil {
			return false
		}
		t.rest = t.rest[len(condition[0]):]
		return t.filter(condition[1])
	}
	own := reader{text: t.rest}
	if own.bracket() == nil {
		if own.steps[0].kind == stepName {
			t.write(Field(own.steps[0].text))
		} else {
			t.text = append(t.text, t.rest[:own.at]...)
		}
		t.rest = t.rest[own.at:]
		return true
	}
	name := quotedName.FindStringSubmatch(t.rest)
	if name == nil {
		return false
	}
	t.rest = t.rest[len(name[0]):]
	t.write(Field(name[1]))
	return true
}

// filter writes the conditions of a filter as the keys of a list item, or as the member of a set.
func (t *translation) filter(conditions string) bool {
	separator := byte('[')
	for condition := range strings.SplitSeq(conditions, "&&") {
		parts := comparison.FindStringSubmatch(strings.TrimSpace(condition))
		if parts == nil {
			return false
		}
		value := parts[3]
		if value[0] == '\'' {
			value = strconv.Quote(value[1 : len(value)-1])
		}
		t.text = append(append(append(append(t.text, separator), parts[1]+parts[2]...), '='), value...)
		separator = ','
	}
	t.text = append(t.text, ']')
	return true
}

// ParseArgument is [Parse] for patterns written by people. It refuses strings that begin as JSONPath or a JSON pointer
// does: no field at the top of an object begins so.
func ParseArgument(text string) (Pattern, error) {
	for _, prefix := range []string{"$.", "$[", "/", "#/"} {
		if strings.HasPrefix(text, prefix) {
			r := reader{text: text}
			return Pattern{}, r.translated(nil)
		}
	}
	return Parse(text)
}

// dialectOf returns the language of a string that Parse refuses; "" if the user meant the language of this package.
func dialectOf(text string) string {
	switch {
	case strings.HasPrefix(text, "/"), strings.HasPrefix(text, "#/"):
		return "a JSON pointer"
	case strings.HasPrefix(text, "$"), strings.HasPrefix(text, "{"), strings.Contains(text, "[?"):
		return "JSONPath"
	default:
		return ""
	}
}
