package waiting

import (
	"context"
	"strings"
	"sync"
	"time"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/readiness"
)

// reportEvery is how often the log shows the progress of a wait.
const reportEvery = 10 * time.Second

// progress is what the log shows of a wait. It has no words of controllers, which may quote any value.
type progress struct {
	object string
	began  time.Time

	mu           sync.Mutex
	status, pods string
}

// reporting returns the progress of a wait. The log shows it until the wait calls the function.
func reporting(ctx context.Context, id manifest.Identity) (p *progress, end func()) {
	p = &progress{object: id.String(), began: time.Now()}
	ctx, end = context.WithCancel(ctx)
	if cluster.Log(ctx).V(cluster.Progress).Enabled() {
		go p.report(ctx)
	}
	return p, end
}

// report writes a line every ten seconds until ctx ends.
func (p *progress) report(ctx context.Context) {
	tick := time.NewTicker(reportEvery)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			cluster.Log(ctx).V(cluster.Progress).Info("Waiting", p.fields()...)
		}
	}
}

// fields returns the fields of a line.
func (p *progress) fields() []any {
	p.mu.Lock()
	defer p.mu.Unlock()
	fields := []any{"object", p.object, "seconds", int(time.Since(p.began).Seconds()), "object_status", p.status}
	if p.pods != "" {
		fields = append(fields, "pods", p.pods)
	}
	return fields
}

// see notes the status of an object, and writes a line about it.
func (p *progress) see(ctx context.Context, status readiness.Status) {
	own, _, _ := strings.Cut(strings.Join(strings.Fields(status.Message), " "), ": ")
	p.mu.Lock()
	p.status = own
	p.mu.Unlock()
	cluster.Log(ctx).V(cluster.Steps).
		Info("Seen", "object", p.object, "state", status.State, "reason", status.Reason, "object_status", own)
}

// seePods notes why pods are not ready.
func (p *progress) seePods(causes []readiness.Cause) {
	words := make([]string, len(causes))
	for i, cause := range causes {
		words[i] = cause.Pod + " " + cause.Reason
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.pods = strings.Join(words, ", ")
}
