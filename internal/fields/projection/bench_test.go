package projection

import (
	"fmt"
	"testing"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/ownership"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/paths"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/sample"
)

// sampled is an object with all owned fields, and those that we applied.
type sampled struct {
	object      map[string]any
	fields, own *paths.Set
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
		samples[name] = sampled{object.Object, claims.Fields(), claims.Own(sample.FieldManager)}
	}
	return samples
}

// BenchmarkSplitBody removes the fields of a hundred patterns from a body.
func BenchmarkSplitBody(b *testing.B) {
	texts := make([]string, 0, 100)
	for i := range 50 {
		texts = append(texts,
			fmt.Sprintf("data.app-%04d", i),
			fmt.Sprintf("spec.template.spec.containers[name=app-%04d].image", i))
	}
	ignored := patterns(b, texts...)
	for name, s := range samples(b) {
		body := Extract(s.object, s.own)
		b.Run(name+"/body", func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				SplitBody(body, ignored, s.fields, nil)
			}
		})
		b.Run(name+"/fields", func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				Covered(s.fields, ignored, body)
			}
		})
	}
}

func BenchmarkExtract(b *testing.B) {
	for name, s := range samples(b) {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				Extract(s.object, s.own)
			}
		})
	}
}
