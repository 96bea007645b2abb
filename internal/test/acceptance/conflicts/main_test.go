// Package conflicts_test is about values that others write to our fields, before a plan and between a plan and its apply.
package conflicts_test

import (
	"os"
	"testing"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
)

func TestMain(m *testing.M) { os.Exit(story.Main(m)) }
