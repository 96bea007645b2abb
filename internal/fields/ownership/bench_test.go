package ownership

import (
	"bytes"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/paths"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/sample"
)

// entriesOf returns the managedFields of samples, by what is big about them.
func entriesOf(b *testing.B) map[string][]metav1.ManagedFieldsEntry {
	samples := map[string][]metav1.ManagedFieldsEntry{}
	all, err := sample.All()
	if err != nil {
		b.Fatal(err)
	}
	for name, object := range all {
		samples[name] = object.GetManagedFields()
	}
	return samples
}

// BenchmarkCoOwners measures how managedFields become the map of owners and, for comparison, how the library only reads
// them.
func BenchmarkCoOwners(b *testing.B) {
	for name, entries := range entriesOf(b) {
		b.Run(name+"/floor", func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				for _, entry := range entries {
					if err := paths.NewSet().FromJSON(bytes.NewReader(entry.FieldsV1.GetRawBytes())); err != nil {
						b.Fatal(err)
					}
				}
			}
		})
		b.Run(name+"/parsed", func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				mustParse(b, entries)
			}
		})
		b.Run(name+"/map", func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				claims := mustParse(b, entries)
				claims.CoOwners(claims.Formatter())
			}
		})
	}
}

// BenchmarkFlatten measures Flatten for owners that attributes have shown before.
func BenchmarkFlatten(b *testing.B) {
	for name, entries := range entriesOf(b) {
		claims := mustParse(b, entries)
		owners := claims.CoOwners(claims.Formatter())
		shown := owners.Flatten(View{})
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				owners.Flatten(shown)
			}
		})
	}
}

// BenchmarkPredict measures the prediction of an apply that takes every leaf from everybody.
func BenchmarkPredict(b *testing.B) {
	for name, entries := range entriesOf(b) {
		claims := mustParse(b, entries)
		apply := Apply{
			Manager: Manager{Name: sample.FieldManager, Operation: metav1.ManagedFieldsOperationApply, APIVersion: "v1"},
			Fields:  claims.Fields(),
			Differs: func(paths.Path) bool { return true },
		}
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				claims.Predict(apply)
			}
		})
	}
}

func mustParse(b *testing.B, entries []metav1.ManagedFieldsEntry) Claims {
	claims, err := Parse(entries)
	if err != nil {
		b.Fatal(err)
	}
	return claims
}
