package worlds_test

import (
	"os"
	"testing"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
)

func TestMain(m *testing.M) {
	story.Parallel(6)
	os.Exit(story.Main(m))
}
