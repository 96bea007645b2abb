package diagnostics

import (
	"strings"
	"testing"
)

// TestMisfitOf holds the answers of Kubernetes 1.36 to values that the schema does not take.
func TestMisfitOf(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		message string
		is      bool
		next    []string
	}{
		"duplicates in the body": {
			message: `failed to create typed patch object (shop/one; example.com/v1, Kind=Gizmo): .spec.f: duplicate entries for key [="a"]`,
			is:      true, next: []string{"does not take spec.f as yaml_body has it"},
		},
		"a live value that is older than the schema": {
			message: `failed to create typed live object (shop/one; example.com/v1, Kind=Gizmo): .spec.f: element 0: associative list with keys may not have non-map elements`,
			is:      true, next: []string{"The value of spec.f on the cluster is older than the schema", "Repair spec.f with kubectl edit", "terraform apply -replace"},
		},
		"a set of objects": {
			message: `failed to create typed patch object (shop/one; example.com/v1, Kind=Gizmo): .spec.f: associative list without keys has an element that's a map type`,
			is:      true, next: []string{"as yaml_body has it", "must not declare a set"},
		},
		"another failure": {message: "etcdserver: request timed out"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, is := misfitOf(tt.message)
			if is != tt.is {
				t.Fatalf("a misfit: %t", is)
			}
			for _, text := range tt.next {
				if !strings.Contains(got.next(), text) {
					t.Errorf("%q does not say %q", got.next(), text)
				}
			}
		})
	}
}
