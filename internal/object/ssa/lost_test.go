package ssa

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/prediction"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/run"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/clustertest"
)

func lost() *cluster.Error {
	return &cluster.Error{Reason: cluster.ReasonUnreachable, Object: clustertest.ConfigMap, Message: "the connection broke", OutcomeUnknown: true}
}

// If the answer to a create is lost, the provider looks for the object: it finds it, tries again, or does not
// know, and never forgets it.
func TestCreateObjectWithLostAnswers(t *testing.T) {
	t.Parallel()
	ours := clustertest.Live("u", "1", clustertest.Owning(clustertest.BothFields))
	theirs := clustertest.Live("u", "1", []metav1.ManagedFieldsEntry{clustertest.Updating("kubectl-create", clustertest.BothFields)})
	type applied struct {
		outcome cluster.Outcome
		err     error
	}
	for name, tc := range map[string]struct {
		applies []applied // the last one is repeated
		found   *unstructured.Unstructured
		unseen  error
		uid     string
		tries   int
		unclear bool
		reason  cluster.Reason
		exists  bool
	}{
		"it was created":                        {applies: []applied{{err: lost()}}, found: ours, uid: "u", tries: 1},
		"it was not created, and is then":       {applies: []applied{{err: lost()}, {outcome: cluster.Created}}, uid: "u", tries: 2},
		"another was there first":               {applies: []applied{{err: lost()}, {err: clustertest.Failing(cluster.ReasonConflict)}}, found: theirs, tries: 2, exists: true},
		"another, with equal values":            {applies: []applied{{err: lost()}, {outcome: cluster.Updated}}, found: theirs, tries: 2, exists: true},
		"another conflict":                      {applies: []applied{{err: clustertest.Failing(cluster.ReasonConflict)}}, tries: 1, reason: cluster.ReasonConflict},
		"another has the name, and our manager": {applies: []applied{{err: clustertest.Failing(cluster.ReasonConflict)}}, found: ours, tries: 1, exists: true},
		"its namespace went":                    {applies: []applied{{err: lost()}, {err: clustertest.Failing(cluster.ReasonForbidden)}}, unseen: clustertest.Failing(cluster.ReasonNamespaceNotFound), tries: 2, reason: cluster.ReasonForbidden},
		"nobody can tell":                       {applies: []applied{{err: lost()}}, unseen: clustertest.Failing(cluster.ReasonUnreachable), tries: 1, unclear: true, reason: cluster.ReasonUnreachable},
		"it is never created":                   {applies: []applied{{err: lost()}}, tries: 8, reason: cluster.ReasonUnreachable},
		"the server refuses":                    {applies: []applied{{err: clustertest.Failing(cluster.ReasonInvalid)}}, tries: 1, reason: cluster.ReasonInvalid},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				tries := 0
				api := clustertest.Stub{
					OnApply: func(opts cluster.ApplyOptions) (cluster.Applied, error) {
						if !opts.New || opts.DryRun {
							t.Errorf("unexpected options %+v", opts)
						}
						next := tc.applies[min(tries, len(tc.applies)-1)]
						tries++
						return cluster.Applied{Object: ours, Outcome: next.outcome}, next.err
					},
					OnGet: func() (*unstructured.Unstructured, error) {
						switch {
						case tc.unseen != nil:
							return nil, tc.unseen
						case tc.found == nil:
							return nil, clustertest.Failing(cluster.ReasonNotFound)
						default:
							return tc.found, nil
						}
					},
				}
				observed, result, err := CreateObject(t.Context(), api, intending(t), Plan{Object: clustertest.ConfigMap, State: &prediction.PlannedState{}}, &run.Run{})
				var unclear *cluster.OutcomeUnknownError
				if observed.UID != tc.uid || cluster.ReasonOf(err) != tc.reason || errors.As(err, &unclear) != tc.unclear || tries != tc.tries {
					t.Errorf("uid %q, %v after %d tries", observed.UID, err, tries)
				}
				if _, exists := errors.AsType[*run.AlreadyExistsError](err); exists != tc.exists || len(result.Warnings) > 0 {
					t.Errorf("%v, incidents %q", err, result.Warnings)
				}
			})
		})
	}
}

// The request whose answer was lost may reach the server after the provider has looked for the object: the conflict of the next one is
// then with our own object.
func TestCreateObjectAfterALateCreate(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		tries := 0
		api := clustertest.Stub{
			OnApply: func(cluster.ApplyOptions) (cluster.Applied, error) {
				if tries++; tries == 1 {
					return cluster.Applied{}, lost()
				}
				return cluster.Applied{}, clustertest.Failing(cluster.ReasonConflict)
			},
			OnGet: func() (*unstructured.Unstructured, error) {
				if tries == 1 {
					return nil, clustertest.Failing(cluster.ReasonNotFound)
				}
				return clustertest.Live("u", "1", clustertest.Owning(clustertest.BothFields)), nil
			},
		}
		observed, _, err := CreateObject(t.Context(), api, intending(t), Plan{Object: clustertest.ConfigMap, State: &prediction.PlannedState{}}, &run.Run{})
		if err != nil || observed.UID != "u" || tries != 2 {
			t.Errorf("uid %q, %v after %d tries", observed.UID, err, tries)
		}
	})
}

// A create that had to wait for its namespace first is as much in doubt as any other.
func TestCreateObjectInDoubtAfterAWait(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		tries := 0
		api := clustertest.Stub{
			OnApply: func(cluster.ApplyOptions) (cluster.Applied, error) {
				if tries++; tries == 1 {
					return cluster.Applied{}, clustertest.Failing(cluster.ReasonNamespaceNotFound)
				}
				time.Sleep(time.Second)
				return cluster.Applied{}, &cluster.Error{Reason: cluster.ReasonTimeout, Object: clustertest.ConfigMap, OutcomeUnknown: true}
			},
			OnGet: func() (*unstructured.Unstructured, error) { return nil, clustertest.Failing(cluster.ReasonUnreachable) },
		}
		_, _, err := CreateObject(ctx, api, intending(t), Plan{Object: clustertest.ConfigMap, State: &prediction.PlannedState{}}, &run.Run{})
		var unclear *cluster.OutcomeUnknownError
		if !errors.As(err, &unclear) {
			t.Errorf("after %d tries: %v", tries, err)
		}
	})
}
