package serve

import (
	"context"
	"slices"
	"sync"
	"time"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
)

// lastWords is how long a stop waits for the running actions to report how they ended.
const lastWords = 10 * time.Second

// invocations are the actions that run. plugin-go drops the events of an action once the provider is stopped, and
// Terraform takes an action that sends no completed event for a success: it would go on to create the resource whose
// before_create was interrupted. So a stop cancels the actions, and returns once they have said how they ended.
type invocations struct {
	mu      sync.Mutex
	running int
	// ended is closed when no action runs any more; nil if none runs.
	ended chan struct{}
}

// begin notes an action until the function that it returns is called.
func (i *invocations) begin() (end func()) {
	i.mu.Lock()
	defer i.mu.Unlock()
	if i.running == 0 {
		i.ended = make(chan struct{})
	}
	i.running++
	return func() {
		i.mu.Lock()
		defer i.mu.Unlock()
		if i.running--; i.running == 0 {
			close(i.ended)
			i.ended = nil
		}
	}
}

// wait returns when no action runs, or after limit.
func (i *invocations) wait(limit time.Duration) {
	i.mu.Lock()
	ended := i.ended
	i.mu.Unlock()
	if ended == nil {
		return
	}
	select {
	case <-ended:
	case <-time.After(limit):
	}
}

// PlanAction implements tfprotov6.ActionServer. Terraform validates the configurations of actions only in its validate
// walk, in which no root variable has a value, and the framework validates in no other call. So a plan and an
// invocation validate again.
func (s server) PlanAction(
	ctx context.Context, request *tfprotov6.PlanActionRequest,
) (*tfprotov6.PlanActionResponse, error) {
	faults, err := s.actionFaults(ctx, request.ActionType, request.Config)
	if err != nil || len(faults) > 0 {
		return &tfprotov6.PlanActionResponse{Diagnostics: faults}, err
	}
	return withReleasedContext(ctx, request, s.Server.PlanAction)
}

func (s server) InvokeAction(
	ctx context.Context, request *tfprotov6.InvokeActionRequest,
) (*tfprotov6.InvokeActionServerStream, error) {
	faults, err := s.actionFaults(ctx, request.ActionType, request.Config)
	if err != nil {
		return nil, err
	}
	if len(faults) > 0 {
		return &tfprotov6.InvokeActionServerStream{Events: func(push func(tfprotov6.InvokeActionEvent) bool) {
			push(tfprotov6.InvokeActionEvent{Type: tfprotov6.CompletedInvokeActionEventType{Diagnostics: faults}})
		}}, nil
	}
	end := s.invocations.begin()
	stream, err := s.Server.InvokeAction(ctx, request)
	if err != nil || stream == nil {
		end()
		return stream, err
	}
	events := stream.Events
	stream.Events = func(push func(tfprotov6.InvokeActionEvent) bool) {
		defer end()
		events(push)
	}
	return stream, nil
}

// actionFaults returns the errors of an action's configuration.
func (s server) actionFaults(
	ctx context.Context, actionType string, config *tfprotov6.DynamicValue,
) ([]*tfprotov6.Diagnostic, error) {
	resp, err := withReleasedContext(ctx,
		&tfprotov6.ValidateActionConfigRequest{ActionType: actionType, Config: config}, s.Server.ValidateActionConfig)
	if err != nil {
		return nil, err
	}
	return slices.DeleteFunc(resp.Diagnostics, func(d *tfprotov6.Diagnostic) bool {
		return d.Severity != tfprotov6.DiagnosticSeverityError
	}), nil
}

// StopProvider implements tfprotov6.ProviderServer. It cancels what runs, and lets actions report how they ended.
func (s server) StopProvider(
	ctx context.Context, request *tfprotov6.StopProviderRequest,
) (*tfprotov6.StopProviderResponse, error) {
	s.stop()
	resp, err := s.Server.StopProvider(ctx, request)
	s.invocations.wait(lastWords)
	return resp, err
}
