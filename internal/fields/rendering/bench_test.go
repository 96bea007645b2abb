package rendering

import (
	"testing"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/ownership"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/paths"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/clustertest"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/sample"
)

// sampled is an object with all owned fields.
type sampled struct {
	object    map[string]any
	fields    *paths.Set
	formatter *paths.Formatter
}

func samples(b *testing.B) map[string]sampled {
	samples := map[string]sampled{}
	all, err := sample.All()
	if err != nil {
		b.Fatal(err)
	}
	for name, object := range all {
		claims, err := ownership.Parse(object.GetManagedFields())
		if err != nil {
			b.Fatal(err)
		}
		samples[name] = sampled{object.Object, claims.Fields(), claims.Formatter()}
	}
	return samples
}

func BenchmarkState(b *testing.B) {
	for name, s := range samples(b) {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				Renderer{}.State(s.object, s.fields, s.formatter)
			}
		})
	}
}

func BenchmarkFingerprints(b *testing.B) {
	for name, s := range samples(b) {
		leaves := s.fields.Leaves()
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				Renderer{}.Fingerprints(s.object, leaves)
			}
		})
	}
}

// BenchmarkSecrets measures State, MaskSet and UnmaskSet where every value is secret.
func BenchmarkSecrets(b *testing.B) {
	renderer := Renderer{
		Sensitive: clustertest.Patterns(b, "data", "spec.template.spec.containers[*].env[*].value", "metadata.annotations"),
		DigestKey: make([]byte, 32),
	}
	for name, s := range samples(b) {
		b.Run(name+"/state", func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				renderer.State(s.object, s.fields, s.formatter)
			}
		})
		b.Run(name+"/mask", func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				renderer.MaskSet(s.fields)
			}
		})
		masked := renderer.MaskSet(s.fields)
		b.Run(name+"/recognize", func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				renderer.UnmaskSet(masked, s.object)
			}
		})
	}
}
