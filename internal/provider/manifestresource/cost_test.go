package manifestresource_test

import (
	"slices"
	"strings"

	"github.com/google/go-cmp/cmp"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/testcluster"
)

// cost runs a command and returns its requests, those of discovery apart, without the namespace's name.
func (w *workspace) cost(args ...string) (objects, discovery []string) {
	w.t.Helper()
	mark := controlPlane().AuditLog().Mark()
	w.do(args...)
	all, err := controlPlane().AuditLog().Since(mark)
	must(w.t, err)
	objects, discovery = []string{}, []string{}
	for _, request := range testcluster.Matching(all, testcluster.ByUser(w.user)) {
		line := strings.ReplaceAll(request.String(), w.namespace, "NS")
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

// expectCost runs a command and asserts its requests for objects, and one discovery.
func (w *workspace) expectCost(what string, want []string, args ...string) {
	w.t.Helper()
	objects, discovery := w.cost(args...)
	slices.Sort(want)
	if diff := cmp.Diff(want, objects); diff != "" {
		w.t.Errorf("%s: requests (-want +got):\n%s", what, diff)
	}
	if diff := cmp.Diff(discovered, discovery); diff != "" {
		w.t.Errorf("%s: discovery (-want +got):\n%s", what, diff)
	}
}
