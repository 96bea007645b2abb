package ssa

import (
	"context"
	"fmt"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/paths"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/arguments"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/record"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/run"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/wanted"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/clustertest"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/largeobjects"
)

// roster is a long list of which each item has owners of its own, as a server answers with it: we own everything, and
// another client shares a third of it.
type roster struct {
	intent  arguments.Arguments
	live    *unstructured.Unstructured
	cluster clustertest.Stub
	prior   record.Prior
}

func newRoster(t testing.TB, members int, note string) *roster {
	t.Helper()
	text := largeobjects.Roster(members, note)
	parsed, err := manifest.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	r := &roster{intent: arguments.Arguments{Manifest: parsed, FieldManager: "k8sconnect", OnConflict: arguments.Force}}
	r.live = &unstructured.Unstructured{Object: runtime.DeepCopyJSON(parsed.Object)}
	r.live.SetUID(types.UID("1"))
	list := paths.Path{paths.Field("spec"), paths.Field("members")}
	own, shared := paths.NewSet(), paths.NewSet()
	for i := range members {
		item := paths.Below(list, paths.Key(map[string]any{"name": fmt.Sprintf("member-%04d", i)}))
		for _, set := range []*paths.Set{own, shared}[:1+i%3/2] {
			set.Insert(item)
			for _, name := range []string{"name", "role", "weight"} {
				set.Insert(paths.Below(item, paths.Field(name)))
			}
		}
	}
	r.live.SetManagedFields([]metav1.ManagedFieldsEntry{
		{Manager: "k8sconnect", Operation: metav1.ManagedFieldsOperationApply, APIVersion: parsed.APIVersion, FieldsType: "FieldsV1", FieldsV1: fieldsV1(t, own)},
		{Manager: "kubectl", Operation: metav1.ManagedFieldsOperationApply, APIVersion: parsed.APIVersion, FieldsType: "FieldsV1", FieldsV1: fieldsV1(t, shared)},
	})
	r.cluster = clustertest.Stub{
		OnGet: func() (*unstructured.Unstructured, error) { return r.live, nil },
		OnApply: func(cluster.ApplyOptions) (cluster.Applied, error) {
			return cluster.Applied{Object: r.live, Outcome: cluster.Updated}, nil
		},
	}
	observed, err := wanted.Observe(wanted.For(r.intent, record.Prior{}), parsed.Identity, r.live, r.live)
	if err != nil {
		t.Fatal(err)
	}
	r.prior = record.Prior{
		Object: parsed.Identity, Shown: observed.Shown, Snapshot: observed.Snapshot,
		Arguments: arguments.Arguments{Manifest: parsed, FieldManager: "k8sconnect"},
	}
	return r
}

func fieldsV1(t testing.TB, set *paths.Set) *metav1.FieldsV1 {
	t.Helper()
	raw, err := paths.MarshalSet(set)
	if err != nil {
		t.Fatal(err)
	}
	return metav1.NewFieldsV1(string(raw))
}

// rosterOperations are the use cases, over an object and the same one after an edit.
var rosterOperations = []struct {
	name string
	run  func(ctx context.Context, r, edited *roster) error
}{
	{"observe", func(ctx context.Context, r, _ *roster) error {
		_, err := record.Observe(ctx, r.cluster, "k8sconnect", r.prior)
		return err
	}},
	{"pending", func(_ context.Context, r, _ *roster) error {
		wanted.Pending(r.intent, r.prior)
		return nil
	}},
	{"plan a create", func(ctx context.Context, r, _ *roster) error {
		created := r.cluster
		created.OnApply = func(cluster.ApplyOptions) (cluster.Applied, error) {
			return cluster.Applied{Object: r.live, Outcome: cluster.Created}, nil
		}
		_, err := PlanCreate(ctx, &created, r.intent, run.Replacement{Run: &run.Run{}})
		return err
	}},
	{"plan an update", func(ctx context.Context, r, edited *roster) error {
		_, err := PlanUpdate(ctx, edited.cluster, edited.intent, r.prior)
		return err
	}},
	{"plan for ignore_managers", func(ctx context.Context, r, edited *roster) error {
		intent := edited.intent
		intent.IgnoreManagers = []string{"kubectl"}
		_, err := PlanUpdate(ctx, edited.cluster, intent, r.prior)
		return err
	}},
	{"update", func(ctx context.Context, r, edited *roster) error {
		_, _, err := UpdateObject(ctx, edited.cluster, edited.intent, r.prior, Plan{Object: r.prior.Object})
		return err
	}},
	{"snapshot", func(_ context.Context, r, _ *roster) error {
		encoded, err := r.prior.Snapshot.Encode()
		if err == nil {
			_, err = record.DecodeSnapshot(encoded)
		}
		return err
	}},
}

// A member of a long list costs the same in a list of 500 and in a list of 5000.
func BenchmarkRoster(b *testing.B) {
	for _, operation := range rosterOperations {
		for _, members := range []int{500, 1000, 2000, 5000} {
			b.Run(fmt.Sprintf("%s/%d", operation.name, members), func(b *testing.B) {
				r, edited := newRoster(b, members, "first"), newRoster(b, members, "second")
				b.ReportAllocs()
				for b.Loop() {
					if err := operation.run(b.Context(), r, edited); err != nil {
						b.Fatal(err)
					}
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*members), "ns/member")
			})
		}
	}
}

// TestMembersCostTheSame counts what each member of a list allocates, which does not grow with the list.
func TestMembersCostTheSame(t *testing.T) {
	type pair struct{ r, edited *roster }
	rosters := map[int]pair{}
	for _, members := range []int{100, 400} {
		rosters[members] = pair{newRoster(t, members, "first"), newRoster(t, members, "second")}
	}
	for _, operation := range rosterOperations {
		t.Run(operation.name, func(t *testing.T) {
			per := func(members int) float64 {
				all := testing.AllocsPerRun(1, func() {
					if err := operation.run(t.Context(), rosters[members].r, rosters[members].edited); err != nil {
						t.Fatal(err)
					}
				})
				return all / float64(members)
			}
			if few, many := per(100), per(400); many > 1.2*few {
				t.Errorf("%.0f allocations for each of 100 members, %.0f for each of 400", few, many)
			}
		})
	}
}
