package arguments

import (
	"testing"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/paths"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
)

func TestUndecidedOf(t *testing.T) {
	t.Parallel()
	at := paths.Path{paths.Field("stringData"), paths.Field("a")}
	for kind, want := range map[string]string{"Secret": "data.a", "ConfigMap": "stringData.a"} {
		got := UndecidedOf(manifest.Identity{APIVersion: "v1", Kind: kind}, []Undecided{{At: at}})
		if text := paths.Format(got[0].At); text != want {
			t.Errorf("%s: %s, want %s", kind, text, want)
		}
	}
	if paths.Format(at) != "stringData.a" {
		t.Errorf("the path was mutated to %s", paths.Format(at))
	}
}

func TestNamesObject(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		at   paths.Path
		want bool
	}{
		{nil, true}, {paths.Path{paths.Field("kind")}, true}, {paths.Path{paths.Field("metadata"), paths.Field("name")}, true},
		{paths.Path{paths.Field("metadata"), paths.Field("labels")}, false}, {paths.Path{paths.Field("spec"), paths.Field("name")}, false},
	} {
		if got := (Undecided{At: tt.at}).NamesObject(); got != tt.want {
			t.Errorf("%q: %t, want %t", paths.Format(tt.at), got, tt.want)
		}
	}
}
