package story

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
	"github.com/hashicorp/terraform-plugin-testing/tfversion"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/testcluster"
)

// Run plays the steps. It asserts that the last plan of the last configuration is empty and has sent one GET for each
// read, unless that configuration has no object or is expected to fail.
func (s *Story) Run(steps ...resource.TestStep) {
	s.T.Helper()
	s.RunWith(nil, steps...)
}

// RunWith does what Run does, and skips a CLI that lacks one of the features.
func (s *Story) RunWith(features []tfversion.TerraformVersionCheck, steps ...resource.TestStep) {
	s.T.Helper()
	for _, step := range steps {
		if step.PlanOnly && (step.Check != nil || len(step.ConfigPlanChecks.PreApply)+len(step.ConfigStateChecks) > 0) {
			s.T.Fatal("a step that only plans runs no checks before or after an apply")
		}
	}
	if last := steps[len(steps)-1]; strings.Contains(last.Config, "k8sconnect_manifest") && last.ExpectError == nil {
		if last.ImportState || last.ExpectNonEmptyPlan {
			steps = append(steps, s.Noop(last.Config))
		} else {
			steps = append(slices.Clone(steps[:len(steps)-1]), s.endingInNoop(last))
		}
	}
	var configurations []string
	for _, step := range steps {
		configurations = append(configurations, step.Config)
	}
	for _, feature := range NeededBy(configurations...) {
		features = append(features, feature)
	}
	resource.Test(s.T, resource.TestCase{
		ProtoV6ProviderFactories: s.Provider.Factories(s.UserAgent), TerraformVersionChecks: features, Steps: steps,
	})
}

// Noop returns a step that changes nothing.
func (s *Story) Noop(config string) resource.TestStep {
	begin, end := s.onlyReads()
	return resource.TestStep{
		PreConfig:        begin,
		Config:           config,
		ConfigPlanChecks: resource.ConfigPlanChecks{PreApply: []plancheck.PlanCheck{plancheck.ExpectEmptyPlan(), end}},
	}
}

// endingInNoop returns step with a check that its last plan sends one GET for each read. terraform-plugin-testing
// itself checks that this plan is empty.
func (s *Story) endingInNoop(step resource.TestStep) resource.TestStep {
	begin, end := s.onlyReads()
	checks := &step.ConfigPlanChecks
	checks.PostApplyPreRefresh = append(slices.Clone(checks.PostApplyPreRefresh),
		Check(func(context.Context, plancheck.CheckPlanRequest) error {
			begin()
			return nil
		}))
	checks.PostApplyPostRefresh = append(slices.Clone(checks.PostApplyPostRefresh), end)
	return step
}

// onlyReads returns a function to call before a plan, and the check that the plan has sent one GET for each read and
// nothing else.
func (s *Story) onlyReads() (begin func(), end plancheck.PlanCheck) {
	var mark testcluster.Position
	var before int
	begin = func() { mark, before = ControlPlane().AuditLog().Mark(), s.Provider.Reads() }
	return begin, Check(func(context.Context, plancheck.CheckPlanRequest) error {
		return onlyGets(s.Requests(mark), s.Provider.Reads()-before)
	})
}

// Requests returns the provider's own requests for objects since mark. It leaves out the requests that a process sends
// once for each cluster: discovery, and the read that identifies the cluster.
func (s *Story) Requests(mark testcluster.Position) []testcluster.Request {
	s.T.Helper()
	forObjects := func(r testcluster.Request) bool { return r.Resource != "" && !isRecognition(r) }
	requests, err := ControlPlane().AuditLog().Since(mark, testcluster.ByUserAgent("/"+s.UserAgent), forObjects)
	Must(s.T, err)
	return requests
}

// isRecognition reports whether a request is the read that identifies the cluster. TestClusterIsReadOnce counts them.
func isRecognition(r testcluster.Request) bool {
	return r.Verb == "get" && r.Resource == "namespaces" && r.Name == metav1.NamespaceSystem
}

func onlyGets(requests []testcluster.Request, reads int) error {
	for _, request := range requests {
		if request.Verb != "get" {
			return fmt.Errorf("a plan without changes sent %s", request)
		}
	}
	if reads == 0 || len(requests) != reads {
		return fmt.Errorf("%d reads sent %d requests:\n%s", reads, len(requests),
			strings.Join(testcluster.Lines(requests), "\n"))
	}
	return nil
}
