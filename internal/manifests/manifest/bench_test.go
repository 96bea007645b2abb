package manifest

import (
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/yaml"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/sample"
)

// bodies returns manifests of samples, by what is big about them.
func bodies(b *testing.B) map[string]string {
	bodies := map[string]string{}
	all, err := sample.All()
	if err != nil {
		b.Fatal(err)
	}
	for name, object := range all {
		for _, field := range ServerMetadata() {
			unstructured.RemoveNestedField(object.Object, "metadata", field)
		}
		text, err := yaml.Marshal(object.Object)
		if err != nil {
			b.Fatal(err)
		}
		bodies[name] = string(text)
	}
	return bodies
}

// BenchmarkParse measures the parsing of strings for the first time and once more, and, for comparison, the YAML library
// without our checks.
func BenchmarkParse(b *testing.B) {
	for name, body := range bodies(b) {
		b.Run(name+"/floor", func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				object := map[string]any{}
				if err := yaml.Unmarshal([]byte(body), &object); err != nil {
					b.Fatal(err)
				}
			}
		})
		b.Run(name+"/yaml", func(b *testing.B) { benchmarkParse(b, parse, body) })
		b.Run(name+"/again", func(b *testing.B) { benchmarkParse(b, Parse, body) })
		parsed, err := Parse(body)
		if err != nil {
			b.Fatal(err)
		}
		asJSON, err := Canonical(parsed.Object)
		if err != nil {
			b.Fatal(err)
		}
		b.Run(name+"/json", func(b *testing.B) { benchmarkParse(b, parse, asJSON) })
	}
}

func benchmarkParse(b *testing.B, parse func(string) (Manifest, error), body string) {
	b.ReportAllocs()
	for b.Loop() {
		if _, err := parse(body); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkEqual compares parsed manifests, and texts that differ in a comment.
func BenchmarkEqual(b *testing.B) {
	for name, body := range bodies(b) {
		one, _ := Parse(body)
		two, err := Parse(body)
		if err != nil {
			b.Fatal(err)
		}
		b.Run(name+"/parsed", func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if !Equal(one, two) {
					b.Fatal("not equal")
				}
			}
		})
		commented := "# Comment.\n" + body
		b.Run(name+"/texts", func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if !EqualText(body, commented) {
					b.Fatal("not equal")
				}
			}
		})
		same := strings.Clone(body)
		b.Run(name+"/same", func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if !EqualText(body, same) {
					b.Fatal("not equal")
				}
			}
		})
	}
}
