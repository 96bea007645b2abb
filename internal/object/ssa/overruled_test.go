package ssa

import (
	"context"
	"fmt"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/arguments"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/record"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/clustertest"
)

// given is a server with an object of which net owns data.b with another value. After the first request of an apply,
// other managers write to the object: eve to data.b, or a controller to what no other manager has.
type given struct {
	clustertest.Stub
	writer  string
	applies int
	forced  bool
}

func (g *given) holder() string {
	if g.applies > 0 && g.writer == "eve" {
		return "eve"
	}
	return "net"
}

func (g *given) live() *unstructured.Unstructured {
	version := "1"
	if g.applies > 0 && g.writer != "" {
		version = "2"
	}
	object := clustertest.Live("u", version, []metav1.ManagedFieldsEntry{clustertest.Updating(g.holder(), `{"f:data":{"f:b":{}}}`)})
	object.Object["data"] = map[string]any{"a": "1", "b": "of " + g.holder()}
	return object
}

func (g *given) Get(context.Context, manifest.Identity) (*unstructured.Unstructured, error) {
	return g.live(), nil
}

func (g *given) Apply(
	_ context.Context, _ manifest.Identity, body map[string]any, options cluster.ApplyOptions,
) (cluster.Applied, error) {
	live := g.live()
	g.applies++
	version, _, _ := unstructured.NestedString(body, "metadata", "resourceVersion")
	switch {
	case !options.Force:
		conflict := clustertest.Failing(cluster.ReasonFieldManagerConflict)
		conflict.Details = &cluster.FieldManagerConflictError{Causes: []metav1.StatusCause{{
			Type: metav1.CauseTypeFieldManagerConflict, Field: ".data.b",
			Message: fmt.Sprintf("conflict with %q using v1", live.GetManagedFields()[0].Manager),
		}}}
		return cluster.Applied{}, conflict
	case version != "" && version != live.GetResourceVersion():
		return cluster.Applied{}, clustertest.Failing(cluster.ReasonConflict)
	}
	g.forced = true
	applied := clustertest.Live("u", "3", clustertest.Owning(clustertest.BothFields))
	applied.Object["data"] = map[string]any{"a": "1", "b": "2"}
	return cluster.Applied{Object: applied, Outcome: cluster.Updated}, nil
}

// With on_conflict = "fail", an adoption overrules the resource that gives the object up, and no other manager, whoever
// writes meanwhile.
func TestOnlyTheGiverIsOverruled(t *testing.T) {
	t.Parallel()
	for writer, reason := range map[string]cluster.Reason{
		"": "", "controller": "", "eve": cluster.ReasonFieldManagerConflict,
	} {
		api := &given{writer: writer}
		args := intending(t)
		args.OnConflict = arguments.Fail
		prior, err := record.PriorOf(api.live(), record.Observation{ID: clustertest.ConfigMap})
		if err != nil {
			t.Fatal(err)
		}
		planned := Plan{Object: clustertest.ConfigMap}
		planned.Adoption.Giver = "net"
		_, _, err = UpdateObject(t.Context(), api, args, prior, planned)
		if cluster.ReasonOf(err) != reason || api.forced != (reason == "") {
			t.Errorf("%q writes: %v, forced: %t", writer, err, api.forced)
		}
	}
}
