package run

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
)

// One of several operations reports all objects, once nothing moves. Later objects are reported with them again.
func TestAwaitWithoutDryRun(t *testing.T) {
	t.Parallel()
	var r Run
	shop := &cluster.MissingRightError{Verb: "patch", Resource: "deployments.apps", Namespace: "shop"}
	dev := &cluster.MissingRightError{Verb: "patch", Resource: "configmaps", Namespace: "dev"}
	note := func(name string, rights ...*cluster.MissingRightError) {
		r.WithoutDryRun.Note(nil, manifest.Identity{Name: name}, rights)
	}
	if objects, _ := r.AwaitWithoutDryRun(t.Context()); objects != 0 {
		t.Errorf("%d objects without a note", objects)
	}
	defer r.Waits.Begin(t.Context())()
	end := r.Waits.Begin(t.Context())
	note("a", shop)
	reported := make(chan int)
	go func() {
		objects, rights := r.AwaitWithoutDryRun(t.Context())
		if diff := cmp.Diff([]*cluster.MissingRightError{dev, shop}, rights); diff != "" {
			t.Errorf("rights (-want +got):\n%s", diff)
		}
		reported <- objects
	}()
	time.Sleep(2 * quietInPlan) // The other operation moves on.
	note("a", shop)
	note("b", dev)
	if objects, _ := r.AwaitWithoutDryRun(t.Context()); objects != 0 {
		t.Errorf("two operations report; the second one %d objects", objects)
	}
	end()
	if objects := <-reported; objects != 2 {
		t.Errorf("%d objects are reported, want 2", objects)
	}
	if objects, _ := r.AwaitWithoutDryRun(t.Context()); objects != 0 {
		t.Errorf("%d objects are reported again", objects)
	}
	note("c", shop)
	if objects, rights := r.AwaitWithoutDryRun(t.Context()); objects != 3 || len(rights) != 2 {
		t.Errorf("later: %d objects, %d rights", objects, len(rights))
	}
}
