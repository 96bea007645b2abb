package creating

import (
	"context"
	"errors"
	"slices"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/clustertest"
)

// An operation that has run out of time can still look for the object that it may have created.
func TestFindCreatedAfterTheEnd(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithTimeout(t.Context(), 0)
	defer cancel()
	api := &lateCluster{Stub: clustertest.Stub{OnGet: func() (*unstructured.Unstructured, error) {
		return clustertest.Live("u", "1", clustertest.Owning(clustertest.BothFields)), nil
	}}}
	found, err := findCreated(ctx, api, clustertest.ConfigMap, "k8sconnect")
	if err != nil || found == nil || api.left <= 0 || api.left > lastLook {
		t.Errorf("found %v with %s left: %v", found, api.left, err)
	}
}

// A server that does not compare resourceVersions applies the create to the object of another client. The claim on it ends, unless the
// object has no other: then it may be that of another run with the same manager.
func TestApplyGivesBack(t *testing.T) {
	t.Parallel()
	bob := clustertest.Updating("bob", clustertest.BothFields)
	for name, tc := range map[string]struct {
		entries []metav1.ManagedFieldsEntry
		want    []string
	}{
		"another's":         {append(clustertest.Owning(clustertest.BothFields), bob), []string{"bob"}},
		"of one manager":    {clustertest.Owning(clustertest.BothFields), []string{"k8sconnect"}},
		"nothing was added": {[]metav1.ManagedFieldsEntry{bob}, []string{"bob"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			api := clustertest.Stub{
				OnApply: func(opts cluster.ApplyOptions) (cluster.Applied, error) {
					if !opts.New || opts.Force {
						t.Errorf("unexpected options %+v", opts)
					}
					return cluster.Applied{Object: clustertest.Live("u", "1", tc.entries), Outcome: cluster.Updated}, nil
				},
				OnPatch: func(_ string, entries []metav1.ManagedFieldsEntry) (*unstructured.Unstructured, error) {
					return clustertest.Live("u", "2", entries), nil
				},
			}
			_, err := Apply(t.Context(), api, clustertest.ConfigMap, map[string]any{}, "k8sconnect")
			taken, is := errors.AsType[*TakenError](err)
			if !is {
				t.Fatal(err)
			}
			var managers []string
			for _, entry := range taken.Live.GetManagedFields() {
				managers = append(managers, entry.Manager)
			}
			if !slices.Equal(managers, tc.want) {
				t.Errorf("managers %q, want %q", managers, tc.want)
			}
		})
	}
}

// lateCluster notes how much time a GET is given.
type lateCluster struct {
	clustertest.Stub
	left time.Duration
}

func (c *lateCluster) Get(ctx context.Context, id manifest.Identity) (*unstructured.Unstructured, error) {
	deadline, _ := ctx.Deadline()
	c.left = time.Until(deadline)
	return c.Stub.Get(ctx, id)
}
