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

func TestIsWithin(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		part, whole string
		want        bool
	}{
		{"spec.clusterIP", "spec", true},
		{"spec.clusterIP", "spec.clusterIP", true},
		{"spec", "spec.clusterIP", false},
		{"spec.clusterIPs", "spec.clusterIP", false},
		{`metadata.annotations["a"]`, "metadata.annotations.a", true},
		{`spec.ports[port=80].nodePort`, "spec.ports[*]", true},
		{"spec.ports[*].nodePort", "spec.ports[port=80].nodePort", false},
		{"spec.ports[port=80].nodePort", "spec.ports[port=80]", true},
		{"spec.ports[port=80].nodePort", "spec.ports[port=81]", false},
	} {
		patterns, err := ParseAll([]string{test.part, test.whole})
		if err != nil {
			t.Fatal(err)
		}
		if got := patterns[0].IsWithin(patterns[1]); got != test.want {
			t.Errorf("%s within %s: %t, want %t", test.part, test.whole, got, test.want)
		}
	}
}
