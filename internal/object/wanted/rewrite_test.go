package wanted

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/arguments"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/record"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/clustertest"
)

// If a map entry is a map itself, we own the entry by name. Its removal would remove the fields that are released in it.
func TestReleased(t *testing.T) {
	t.Parallel()
	const own = `{"f:spec":{"f:nest":{"f:one":{".":{},"f:a":{},"f:m":{".":{},"f:c":{}}}}}}`
	for name, tt := range map[string]struct {
		body   string
		ignore []string
		want   []string
	}{
		"nothing":                        {"{spec: {nest: {one: {a: x, m: {c: y}}}}}", nil, nil},
		"a part":                         {"{spec: {nest: {one: {a: x, m: {c: y}}}}}", []string{"spec.nest.one.a"}, []string{"spec.nest.one.a"}},
		"the last part of an inner map":  {"{spec: {nest: {one: {a: x, m: {c: y}}}}}", []string{"spec.nest.one.m.c"}, []string{"spec.nest.one.m", "spec.nest.one.m.c"}},
		"all parts":                      {"{spec: {nest: {one: {a: x, m: {c: y}}}}}", []string{"spec.nest.one.a", "spec.nest.one.m.c"}, []string{"spec.nest.one", "spec.nest.one.a", "spec.nest.one.m", "spec.nest.one.m.c"}},
		"all parts, and a new one":       {"{spec: {nest: {one: {b: x}}}}", []string{"spec.nest.one.a", "spec.nest.one.m"}, []string{"spec.nest.one.a", "spec.nest.one.m", "spec.nest.one.m.c"}},
		"all parts that were in the map": {"{spec: {}}", []string{"spec.nest.one.a", "spec.nest.one.m.c"}, []string{"spec.nest.one", "spec.nest.one.a", "spec.nest.one.m", "spec.nest.one.m.c"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			intent := ignoring(t, tt.ignore...)
			intent.Manifest.Object = clustertest.Object(t, tt.body)
			if diff := cmp.Diff(tt.want, fieldsIn(intent.Released(clustertest.Fields(t, own))), cmpopts.EquateEmpty()); diff != "" {
				t.Errorf("released (-want +got):\n%s", diff)
			}
		})
	}
}

// An apply that has released a field and then failed leaves it without an owner: it keeps its value from then on.
func TestKeepReleased(t *testing.T) {
	t.Parallel()
	intent := ignoring(t, "data.b")
	prior := record.Prior{Object: clustertest.ConfigMap, Arguments: intent.Arguments}
	prior.Snapshot.AppliedState, prior.Snapshot.Fields.Declared = "applied", clustertest.Fields(t, clustertest.BothFields)
	for name, held := range map[string]string{"released": `{"f:data":{"f:a":{}}}`, "ours": clustertest.BothFields} {
		claims, err := record.ClaimsOf(clustertest.ConfigMap, clustertest.Live("u", "1", clustertest.Owning(held)))
		if err != nil {
			t.Fatal(err)
		}
		prior.Snapshot.Claims = claims
		want := map[string][]string{"released": {"data.b"}}[name]
		if got := fieldsIn(For(intent.Arguments, prior).Prior.Snapshot.Fields.Kept); !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
}

// The managers of a moved state's source are taken over too, until the first apply, unless the intent takes over nobody.
func TestTakingOverSource(t *testing.T) {
	t.Parallel()
	moved := record.Snapshot{Move: record.Move{Moved: true, MovedFrom: []string{"HashiCorp"}}}
	for name, tc := range map[string]struct {
		takeOver []string
		snapshot record.Snapshot
		want     []string
	}{
		"moved":          {[]string{"a"}, moved, []string{"a", "HashiCorp"}},
		"nobody":         {nil, moved, nil},
		"applied since":  {[]string{"a"}, record.Snapshot{Move: record.Move{MovedFrom: []string{"HashiCorp"}}}, []string{"a"}},
		"without source": {[]string{"a"}, record.Snapshot{Move: record.Move{Moved: true}}, []string{"a"}},
	} {
		intent := takeOverSource(Wanted{Arguments: arguments.Arguments{TakeOver: tc.takeOver}, Prior: record.Prior{Snapshot: tc.snapshot}})
		if !slices.Equal(intent.TakeOver, tc.want) {
			t.Errorf("%s: %q, want %q", name, intent.TakeOver, tc.want)
		}
	}
}
