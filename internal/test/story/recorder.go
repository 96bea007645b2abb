package story

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/serve"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/twins"
)

// Recorder serves the provider and keeps its responses with their warnings, which the test framework does not
// show.
type Recorder struct {
	// Compares makes package twins compare what is answered ahead of the plugin framework.
	Compares bool

	mu       sync.Mutex
	warnings []string
	// TakesAdditions is true in stories about what other managers add. In most other stories, another client adds
	// something on the side.
	TakesAdditions bool
	reads          int
	said           []string
	// planner is the server that planned last, and planned are the warnings of its plans.
	planner *recordingServer
	planned []string
	// ofPlans are the warnings of all plans, each once.
	ofPlans []string
	watcher watcher
	// meanwhile runs other managers' writes before the next apply reaches the provider, and afterRead before the next
	// plan of a resource that exists.
	meanwhile, afterRead func()
}

// BeforePlan runs other managers' writes once, after the CLI has read a resource, when it begins to plan it.
func (r *Recorder) BeforePlan(write func()) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.afterRead = write
}

// BeforeApply runs other managers' writes once, after the CLI has made its second plan, when it begins to apply a
// resource.
func (r *Recorder) BeforeApply(write func()) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.meanwhile = write
}

// runOnce runs the function that [Recorder.BeforeApply] or [Recorder.BeforePlan] has set.
func (r *Recorder) runOnce(set *func()) {
	r.mu.Lock()
	write := *set
	*set = nil
	r.mu.Unlock()
	if write != nil {
		write()
	}
}

// Factories returns the factories for resource.TestCase. userAgent distinguishes the provider's requests in the
// audit log from those of other stories.
func (r *Recorder) Factories(userAgent string) map[string]func() (tfprotov6.ProviderServer, error) {
	return map[string]func() (tfprotov6.ProviderServer, error){
		"k8sconnect": func() (tfprotov6.ProviderServer, error) {
			server := serve.Server(twins.New(userAgent))
			if !r.Compares {
				server = serve.NewServer(userAgent)()
			}
			return &recordingServer{Server: server, recorder: r}, nil
		},
	}
}

func (r *Recorder) record(diags []*tfprotov6.Diagnostic, reads int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.reads += reads
	for _, d := range diags {
		r.said = append(r.said, d.Summary+"\n"+d.Detail)
		if d.Severity == tfprotov6.DiagnosticSeverityWarning {
			r.warnings = append(r.warnings, d.Summary+"\n"+d.Detail)
		}
	}
}

// Take returns the warnings since the last call.
func (r *Recorder) Take() []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	warnings := r.warnings
	if r.warnings = nil; !r.TakesAdditions {
		warnings = slices.DeleteFunc(warnings, func(text string) bool {
			return strings.HasPrefix(text, "Fields Added by Others")
		})
	}
	return warnings
}

// Reads returns the number of reads that the provider has answered.
func (r *Recorder) Reads() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.reads
}

// LastPlan returns the warnings of the last plan, and whether there was a plan.
func (r *Recorder) LastPlan() (warnings []string, recorded bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.Clone(r.planned), r.planner != nil
}

// recordPlan stores the warnings of one resource's plan with those of the same run of the CLI.
func (r *Recorder) recordPlan(server *recordingServer, diags []*tfprotov6.Diagnostic) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.planner != server {
		r.planner, r.planned = server, nil
	}
	for _, d := range diags {
		if d.Severity == tfprotov6.DiagnosticSeverityWarning {
			text := d.Summary + "\n" + d.Detail
			r.planned = append(r.planned, text)
			if !slices.Contains(r.ofPlans, text) {
				r.ofPlans = append(r.ofPlans, text)
			}
		}
	}
}

// Everything returns all messages of the provider in the whole story, errors included.
func (r *Recorder) Everything() []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.Clone(r.said)
}

// recordingServer is the provider of one run of the CLI. It records the diagnostics about each resource, and compares
// the applies of manifests and patches with their plans.
type recordingServer struct {
	serve.Server
	recorder *Recorder
}

// schemas returns the schemas of the provider. Each run of the CLI asks for them, so they are kept.
var schemas = sync.OnceValues(func() (*tfprotov6.GetProviderSchemaResponse, error) {
	return serve.NewServer("test")().GetProviderSchema(context.Background(), &tfprotov6.GetProviderSchemaRequest{})
})

// GetProviderSchema returns the schemas that the provider returned at the first call.
func (s *recordingServer) GetProviderSchema(
	context.Context, *tfprotov6.GetProviderSchemaRequest,
) (*tfprotov6.GetProviderSchemaResponse, error) {
	return schemas()
}

// PlanResourceChange keeps the warnings of the plan.
func (s *recordingServer) PlanResourceChange(
	ctx context.Context, req *tfprotov6.PlanResourceChangeRequest,
) (*tfprotov6.PlanResourceChangeResponse, error) {
	if !isNull(req.PriorState) {
		s.recorder.runOnce(&s.recorder.afterRead)
	}
	resp, err := s.Server.PlanResourceChange(ctx, req)
	if resp != nil {
		s.recorder.record(resp.Diagnostics, 0)
		s.recorder.recordPlan(s, resp.Diagnostics)
		s.recorder.watcher.planned(resp.Diagnostics)
		s.recorder.watcher.plannedDestroy(ctx, s, req)
	}
	if err == nil && applies(req.TypeName) && isNull(req.PriorState) {
		err = s.checkIdentity(ctx, req.TypeName, "the plan", resp.PlannedState, resp.PlannedIdentity)
	}
	return resp, err
}

// ApplyResourceChange compares the object before and after.
func (s *recordingServer) ApplyResourceChange(
	ctx context.Context, req *tfprotov6.ApplyResourceChangeRequest,
) (*tfprotov6.ApplyResourceChangeResponse, error) {
	s.recorder.runOnce(&s.recorder.meanwhile)
	if !applies(req.TypeName) {
		resp, err := s.Server.ApplyResourceChange(ctx, req)
		if resp != nil {
			s.recorder.record(resp.Diagnostics, 0)
		}
		return resp, err
	}
	applied := s.recorder.watcher.before(ctx, s, req)
	resp, err := s.Server.ApplyResourceChange(ctx, req)
	if resp != nil {
		s.recorder.record(resp.Diagnostics, 0)
		applied.after(ctx, resp)
		s.recorder.watcher.destroyed(ctx, s, req)
	}
	if err == nil {
		err = s.checkIdentity(ctx, req.TypeName, "the apply", resp.NewState, resp.NewIdentity)
	}
	return resp, err
}

// ReadResource counts the read.
func (s *recordingServer) ReadResource(
	ctx context.Context, req *tfprotov6.ReadResourceRequest,
) (*tfprotov6.ReadResourceResponse, error) {
	resp, err := s.Server.ReadResource(ctx, req)
	if resp != nil {
		s.recorder.record(resp.Diagnostics, 1)
	}
	if err == nil && applies(req.TypeName) {
		err = s.checkIdentity(ctx, req.TypeName, "the read", resp.NewState, resp.NewIdentity)
	}
	return resp, err
}

// ImportResourceState checks the identities of all imported resources.
func (s *recordingServer) ImportResourceState(
	ctx context.Context, req *tfprotov6.ImportResourceStateRequest,
) (*tfprotov6.ImportResourceStateResponse, error) {
	if !applies(req.TypeName) {
		return s.Server.ImportResourceState(ctx, req)
	}
	resp, err := s.Server.ImportResourceState(ctx, req)
	if err != nil {
		return resp, err
	}
	s.recorder.record(resp.Diagnostics, 0)
	for _, imported := range resp.ImportedResources {
		err = errors.Join(err, s.checkIdentity(ctx, req.TypeName, "the import", imported.State, imported.Identity))
	}
	return resp, err
}

func isNull(value *tfprotov6.DynamicValue) bool {
	null, err := value.IsNull()
	return err == nil && null
}
