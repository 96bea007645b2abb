// Package adoption_test is about what becomes of an object that exists when a new resource comes, and of the claims that it takes over.
package adoption_test

import (
	"os"
	"testing"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
)

func TestMain(m *testing.M) { os.Exit(story.Main(m)) }
