package serve

import (
	"context"
	"iter"
	"sync"
	"time"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
)

// lastWords is how long a stop waits for what the running actions say of their end.
const lastWords = 10 * time.Second

// invocations are the actions that run. plugin-go drops what an action says once the provider is stopped, and Terraform takes an action
// without an end for one that has succeeded: it would go on to create the resource whose before_create was interrupted. So a stop
// cancels the actions, and returns once they have said how they ended.
type invocations struct {
	mu      sync.Mutex
	running int
	// ended is closed when no action runs any more; nil where none runs.
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

// of returns the events of an action, which counts as running while they are read.
func (i *invocations) of(events iter.Seq[tfprotov6.InvokeActionEvent]) iter.Seq[tfprotov6.InvokeActionEvent] {
	return func(push func(tfprotov6.InvokeActionEvent) bool) {
		defer i.begin()()
		events(push)
	}
}

// InvokeAction implements tfprotov6.ActionServer.
func (s server) InvokeAction(ctx context.Context, request *tfprotov6.InvokeActionRequest) (*tfprotov6.InvokeActionServerStream, error) {
	stream, err := s.Server.InvokeAction(ctx, request)
	if err == nil && stream != nil {
		stream.Events = s.invocations.of(stream.Events)
	}
	return stream, err
}

// StopProvider implements tfprotov6.ProviderServer. It cancels what runs, and lets actions say how they ended.
func (s server) StopProvider(ctx context.Context, request *tfprotov6.StopProviderRequest) (*tfprotov6.StopProviderResponse, error) {
	resp, err := s.Server.StopProvider(ctx, request)
	s.invocations.wait(lastWords)
	return resp, err
}
