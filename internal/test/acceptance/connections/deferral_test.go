package connections_test

import (
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
)

// A CLI that can leave a change to a later run is asked to, if the cluster is not known yet, or the kind of the object is missing. Any other
// CLI gets a plan with unknown values.
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
			for _, defers := range []bool{true, false} {
				p := s.Protocol(tc.to)
				p.Defers = defers
				planned := p.Plan(tc.body, p.State, nil, nil)
				got := tfprotov6.DeferredReasonUnknown
				if planned.Deferred != nil {
					got = planned.Deferred.Reason
				}
				if want := tc.want; defers && got != want || !defers && planned.Deferred != nil {
					t.Errorf("a CLI that defers (%t) is told %s, want %s", defers, got, want)
				}
			}
		})
	}
}
