package ownership

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/paths"
)

func parsed(t *testing.T, entries ...metav1.ManagedFieldsEntry) Claims {
	t.Helper()
	claims, err := Parse(entries)
	if err != nil {
		t.Fatal(err)
	}
	return claims
}

// TestBecameAtomic tells a schema that has become atomic from a map that is owned beside its parts, and from
// one that is emptied.
func TestBecameAtomic(t *testing.T) {
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
			got := before.BecameAtomic(after, func(paths.Path) bool { return tt.empty })
			if !got.Equals(tt.want) {
				t.Errorf("joined %s, want %s", got, tt.want)
			}
		})
	}
}

// TestBecameAtomicNeedsAll checks that a map that one manager empties does not count as atomic while others still hold
// parts of it.
func TestBecameAtomicNeedsAll(t *testing.T) {
	t.Parallel()
	before := parsed(t, entry("flux", applies, 1, `{"f:l":{"f:a":{}}}`), entry("helm", applies, 2, `{"f:l":{"f:b":{}}}`))
	after := parsed(t, entry("flux", applies, 1, `{"f:l":{"f:a":{}}}`), entry("helm", applies, 3, `{"f:l":{}}`))
	if got := before.BecameAtomic(after, func(paths.Path) bool { return false }); !got.Empty() {
		t.Errorf("joined %s, want nothing", got)
	}
}

// TestReconcileWithSchema checks that everybody who held a part holds the whole, and no other manager does.
func TestReconcileWithSchema(t *testing.T) {
	t.Parallel()
	before := parsed(t,
		entry("k8sconnect", applies, 1, `{"f:l":{"f:a":{}},"f:m":{}}`),
		entry("flux", applies, 2, `{"f:l":{".":{},"f:b":{}}}`),
		entry("kubectl", updates, 3, `{"f:m":{}}`),
	)
	want := []string{`Apply "k8sconnect" {"f:l":{},"f:m":{}}`, `Apply "flux" {"f:l":{}}`, `Update "kubectl" using apps/v1 {"f:m":{}}`}
	if diff := cmp.Diff(want, summary(t, before.ReconcileWithSchema(set(t, `{"f:l":{}}`)))); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestInner checks which maps and lists can become fields of their own.
func TestInner(t *testing.T) {
	t.Parallel()
	claims := parsed(t, entry("k8sconnect", applies, 1,
		`{"f:spec":{"f:l":{"k:{\"n\":\"a\"}":{".":{},"f:x":{"f:y":{}}}},"f:z":{}}}`))
	want := set(t, `{"f:spec":{"f:l":{".":{},"k:{\"n\":\"a\"}":{"f:x":{}}}}}`)
	if got := claims.Inner(); !got.Equals(want) {
		t.Errorf("%s, want %s", got, want)
	}
}

// TestBecameAtomicUnder checks what our claim on a whole means for the parts that were held before.
func TestBecameAtomicUnder(t *testing.T) {
	t.Parallel()
	const whole, names, items, beside = `{"f:l":{}}`, `{"f:l":{"f:a":{}}}`, `{"f:l":{"v:\"a\"":{}}}`, `{"f:l":{".":{},"f:a":{}}}`
	content, list := map[string]any{"a": "1"}, []any{"a"}
	tests := map[string]struct {
		held, still string
		given       any
		want        bool
	}{
		"a map with content":                        {held: names, given: content, want: true},
		"a map with content, held beside its parts": {held: beside, given: content, want: true},
		"an empty map":                              {held: names, given: map[string]any{}},
		"a list":                                    {held: items, given: list, want: true},
		"an empty list":                             {held: items, given: []any{}, want: true},
		"an empty list that is merged":              {held: items, still: items, given: []any{}},
		"a list that was a map":                     {held: names, given: list},
		"a text that was a map":                     {held: names, given: "text"},
		"a whole that was one":                      {held: whole, given: content},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			before := parsed(t, entry("flux", applies, 1, tt.held))
			after := parsed(t, entry("k8sconnect", applies, 2, whole))
			if tt.still != "" {
				after = append(after, parsed(t, entry("flux", applies, 1, tt.still))...)
			}
			got := before.BecameAtomicUnder(after.Own("k8sconnect"), after, func(paths.Path) any { return tt.given })
			if got.Empty() == tt.want {
				t.Errorf("joined %s", got)
			}
		})
	}
}

// TestMayHaveBecomeAtomic checks that the parts of other managers are in doubt if no manager holds any of them in the
// answer.
func TestMayHaveBecomeAtomic(t *testing.T) {
	t.Parallel()
	const beside, whole = `{"f:l":{".":{},"f:a":{}}}`, `{"f:l":{}}`
	before := parsed(t, entry("kubectl", updates, 1, beside))
	field := paths.NewSet(paths.Path{paths.Field("l")})
	alone := parsed(t, entry("kubectl", updates, 1, whole))
	if got := before.MayHaveBecomeAtomic(alone, "k8sconnect"); !got.Equals(field) {
		t.Errorf("%s, want %s", got, field)
	}
	shared := append(parsed(t, entry("kubectl", updates, 1, whole)), parsed(t, entry("k8sconnect", applies, 2, `{"f:l":{"f:a":{}}}`))...)
	if got := before.MayHaveBecomeAtomic(shared, "k8sconnect"); !got.Empty() {
		t.Errorf("%s, although a part of it is held", got)
	}
}
