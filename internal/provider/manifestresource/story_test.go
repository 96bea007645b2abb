package manifestresource_test

import (
	"context"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
	"github.com/hashicorp/terraform-plugin-testing/tfversion"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/kubernetes"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/testcluster"
)

// story is one test with a namespace of its own, the provider under test, and others who write to the
// same objects. Every story ends with a plan that is empty and costs one GET per read and nothing else.
type story struct {
	t         *testing.T
	namespace string
	typed     *kubernetes.Clientset
	dynamic   dynamic.Interface
	provider  recorder
	userAgent string
}

// newStory skips where TF_ACC is unset. Stories run in parallel.
func newStory(t *testing.T) *story {
	t.Helper()
	skipUnlessAcceptance(t)
	t.Parallel()
	return beginStory(t)
}

// newSerialStory returns newStory for stories that set environment variables, which no other story sees.
func newSerialStory(t *testing.T) *story {
	t.Helper()
	skipUnlessAcceptance(t)
	return beginStory(t)
}

func skipUnlessAcceptance(t *testing.T) {
	t.Helper()
	if os.Getenv("TF_ACC") == "" {
		t.Skip("acceptance tests run with TF_ACC=1, as make test does")
	}
}

func beginStory(t *testing.T) *story {
	t.Helper()
	config := controlPlane.RESTConfig()
	typed, err := kubernetes.NewForConfig(config)
	must(t, err)
	untyped, err := dynamic.NewForConfig(config)
	must(t, err)
	namespace, err := typed.CoreV1().Namespaces().Create(t.Context(),
		&corev1.Namespace{ObjectMeta: metav1.ObjectMeta{GenerateName: "story-"}}, metav1.CreateOptions{})
	must(t, err)
	s := &story{t: t, namespace: namespace.Name, typed: typed, dynamic: untyped, userAgent: namespace.Name}
	s.provider.watcher = watcher{story: s}
	t.Cleanup(func() {
		_ = typed.CoreV1().Namespaces().Delete(context.Background(), s.namespace, metav1.DeleteOptions{})
	})
	return s
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// providerBlock connects to the control plane.
func (s *story) providerBlock() string {
	return fmt.Sprintf("provider \"k8sconnect\" {\n  cluster = { config_path = %q }\n}\n", controlPlane.KubeconfigPath())
}

// config returns a configuration with one resource k8sconnect_manifest.test: body is its YAML, in which NS
// stands for the story's namespace, and arguments are further lines of HCL.
func (s *story) config(body string, arguments ...string) string {
	return s.providerBlock() + s.manifest("test", body, arguments...)
}

// manifest returns one resource block.
func (s *story) manifest(name, body string, arguments ...string) string {
	return fmt.Sprintf("resource \"k8sconnect_manifest\" %q {\n  yaml_body = <<-YAML\n%s\nYAML\n  %s\n}\n",
		name, s.expand(body), strings.Join(arguments, "\n  "))
}

func (s *story) expand(text string) string { return strings.ReplaceAll(text, "NS", s.namespace) }

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

// feature is a version check whose skip says what the CLI lacks.
type feature struct {
	tfversion.TerraformVersionCheck
	name string
}

func (f feature) CheckTerraformVersion(ctx context.Context, req tfversion.CheckTerraformVersionRequest, resp *tfversion.CheckTerraformVersionResponse) {
	f.TerraformVersionCheck.CheckTerraformVersion(ctx, req, resp)
	if resp.Skip != "" {
		resp.Skip += " (it lacks " + f.name + ")"
	}
}

// noop returns a step that changes nothing.
func (s *story) noop(config string) resource.TestStep {
	var mark testcluster.Position
	return resource.TestStep{
		PreConfig: func() {
			s.provider.take()
			mark = controlPlane.AuditLog().Mark()
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
	all, err := controlPlane.AuditLog().Since(mark)
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

// check makes a plan check of a function.
type check func(context.Context, plancheck.CheckPlanRequest) error

func (c check) CheckPlan(ctx context.Context, req plancheck.CheckPlanRequest, resp *plancheck.CheckPlanResponse) {
	resp.Error = c(ctx, req)
}

// checks runs plan checks before the apply.
func checks(all ...plancheck.PlanCheck) resource.ConfigPlanChecks {
	return resource.ConfigPlanChecks{PreApply: all}
}
