package ssa

import (
	"context"
	"fmt"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/largeobjects"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifest"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/paths"
)

// roster is a long list of which each item has owners of its own, as a server answers with it: we own
// everything, and somebody else shares a third of it.
type roster struct {
	intent  Intent
	live    *unstructured.Unstructured
	cluster stub
	prior   Prior
}

func newRoster(b *testing.B, members int, note string) *roster {
	b.Helper()
	text := largeobjects.Roster(members, note)
	parsed, err := manifest.Parse(text)
	if err != nil {
		b.Fatal(err)
	}
	r := &roster{intent: Intent{Manifest: parsed, FieldManager: "k8sconnect", OnConflict: Force}}
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
		{Manager: "k8sconnect", Operation: metav1.ManagedFieldsOperationApply, APIVersion: parsed.APIVersion, FieldsType: "FieldsV1", FieldsV1: fieldsV1(b, own)},
		{Manager: "kubectl", Operation: metav1.ManagedFieldsOperationApply, APIVersion: parsed.APIVersion, FieldsType: "FieldsV1", FieldsV1: fieldsV1(b, shared)},
	})
	r.cluster = stub{
		get:   func() (*unstructured.Unstructured, error) { return r.live, nil },
		apply: func(ApplyOptions) (Applied, error) { return Applied{Object: r.live, Outcome: Updated}, nil },
	}
	observed, err := observeApplied(r.live, r.intent, parsed.Identity, Prior{})
	if err != nil {
		b.Fatal(err)
	}
	r.prior = Prior{
		Object: parsed.Identity, View: observed.View, ManagedState: observed.ManagedState, Snapshot: observed.Snapshot,
		Settings: Settings{Body: text, FieldManager: "k8sconnect"},
	}
	return r
}

func fieldsV1(b *testing.B, set *paths.Set) *metav1.FieldsV1 {
	b.Helper()
	raw, err := paths.MarshalSet(set)
	if err != nil {
		b.Fatal(err)
	}
	return metav1.NewFieldsV1(string(raw))
}

// What a member of a long list costs is the same in a list of 500 and in one of 5000.
func BenchmarkRoster(b *testing.B) {
	ctx := context.Background()
	for _, operation := range []struct {
		name string
		run  func(r, edited *roster) error
	}{
		{"observe", func(r, _ *roster) error {
			_, err := Observe(ctx, r.cluster, "k8sconnect", r.prior)
			return err
		}},
		{"pending", func(r, _ *roster) error {
			_, err := Pending(r.intent, r.prior)
			return err
		}},
		{"plan a create", func(r, _ *roster) error {
			created := r.cluster
			created.apply = func(ApplyOptions) (Applied, error) { return Applied{Object: r.live, Outcome: Created}, nil }
			_, err := PlanCreate(ctx, &created, r.intent, Standing{Ledger: &Ledger{}})
			return err
		}},
		{"plan an update", func(r, edited *roster) error {
			_, err := PlanUpdate(ctx, edited.cluster, edited.intent, r.prior)
			return err
		}},
		{"plan for ignore_managers", func(r, edited *roster) error {
			intent := edited.intent
			intent.IgnoreManagers = []string{"kubectl"}
			_, err := PlanUpdate(ctx, edited.cluster, intent, r.prior)
			return err
		}},
		{"update", func(r, edited *roster) error {
			_, _, err := UpdateObject(ctx, edited.cluster, edited.intent, r.prior, Plan{Object: r.prior.Object})
			return err
		}},
		{"snapshot", func(r, _ *roster) error {
			encoded, err := r.prior.Snapshot.Encode()
			if err == nil {
				_, err = DecodeSnapshot(encoded)
			}
			return err
		}},
	} {
		for _, members := range []int{500, 1000, 2000, 5000} {
			b.Run(fmt.Sprintf("%s/%d", operation.name, members), func(b *testing.B) {
				r, edited := newRoster(b, members, "first"), newRoster(b, members, "second")
				b.ReportAllocs()
				for b.Loop() {
					if err := operation.run(r, edited); err != nil {
						b.Fatal(err)
					}
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*members), "ns/member")
			})
		}
	}
}
