package manifest

import "testing"

func TestLines(t *testing.T) {
	t.Parallel()
	text := `# a comment
apiVersion: v1
kind: ConfigMap
metadata: &meta
  name: web
  labels:
    yes: a

spec:
  - one
  - a.b: 1
    list:
      - x
other: *meta
`
	for name, test := range map[string]struct {
		steps []any
		want  int
	}{
		"the object":             {nil, 2},
		"a field":                {[]any{"metadata", "name"}, 5},
		"a key that is no text":  {[]any{"metadata", "labels", "true"}, 7},
		"a map in a list":        {[]any{"spec", 1, "a.b"}, 11},
		"an item":                {[]any{"spec", 1, "list", 0}, 13},
		"an item that is not":    {[]any{"spec", 7}, 9},
		"a field that is not":    {[]any{"spec", 1, "b"}, 11},
		"what an alias is":       {[]any{"other", "name"}, 5},
		"a name in a list":       {[]any{"spec", "name"}, 9},
		"a position in a scalar": {[]any{"kind", 0}, 3},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := LinesOf(text).Of(test.steps); got != test.want {
				t.Errorf("line %d, want %d", got, test.want)
			}
		})
	}
	for _, invalid := range []string{"a: [", "a: 1\n---\nb: 1\n", ""} {
		if got := LinesOf(invalid).Of(nil); got != 0 {
			t.Errorf("line %d of %q", got, invalid)
		}
	}
}
