// Package connections_test is about the ways to say where the cluster is, as whom, and in which namespace.
package connections_test

import (
	"os"
	"testing"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
)

func TestMain(m *testing.M) { os.Exit(story.Main(m)) }
