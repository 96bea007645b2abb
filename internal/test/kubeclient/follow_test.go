package kubeclient

import (
	"context"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
)

func TestAccFollow(t *testing.T) {
	t.Parallel()
	c := connected(t)
	text := func(value string) string {
		return `{apiVersion: v1, kind: ConfigMap, metadata: {name: acc-followed, namespace: default}, data: {a: "` + value + `"}}`
	}
	live := mustApply(t, c, text("1")).Object
	id := manifest.IdentityOf(live)
	has := func(value string) func(*unstructured.Unstructured) bool {
		return func(object *unstructured.Unstructured) bool {
			got, _, _ := unstructured.NestedString(object.Object, "data", "a")
			return got == value
		}
	}
	follow := func(ctx context.Context, value string) chan error {
		done := make(chan error, 1)
		go func() {
			_, err := c.Follow(ctx, live, has(value))
			done <- err
		}()
		time.Sleep(200 * time.Millisecond)
		return done
	}
	done := follow(t.Context(), "3")
	mustApply(t, c, text("2"))
	mustApply(t, c, text("3"))
	if err := <-done; err != nil {
		t.Fatal(err)
	}
	short, cancel := context.WithTimeout(t.Context(), time.Second)
	defer cancel()
	mustReason(t, <-follow(short, "4"), cluster.ReasonTimeout)

	done = follow(t.Context(), "4")
	if _, err := c.Delete(t.Context(), id, background(live.GetUID())); err != nil {
		t.Fatal(err)
	}
	mustReason(t, <-done, cluster.ReasonNotFound)
	mustApply(t, c, text("4"))
	// The watch from then says that the object is gone, and the GET that another one has its name.
	mustReason(t, <-follow(t.Context(), "5"), cluster.ReasonConflict)
}

// The follower waits for an object with the name, and follows each object that gets it.
func TestAccFollowName(t *testing.T) {
	t.Parallel()
	c := connected(t)
	const text = `{apiVersion: v1, kind: ConfigMap, metadata: {name: acc-named, namespace: default}}`
	id := manifest.Identity{APIVersion: "v1", Kind: "ConfigMap", Namespace: "default", Name: "acc-named"}
	seen, done := make(chan *unstructured.Unstructured, 8), make(chan error, 1)
	follow := func(from *unstructured.Unstructured, versions int) {
		go func() {
			_, err := c.FollowName(t.Context(), id, from, func(live *unstructured.Unstructured) bool {
				seen <- live
				versions--
				return versions == 0
			})
			done <- err
		}()
	}
	follow(nil, 3)
	first := mustApply(t, c, text).Object
	if now := <-seen; now == nil || now.GetUID() != first.GetUID() {
		t.Errorf("saw %v first", now)
	}
	remove := func(live *unstructured.Unstructured) {
		if _, err := c.Delete(t.Context(), id, background(live.GetUID())); err != nil {
			t.Error(err)
		}
	}
	remove(first)
	if now := <-seen; now != nil {
		t.Errorf("saw %v after the deletion", now)
	}
	second := mustApply(t, c, text).Object
	if now := <-seen; now == nil || now.GetUID() != second.GetUID() {
		t.Errorf("saw %v at last", now)
	}
	if err := <-done; err != nil {
		t.Error(err)
	}
	follow(nil, 1) // The watch begins with the object that is there.
	if now := <-seen; now == nil || now.GetUID() != second.GetUID() {
		t.Errorf("saw %v", now)
	}
	remove(second)
}
