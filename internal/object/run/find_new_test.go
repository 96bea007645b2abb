package run

import (
	"testing"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/clustertest"
)

// FindNew counts for the resource that is to create the object, on its cluster, until the plan is made again.
func TestFindNew(t *testing.T) {
	t.Parallel()
	object := manifest.Identity{APIVersion: "v1", Kind: "ConfigMap", Namespace: "default", Name: "web"}
	other := manifest.Identity{APIVersion: "v1", Kind: "Secret", Namespace: "default", Name: "web"}
	one, two := &clustertest.Stub{}, &clustertest.Stub{}
	create := func(r *Run) {
		if err := r.Objects.PlanCreate(one, object, NewResource{}); err != nil {
			t.Error(err)
		}
	}
	find := func(r *Run) { r.Objects.NoteNew(one, object) }
	for name, test := range map[string]struct {
		steps []func(*Run)
		want  bool
	}{
		"nobody creates it":                      {[]func(*Run){find}, false},
		"nobody has looked":                      {[]func(*Run){create}, false},
		"a plan has looked":                      {[]func(*Run){create, find}, true},
		"a plan looked before it was planned":    {[]func(*Run){find, create}, false},
		"a plan has looked for another object":   {[]func(*Run){create, func(r *Run) { r.Objects.NoteNew(one, other) }}, false},
		"a plan has looked on another cluster":   {[]func(*Run){create, func(r *Run) { r.Objects.NoteNew(two, object) }}, false},
		"a plan has looked, and is to be remade": {[]func(*Run){create, find, func(r *Run) { r.Objects.ForgetCreate(one, object) }}, false},
		"a plan that is remade has not looked":   {[]func(*Run){create, find, func(r *Run) { r.Objects.ForgetCreate(one, object) }, create}, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var run Run
			for _, step := range test.steps {
				step(&run)
			}
			if got := run.Objects.IsNew(one, object); got != test.want {
				t.Errorf("new %t, want %t", got, test.want)
			}
			if run.Objects.IsNew(one, other) || run.Objects.IsNew(two, object) {
				t.Error("another object is new, too")
			}
		})
	}
}

// HasCreator counts on the cluster of the resource, once its creation was planned and not only announced.
func TestHasCreator(t *testing.T) {
	t.Parallel()
	object := manifest.Identity{APIVersion: "v1", Kind: "ConfigMap", Namespace: "default", Name: "web"}
	one, two := &clustertest.Stub{}, &clustertest.Stub{}
	var run Run
	has := func(at *clustertest.Stub) bool { return run.Objects.OfName(At{API: at, Object: object}).HasCreator() }
	run.Objects.AnnounceCreate(object)
	if has(one) {
		t.Error("a creation is planned that was only announced")
	}
	if err := run.Objects.PlanCreate(one, object, NewResource{}); err != nil || !has(one) || has(two) {
		t.Errorf("it is not planned, or on another cluster, too: %v", err)
	}
}
