// Package conflicts_test is about what happens to the values that others wrote to our fields, before a plan and between a plan and its apply.
package conflicts_test

import (
	"os"
	"testing"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
)

func TestMain(m *testing.M) { os.Exit(story.Main(m)) }
