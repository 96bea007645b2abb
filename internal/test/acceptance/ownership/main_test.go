// Package ownership_test is about who owns which field and which value, while others write and the manifest changes.
package ownership_test

import (
	"os"
	"testing"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
)

func TestMain(m *testing.M) { os.Exit(story.Main(m)) }
