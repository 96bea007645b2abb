package waiting

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"

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

// stalledAfter is the time for which an object stays unchanged before the wait looks at its pods, and the time between
// two looks.
const stalledAfter = 30 * time.Second

// seen is an object as the wait has last seen it.
type seen struct {
	mu     sync.Mutex
	live   *unstructured.Unstructured
	status readiness.Status
	at     time.Time
	told   *progress
}

func (s *seen) see(live *unstructured.Unstructured, status readiness.Status) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.live, s.status, s.at = live, status, time.Now()
}

func (s *seen) last() (live *unstructured.Unstructured, since time.Duration) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.live, time.Since(s.at)
}

// carried returns the status that was seen last. Its Condition tells if it is a failure from before the wait.
func (s *seen) carried() readiness.Status {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.status
}

// refusesPods reports whether the API server refuses the pods of a ReplicaSet.
func refusesPods(set *unstructured.Unstructured) bool {
	return readiness.Of(set, true).State == readiness.Failed
}

// awaitHopeless looks at the pods of a workload that does not change, until ctx ends or its pods cannot start. It
// returns the status that follows; false if ctx has ended, the object has no pods, or the user may not list them. A
// look costs two LISTs for a Deployment, and one for other workloads, or two while they have no pods. A definition is
// hopeless if the API server has refused its names for as long.
func (s *seen) awaitHopeless(ctx context.Context, api cluster.Interface) (readiness.Status, bool) {
	live, _ := s.last()
	selector, isDefinition := selectorOf(live), manifest.IdentityOf(live).IsDefinition()
	if !isDefinition && (selector == "" ||
		!slices.Contains([]string{"Deployment", "StatefulSet", "DaemonSet", "ReplicaSet", "Job"}, live.GetKind())) {
		return readiness.Status{}, false
	}
	var pulls map[types.UID]time.Time
	pause := stalledAfter
	for {
		if !cluster.Pause(ctx, pause) {
			return readiness.Status{}, false
		}
		live, since := s.last()
		if since < stalledAfter {
			pause = stalledAfter - since
			continue
		}
		pause = stalledAfter
		if isDefinition {
			if status := s.carried(); status.Condition != "" {
				status.State = readiness.Failed
				return status, true
			}
			continue
		}
		var e Explanation
		pods, sets := e.newPods(ctx, api, live, selector)
		if len(e.Hidden) > 0 {
			return readiness.Status{}, false
		}
		if status := s.carried(); status.Condition != "" && slices.ContainsFunc(sets, refusesPods) {
			status.State = readiness.Failed
			return status, true
		}
		if len(pods) == 0 {
			if status, is := e.refused(ctx, api, live, since); is {
				return status, true
			}
		}
		trouble := readiness.PodsTrouble(pods, nil, pulls, time.Now())
		pulls = trouble.Pulls
		s.told.seePods(trouble.Causes)
		if status, is := trouble.Status(live.GetKind()); is {
			return status, true
		}
	}
}

// justBefore is how long before the last change of a workload its controller may have met a refusal of its pods: the
// wait begins after the controller, and the times of events have no fractions.
const justBefore = 5 * time.Second

// refused returns the status of a workload without pods that has not changed for a time, if the API server has refused
// pods since. It costs a LIST.
func (e *Explanation) refused(
	ctx context.Context, api cluster.Interface, live *unstructured.Unstructured, unchanged time.Duration,
) (readiness.Status, bool) {
	events := e.list(ctx, api, cluster.ListQuery{
		APIVersion: "v1", Kind: "Event", Namespace: live.GetNamespace(),
		FieldSelector: "reason=FailedCreate,involvedObject.name=" + live.GetName(),
	}, nil)
	return readiness.Refused(live, events, time.Now().Add(-unchanged-justBefore))
}
