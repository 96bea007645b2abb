package validation_test

import (
	"os"
	"testing"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster/kube/openapi"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/validation"
)

// enabled is the variable with which make test-schemas asks for the tests that download modules.
const enabled = "K8SCONNECT_TEST_SCHEMAS"

func TestMain(m *testing.M) { os.Exit(story.Main(m)) }

// unfitIn returns what does not fit in an object; nil, false without a schema.
func unfitIn(t testing.TB, in openapi.Folder, object map[string]any) ([]openapi.Problem, bool) {
	t.Helper()
	problems, has, err := validation.Unfit(in, object)
	story.Must(t, err)
	return problems, has
}
