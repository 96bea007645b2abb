package ownership

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/paths"
)

func parsed(t *testing.T, entries ...metav1.ManagedFieldsEntry) Claims {
	t.Helper()
	claims, err := Parse(entries)
	if err != nil {
		t.Fatal(err)
	}
	return claims
}

// TestJoined tells a schema that has become atomic from a map that is owned beside its parts, and from
// one that is emptied.
func TestJoined(t *testing.T) {
	t.Parallel()
	const whole, parts, both = `{"f:l":{}}`, `{"f:l":{"f:a":{},"f:b":{}}}`, `{"f:l":{".":{},"f:a":{}}}`
	tests := map[string]struct {
		before, after string
		empty         bool
		want          *paths.Set
	}{
		"parts become the whole":                  {parts, whole, false, paths.NewSet(paths.Path{paths.Field("l")})},
		"the whole stays the whole":               {whole, whole, false, paths.NewSet()},
		"the whole becomes parts":                 {whole, parts, false, paths.NewSet()},
		"a map that was owned itself loses parts": {both, whole, false, paths.NewSet()},
		"the body empties it":                     {parts, whole, true, paths.NewSet()},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			before, after := parsed(t, entry("k8sconnect", applies, 1, tt.before)), parsed(t, entry("k8sconnect", applies, 2, tt.after))
			got := before.Joined(after, func(paths.Path) bool { return tt.empty })
			if !got.Equals(tt.want) {
				t.Errorf("joined %s, want %s", got, tt.want)
			}
		})
	}
}

// TestJoin holds that everybody who held a part holds the whole, and nobody else does.
func TestJoin(t *testing.T) {
	t.Parallel()
	before := parsed(t,
		entry("k8sconnect", applies, 1, `{"f:l":{"f:a":{}},"f:m":{}}`),
		entry("flux", applies, 2, `{"f:l":{".":{},"f:b":{}}}`),
		entry("kubectl", updates, 3, `{"f:m":{}}`),
	)
	want := []string{`Apply "k8sconnect" {"f:l":{},"f:m":{}}`, `Apply "flux" {"f:l":{}}`, `Update "kubectl" using apps/v1 {"f:m":{}}`}
	if diff := cmp.Diff(want, summary(t, before.Join(set(t, `{"f:l":{}}`)))); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestInner holds which maps and lists can become fields of their own.
func TestInner(t *testing.T) {
	t.Parallel()
	claims := parsed(t, entry("k8sconnect", applies, 1,
		`{"f:spec":{"f:l":{"k:{\"n\":\"a\"}":{".":{},"f:x":{"f:y":{}}}},"f:z":{}}}`))
	want := set(t, `{"f:spec":{"f:l":{".":{},"k:{\"n\":\"a\"}":{"f:x":{}}}}}`)
	if got := claims.Inner(); !got.Equals(want) {
		t.Errorf("%s, want %s", got, want)
	}
}
