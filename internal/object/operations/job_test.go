package operations

import (
	"errors"
	"testing"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/clustertest"
)

// A Job whose create got no answer is looked for, and not started twice.
func TestStartJob(t *testing.T) {
	t.Parallel()
	entries := clustertest.Owning(clustertest.BothFields)
	entries[0].Manager = jobManager
	started := clustertest.Live("u", "1", entries)
	lost := &cluster.Error{
		Reason:         cluster.ReasonUnreachable,
		Object:         clustertest.ConfigMap,
		Message:        "the connection broke",
		OutcomeUnknown: true,
	}
	for name, tc := range map[string]struct {
		outcome cluster.Outcome
		failed  error
		found   *unstructured.Unstructured
		unseen  error
		// reason is that of the error. unclear is true if it is unknown whether the Job exists.
		reason  cluster.Reason
		unclear bool
	}{
		"it starts":          {outcome: cluster.Created},
		"the answer is lost": {failed: lost, found: started},
		"the search fails too": {
			failed: lost, unseen: clustertest.Failing(cluster.ReasonUnreachable), reason: cluster.ReasonUnreachable, unclear: true,
		},
		"another Job has its name":     {outcome: cluster.Updated, reason: cluster.ReasonConflict},
		"the server refuses to create": {failed: clustertest.Failing(cluster.ReasonForbidden), reason: cluster.ReasonForbidden},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			applies := 0
			api := clustertest.Stub{
				OnApply: func(opts cluster.ApplyOptions) (cluster.Applied, error) {
					applies++
					if !opts.New || opts.Force || opts.FieldManager != jobManager {
						t.Errorf("unexpected options %+v", opts)
					}
					return cluster.Applied{Object: started, Outcome: tc.outcome}, tc.failed
				},
				OnGet: func() (*unstructured.Unstructured, error) { return tc.found, tc.unseen },
			}
			live, err := StartJob(t.Context(), api, clustertest.ConfigMap, map[string]any{})
			var unclear *cluster.OutcomeUnknownError
			if cluster.ReasonOf(err) != tc.reason || errors.As(err, &unclear) != tc.unclear || applies != 1 {
				t.Errorf("%v after %d applies", err, applies)
			}
			if err == nil && live.GetUID() != "u" {
				t.Errorf("started %v", live)
			}
		})
	}
}

func TestJobName(t *testing.T) {
	t.Parallel()
	long := jobName("a-name-that-has-more-characters-than-fit-into-the-name-of-a-job-with-its-suffix")
	if short := jobName("nightly"); len(short) != len("nightly-")+jobSuffixLength || len(long) != longestJobName {
		t.Errorf("%q and %q", short, long)
	}
}
