package registry

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
)

func TestShare(t *testing.T) {
	t.Parallel()
	id := manifest.Identity{APIVersion: "v1", Kind: "ConfigMap", Name: "a"}
	whole := func(fields ...string) Share { return Share{FieldManager: "k8sconnect", Fields: fields} }
	part := func(manager string, fields ...string) Share {
		return Share{FieldManager: manager, IsPart: true, Fields: fields}
	}
	for name, tt := range map[string]struct {
		first, second Share
		refused       bool
		common        []string
	}{
		"disjoint parts":           {first: part("a", "data.a"), second: part("b", "data.b")},
		"one field":                {first: part("a", "data.a", "data.b"), second: part("b", "data.b"), refused: true, common: []string{"data.b"}},
		"a part of a field":        {first: part("a", "spec.x"), second: part("b", "spec.x.y", "spec.x[=1]"), refused: true, common: []string{"spec.x.y", "spec.x[=1]"}},
		"a field with a part":      {first: part("a", "spec.x.y"), second: part("b", "spec.x"), refused: true, common: []string{"spec.x"}},
		"names that begin alike":   {first: part("a", "spec.x"), second: part("b", "spec.xy")},
		"the same manager":         {first: part("a", "data.a"), second: part("a", "data.b"), refused: true},
		"a part and its whole":     {first: whole("data.a"), second: part("a", "data.a"), refused: true, common: []string{"data.a"}},
		"a part beside its whole":  {first: whole("data.a"), second: part("a", "data.b")},
		"two wholes of one object": {first: whole("data.a"), second: whole("data.a")},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var run Run
			if err := run.Share(id, "1", tt.first); err != nil {
				t.Fatal(err)
			}
			if err := run.Share(id, "2", tt.second); err != nil {
				t.Errorf("another object: %v", err)
			}
			err := run.Share(id, "1", tt.second)
			var shared *SharedError
			if errors.As(err, &shared) != tt.refused {
				t.Fatalf("got %v", err)
			}
			if tt.refused {
				if diff := cmp.Diff(tt.common, shared.Fields); diff != "" {
					t.Errorf("common fields (-want +got):\n%s", diff)
				}
			}
		})
	}
}
