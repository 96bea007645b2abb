package faults_test

import (
	"os"
	"testing"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
)

func TestMain(m *testing.M) {
	story.Parallel(32)
	os.Exit(story.Main(m))
}
