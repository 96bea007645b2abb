package paths

import (
	"encoding/json"
	"fmt"
	"strings"
)

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
