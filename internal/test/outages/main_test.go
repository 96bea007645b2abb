package outages_test

import (
	"os"
	"testing"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
)

// Some tests stop servers.
func TestMain(m *testing.M) {
	story.Parallel(32)
	os.Exit(story.MainAlone(m))
}
