package planning_test

import (
	"testing"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
)

// The provider answers each read, and a plan whose arguments are those of the state, without the plugin framework. Each such answer of
// this story, and of all others, is compared with the framework's.
func TestAnswersAheadOfTheFramework(t *testing.T) {
	s := story.New(t)
	p := s.Protocol(story.Connected)
	const settings = `{apiVersion: v1, kind: ConfigMap, metadata: {name: settings, namespace: NS}, data: {mode: fast}}`
	p.Change(settings)
	expect := func(reads, plans int64) {
		t.Helper()
		if gotReads, gotPlans := p.Compared(); gotReads != reads || gotPlans != plans {
			t.Errorf("%d reads and %d plans were answered ahead of the framework, want %d and %d", gotReads, gotPlans, reads, plans)
		}
	}
	expect(0, 0)
	story.Must(t, p.Read())
	expect(1, 0)
	p.Plan(settings, p.State, p.Identity, p.Private)
	expect(1, 1)
	p.Plan(`{apiVersion: v1, kind: ConfigMap, metadata: {name: settings, namespace: NS}, data: {mode: slow}}`, p.State, p.Identity, p.Private)
	expect(1, 1)
	s.As("kubectl-edit").Patch("v1 ConfigMap settings", `{"data":{"mode":"slow"}}`)
	story.Must(t, p.Read())
	expect(2, 1)
	p.Plan(settings, p.State, p.Identity, p.Private)
	expect(2, 2)
}
