package prediction

import (
	"testing"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/ownership"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/arguments"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/record"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/wanted"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/clustertest"
)

func TestChangesElsewhere(t *testing.T) {
	t.Parallel()
	const theirs, fewer = `{"f:data":{"f:a":{},"f:b":{}}}`, `{"f:data":{"f:a":{}}}`
	claims := func(version, fields string) ownership.Claims {
		entries := append(clustertest.Owning(`{"f:data":{"f:c":{}}}`), clustertest.Updating("flux", fields))
		entries[0].APIVersion = version
		return clustertest.Claims(t, entries)
	}
	for name, tt := range map[string]struct {
		ourVersion, answered string
		hasMoved, isNew      bool
		undecided            bool
		converted            []string
		state                map[string]string
		want                 bool
	}{
		"nothing changes":                         {ourVersion: "v2", answered: fewer, state: map[string]string{"data.c": "1"}},
		"our claim is in the version":             {ourVersion: "v2", answered: theirs, want: true},
		"our claim changes its version":           {ourVersion: "v1", answered: theirs},
		"the answer is another":                   {ourVersion: "v1", answered: fewer, want: true},
		"the answer is another, others wrote":     {ourVersion: "v1", answered: fewer, hasMoved: true},
		"the answer is about a new object":        {ourVersion: "v1", answered: `{}`, isNew: true},
		"a value is not known yet":                {ourVersion: "v1", answered: theirs, undecided: true, want: true},
		"a value is not known yet, others wrote":  {ourVersion: "v1", answered: theirs, undecided: true, hasMoved: true, want: true},
		"their claim is converted":                {ourVersion: "v2", answered: `{}`, isNew: true, converted: []string{"v1"}, want: true},
		"all claims are converted":                {ourVersion: "v1", answered: `{}`, isNew: true, converted: []string{"v1"}},
		"our claim is in the version, they wrote": {ourVersion: "v2", answered: theirs, hasMoved: true, want: true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			args := arguments.Arguments{FieldManager: "k8sconnect"}
			args.Manifest.APIVersion = "v2"
			before, planned := claims(tt.ourVersion, theirs), PlannedState{}
			planned.ManagedState = map[string]string{"data.c": "1"}
			if tt.undecided {
				args.Undecided, planned.UnknownValues = []arguments.Undecided{{}}, []string{"data.c"}
			}
			in := Inputs{
				Wanted: wanted.Wanted{Arguments: args, Prior: record.Prior{
					Shown: record.Shown{ManagedState: tt.state}, Snapshot: record.Snapshot{Claims: before},
				}},
				Rewrite:  ownership.Rewrite{Manager: "k8sconnect", PreviousManager: "k8sconnect", Versions: tt.converted, Convertible: "v2"},
				Answered: claims("v2", tt.answered), HasMoved: tt.hasMoved, IsOfNewObject: tt.isNew,
			}
			if got := in.changesElsewhere(claims("v2", theirs), planned); got != tt.want {
				t.Errorf("%t, want %t", got, tt.want)
			}
		})
	}
}
