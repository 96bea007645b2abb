package upgrades

import (
	"os"
	"testing"

	"github.com/go-logr/logr"
	"sigs.k8s.io/controller-runtime/pkg/log"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
)

func TestMain(m *testing.M) {
	log.SetLogger(logr.Discard()) // Without one, the client complains after 30 seconds.
	os.Exit(story.Main(m))
}
