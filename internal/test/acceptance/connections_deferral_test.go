package acceptance_test

import (
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
)

// The provider asks a CLI that can defer a change to do so if the cluster is not known yet, or if the kind of the object is missing. Any
// other CLI gets a plan with unknown values, and so does the plan that an apply makes: only the first plan imports, and reads.
func TestDeferral(t *testing.T) {
	s := story.New(t)
	const missing = "apiVersion: deferral.example.com/v1\nkind: Later\nmetadata: {name: web, namespace: NS}\n"
	for name, tc := range map[string]struct {
		to   story.Connection
		body string
		want tfprotov6.DeferredReason
	}{
		"an unknown cluster": {story.Unconnected, story.ConfigMap, tfprotov6.DeferredReasonProviderConfigUnknown},
		"a missing kind":     {story.Connected, missing, tfprotov6.DeferredReasonAbsentPrereq},
		"nothing is missing": {story.Connected, story.ConfigMap, tfprotov6.DeferredReasonUnknown},
	} {
		t.Run(name, func(t *testing.T) {
			for _, plan := range []struct{ defers, isFirst bool }{{true, true}, {true, false}, {false, true}} {
				p := s.Protocol(tc.to)
				p.Defers = plan.defers
				prior := p.State
				if plan.isFirst {
					story.Must(t, p.ImportBy(story.ConfigMapID, nil))
				}
				planned := p.Plan(tc.body, prior, nil, nil)
				got := tfprotov6.DeferredReasonUnknown
				if planned.Deferred != nil {
					got = planned.Deferred.Reason
				}
				want := tfprotov6.DeferredReasonUnknown
				if plan.defers && plan.isFirst {
					want = tc.want
				}
				if got != want {
					t.Errorf("%+v: the CLI is told %s, want %s", plan, got, want)
				}
			}
		})
	}
}
