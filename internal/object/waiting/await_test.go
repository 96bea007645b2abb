package waiting

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/readiness"
)

var configMap = manifest.Identity{APIVersion: "v1", Kind: "ConfigMap", Namespace: "shop", Name: "web"}

// stub plays versions of an object, and then an error.
type stub struct {
	cluster.Interface
	versions []string
	err      error
	asked    []string
}

func (s *stub) Kind(context.Context, string, string) (cluster.Kind, error) {
	return cluster.Kind{}, nil
}

func (s *stub) Follow(
	_ context.Context,
	_ *unstructured.Unstructured,
	visit func(*unstructured.Unstructured) bool,
) (cluster.Followed, error) {
	s.asked = append(s.asked, "watch")
	for _, state := range s.versions {
		if visit(saying(state)) {
			return cluster.Followed{}, nil
		}
	}
	return cluster.Followed{}, s.err
}

func (s *stub) List(_ context.Context, query cluster.ListQuery) (cluster.Page, error) {
	s.asked = append(s.asked, "list "+query.Kind)
	return cluster.Page{}, errors.New("forbidden")
}

func saying(state string) *unstructured.Unstructured {
	return &unstructured.Unstructured{
		Object: map[string]any{
			"kind":     "ConfigMap",
			"metadata": map[string]any{"name": "web", "namespace": "shop"},
			"state":    state,
			"status":   map[string]any{"conditions": []any{map[string]any{"type": "Stalled", "lastTransitionTime": "2026-01-01T00:00:00Z"}}},
		},
	}
}

// unobserved is the state of an object whose controller has not seen its latest change.
const unobserved = readiness.NotObserved

// judge finds what an object says. Its condition, which stays, is what reports a failure.
func judge(object *unstructured.Unstructured, _ bool) readiness.Status {
	state, final := strings.CutPrefix(object.Object["state"].(string), "Finally")
	status := readiness.Status{State: readiness.State(state), Message: "It says so.", Final: final}
	switch {
	case state == unobserved:
		status.State, status.Reason = readiness.InProgress, unobserved
	case status.State == readiness.Failed:
		status.Condition = readiness.Conditions(object)[0]
	}
	return status
}

func TestAwait(t *testing.T) {
	t.Parallel()
	const inProgress, ready, failed = string(readiness.InProgress), string(readiness.Ready), string(readiness.Failed)
	timeout := &cluster.Error{Reason: cluster.ReasonTimeout, Object: configMap}
	gone := &cluster.Error{Reason: cluster.ReasonNotFound, Object: configMap}
	throttled := &cluster.Error{Reason: cluster.ReasonTimeout, Object: configMap, Details: &cluster.ThrottledError{QPS: 1}}
	for name, test := range map[string]struct {
		now      string
		versions []string
		err      error
		asked    []string
		state    readiness.State
		fails    error
	}{
		"ready at once":       {now: ready},
		"ready later":         {now: inProgress, versions: []string{inProgress, ready}, asked: []string{"watch"}},
		"failed for good":     {now: "Finally" + failed, asked: []string{"list Event"}, state: readiness.Failed},
		"failed before":       {now: failed, err: timeout, asked: []string{"watch", "list Event"}, state: readiness.Failed},
		"mended":              {now: failed, versions: []string{failed, ready}, asked: []string{"watch"}},
		"mended later":        {now: failed, versions: []string{inProgress, ready}, asked: []string{"watch", "watch"}},
		"carried over":        {now: unobserved, versions: []string{failed, ready}, asked: []string{"watch"}},
		"changed later":       {now: failed, versions: []string{unobserved, failed, ready}, asked: []string{"watch", "watch"}},
		"gone, having failed": {now: failed, err: gone, asked: []string{"watch"}, fails: gone},
		"failed later":        {now: inProgress, versions: []string{failed}, asked: []string{"watch", "list Event"}, state: readiness.Failed},
		"the time is over":    {now: inProgress, err: timeout, asked: []string{"watch", "list Event"}, state: readiness.InProgress},
		"not sent":            {now: inProgress, err: throttled, asked: []string{"watch"}, fails: throttled},
		"the object is gone":  {now: inProgress, err: gone, asked: []string{"watch"}, fails: gone},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			api := &stub{versions: test.versions, err: test.err}
			_, err := Await(t.Context(), api, configMap, saying(test.now), Goal{Judge: judge})
			if diff := cmp.Diff(test.asked, api.asked); diff != "" {
				t.Errorf("requests (-want +got):\n%s", diff)
			}
			var notReady *NotReadyError
			switch {
			case test.state != "":
				if !errors.As(err, &notReady) || notReady.Status.State != test.state || len(notReady.Hidden) != 1 {
					t.Errorf("the error is %v", err)
				}
			case !errors.Is(err, test.fails):
				t.Errorf("the error is %v, want %v", err, test.fails)
			}
		})
	}
}

// A user who interrupts an apply does not wait for an explanation.
func TestInterruptedWaitIsNotExplained(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	api := &stub{}
	if e := explain(ctx, api, saying(""), 10); len(api.asked)+len(e.Hidden) > 0 {
		t.Errorf("asked %q", api.asked)
	}
}

func TestLimit(t *testing.T) {
	t.Parallel()
	deployment := &unstructured.Unstructured{
		Object: map[string]any{"kind": "Deployment", "spec": map[string]any{"progressDeadlineSeconds": int64(30)}},
	}
	if got := Limit(deployment); got != 90*time.Second {
		t.Errorf("a Deployment has %s", got)
	}
	if got := Limit(saying("")); got != 10*time.Minute {
		t.Errorf("a ConfigMap has %s", got)
	}
}

func TestSelectorOf(t *testing.T) {
	t.Parallel()
	for want, selector := range map[string]any{
		"":                      nil,
		"app=web,tier in (a,b)": map[string]any{"matchLabels": map[string]any{"app": "web"}, "matchExpressions": []any{map[string]any{"key": "tier", "operator": "In", "values": []any{"a", "b"}}}},
		"app=web":               map[string]any{"matchLabels": map[string]any{"app": "web"}},
	} {
		live := saying("")
		if selector != nil {
			live.Object["spec"] = map[string]any{"selector": selector}
		}
		if got := selectorOf(live); got != want {
			t.Errorf("the selector is %q, want %q", got, want)
		}
	}
	service := saying("")
	service.Object["spec"] = map[string]any{"selector": map[string]any{"app": "web"}}
	if got := selectorOf(service); got != "" {
		t.Errorf("a Service has the selector %q", got)
	}
}
