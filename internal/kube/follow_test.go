package kube

import (
	"context"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
)

func TestAccFollow(t *testing.T) {
	t.Parallel()
	c := connected(t)
	text := func(value string) string {
		return `{apiVersion: v1, kind: ConfigMap, metadata: {name: acc-followed, namespace: default}, data: {a: "` + value + `"}}`
	}
	live := mustApply(t, c, text("1")).Object
	id := identityOf(live)
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
