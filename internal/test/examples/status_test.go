package examples_test

import (
	"strings"
	"testing"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
)

// The address of a load balancer is an output as soon as a controller has written it into the status.
func TestReadingStatus(t *testing.T) {
	story.SkipUnlessAcceptance(t)
	e := newExample(t, "reading-status", atHome(t))
	e.apply()
	e.plan(story.Nothing)
	if address := e.Do("output", "-raw", "cluster_ip"); !strings.HasPrefix(address, "10.") {
		t.Errorf("the address in the cluster is %q", address)
	}

	e.As("cloud-controller-manager").Patch("v1 Service storefront", `{"status":{"loadBalancer":{"ingress":[{"ip":"203.0.113.7"}]}}}`, "status")
	e.plan(story.Changes)
	e.apply()
	if address := e.Do("output", "-raw", "address"); address != "203.0.113.7" {
		t.Errorf("the address is %q", address)
	}
	e.plan(story.Nothing)
}
