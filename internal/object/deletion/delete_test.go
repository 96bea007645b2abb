package deletion

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/go-logr/logr/funcr"
	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/klog/v2"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/clustertest"
)

// script is a Cluster that answers one request after the other, and records them. What a server answers is
// not tested with it.
type script struct {
	cluster.Interface
	answers []answer
	sent    []string
}

type answer struct {
	to     string
	object *unstructured.Unstructured
	err    error
}

func (s *script) next(request string) (*unstructured.Unstructured, error) {
	s.sent = append(s.sent, request)
	if len(s.answers) == 0 || s.answers[0].to != strings.Fields(request)[0] {
		return nil, fmt.Errorf("unexpected %s", request)
	}
	first := s.answers[0]
	s.answers = s.answers[1:]
	return first.object, first.err
}

func (s *script) Get(_ context.Context, id manifest.Identity) (*unstructured.Unstructured, error) {
	return s.next("get " + id.APIVersion)
}

func (s *script) Delete(
	_ context.Context,
	id manifest.Identity,
	removal cluster.Removal,
) (*unstructured.Unstructured, error) {
	return s.next(fmt.Sprintf("delete %s %s %s", id.APIVersion, removal.UID, removal.Propagation))
}

func (s *script) AwaitDeletion(context.Context, *unstructured.Unstructured) error {
	_, err := s.next("await")
	return err
}

func (s *script) Patch(
	_ context.Context,
	id manifest.Identity,
	patch cluster.Patch,
) (*unstructured.Unstructured, error) {
	return s.next(
		fmt.Sprintf("finalize %s %s %s %q", id.APIVersion, patch.FieldManager, patch.ResourceVersion, patch.Edits[0].Value),
	)
}

// terminating returns the ConfigMap while it is being deleted.
func terminating(uid, resourceVersion string, finalizers ...string) *unstructured.Unstructured {
	object := clustertest.Live(uid, resourceVersion, nil)
	now := metav1.Now()
	object.SetDeletionTimestamp(&now)
	object.SetFinalizers(finalizers)
	return object
}

var (
	gone      = clustertest.Failing(cluster.ReasonNotFound)
	unserved  = &cluster.Error{Reason: cluster.ReasonKindNotServed, Object: clustertest.ConfigMap}
	elsewhere = &cluster.Error{
		Reason:  cluster.ReasonKindNotServed,
		Object:  clustertest.ConfigMap,
		Details: &cluster.KindNotServedError{ServedIn: []string{"v2", "v1beta1"}},
	}
)

func TestDelete(t *testing.T) {
	t.Parallel()
	const sent = "delete v1 u Orphan"
	for name, test := range map[string]struct {
		answers []answer
		want    Deletion
		reason  cluster.Reason
		sent    []string
	}{
		"removed at once":                   {[]answer{{"delete", nil, nil}}, Removed, "", []string{sent}},
		"its kind is gone":                  {[]answer{{"delete", nil, unserved}}, Removed, "", []string{sent}},
		"gone before, which a GET confirms": {[]answer{{"delete", nil, gone}, {"get", nil, gone}}, Removed, "", []string{sent, "get v1"}},
		"gone before, says the DELETE alone": {
			[]answer{{"delete", nil, gone}, {"get", clustertest.Live("u", "1", nil), nil}}, "", cluster.ReasonServer, []string{sent, "get v1"},
		},
		"gone before, and the GET fails": {
			[]answer{{"delete", nil, gone}, {"get", nil, clustertest.Failing(cluster.ReasonUnreachable)}}, "", cluster.ReasonUnreachable, []string{sent, "get v1"},
		},
		"another one has taken its name": {
			[]answer{{"delete", nil, clustertest.Failing(cluster.ReasonConflict)}, {"get", clustertest.Live("v", "1", nil), nil}}, Superseded, "", []string{sent, "get v1"},
		},
		"held": {
			[]answer{{"delete", terminating("u", "1", "a"), nil}, {"await", nil, clustertest.Failing(cluster.ReasonDeletionBlocked)}}, Removed, cluster.ReasonDeletionBlocked, []string{sent, "await"},
		},
		"served in another version": {
			[]answer{{"delete", nil, elsewhere}, {"delete", nil, nil}}, Removed, "", []string{sent, "delete v2 u Orphan"},
		},
		"the server is out of order":       {[]answer{{"delete", nil, clustertest.Failing(cluster.ReasonServer)}}, Removed, cluster.ReasonServer, []string{sent}},
		"the credentials are not accepted": {[]answer{{"delete", nil, clustertest.Failing(cluster.ReasonUnauthorized)}}, Removed, cluster.ReasonUnauthorized, []string{sent}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			api := &script{answers: test.answers}
			got, err := Delete(t.Context(), api, clustertest.ConfigMap, cluster.Removal{UID: "u", Propagation: cluster.Orphan})
			if cluster.ReasonOf(err) != test.reason || (err != nil) != (test.reason != "") || err == nil && got != test.want {
				t.Errorf("got %s, %v; want %s, %s", got, err, test.want, test.reason)
			}
			if diff := cmp.Diff(test.sent, api.sent); diff != "" {
				t.Errorf("requests (-want +got):\n%s", diff)
			}
		})
	}
}

// slow removes an object after 25 seconds.
type slow struct{ script }

func (slow) AwaitDeletion(context.Context, *unstructured.Unstructured) error {
	time.Sleep(25 * time.Second)
	return nil
}

// The log shows every ten seconds that a deletion waits, until it has ended.
func TestDeletionIsLogged(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var logged []string
		log := funcr.New(func(_, line string) { logged = append(logged, line) }, funcr.Options{})
		api := &slow{script{answers: []answer{{"delete", terminating("u", "1", "a"), nil}}}}
		_, err := Delete(klog.NewContext(t.Context(), log), api, clustertest.ConfigMap, cluster.Removal{UID: "u"})
		time.Sleep(time.Minute)
		want := []string{"Waiting for the deletion of ConfigMap shop/web (v1) 10s", "Waiting for the deletion of ConfigMap shop/web (v1) 20s"}
		for i := range logged {
			logged[i] = strings.Trim(strings.TrimPrefix(logged[i], `"level"=0 "msg"=`), `"`)
		}
		if diff := cmp.Diff(want, logged); err != nil || diff != "" {
			t.Errorf("%v; the log (-want +got):\n%s", err, diff)
		}
	})
}

func TestRemoveFinalizers(t *testing.T) {
	t.Parallel()
	const finalize = `finalize v1 k8sconnect 7 []`
	held := clustertest.Failing(cluster.ReasonDeletionBlocked)
	for name, test := range map[string]struct {
		answers []answer
		want    Forced
		reason  cluster.Reason
		// sent is nil if the test does not compare what is sent.
		sent []string
	}{
		"the object goes": {
			answers: []answer{{"get", terminating("u", "7", "a", "b"), nil}, {"finalize", nil, nil}, {"get", nil, gone}},
			want:    Forced{Removed, []string{"a", "b"}}, sent: []string{"get v1", finalize, "get v1"},
		},
		"others write in between": {
			answers: []answer{
				{"get", terminating("u", "6", "a", "b"), nil}, {"finalize", nil, clustertest.Failing(cluster.ReasonConflict)},
				{"get", terminating("u", "7", "b"), nil}, {"finalize", nil, nil}, {"get", nil, gone},
			},
			want: Forced{Removed, []string{"b"}}, sent: []string{"get v1", `finalize v1 k8sconnect 6 []`, "get v1", finalize, "get v1"},
		},
		"the object goes by itself in between": {
			answers: []answer{{"get", terminating("u", "7", "a"), nil}, {"finalize", nil, gone}, {"get", nil, gone}},
			want:    Forced{Deletion: Removed},
		},
		"it has a grace period too": {
			answers: []answer{{"get", terminating("u", "7", "a"), nil}, {"finalize", nil, nil}, {"get", terminating("u", "8"), nil}, {"await", nil, nil}},
			want:    Forced{Removed, []string{"a"}},
		},
		"its grace period does not end": {
			answers: []answer{{"get", terminating("u", "7", "a"), nil}, {"finalize", nil, nil}, {"get", terminating("u", "8"), nil}, {"await", nil, held}},
			want:    Forced{Removed, []string{"a"}}, reason: cluster.ReasonDeletionBlocked,
		},
		"what is to be orphaned waits for the server": {
			answers: []answer{{"get", terminating("u", "7", "orphan", "a"), nil}, {"finalize", nil, nil}, {"get", terminating("u", "8", "orphan"), nil}, {"await", nil, nil}},
			want:    Forced{Removed, []string{"a"}}, sent: []string{"get v1", `finalize v1 k8sconnect 7 ["orphan"]`, "get v1", "await"},
		},
		"only the server's own finalizers are left": {
			answers: []answer{{"get", terminating("u", "7", "orphan", "customresourcecleanup.apiextensions.k8s.io"), nil}},
			reason:  cluster.ReasonDeletionBlocked,
		},
		"it is not being deleted": {answers: []answer{{"get", clustertest.Live("u", "7", nil), nil}}, reason: cluster.ReasonDeletionBlocked},
		"it was created again":    {answers: []answer{{"get", terminating("v", "7", "a"), nil}}, want: Forced{Deletion: Superseded}},
		"it is gone":              {answers: []answer{{"get", nil, gone}}, want: Forced{Deletion: Removed}},
		"it cannot be read":       {answers: []answer{{"get", nil, clustertest.Failing(cluster.ReasonForbidden)}}, reason: cluster.ReasonForbidden},
		"it may not be patched":   {answers: []answer{{"get", terminating("u", "7", "a"), nil}, {"finalize", nil, clustertest.Failing(cluster.ReasonForbidden)}}, reason: cluster.ReasonForbidden},
		"served in another version": {
			answers: []answer{{"get", nil, elsewhere}, {"get", terminating("u", "7", "a"), nil}, {"finalize", nil, nil}, {"get", nil, gone}},
			want:    Forced{Removed, []string{"a"}},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			api := &script{answers: slices.Clone(test.answers)}
			got, err := RemoveFinalizers(
				t.Context(),
				api,
				Blocked{Object: clustertest.ConfigMap, UID: "u", FieldManager: "k8sconnect", Failure: held},
			)
			if cluster.ReasonOf(err) != test.reason || (err != nil) != (test.reason != "") {
				t.Errorf("got %v, want %q", err, test.reason)
			}
			if err == nil || len(test.want.Removed) > 0 {
				if diff := cmp.Diff(test.want.Removed, got.Removed); diff != "" ||
					err == nil && got.Deletion != test.want.Deletion {
					t.Errorf("got %v, want %v", got, test.want)
				}
			}
			if diff := cmp.Diff(test.sent, api.sent); test.sent != nil && diff != "" || len(api.answers) > 0 {
				t.Errorf("requests (-want +got):\n%s\nnot asked for: %v", diff, api.answers)
			}
		})
	}
}

// A writer who never rests cannot hold the operation longer than its time.
func TestRemoveFinalizersEnds(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	api := &script{
		answers: []answer{
			{"get", terminating("u", "7", "a"), nil},
			{"finalize", nil, clustertest.Failing(cluster.ReasonConflict)},
		},
	}
	_, err := RemoveFinalizers(
		ctx,
		api,
		Blocked{
			Object:       clustertest.ConfigMap,
			UID:          "u",
			FieldManager: "k8sconnect",
			Failure:      clustertest.Failing(cluster.ReasonDeletionBlocked),
		},
	)
	if cluster.ReasonOf(err) != cluster.ReasonTimeout || !errors.Is(err, context.Canceled) ||
		!strings.Contains(err.Error(), "others kept changing") {
		t.Errorf("got %v", err)
	}
}
