package ownershipdatasource_test

import (
	"context"
	"fmt"
	"os"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/tfversion"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/clientcmd"
	"sigs.k8s.io/yaml"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/serve"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/testcluster"
)

var (
	configMaps  = schema.GroupVersionResource{Version: "v1", Resource: "configmaps"}
	secrets     = schema.GroupVersionResource{Version: "v1", Resource: "secrets"}
	deployments = schema.GroupVersionResource{Group: "apps", Version: "v1", Resource: "deployments"}
)

// story is one test with a namespace of its own, whose name also tells its provider's requests from
// others.
type story struct {
	*testing.T
	namespace string
	dynamic   dynamic.Interface
	// reads counts the calls of ReadDataSource.
	reads atomic.Int64
	mark  testcluster.Position
}

// newStory skips where TF_ACC is unset. Stories run in parallel.
func newStory(t *testing.T) *story {
	t.Helper()
	if os.Getenv("TF_ACC") == "" {
		t.Skip("acceptance tests run with TF_ACC=1, as make test does")
	}
	t.Parallel()
	config := controlPlane.RESTConfig()
	typed, err := kubernetes.NewForConfig(config)
	must(t, err)
	untyped, err := dynamic.NewForConfig(config)
	must(t, err)
	namespace, err := typed.CoreV1().Namespaces().Create(t.Context(),
		&corev1.Namespace{ObjectMeta: metav1.ObjectMeta{GenerateName: "ownership-"}}, metav1.CreateOptions{})
	must(t, err)
	t.Cleanup(func() {
		_ = typed.CoreV1().Namespaces().Delete(context.Background(), namespace.Name, metav1.DeleteOptions{})
	})
	return &story{T: t, namespace: namespace.Name, dynamic: untyped, mark: controlPlane.AuditLog().Mark()}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func (s *story) of(kind schema.GroupVersionResource) dynamic.ResourceInterface {
	return s.dynamic.Resource(kind).Namespace(s.namespace)
}

// apply is a server-side apply of a manifest under a manager's name.
func (s *story) apply(manager string, kind schema.GroupVersionResource, body string) {
	s.Helper()
	object := &unstructured.Unstructured{}
	must(s.T, yaml.Unmarshal([]byte(body), &object.Object))
	_, err := s.of(kind).Apply(s.Context(), object.GetName(), object, metav1.ApplyOptions{FieldManager: manager, Force: true})
	must(s.T, err)
}

// patch is a merge patch under a manager's name, as kubectl edit and kubectl scale send it.
func (s *story) patch(manager string, kind schema.GroupVersionResource, name, patch string, subresources ...string) {
	s.Helper()
	_, err := s.of(kind).Patch(s.Context(), name, types.MergePatchType, []byte(patch), metav1.PatchOptions{FieldManager: manager}, subresources...)
	must(s.T, err)
}

// live returns an object as the server holds it.
func (s *story) live(kind schema.GroupVersionResource, name string) *unstructured.Unstructured {
	s.Helper()
	object, err := s.of(kind).Get(s.Context(), name, metav1.GetOptions{})
	must(s.T, err)
	return object
}

// providerBlock connects to the control plane, with the story's namespace as the context's.
func (s *story) providerBlock() string {
	s.Helper()
	config, err := clientcmd.Load(controlPlane.Kubeconfig())
	must(s.T, err)
	config.Contexts[config.CurrentContext].Namespace = s.namespace
	text, err := clientcmd.Write(*config)
	must(s.T, err)
	return fmt.Sprintf("provider \"k8sconnect\" {\n  cluster = { kubeconfig = %q }\n}\n", text)
}

// data returns one data source.
func data(name string, arguments ...string) string {
	return fmt.Sprintf("data \"k8sconnect_field_ownership\" %q {\n  %s\n}\n", name, strings.Join(arguments, "\n  "))
}

// object returns the arguments that name one.
func object(apiVersion, kind, name string) string {
	return fmt.Sprintf("api_version = %q\n  kind = %q\n  name = %q", apiVersion, kind, name)
}

// run plays the steps and asserts that each read of a data source was one GET and that nothing else was
// sent.
func (s *story) run(steps ...resource.TestStep) {
	s.Helper()
	s.play(steps...)
	s.expectGets(int(s.reads.Load()))
}

// play plays the steps.
func (s *story) play(steps ...resource.TestStep) {
	s.Helper()
	resource.Test(s.T, resource.TestCase{
		ProtoV6ProviderFactories: map[string]func() (tfprotov6.ProviderServer, error){
			"k8sconnect": func() (tfprotov6.ProviderServer, error) {
				return &countingServer{Server: serve.NewServer(s.namespace)(), reads: &s.reads}, nil
			},
		},
		TerraformVersionChecks: []tfversion.TerraformVersionCheck{tfversion.SkipBelow(tfversion.Version1_8_0)},
		Steps:                  steps,
	})
}

// expectGets asserts that the provider has sent that many GETs and nothing else but discovery.
func (s *story) expectGets(want int) {
	s.Helper()
	all, err := controlPlane.AuditLog().Since(s.mark)
	must(s.T, err)
	sent := testcluster.Matching(all, testcluster.ByUserAgent("/"+s.namespace), func(r testcluster.Request) bool { return r.Resource != "" })
	for _, request := range sent {
		if request.Verb != "get" {
			s.Errorf("the provider sent %s", request)
		}
	}
	if len(sent) != want {
		s.Errorf("want %d requests, got %d:\n%s", want, len(sent), strings.Join(testcluster.Lines(sent), "\n"))
	}
}

// countingServer counts the reads of data sources.
type countingServer struct {
	serve.Server
	reads *atomic.Int64
}

func (s *countingServer) ReadDataSource(ctx context.Context, req *tfprotov6.ReadDataSourceRequest) (*tfprotov6.ReadDataSourceResponse, error) {
	s.reads.Add(1)
	return s.Server.ReadDataSource(ctx, req)
}
