package kube

import "testing"

func TestEncodeBody(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		value any
		want  string
	}{
		"integers stay integers":                   {int64(9007199254740993), `{"x":9007199254740993}`},
		"text is sent as it is":                    {"héllo 世界 🙂", `{"x":"héllo 世界 🙂"}`},
		"what YAML refuses is escaped":             {"a\x7f\u0080\ufeff\ufffe", `{"x":"a\u007f\u0080\ufeff\ufffe"}`},
		"what YAML folds into a space is escaped":  {"a\u0085b\u2028c\u2029", `{"x":"a\u0085b\u2028c\u2029"}`},
		"control characters are escaped as always": {"a\tb\nc\x00", `{"x":"a\tb\nc\u0000"}`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, err := encodeBody(map[string]any{"x": tc.value})
			if err != nil {
				t.Fatal(err)
			}
			if string(got) != tc.want {
				t.Errorf("want %s, got %s", tc.want, got)
			}
		})
	}
}
