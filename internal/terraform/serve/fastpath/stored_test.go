package fastpath

import "testing"

// Only an attribute counts, not what a string quotes.
func TestContains(t *testing.T) {
	t.Parallel()
	for json, want := range map[string]bool{
		`{"ready":false}`: true,
		"{\n  \"ready\": true,\n \"a\": {\"ready\": false}}": true,
		`{"ready":true}`:                    false,
		`{"ready":null}`:                    false,
		`{"yaml_body":"{\"ready\":false}"}`: false,
		`{"is_ready":false}`:                false,
		`{`:                                 false,
	} {
		if got := contains([]byte(json), "ready", "false"); got != want {
			t.Errorf("%s: %t", json, got)
		}
	}
}
