package manifestresource_test

import (
	"context"
	"fmt"
	"strings"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
	"github.com/hashicorp/terraform-plugin-testing/tfversion"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/testcluster"
)

// run plays the steps, then plans the last configuration once more, unless it has no object or is to fail,
// and asserts that the plan is empty and that it sent one GET for each read.
func (s *story) run(steps ...resource.TestStep) {
	s.t.Helper()
	s.runWith(nil, steps...)
}

// runWith is run for what not every CLI can do.
func (s *story) runWith(features []tfversion.TerraformVersionCheck, steps ...resource.TestStep) {
	s.t.Helper()
	last := steps[len(steps)-1]
	if strings.Contains(last.Config, "k8sconnect_manifest") && last.ExpectError == nil {
		steps = append(steps, s.noop(last.Config))
	}
	resource.Test(s.t, resource.TestCase{
		ProtoV6ProviderFactories: s.provider.factories(s.userAgent), TerraformVersionChecks: features, Steps: steps,
	})
}

// noop returns a step that changes nothing.
func (s *story) noop(config string) resource.TestStep {
	var mark testcluster.Position
	return resource.TestStep{
		PreConfig: func() {
			s.provider.take()
			mark = controlPlane().AuditLog().Mark()
		},
		Config: config,
		ConfigPlanChecks: resource.ConfigPlanChecks{PreApply: []plancheck.PlanCheck{
			plancheck.ExpectEmptyPlan(),
			check(func(context.Context, plancheck.CheckPlanRequest) error {
				_, reads := s.provider.take()
				return onlyGets(s.requests(mark), reads)
			}),
		}},
	}
}

// requests returns the provider's own requests for objects since mark; discovery is left out.
func (s *story) requests(mark testcluster.Position) []testcluster.Request {
	s.t.Helper()
	all, err := controlPlane().AuditLog().Since(mark)
	must(s.t, err)
	return testcluster.Matching(all, testcluster.ByUserAgent("/"+s.userAgent), func(r testcluster.Request) bool {
		return r.Resource != ""
	})
}

func onlyGets(requests []testcluster.Request, reads int) error {
	for _, request := range requests {
		if request.Verb != "get" {
			return fmt.Errorf("a plan without changes sent %s", request)
		}
	}
	if reads == 0 || len(requests) != reads {
		return fmt.Errorf("%d reads sent %d requests:\n%s", reads, len(requests), strings.Join(testcluster.Lines(requests), "\n"))
	}
	return nil
}
