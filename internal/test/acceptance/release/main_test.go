// Package release_test is about fields that ignore_fields and ignore_managers leave to others, and the values that stay.
package release_test

import (
	"os"
	"testing"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
)

func TestMain(m *testing.M) { os.Exit(story.Main(m)) }
