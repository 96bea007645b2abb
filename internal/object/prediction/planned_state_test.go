package prediction_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/additions"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/ownership"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/prediction"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/record"
)

func TestDivergence(t *testing.T) {
	t.Parallel()
	ours := ownership.View{FieldOwnership: map[string]string{"spec.replicas": "k8sconnect"}}
	theirs := ownership.View{FieldOwnership: map[string]string{"spec.replicas": "kubectl"}}
	shared := ownership.View{
		FieldOwnership: map[string]string{"spec.replicas": "k8sconnect"},
		CoOwners:       map[string][]string{"spec.replicas": {"k8sconnect", "kubectl"}},
	}
	three, five := map[string]string{"spec.replicas": "3"}, map[string]string{"spec.replicas": "5"}
	tests := map[string]struct {
		planned  prediction.PlannedState
		observed record.Observed
		want     []string
	}{
		"the same value and owner": {
			planned:  prediction.PlannedState{Shown: record.Shown{Owners: ours, ManagedState: three}},
			observed: record.Observed{Shown: record.Shown{Owners: ours, ManagedState: three}},
		},
		"another value": {
			planned:  prediction.PlannedState{Shown: record.Shown{Owners: ours, ManagedState: three}},
			observed: record.Observed{Shown: record.Shown{Owners: ours, ManagedState: five}},
			want:     []string{"spec.replicas"},
		},
		"another owner": {
			planned:  prediction.PlannedState{Shown: record.Shown{Owners: ours, ManagedState: three}},
			observed: record.Observed{Shown: record.Shown{Owners: theirs, ManagedState: three}},
			want:     []string{"spec.replicas"},
		},
		"another owner beside the planned one": {
			planned:  prediction.PlannedState{Shown: record.Shown{Owners: ours, ManagedState: three}},
			observed: record.Observed{Shown: record.Shown{Owners: shared, ManagedState: three}},
		},
		"one owner of the two that were planned": {
			planned:  prediction.PlannedState{Shown: record.Shown{Owners: shared, ManagedState: three}},
			observed: record.Observed{Shown: record.Shown{Owners: ours, ManagedState: three}},
			want:     []string{"spec.replicas"},
		},
		"a value that the plan did not have": {
			planned:  prediction.PlannedState{Shown: record.Shown{Owners: ours}},
			observed: record.Observed{Shown: record.Shown{Owners: ours, ManagedState: three}},
			want:     []string{"spec.replicas"},
		},
		"a value that the plan left to the apply": {
			planned:  prediction.PlannedState{Shown: record.Shown{Owners: ours}, Unknown: prediction.Unknown{UnknownValues: []string{"spec.replicas"}}},
			observed: record.Observed{Shown: record.Shown{Owners: ours, ManagedState: three}},
		},
		"another owner of a value that the plan left to the apply": {
			planned:  prediction.PlannedState{Shown: record.Shown{Owners: ours}, Unknown: prediction.Unknown{UnknownValues: []string{"spec.replicas"}}},
			observed: record.Observed{Shown: record.Shown{Owners: theirs, ManagedState: three}},
			want:     []string{"spec.replicas"},
		},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(test.want, prediction.Divergence(test.planned, test.observed)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// If it is not known whether anything has to be applied, additions are known only where the apply leaves them as they are.
func TestAdditionsOrAsBefore(t *testing.T) {
	t.Parallel()
	one, two := "one", "two"
	shown := func(value string) additions.ByField { return additions.ByField{"data.note": {Value: &value}} }
	for name, test := range map[string]struct {
		planned, before additions.ByField
		want            bool
	}{
		"none":          {nil, nil, false},
		"the same":      {shown(one), shown(one), false},
		"another value": {shown(two), shown(one), true},
		"one that ends": {nil, shown(one), true},
		"a new one":     {shown(one), nil, true},
	} {
		planned := prediction.PlannedState{Shown: record.Shown{Additions: test.planned}}
		got := planned.OrAsBefore(record.Prior{Shown: record.Shown{Additions: test.before}}).OwnersUnknown
		if got != test.want {
			t.Errorf("%s: unknown is %t, want %t", name, got, test.want)
		}
	}
}
