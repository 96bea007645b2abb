package projection

import (
	"encoding/json"
	"strings"
	"testing"
)

func TestFingerprint(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("x", longest)
	tests := map[string]struct {
		a, b any
		same bool
	}{
		"an integer and the same float":     {int64(1), 1.0, true},
		"at any depth":                      {map[string]any{"a": []any{1.0}}, map[string]any{"a": []any{int64(1)}}, true},
		"a plain int":                       {1, int64(1), true},
		"a number and its text":             {int64(1), "1", false},
		"a boolean and its text":            {true, "true", false},
		"a null and its text":               {nil, "null", false},
		"a null and an empty text":          {nil, "", false},
		"an empty map and an empty list":    {map[string]any{}, []any{}, false},
		"key order":                         {map[string]any{"a": int64(1), "b": int64(2)}, map[string]any{"b": int64(2), "a": int64(1)}, true},
		"list order":                        {[]any{int64(1), int64(2)}, []any{int64(2), int64(1)}, false},
		"spellings of a quantity":           {"1000m", "1", false},
		"neighbours over 2^53":              {int64(9007199254740993), int64(9007199254740992), false},
		"an integer and a float over 2^53":  {int64(9007199254740993), 9007199254740992.0, false},
		"long texts that are the same":      {long, strings.Repeat("x", longest), true},
		"long texts that differ at the end": {long + "a", long + "b", false},
		"a text that looks like a digest":   {long, Fingerprint(long), false},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if same := Fingerprint(tt.a) == Fingerprint(tt.b); same != tt.same {
				t.Errorf("%s and %s", Fingerprint(tt.a), Fingerprint(tt.b))
			}
			if print := Fingerprint(tt.a); len(print) > longest {
				t.Errorf("%q is longer than %d bytes", print, longest)
			}
		})
	}
	for _, text := range []string{"plain", "", "a<b", "a&b", `a"b`, `a\b`, "a\nb", "\x7f", "größe", "\u2028", "\xff", strings.Repeat("x", longest-1)} {
		encoded, err := json.Marshal(text)
		if err != nil {
			t.Fatal(err)
		}
		if print := Fingerprint(text); print != string(encoded) && print != digest(encoded) {
			t.Errorf("%q has fingerprint %s", text, print)
		}
	}
	if print := Fingerprint(func() {}); print != "unprintable" {
		t.Errorf("a function has fingerprint %q", print)
	}
}
