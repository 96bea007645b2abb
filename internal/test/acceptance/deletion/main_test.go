// Package deletion_test is about what a destroy removes, waits for, spares and refuses, and what a taint replaces.
package deletion_test

import (
	"os"
	"testing"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
)

func TestMain(m *testing.M) { os.Exit(story.Main(m)) }
