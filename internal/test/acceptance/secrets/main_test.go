// Package secrets_test is about the values of Secrets, sensitive fields and write-only fields, which the provider never shows.
package secrets_test

import (
	"os"
	"testing"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
)

func TestMain(m *testing.M) { os.Exit(story.Main(m)) }
