package projection

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/paths"
)

func TestPathOf(t *testing.T) {
	t.Parallel()
	object := map[string]any{
		"args":  []any{"-v", "-q"},
		"items": []any{map[string]any{"name": "a", "n": int64(1)}, map[string]any{"name": "b", "n": int64(2)}},
	}
	item := paths.Key(map[string]any{"name": "b"})
	known := paths.NewSet(
		paths.Path{paths.Field("args")},
		paths.Path{paths.Field("items"), paths.Key(map[string]any{"name": "a"}), paths.Field("name")},
		paths.Path{paths.Field("items"), item, paths.Field("n")},
	)
	for name, tt := range map[string]struct{ at, want paths.Path }{
		"an item by its key":    {paths.Path{paths.Field("items"), paths.Index(1), paths.Field("n")}, paths.Path{paths.Field("items"), item, paths.Field("n")}},
		"a list with one owner": {paths.Path{paths.Field("args"), paths.Index(1)}, paths.Path{paths.Field("args")}},
		"an item that is not":   {paths.Path{paths.Field("items"), paths.Index(2), paths.Field("n")}, nil},
		"a position of no list": {paths.Path{paths.Index(0)}, nil},
		"below a text":          {paths.Path{paths.Field("items"), paths.Index(0), paths.Field("n"), paths.Field("x")}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := PathOf(object, tt.at, known); !got.Equals(tt.want) {
				t.Errorf("the path is %s, want %s", paths.Format(got), paths.Format(tt.want))
			}
		})
	}
}

func TestReplace(t *testing.T) {
	t.Parallel()
	object := map[string]any{"list": []any{map[string]any{"a": "1"}, "x"}, "b": "2"}
	before := map[string]any{"list": []any{map[string]any{"a": "1"}, "x"}, "b": "2"}
	got := Replace(object, paths.Path{paths.Field("list"), paths.Index(0), paths.Field("a")}, "new")
	want := map[string]any{"list": []any{map[string]any{"a": "new"}, "x"}, "b": "2"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("the object (-want +got):\n%s", diff)
	}
	for _, at := range []paths.Path{
		{paths.Field("list"), paths.Index(5)}, {paths.Field("b"), paths.Field("c")}, {paths.Index(0)}, {paths.Field("list"), paths.Field("a")},
	} {
		if diff := cmp.Diff(before, Replace(object, at, "new")); diff != "" {
			t.Errorf("%s (-want +got):\n%s", paths.Format(at), diff)
		}
	}
	if diff := cmp.Diff(before, object); diff != "" {
		t.Errorf("the object was mutated (-want +got):\n%s", diff)
	}
}
