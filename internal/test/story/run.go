package story

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
	"github.com/hashicorp/terraform-plugin-testing/tfversion"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/play"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/testcluster"
)

// Run plays the steps. It asserts that the last plan of the last configuration is empty and has sent one GET for each
// read, unless that configuration has no object or is expected to fail.
func (s *Story) Run(all ...resource.TestStep) {
	s.T.Helper()
	s.RunWith(nil, all...)
}

// RunWith does what Run does, and skips a CLI that lacks one of the features.
func (s *Story) RunWith(features []tfversion.TerraformVersionCheck, all ...resource.TestStep) {
	s.T.Helper()
	for _, step := range all {
		if step.PlanOnly && (step.Check != nil || len(step.ConfigPlanChecks.PreApply)+len(step.ConfigStateChecks) > 0) {
			s.T.Fatal("a step that only plans runs no checks before or after an apply")
		}
	}
	played := play.Case{Providers: s.Provider.Factories(s.UserAgent), Features: features, Steps: all}
	if last := all[len(all)-1]; strings.Contains(last.Config, "k8sconnect_manifest") && last.ExpectError == nil {
		if last.ImportState || last.ExpectNonEmptyPlan {
			played.Steps = append(slices.Clone(all), s.Noop(last.Config))
		} else {
			played.BeforeLastPlan, played.AfterLastPlan = s.onlyReads()
		}
	}
	var configurations []string
	for _, step := range all {
		configurations = append(configurations, step.Config)
	}
	for _, feature := range NeededBy(configurations...) {
		played.Features = append(played.Features, feature)
	}
	play.Steps(s.T, played)
}

// Noop returns a step that changes nothing.
func (s *Story) Noop(config string) resource.TestStep {
	begin, end := s.onlyReads()
	onlyRead := Check(func(context.Context, plancheck.CheckPlanRequest) error { return end() })
	return resource.TestStep{
		PreConfig: begin, Config: config, ConfigPlanChecks: PlanChecks(plancheck.ExpectEmptyPlan(), onlyRead),
	}
}

// onlyReads returns a function to call before a plan, and one that checks after it that the plan has sent one GET for
// each read and nothing else.
func (s *Story) onlyReads() (begin func(), end func() error) {
	var mark testcluster.Position
	var before int
	if leavesOut(s.T, "the requests of plans without changes") {
		return func() {}, func() error { return nil }
	}
	begin = func() { mark, before = ControlPlane().AuditLog().Mark(), s.Provider.Reads() }
	return begin, func() error { return onlyGets(s.Requests(mark), s.Provider.Reads()-before) }
}

// Requests returns the provider's own requests for objects since mark. It leaves out the requests that a process sends
// once for each cluster: discovery, and the read that identifies the cluster.
func (s *Story) Requests(mark testcluster.Position) []testcluster.Request {
	s.T.Helper()
	forObjects := func(r testcluster.Request) bool { return r.Resource != "" && !isRecognition(r) }
	requests, err := AuditLog(s.T).Since(mark, testcluster.ByUserAgent("/"+s.UserAgent), forObjects)
	Must(s.T, err)
	return requests
}

// OnceSent calls act, beside a command that runs next, as soon as the server has answered so many requests of the
// provider that begin with these words, such as "watch configmaps". The story fails if that does not happen before it
// ends.
func (s *Story) OnceSent(times int, begins string, act func()) {
	s.T.Helper()
	sent := AuditLog(s.T).Tail(ControlPlane().AuditLog().Mark(), func(r testcluster.Request) bool {
		return strings.HasPrefix(r.UserAgent, "terraform-provider-k8sconnect/") && r.Namespace == s.Namespace &&
			r.Code != 0 && strings.HasPrefix(r.String(), begins)
	})
	var acted sync.WaitGroup
	acted.Go(func() {
		for {
			if found, err := sent(); err == nil && len(found) >= times {
				act()
				return
			}
			select {
			case <-s.T.Context().Done():
				s.T.Errorf("never: the provider sends %s", begins)
				return
			case <-time.After(pollInterval):
			}
		}
	})
	s.T.Cleanup(acted.Wait)
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
