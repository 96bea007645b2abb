package manifest

import (
	"errors"
	"strings"
	"testing"
)

func TestParsePart(t *testing.T) {
	t.Parallel()
	id := Identity{APIVersion: "apps/v1", Kind: "Deployment", Namespace: "shop", Name: "web"}
	for name, tt := range map[string]struct {
		text string
		// want is a whole manifest, refused a part of the error.
		want, refused string
	}{
		"fields":                              {text: "spec: {replicas: 3}", want: "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web, namespace: shop}\nspec: {replicas: 3}\n"},
		"metadata":                            {text: "metadata: {labels: {a: b}}", want: "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web, namespace: shop, labels: {a: b}}\n"},
		"same identity":                       {text: "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web, namespace: shop}", want: "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web, namespace: shop}\n"},
		"another name":                        {text: "metadata: {name: other}", refused: "metadata.name is not the one of target"},
		"a name that YAML reads as a boolean": {text: "metadata: {name: n}", refused: "metadata.name is a boolean, not a string. Put the value in quotes."},
		"another kind":                        {text: "kind: Pod", refused: "kind is not the one of target"},
		"a list":                              {text: "[a]", refused: "not an object"},
		"no document":                         {text: "", refused: "no"},
		"metadata text":                       {text: "metadata: a", refused: "metadata is"},
		"server field":                        {text: "metadata: {uid: a}", refused: "only the API server writes metadata.uid"},
		"a directive":                         {text: "spec: {template: {spec: {containers: [{name: a, $patch: delete}]}}}", refused: "spec.template.spec.containers[].$patch is a directive"},
		"deletions":                           {text: "metadata: {$deleteFromPrimitiveList/finalizers: [a]}", refused: "is a directive"},
		"the order":                           {text: "spec: {$setElementOrder/ports: []}", refused: "is a directive"},
		"retained keys":                       {text: "spec: {strategy: {$retainKeys: [type]}}", refused: "is a directive"},
		"a dollar":                            {text: "data: {$key: a}", want: "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web, namespace: shop}\ndata: {$key: a}\n"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, err := ParsePart(tt.text, id)
			if tt.refused != "" {
				var fault *Error
				if !errors.As(err, &fault) || !strings.Contains(err.Error(), tt.refused) {
					t.Fatalf("got %v, want an *Error with %q", err, tt.refused)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			want, err := Parse(tt.want)
			if err != nil {
				t.Fatal(err)
			}
			if !Equal(got, want) || got.Identity != id || !want.IsText(got.Text) {
				t.Errorf("got %v\n%s\nwant %v", got.Object, got.Text, want.Object)
			}
		})
	}
}

func TestEqualPart(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		a, b string
		want bool
	}{
		{"a: 1\nb: 2", "{b: 2, a: 1}", true},
		{"a: 1", "a: 2", false},
		{"a: 1", "a: '1'", false},
		{"[", "[", true},
		{"[", "a: 1", false},
		{"a: 1", "[", false},
	} {
		if got := EqualPart(tt.a, tt.b); got != tt.want {
			t.Errorf("%q and %q: %t", tt.a, tt.b, got)
		}
	}
}
