// Package pins_test is about pin_fields, which keeps values that somebody else chose.
package pins_test

import (
	"os"
	"testing"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
)

func TestMain(m *testing.M) { os.Exit(story.Main(m)) }
