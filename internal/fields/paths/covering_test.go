package paths

import (
	"fmt"
	"testing"
)

// A pattern of a path covers what is below that path, and no other path, however many patterns there are.
func TestCovering(t *testing.T) {
	t.Parallel()
	fields := []Path{
		{Field("a.b"), Field("c")},
		{Field("set"), Index(3)},
		{Field("ports"), Key(map[string]any{"port": int64(80), "protocol": "TCP"}), Field("nodePort")},
	}
	for n := range 2 * indexFrom {
		fields = append(fields, Path{Field("items"), Key(map[string]any{"name": fmt.Sprint("item", n)})})
	}
	patterns := Covering(fields, NewFormatter(NewSet(fields...)))
	others := []Path{
		{Field("a"), Field("b"), Field("c")},
		{Field("set"), Index(2)},
		{Field("ports"), Key(map[string]any{"port": int64(80), "protocol": "UDP"}), Field("nodePort")},
		{Field("items"), Key(map[string]any{"name": "other"})},
	}
	for n, field := range fields {
		for m, pattern := range patterns {
			if covers := pattern.Match(append(field.Copy(), Field("below"))); covers != (n == m) {
				t.Errorf("%s covers a field below %s: %t", pattern, Format(field), covers)
			}
		}
		if again, err := Parse(patterns[n].String()); err != nil || !again.Match(field) {
			t.Errorf("the string %q of a pattern does not cover its field: %v", patterns[n], err)
		}
	}
	for _, other := range others {
		if patterns.Match(other) {
			t.Errorf("the patterns cover %s", Format(other))
		}
	}
}
