// Package schemas_test is about lists and maps of every merge strategy, and custom kinds whose schema changes.
package schemas_test

import (
	"os"
	"testing"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
)

func TestMain(m *testing.M) { os.Exit(story.Main(m)) }
