// Package results_test is about values of live objects that other parts of a configuration take.
package results_test

import (
	"os"
	"testing"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
)

func TestMain(m *testing.M) { os.Exit(story.Main(m)) }
