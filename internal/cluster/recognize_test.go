package cluster_test

import (
	"context"
	"errors"
	"testing"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
)

type clusterOf struct {
	cluster.Interface
	uid string
	err error
}

func (c clusterOf) UID(context.Context, manifest.Identity) (string, error) { return c.uid, c.err }

func TestRecognize(t *testing.T) {
	t.Parallel()
	failure := errors.New("no answer")
	for name, tc := range map[string]struct {
		of               clusterOf
		remembered, want string
		err              error
	}{
		"the first time":                    {clusterOf{uid: "a"}, "", "a", nil},
		"the same one":                      {clusterOf{uid: "a"}, "a", "a", nil},
		"one that may be read now":          {clusterOf{uid: "a"}, cluster.Unrecognizable, "a", nil},
		"one that may not be read":          {clusterOf{}, "", cluster.Unrecognizable, nil},
		"one that may not be read any more": {clusterOf{}, "a", "a", nil},
		"one that does not answer":          {clusterOf{err: failure}, "a", "a", failure},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, err := cluster.Recognize(t.Context(), tc.of, manifest.Identity{}, tc.remembered)
			if got != tc.want || !errors.Is(err, tc.err) {
				t.Errorf("got %q, %v", got, err)
			}
		})
	}
	_, err := cluster.Recognize(t.Context(), clusterOf{uid: "b"}, manifest.Identity{}, "a")
	if other, is := errors.AsType[*cluster.OtherClusterError](err); !is || other.Remembered != "a" || other.Found != "b" {
		t.Errorf("another cluster: %v", err)
	}
}
