package arguments

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/clustertest"
)

func TestCheckLengths(t *testing.T) {
	t.Parallel()
	var args Arguments
	args.Manifest.Object = clustertest.Object(t, `{spec: {ports: [{port: 80}, {port: 81}], size: 1, containers: [{ports: []}, {ports: [{}, {}, {}]}]}}`)
	for name, tt := range map[string]struct {
		limit ListLength
		text  string
		want  []LengthProblem
	}{
		"exactly":                {ListLength{Min: 2, Max: 2}, "spec.ports", nil},
		"0 is no limit":          {ListLength{}, "spec.ports", nil},
		"max below min":          {ListLength{Min: 4, Max: 3}, "spec.ports", []LengthProblem{MaxBelowMin}},
		"max below declared":     {ListLength{Max: 1}, "spec.ports", []LengthProblem{MaxBelowDeclared}},
		"min below declared":     {ListLength{Min: 1}, "spec.ports", []LengthProblem{MinBelowDeclared}},
		"one of several":         {ListLength{Max: 2}, "spec.containers[*].ports", []LengthProblem{MaxBelowDeclared}},
		"not a list":             {ListLength{Max: 2}, "spec.size", []LengthProblem{NotAList}},
		"not in the manifest":    {ListLength{Max: 1}, "spec.colours", nil},
		"a map":                  {ListLength{Max: 1}, "spec", []LengthProblem{NotAList}},
		"both below what is set": {ListLength{Min: 1, Max: 1}, "spec.ports", []LengthProblem{MaxBelowDeclared}},
	} {
		tt.limit.Pattern = clustertest.Patterns(t, tt.text)[0]
		args.Lengths = []ListLength{tt.limit}
		var got []LengthProblem
		for _, refused := range args.CheckLengths() {
			got = append(got, refused.Why)
		}
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

// The port of another protocol is neither set nor declared.
func TestOtherProtocol(t *testing.T) {
	t.Parallel()
	var args Arguments
	args.Manifest.Object = clustertest.Object(t, `{apiVersion: v1, kind: Service, spec: {ports: [{port: 53, nodePort: 30053}]}}`)
	for protocol, want := range map[string]int{"UDP": 0, "TCP": 1} {
		args.Pin = clustertest.Patterns(t, `spec.ports[port=53,protocol="`+protocol+`"].nodePort`)
		args.Remove = args.Pin
		if set, refused := args.SetAndRemoved(), args.CheckPins(); len(set) != want || len(refused) != want {
			t.Errorf("%s: removed are %q, refused %v", protocol, set, refused)
		}
	}
}
