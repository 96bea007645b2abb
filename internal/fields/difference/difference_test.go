package difference

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// numbered returns a text of n lines.
func numbered(n int, with map[int]string) string {
	var text strings.Builder
	for i := 1; i <= n; i++ {
		line, has := with[i]
		if !has {
			line = fmt.Sprintf("line %d", i)
		}
		text.WriteString(line + "\n")
	}
	return text.String()
}

func versions(size string, more ...any) []any {
	property := map[string]any{"type": size}
	return append([]any{map[string]any{"name": "v1", "served": true, "long": strings.Repeat("x", 500),
		"schema": map[string]any{"properties": map[string]any{"size": property}}}}, more...)
}

func TestOf(t *testing.T) {
	t.Parallel()
	beta := map[string]any{"name": "v1beta1", "served": false}
	for name, tt := range map[string]struct {
		before, after any
		want          []string
	}{
		"a short value":        {"a", "b", nil},
		"the same to the eye":  {"e\u0301", "\u00e9", []string{`"e\u0301" -> "\u00e9"`}},
		"another type":         {numbered(9, nil), int64(1), nil},
		"equal texts":          {numbered(9, nil), numbered(9, nil), nil},
		"a newline at the end": {strings.TrimSuffix(numbered(5, nil), "\n"), numbered(5, nil), []string{"only the newline at the end is new"}},
		"a newline that goes":  {numbered(5, nil), strings.TrimSuffix(numbered(5, nil), "\n"), []string{"only the newline at the end is gone"}},
		"a newline and a line": {
			strings.TrimSuffix(numbered(5, nil), "\n"), numbered(5, nil) + "line 6\n",
			[]string{"line 5:", "- line 5 (without a newline)", "+ line 5", "+ line 6"},
		},
		"a line of a text":  {numbered(90, nil), numbered(90, map[int]string{70: "changed"}), []string{"line 70:", "- line 70", "+ changed"}},
		"a line at the end": {numbered(5, nil), numbered(5, nil) + "more", []string{"line 6:", "+ more"}},
		"a leaf in a list":  {versions("integer"), versions("string"), []string{`[name="v1"].schema.properties.size.type: "integer" -> "string"`}},
		"an item more": {versions("integer"), versions("integer", beta),
			[]string{`[name="v1beta1"]: (none) -> {"name":"v1beta1","served":false}`}},
		"an item less": {versions("integer", beta), versions("integer"),
			[]string{`[name="v1beta1"]: {"name":"v1beta1","served":false} -> (none)`}},
		"a list without names": {[]any{strings.Repeat("x", 500), "a", "c"}, []any{strings.Repeat("x", 500), "a", "b", "c"},
			[]string{`[2]: (none) -> "b"`}},
		"a long text in a structure": {
			map[string]any{"a.b": numbered(90, nil)}, map[string]any{"a.b": numbered(90, map[int]string{3: "x"}), "c": int64(1)},
			[]string{`["a.b"]:`, "  line 3:", "  - line 3", "  + x", "c: (none) -> 1"},
		},
		"an empty list": {[]any{}, versions("integer")[:0:0], nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(tt.want, Of(tt.before, tt.after)); diff != "" {
				t.Errorf("difference (-want +got):\n%s", diff)
			}
		})
	}
}

func TestLongDifference(t *testing.T) {
	t.Parallel()
	lines := Of(numbered(400, nil), strings.ReplaceAll(numbered(400, nil), "line", "row"))
	if len(lines) != most || lines[most-1] != "and 762 more lines" {
		t.Errorf("%d lines, the last one %q", len(lines), lines[len(lines)-1])
	}
}
