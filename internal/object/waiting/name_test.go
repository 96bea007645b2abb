package waiting

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/readiness"
)

const absent = "absent"

// nameStub plays what a GET finds, and then versions of whatever object has the name.
type nameStub struct {
	stub
	// unserved is how often the kind is asked for before it is served. builtin says that nobody can add it.
	unserved int
	builtin  bool
	now      string
	// back is what a GET finds after the kind was not served during the first watch; "" if it was.
	back string
}

func (s *nameStub) Scope(context.Context, string, string) (cluster.Scope, error) {
	if s.unserved > 0 {
		s.unserved--
		s.asked = append(s.asked, "discovery")
		return "", &cluster.Error{
			Reason:  cluster.ReasonKindNotServed,
			Details: &cluster.KindNotServedError{BuiltinGroup: s.builtin},
		}
	}
	return cluster.ScopeNamespaced, nil
}

func (s *nameStub) Get(context.Context, manifest.Identity) (*unstructured.Unstructured, error) {
	s.asked = append(s.asked, "get")
	if s.now == absent {
		return nil, &cluster.Error{Reason: cluster.ReasonNotFound, Object: configMap}
	}
	return saying(s.now), nil
}

func (s *nameStub) FollowName(
	_ context.Context,
	_ manifest.Identity,
	_ *unstructured.Unstructured,
	visit func(*unstructured.Unstructured) bool,
) (cluster.Followed, error) {
	s.asked = append(s.asked, "watch")
	if s.back != "" {
		s.now, s.back = s.back, ""
		return cluster.Followed{}, &cluster.Error{Reason: cluster.ReasonKindNotServed}
	}
	for _, state := range s.versions {
		var live *unstructured.Unstructured
		if state != absent {
			live = saying(state)
		}
		if visit(live) {
			return cluster.Followed{}, nil
		}
	}
	return cluster.Followed{}, s.err
}

func TestAwaitName(t *testing.T) {
	t.Parallel()
	const inProgress, ready, failed = string(readiness.InProgress), string(readiness.Ready), string(readiness.Failed)
	timeout := &cluster.Error{Reason: cluster.ReasonTimeout, Object: configMap}
	refused := &cluster.Error{Reason: cluster.ReasonForbidden, Object: configMap}
	type end struct {
		Asked            []string
		State            readiness.State
		Missing, Deleted bool
		Reason           cluster.Reason
	}
	for name, test := range map[string]struct {
		api  nameStub
		want end
	}{
		"ready at once":         {nameStub{now: ready}, end{Asked: []string{"get"}}},
		"created later":         {nameStub{now: absent, stub: stub{versions: []string{inProgress, ready}}}, end{Asked: []string{"get", "watch"}}},
		"created again":         {nameStub{now: inProgress, stub: stub{versions: []string{absent, ready}}}, end{Asked: []string{"get", "watch"}}},
		"the kind comes later":  {nameStub{unserved: 2, now: ready}, end{Asked: []string{"discovery", "discovery", "get"}}},
		"failed":                {nameStub{now: absent, stub: stub{versions: []string{failed}}}, end{Asked: []string{"get", "watch", "list Event"}, State: readiness.Failed}},
		"failed before":         {nameStub{now: failed, stub: stub{err: timeout}}, end{Asked: []string{"get", "watch", "list Event"}, State: readiness.Failed}},
		"mended":                {nameStub{now: failed, stub: stub{versions: []string{failed, ready}}}, end{Asked: []string{"get", "watch"}}},
		"carried over":          {nameStub{now: unobserved, stub: stub{versions: []string{failed, ready}}}, end{Asked: []string{"get", "watch"}}},
		"changed later":         {nameStub{now: failed, stub: stub{versions: []string{unobserved, failed, ready}}}, end{Asked: []string{"get", "watch", "watch"}}},
		"the kind comes back":   {nameStub{now: inProgress, back: failed, stub: stub{versions: []string{failed, ready}}}, end{Asked: []string{"get", "watch", "get", "watch"}}},
		"never created":         {nameStub{now: absent, stub: stub{err: timeout}}, end{Asked: []string{"get", "watch"}, State: readiness.InProgress, Missing: true}},
		"deleted":               {nameStub{now: inProgress, stub: stub{versions: []string{absent}, err: timeout}}, end{Asked: []string{"get", "watch"}, State: readiness.InProgress, Missing: true, Deleted: true}},
		"never ready":           {nameStub{now: inProgress, stub: stub{err: timeout}}, end{Asked: []string{"get", "watch", "list Event"}, State: readiness.InProgress}},
		"the GET is refused":    {nameStub{now: absent, stub: stub{err: refused}}, end{Asked: []string{"get", "watch"}, Reason: cluster.ReasonForbidden}},
		"the kind cannot exist": {nameStub{unserved: 1, builtin: true}, end{Asked: []string{"discovery"}, Reason: cluster.ReasonKindNotServed}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := AwaitName(t.Context(), &test.api, configMap, Goal{Judge: judge}, Limit)
			got := end{Asked: test.api.asked, Reason: cluster.ReasonOf(err)}
			if notReady, is := errors.AsType[*NotReadyError](err); is {
				got.State, got.Missing, got.Deleted = notReady.Status.State, notReady.Missing != nil, notReady.Deleted
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("the end (-want +got):\n%s", diff)
			}
		})
	}
}

// The wait for a kind that is never served ends with its time, and the error says so.
func TestAwaitNameOfAKindThatNeverComes(t *testing.T) {
	t.Parallel()
	api := &nameStub{unserved: 1000}
	_, err := AwaitName(
		t.Context(),
		api,
		configMap,
		Goal{},
		func(*unstructured.Unstructured) time.Duration { return time.Second },
	)
	notReady, is := errors.AsType[*NotReadyError](err)
	if !is || cluster.ReasonOf(notReady.Missing) != cluster.ReasonKindNotServed {
		t.Errorf("the error is %v", err)
	}
	if len(api.asked) > 5 {
		t.Errorf("discovery was asked %d times in a second", len(api.asked))
	}
}

// Without a judge, an object that exists is enough.
func TestAwaitNameUntilItExists(t *testing.T) {
	t.Parallel()
	end, err := AwaitName(t.Context(), &nameStub{now: string(readiness.Failed)}, configMap, Goal{}, Limit)
	if err != nil || end.Live == nil {
		t.Errorf("the end is %v, %v", end, err)
	}
}

// namesInUse is a definition whose names another one has, for a time or for ever.
type namesInUse struct {
	nameStub
	freed time.Duration
}

func (n *namesInUse) live() *unstructured.Unstructured {
	return &unstructured.Unstructured{Object: map[string]any{"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition"}}
}

func (*namesInUse) Scope(context.Context, string, string) (cluster.Scope, error) {
	return cluster.ScopeCluster, nil
}

func (n *namesInUse) Get(context.Context, manifest.Identity) (*unstructured.Unstructured, error) {
	return n.live(), nil
}

func (n *namesInUse) FollowName(
	ctx context.Context, _ manifest.Identity, _ *unstructured.Unstructured, visit func(*unstructured.Unstructured) bool,
) (cluster.Followed, error) {
	if visit(n.live()) {
		return cluster.Followed{}, nil
	}
	if n.freed > 0 && cluster.Pause(ctx, n.freed) {
		n.freed = -1
		visit(n.live())
		return cluster.Followed{}, nil
	}
	<-ctx.Done()
	return cluster.Followed{}, &cluster.Error{Reason: cluster.ReasonTimeout, Cause: ctx.Err()}
}

// The wait for a definition whose names are in use gives up after the time that a failed object gets, and not before.
func TestAwaitNameOfADefinitionWithoutItsNames(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct{ freed, want time.Duration }{
		"for ever": {0, stalledAfter}, "for a time": {stalledAfter / 2, stalledAfter / 2},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				api, began := &namesInUse{freed: test.freed}, time.Now()
				judge := func(*unstructured.Unstructured, bool) readiness.Status {
					if api.freed < 0 {
						return readiness.Status{State: readiness.Ready}
					}
					return readiness.Status{State: readiness.InProgress, Condition: "NamesAccepted"}
				}
				id := manifest.Identity{APIVersion: "apiextensions.k8s.io/v1", Kind: "CustomResourceDefinition", Name: "berths.example.com"}
				_, err := AwaitName(t.Context(), api, id, Goal{Judge: judge}, Limit)
				notReady, is := errors.AsType[*NotReadyError](err)
				if is != (test.freed == 0) || is && notReady.Status.State != readiness.Failed || time.Since(began) != test.want {
					t.Errorf("%v after %s", err, time.Since(began))
				}
			})
		})
	}
}
