package projection

import (
	"testing"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/paths"
)

func patterns(t testing.TB, texts ...string) paths.Patterns {
	t.Helper()
	parsed, err := paths.ParseAll(texts)
	if err != nil {
		t.Fatal(err)
	}
	return parsed
}
