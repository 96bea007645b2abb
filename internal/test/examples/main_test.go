package examples_test

import (
	"os"
	"testing"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
)

// The examples have fixed names.
func TestMain(m *testing.M) { os.Exit(story.MainAlone(m)) }
