// Package operations_test is about the actions: what they do to objects, and what they print.
package operations_test

import (
	"os"
	"testing"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
)

func TestMain(m *testing.M) { os.Exit(story.Main(m)) }
