package documents

import (
	"fmt"
	"strings"
	"testing"
)

// 60 documents, of which three are as large as the CustomResourceDefinitions that people publish: 2 MB together.
func BenchmarkParse(b *testing.B) {
	var text strings.Builder
	for i := range 60 {
		fmt.Fprintf(&text, "---\napiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: n%d\ndata:\n", i)
		lines := 20
		if i < 3 {
			lines = 12000
		}
		for line := range lines {
			fmt.Fprintf(&text, "  key%d: the description of a field of such an object\n", line)
		}
	}
	b.SetBytes(int64(text.Len()))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Parse(text.String(), Options{Namespace: "tides"}); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkBuiltInScopes(b *testing.B) {
	for b.Loop() {
		parseScopes(scopesText)
	}
}
