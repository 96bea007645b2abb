package waiting

import (
	"context"
	"fmt"
	"strings"
	"sync"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/readiness"
)

// progress is the data about a wait that the log shows. It contains no words of controllers, which may quote any value.
type progress struct {
	object string

	mu           sync.Mutex
	status, pods string
}

// reporting returns the progress of a wait. The log shows it until the wait calls the function.
func reporting(ctx context.Context, id manifest.Identity) (p *progress, end func()) {
	p = &progress{object: id.String()}
	return p, cluster.Reporting(ctx, p.object, p.String)
}

// String returns what is known of the object and its pods.
func (p *progress) String() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.pods == "" {
		return p.status
	}
	return p.status + " Pods: " + p.pods
}

// see notes the status of an object, and writes a line about it.
func (p *progress) see(ctx context.Context, status readiness.Status) {
	own, _, _ := strings.Cut(strings.Join(strings.Fields(status.Message), " "), ": ")
	p.mu.Lock()
	p.status = own
	p.mu.Unlock()
	seen := string(status.State)
	if status.Reason != seen {
		seen += " " + status.Reason
	}
	cluster.Log(ctx).V(cluster.Steps).Info(fmt.Sprintf("Seen %s %s: %s", p.object, seen, own))
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
