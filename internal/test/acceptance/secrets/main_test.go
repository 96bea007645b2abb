// Package secrets_test is about what a Secret and sensitive and write-only fields hold, which is shown nowhere.
package secrets_test

import (
	"os"
	"testing"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
)

func TestMain(m *testing.M) { os.Exit(story.Main(m)) }
