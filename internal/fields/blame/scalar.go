package blame

import (
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/rendering"
)

// inline returns the lines of a value that is written on the line of its name: a scalar, an empty map or list. The
// content of a block scalar is indented from the name.
func inline(value any) []line {
	texts := strings.Split(encode(short(value)), "\n")
	lines := make([]line, len(texts))
	for i, text := range texts {
		lines[i].text = text
	}
	lines[0].block = len(lines) > 1
	return lines
}

// short returns a value, shortened as [rendering.Renderer] does if it is too long.
func short(value any) any {
	text, isText := value.(string)
	if !isText {
		return value
	}
	return rendering.Renderer{}.Text(nil, text)
}

// keyText returns the name of a field on one line.
func keyText(name string) string {
	if strings.Contains(name, "\n") {
		return encode(quoted(name))
	}
	return encode(name)
}

// encode returns a value as YAML, without the line break at its end.
func encode(value any) string {
	if text, isText := value.(string); isText && needsQuotes(text) {
		value = quoted(text)
	}
	var out strings.Builder
	encoder := yaml.NewEncoder(&out)
	encoder.SetIndent(2)
	_ = encoder.Encode(value) // It fails only for values that JSON cannot represent. No object contains one.
	return strings.TrimSuffix(out.String(), "\n")
}

// needsQuotes reports whether the YAML library would write a string in a form that it does not read back: with a line
// that it takes to end at a character other than a line feed, or to be indented by a tab.
func needsQuotes(text string) bool {
	return strings.ContainsAny(text, "\u0085\u2028\u2029") || strings.HasPrefix(text, "\t")
}

func quoted(text string) *yaml.Node {
	return &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Style: yaml.DoubleQuotedStyle, Value: text}
}
