// Package fieldownership_test is about the data source k8sconnect_field_ownership.
package fieldownership_test

import (
	"os"
	"testing"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
)

func TestMain(m *testing.M) { os.Exit(story.Main(m)) }
