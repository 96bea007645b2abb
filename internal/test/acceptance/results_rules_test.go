package acceptance_test

import (
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
)

// With the wait of a rule, each apply waits and shows ready, in a resource without a wait of its own.
func TestRuleWaits(t *testing.T) {
	s := story.New(t)
	waits := s.WithRules(`kinds = ["ConfigMap"], wait = { fields = { "data.colour" = "red" }, on_failure = "report" }`)
	bounded := "timeouts {\n    create = \"60s\"\n    update = \"60s\"\n  }"
	s.Run(
		resource.TestStep{
			Config: waits + s.Manifest("test", story.ConfigMap, bounded),
			Check:  resource.TestCheckResourceAttr(story.Address, "ready", "true"),
		},
		resource.TestStep{
			Config: waits + s.Manifest("test", story.ConfigMap, bounded, `wait = { until = "exists" }`),
			Check: resource.ComposeTestCheckFunc(
				resource.TestCheckResourceAttr(story.Address, "ready", "true"),
				resource.TestCheckNoResourceAttr(story.Address, "rules_applied"),
			),
		},
		resource.TestStep{
			Config: s.ProviderBlock() + s.Manifest("test", story.ConfigMap, bounded),
			Check:  resource.TestCheckNoResourceAttr(story.Address, "ready"),
		},
	)
}
