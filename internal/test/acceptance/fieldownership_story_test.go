package acceptance_test

import (
	"context"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/tfversion"
	"k8s.io/client-go/tools/clientcmd"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/serve"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/play"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/testcluster"
)

// webConfigMap is the target of the ConfigMap web.
const webConfigMap = "v1 ConfigMap web"

// countingReader is a story that reads data sources, which are counted.
type countingReader struct {
	*story.Story
	// reads counts the calls of ReadDataSource.
	reads atomic.Int64
	mark  testcluster.Position
}

// newCountingReader returns a reader. It skips the test if TF_ACC is not set. Stories run in parallel.
func newCountingReader(t *testing.T) *countingReader {
	t.Helper()
	return &countingReader{Story: story.New(t), mark: story.AuditLog(t).Mark()}
}

// providerBlock connects to the control plane, with the story's namespace as the context's.
func (s *countingReader) providerBlock() string {
	s.T.Helper()
	config, err := clientcmd.Load(story.ControlPlane().Kubeconfig())
	story.Must(s.T, err)
	config.Contexts[config.CurrentContext].Namespace = s.Namespace
	text, err := clientcmd.Write(*config)
	story.Must(s.T, err)
	return fmt.Sprintf("provider \"k8sconnect\" {\n  cluster = { kubeconfig = %q }\n}\n", text)
}

// ownershipBlock returns one data source.
func ownershipBlock(name string, arguments ...string) string {
	return fmt.Sprintf("data \"k8sconnect_field_ownership\" %q {\n  %s\n}\n", name, strings.Join(arguments, "\n  "))
}

func objectArguments(apiVersion, kind, name string) string {
	return fmt.Sprintf("api_version = %q\n  kind = %q\n  name = %q", apiVersion, kind, name)
}

// run plays the steps and asserts that each read of a data source was one GET and that nothing else was
// sent.
func (s *countingReader) run(steps ...resource.TestStep) {
	s.T.Helper()
	s.play(steps...)
	s.expectGets(int(s.reads.Load()))
}

func (s *countingReader) play(steps ...resource.TestStep) {
	s.T.Helper()
	play.Steps(s.T, play.Case{
		Providers: map[string]func() (tfprotov6.ProviderServer, error){
			"k8sconnect": func() (tfprotov6.ProviderServer, error) {
				return &countingServer{Server: serve.NewServer(s.UserAgent)(), reads: &s.reads}, nil
			},
		},
		Features: []tfversion.TerraformVersionCheck{tfversion.SkipBelow(tfversion.Version1_8_0)},
		Steps:    steps,
	})
}

// expectGets asserts that the provider has sent that many GETs and nothing else but discovery.
func (s *countingReader) expectGets(want int) {
	s.T.Helper()
	sent := s.Requests(s.mark)
	for _, request := range sent {
		if request.Verb != "get" {
			s.T.Errorf("the provider sent %s", request)
		}
	}
	if len(sent) != want {
		s.T.Errorf("want %d requests, got %d:\n%s", want, len(sent), strings.Join(testcluster.Lines(sent), "\n"))
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
