// Package ecosystem_test runs programs of others beside the provider, Helm 4, Flux's kustomize-controller, cert-manager
// and Kyverno, and applies the install files of projects. The programs take long to build, and the files to download, so
// only make test-ecosystem runs these tests.
package ecosystem_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/yaml"
	"k8s.io/client-go/dynamic"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/testcluster"
)

// enabled is the variable with which make test-ecosystem asks for these tests.
const enabled = "K8SCONNECT_TEST_ECOSYSTEM"

func TestMain(m *testing.M) {
	if os.Getenv(enabled) == "" {
		os.Exit(m.Run())
	}
	os.Exit(story.MainAlone(m))
}

// begin begins a story beside the writers, and skips the test unless make test-ecosystem runs it.
func begin(t *testing.T) (*story.Story, testcluster.Writers) {
	t.Helper()
	if os.Getenv(enabled) == "" {
		t.Skip("make test-ecosystem runs this test")
	}
	s := story.New(t)
	s.Provider.TakesAdditions = true
	found, err := writers()
	story.Must(t, err)
	return s, found
}

// settled returns a step that changes nothing, and says nothing of what these programs have added: the default of
// on_addition reports what people have written.
func settled(s *story.Story, config string) resource.TestStep {
	step := s.Noop(config)
	step.PreConfig = s.NextStep(step.PreConfig)
	step.ConfigPlanChecks.PreApply = append(step.ConfigPlanChecks.PreApply, s.ExpectNoWarning())
	return step
}

// expectAdded asserts how many fields a plan shows as added to the object, all of them by a manager that is a tool.
func expectAdded(manager string, want int) plancheck.PlanCheck {
	return story.Check(func(_ context.Context, req plancheck.CheckPlanRequest) error {
		after, _ := req.Plan.ResourceChanges[0].Change.After.(map[string]any)
		added, _ := after["additions"].(map[string]any)
		for field, addition := range added {
			owners, _ := addition.(map[string]any)["owners"].(map[string]any)
			if owner, _ := owners[manager].(string); len(owners) != 1 || !strings.HasPrefix(owner, "tool: ") {
				return fmt.Errorf("%s was added by %v", field, owners)
			}
		}
		if len(added) != want {
			return fmt.Errorf("%d fields were added, not %d: %v", len(added), want, added)
		}
		return nil
	})
}

// writers builds the writers, and starts the controllers among them but Kyverno.
var writers = sync.OnceValues(func() (testcluster.Writers, error) {
	found, err := testcluster.BuildWriters(context.Background(), os.Stderr)
	if err != nil {
		return found, err
	}
	plane := story.ControlPlane()
	if err := define(plane, sourceDefinitions+found.Kustomize.Definitions+found.CertManager.Definitions); err != nil {
		return found, err
	}
	return found, errors.Join(
		plane.StartWriter(found.Kustomize, flux, "--metrics-addr=127.0.0.1:0", "--health-addr=127.0.0.1:0",
			"--feature-gates=ExternalArtifact=true", "--requeue-dependency=1s"),
		plane.StartWriter(found.CertManager, certManager))
})

// define creates CustomResourceDefinitions, and waits until their kinds are served.
func define(plane *testcluster.ControlPlane, documents string) error {
	client, err := dynamic.NewForConfig(plane.RESTConfig())
	if err != nil {
		return err
	}
	var created []*unstructured.Unstructured
	decoder := yaml.NewYAMLOrJSONDecoder(strings.NewReader(documents), 4096)
	for {
		definition := &unstructured.Unstructured{}
		switch err := decoder.Decode(&definition.Object); {
		case errors.Is(err, io.EOF):
			return awaitServed(plane, created)
		case err != nil:
			return err
		case len(definition.Object) == 0:
			continue
		}
		object, err := client.Resource(definitions).Create(context.Background(), definition, metav1.CreateOptions{})
		if err != nil {
			return err
		}
		created = append(created, object)
	}
}

func awaitServed(plane *testcluster.ControlPlane, created []*unstructured.Unstructured) error {
	for _, definition := range created {
		group, _, _ := unstructured.NestedString(definition.Object, "spec", "group")
		plural, _, _ := unstructured.NestedString(definition.Object, "spec", "names", "plural")
		versions, _, _ := unstructured.NestedSlice(definition.Object, "spec", "versions")
		for _, version := range versions {
			fields, _ := version.(map[string]any)
			if fields["served"] != true {
				continue
			}
			name := fmt.Sprintf("%s/%v", group, fields["name"])
			if err := story.Eventually(plural+" are served in "+name, func() bool {
				served, err := plane.Serves(name, plural)
				return err == nil && served
			})(nil); err != nil {
				return err
			}
		}
	}
	return nil
}

// definitions is the resource of CustomResourceDefinitions.
var definitions = schema.GroupVersionResource{
	Group: "apiextensions.k8s.io", Version: "v1", Resource: "customresourcedefinitions",
}
