package intents

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster/clustertest"
)

// An entry of a map that is a map itself is ours by name, and would take what is released in it along.
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
