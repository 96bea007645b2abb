package story

import (
	"slices"
	"strings"

	"github.com/google/go-cmp/cmp"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/testcluster"
)

// Cost runs a command and returns its requests, without the namespace's name. Discovery requests are separate, and the
// requests that identify clusters are left out.
func (w *Workspace) Cost(args ...string) (objects, discovery []string) {
	w.T.Helper()
	return w.CostOf(func() { w.Do(args...) })
}

// CostOf does what [Workspace.Cost] does, for any function.
func (w *Workspace) CostOf(run func()) (objects, discovery []string) {
	w.T.Helper()
	w.AwaitRollouts()
	log := AuditLog(w.T)
	mark := log.Mark()
	run()
	sent, err := log.Since(mark, testcluster.ByUser(w.user))
	Must(w.T, err)
	objects, discovery = []string{}, []string{}
	for _, request := range sent {
		if isRecognition(request) {
			continue
		}
		line := strings.ReplaceAll(request.String(), w.Namespace, "NS")
		if request.Resource == "" {
			discovery = append(discovery, line)
			continue
		}
		objects = append(objects, line)
	}
	slices.Sort(objects)
	slices.Sort(discovery)
	return objects, discovery
}

// discovered is the aggregated discovery of one provider process.
var discovered = []string{"get /api 200", "get /apis 200"}

// ExpectCost runs a command and asserts its requests for objects, and one discovery.
func (w *Workspace) ExpectCost(what string, want []string, args ...string) {
	w.T.Helper()
	w.ExpectCostOf(what, want, func() { w.Do(args...) })
}

// ExpectCostOf does what [Workspace.ExpectCost] does, for any function.
func (w *Workspace) ExpectCostOf(what string, want []string, run func()) {
	w.T.Helper()
	objects, discovery := w.CostOf(run)
	slices.Sort(want)
	if diff := cmp.Diff(want, objects); diff != "" {
		w.T.Errorf("%s: requests (-want +got):\n%s", what, diff)
	}
	if diff := cmp.Diff(discovered, discovery); diff != "" {
		w.T.Errorf("%s: discovery (-want +got):\n%s", what, diff)
	}
}
