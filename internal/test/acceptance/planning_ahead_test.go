package acceptance_test

import (
	"testing"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
)

// The provider answers each read, and the plans of most configurations, without the plugin framework. Each such answer of this story, and
// of all others, is compared with the framework's.
func TestAnswersAheadOfTheFramework(t *testing.T) {
	s := story.New(t)
	p := s.Protocol(story.Connected)
	const settings = `{apiVersion: v1, kind: ConfigMap, metadata: {name: settings, namespace: NS}, data: {mode: fast}}`
	expect := func(reads, plans int64) {
		t.Helper()
		if gotReads, gotPlans := p.Compared(); gotReads != reads || gotPlans != plans {
			t.Errorf("%d reads and %d plans were answered ahead of the framework, want %d and %d", gotReads, gotPlans, reads, plans)
		}
	}
	p.Change(settings)
	expect(0, 1)
	story.Must(t, p.Read())
	expect(1, 1)
	p.Plan(settings, p.State, p.Identity, p.Private)
	expect(1, 2)
	p.Plan(`{apiVersion: v1, kind: ConfigMap, metadata: {name: settings, namespace: NS}, data: {mode: slow}}`, p.State, p.Identity, p.Private)
	expect(1, 3)
	s.As("kubectl-edit").Patch("v1 ConfigMap settings", `{"data":{"mode":"slow"}}`)
	story.Must(t, p.Read())
	expect(2, 3)
	p.Plan(settings, p.State, p.Identity, p.Private)
	expect(2, 4)
	p.Plan("", p.State, p.Identity, p.Private)
	expect(2, 5)
}
