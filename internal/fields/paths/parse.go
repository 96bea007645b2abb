package paths

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
)

// Parse reads a field path. It accepts every string that Format, a Formatter or a conflict of the API server prints,
// and the shorter forms in the package comment. Errors are of type *SyntaxError.
func Parse(text string) (Pattern, error) {
	if text == everything {
		return Pattern{text: text, steps: []step{{kind: stepAny}}}, nil
	}
	r := reader{text: text}
	if err := r.path(); err != nil {
		return Pattern{}, r.translated(err)
	}
	return Pattern{text: text, steps: r.steps}, nil
}

// ParseAll parses each string. The error is the first *SyntaxError.
func ParseAll(texts []string) (Patterns, error) {
	patterns := make(Patterns, 0, len(texts))
	for _, text := range texts {
		pattern, err := Parse(text)
		if err != nil {
			return nil, err
		}
		patterns = append(patterns, pattern)
	}
	return patterns, nil
}

// translated returns err, or an error with a suggestion if the string is in another path language.
func (r *reader) translated(err error) error {
	language := dialectOf(r.text)
	if language == "" {
		return err
	}
	translations := Translate(r.text)
	if len(translations) == 0 {
		return r.fail(0, "this is "+language, `write a field path, as in spec.ports[name="http"].port`)
	}
	return r.fail(0, "this is "+language, "write "+translations[0])
}

// SyntaxError describes why a string is not a field path.
type SyntaxError struct {
	Text       string // the whole string
	Offset     int    // in bytes, of what is wrong
	Problem    string // what is wrong, to be printed after a colon
	Suggestion string // what to write instead
}

func (e *SyntaxError) Error() string {
	return fmt.Sprintf("field path %q, character %d: %s; %s", e.Text, e.character(), e.Problem, e.Suggestion)
}

// character counts from one, as an editor does.
func (e *SyntaxError) character() int { return len([]rune(e.Text[:min(e.Offset, len(e.Text))])) + 1 }

// reader consumes a string from left to right. Methods return a *SyntaxError as error.
type reader struct {
	text  string
	at    int
	steps []step
}

func (r *reader) fail(at int, problem, suggestion string) error {
	return &SyntaxError{Text: r.text, Offset: at, Problem: problem, Suggestion: suggestion}
}

func (r *reader) rest() string { return r.text[r.at:] }

// take consumes a prefix if it is there.
func (r *reader) take(prefix string) bool {
	found := strings.HasPrefix(r.rest(), prefix)
	if found {
		r.at += len(prefix)
	}
	return found
}

func (r *reader) path() error {
	if trimmed := strings.TrimSpace(r.text); trimmed != r.text && trimmed != "" {
		return r.fail(0, "there is space around the path", fmt.Sprintf("write %s", trimmed))
	}
	dotted := r.take(".")
	if strings.TrimSpace(r.rest()) == "" {
		return r.fail(0, "the path is empty", "name a field, as in spec.replicas")
	}
	if dotted || !strings.HasPrefix(r.rest(), "[") {
		if err := r.words(); err != nil {
			return err
		}
	}
	for r.at < len(r.text) {
		if err := r.bracket(); err != nil {
			return err
		}
		if r.at == len(r.text) || strings.HasPrefix(r.rest(), "[") {
			continue
		}
		after := r.at
		if !r.take(".") {
			return r.fail(after, fmt.Sprintf("%q follows a bracket", r.rest()), "put a dot or a bracket after ]")
		}
		if r.rest() == "" {
			return r.fail(after, "nothing follows the dot", "remove the dot")
		}
		if err := r.words(); err != nil {
			return err
		}
	}
	return nil
}

// words consumes up to the next bracket. A dot may end the string, as it may end the key of a ConfigMap, but it may not
// precede a bracket.
func (r *reader) words() error {
	start := r.at
	words := r.rest()
	if end := strings.IndexAny(words, `[]"`); end >= 0 {
		words = words[:end]
	}
	r.at += len(words)
	if r.at < len(r.text) {
		switch {
		case r.text[r.at] == ']':
			return r.fail(r.at, "] has no [ before it", `remove it, or quote the name as in ["a]b"]`)
		case r.text[r.at] == '"':
			return r.fail(r.at, "an unquoted name contains a quote",
				`put a quoted name into brackets, as in data["a.b"]`)
		case words == "" || strings.HasSuffix(words, "."):
			return r.fail(start+len(words), "a bracket follows a dot", "remove the dot before the bracket")
		}
	}
	for word := range strings.SplitSeq(words, ".") {
		r.steps = append(r.steps, step{kind: stepWord, text: word})
	}
	return nil
}

// bracket consumes one selector from [ to ].
func (r *reader) bracket() error {
	start := r.at
	if strings.TrimLeft(r.rest()[1:], "*") == "" {
		return r.unterminated(start)
	}
	r.at++
	s, err := r.selector(start)
	if err != nil {
		return err
	}
	if r.at == len(r.text) {
		return r.unterminated(start)
	}
	if !r.take("]") {
		return r.fail(r.at, fmt.Sprintf("%q is not the end of the selector", r.rest()),
			`close the bracket with ], and quote values with special characters, as in [name="a,b"]`)
	}
	r.steps = append(r.steps, s)
	return nil
}

func (r *reader) unterminated(start int) error {
	return r.fail(start, "the bracket is not closed", "add ]")
}

func (r *reader) selector(start int) (step, error) {
	switch {
	case strings.HasPrefix(r.rest(), "]"):
		return step{}, r.fail(start, "the bracket is empty",
			`name an item as in [name="app"], a set member as in [="red"], a position as in [0], `+
				`or all items as in [*]`)
	case strings.HasPrefix(r.rest(), "*]"):
		r.at++
		return step{kind: stepAny}, nil
	case strings.HasPrefix(r.rest(), `"`):
		name, err := r.quoted()
		if err == nil && strings.HasPrefix(r.rest(), "=") {
			err = r.fail(start+1, "the name of a key is quoted", `write it without quotes, as in [name="app"]`)
		}
		return step{kind: stepName, text: name}, err
	case strings.HasPrefix(r.rest(), "{"):
		return r.exact("k:")
	case r.take("=="):
		return r.exact("v:")
	case r.take("="):
		member, err := r.operand(true)
		return step{kind: stepMember, member: member}, err
	}
	return r.keysOrIndex(start)
}

func (r *reader) keysOrIndex(start int) (step, error) {
	content := r.rest()
	if end := strings.IndexAny(content, `[]="`); end >= 0 {
		content = content[:end]
	}
	after := r.text[r.at+len(content):]
	if strings.HasPrefix(after, "=") {
		return r.keys()
	}
	if after == "" {
		return step{}, r.unterminated(start)
	}
	index, err := strconv.Atoi(content)
	switch {
	case strings.Trim(content, "0123456789") == "" && err == nil:
		r.at += len(content)
		return step{kind: stepIndex, index: index}, nil
	case strings.Trim(content, "+-0123456789") == "":
		return step{}, r.fail(start, fmt.Sprintf("[%s] is not a position in a list", content),
			"count from 0 at the start of the list, as in [0]")
	}
	name := strings.TrimSpace(strings.Trim(content, `'`))
	return step{}, r.fail(start, fmt.Sprintf("[%s] is neither a map key nor a list item", content),
		fmt.Sprintf(`write [%q] for a map key, or [name=%q] for a list item`, name, name))
}

// keys consumes name=value, separated by commas.
func (r *reader) keys() (step, error) {
	s := step{kind: stepKeys}
	for {
		start := r.at
		name, _, found := strings.Cut(r.rest(), "=")
		if !found || strings.ContainsAny(name, `[]",`) || strings.TrimSpace(name) == "" {
			return step{}, r.fail(start, "a key has no value",
				`write each as name=value, as in [containerPort=80,protocol="TCP"]`)
		}
		r.at += len(name) + len("=")
		value, err := r.operand(false)
		if err != nil {
			return step{}, err
		}
		name = strings.TrimSpace(name)
		for _, k := range s.keys {
			if k.name == name {
				return step{}, r.fail(start, fmt.Sprintf("the key %s is named twice", name), "name it once")
			}
		}
		s.keys = append(s.keys, keyOperand{name, value})
		if !r.take(",") {
			return s, nil
		}
	}
}

func (r *reader) unquote(start int) (string, error) {
	literal := r.text[start:r.at]
	// Go and JSON share most escapes. Only JSON has \/ and pairs of surrogates, only Go has \x and octal ones.
	if text, err := strconv.Unquote(literal); err == nil {
		return text, nil
	}
	var text string
	if err := json.Unmarshal([]byte(literal), &text); err != nil {
		return "", r.fail(start, fmt.Sprintf("%s is not a quoted string", literal),
			`write a backslash as \\ and a quote as \"`)
	}
	return text, nil
}

// operand consumes a value: a quoted string, or a bare one up to a comma or bracket. A member of a set may contain
// commas, and brackets and quotes that are balanced, as the API server prints atomic lists.
func (r *reader) operand(isMember bool) (operand, error) {
	start := r.at
	if strings.HasPrefix(r.rest(), `"`) {
		text, err := r.quoted()
		return operand{text: text, quoted: true}, err
	}
	for depth := 0; r.at < len(r.text); {
		c := r.text[r.at]
		switch {
		case c == ']' && depth == 0, c == ',' && !isMember:
			return r.bareOperand(start)
		case c == '"' && isMember:
			if _, err := r.quoted(); err != nil {
				return operand{}, err
			}
			continue
		case c == '"' || c == '[' && !isMember:
			return operand{}, r.fail(r.at, fmt.Sprintf("an unquoted value contains %q", c),
				`quote the value, as in [name="app"]`)
		case c == '[':
			depth++
		case c == ']':
			depth--
		}
		r.at++
	}
	return r.bareOperand(start)
}

func (r *reader) bareOperand(start int) (operand, error) {
	text := strings.TrimSpace(r.text[start:r.at])
	if text == "" {
		return operand{}, r.fail(start, "the value is empty", `write "" for the empty string`)
	}
	return operand{text: text, number: parseNumber(text)}, nil
}

// quoted consumes a string in double quotes, with the escapes of Go or of JSON.
func (r *reader) quoted() (string, error) {
	start := r.at
	for end := start + 1; end < len(r.text); end++ {
		switch r.text[end] {
		case '\\':
			end++
		case '"':
			r.at = end + 1
			return r.unquote(start)
		}
	}
	return "", r.fail(start, "the quote is not closed", `add "`)
}

// exact consumes JSON: the keys of an item after k:, the member of a set after v:.
func (r *reader) exact(prefix string) (s step, err error) {
	start := r.at
	defer func() {
		if cause := recover(); cause != nil {
			err = r.fail(start, fmt.Sprint(cause), "write plain JSON")
		}
	}()
	decoder := json.NewDecoder(strings.NewReader(r.rest()))
	var raw json.RawMessage
	if err := decoder.Decode(&raw); err != nil {
		return step{}, r.fail(start, "the JSON cannot be read: "+err.Error(),
			`write JSON as in [{"port":80}] or [==80]`)
	}
	r.at += int(decoder.InputOffset())
	pe, err := deserialize(prefix + string(raw))
	if err != nil {
		return step{}, r.fail(start, "the JSON cannot be read: "+err.Error(),
			`write JSON as in [{"port":80}] or [==80]`)
	}
	return step{kind: stepExact, exact: pe}, nil
}
