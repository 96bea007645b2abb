package acceptance_test

import (
	"testing"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/kubernetesstub"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
)

// A move costs what a change of the owner costs; where the manifest comes from the object, the read adds the dry-runs of an import.
func TestMovedObjectRequests(t *testing.T) {
	const get, dryRun, patch = "get configmaps NS/settings 200", "patch configmaps NS/settings dry-run 200", "patch configmaps NS/settings 200"
	const getWeb, dryWeb, patchWeb, variant = "get deployments NS/web 200", "patch deployments NS/web dry-run 200", "patch deployments NS/web 200", "patch deployments NS/web-dry-run dry-run "
	s := story.New(t)
	w := s.HostedWorkspace()
	stub, err := kubernetesstub.Serve(t, kubernetesstub.Kubernetes)
	story.Must(t, err)
	w.Env = append(w.Env, stub)
	o := origins()["kubernetes_manifest"]
	objects := map[string]string{"settings": bothEntries}
	o.apply(s, bothEntries)
	o.configure(w, o.resource("settings", bothEntries))
	w.Do("apply", "-auto-approve")
	o.configure(w, o.here(objects))
	w.ExpectCost("plan of a move", []string{get, dryRun}, "plan", "-out=plan")
	w.ExpectCost("move", []string{dryRun, get, patch, patch}, "apply", "plan")
	w.ExpectCost("plan after a move", []string{get}, "plan", "-detailed-exitcode")
	o.configure(w)
	w.Do("apply", "-auto-approve")

	typed := origins()["typed"]
	objects = map[string]string{"web": updated}
	typed.apply(s, updated)
	typed.configure(w, typed.resource("web", updated))
	w.Do("apply", "-auto-approve")
	typed.configure(w, typed.here(objects))
	w.ExpectCost("plan of a typed move", []string{getWeb, variant + "422", variant + "422", variant + "201", variant + "201", dryWeb}, "plan", "-out=plan")
	w.ExpectCost("typed move", []string{dryWeb, patchWeb, patchWeb}, "apply", "plan")
}
