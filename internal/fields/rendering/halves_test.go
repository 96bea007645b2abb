package rendering_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/rendering"
)

// Two long lists are shown by the entries that differ, in each half alone; what is short, or no list, stays.
func TestHalves(t *testing.T) {
	t.Parallel()
	list := func(more ...string) string {
		return "[" + strings.Join(append(slices.Repeat([]string{`{"verbs":["get","list","watch"]}`}, 20), more...), ",") + "]"
	}
	for name, tt := range map[string]struct{ before, after, was, becomes string }{
		"an item more": {list(), list(`{"verbs":["*"]}`), "entry [20]: (none)", `entry [20]: {"verbs":["*"]}`},
		"two items":    {list(`{"verbs":["*"]}`, `"a"`), list(`{"verbs":["x"]}`, `"b"`), "entry [20].verbs[0]: \"*\"\nentry [21]: \"a\"", "entry [20].verbs[0]: \"x\"\nentry [21]: \"b\""},
		"short lists":  {`["a"]`, `["b"]`, `["a"]`, `["b"]`},
		"other types":  {list(), `{"a":"b"}`, list(), `{"a":"b"}`},
		"texts":        {strings.Repeat("a\n", 9), "[b", strings.Repeat("a\n", 9), "[b"},
	} {
		if was, becomes := rendering.Halves(tt.before, tt.after); was != tt.was || becomes != tt.becomes {
			t.Errorf("%s: %s and %s", name, was, becomes)
		}
	}
}
