package story

import (
	"context"
	"strings"
	"sync"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/livediff"
)

// watcher compares each object before and after its apply. It fails the story if a live value changes that the plan did
// not show.
type watcher struct {
	*Story
	mu sync.Mutex
	// warnings are the warnings of all plans of the story so far.
	warnings []string
}

// planned records the warnings of a plan.
func (w *watcher) planned(diags []*tfprotov6.Diagnostic) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.warnings = append(w.warnings, warningsOf(diags)...)
}

// watchedApply is an apply to an object that existed before; nil for any other apply.
type watchedApply struct {
	*watcher
	id      manifest.Identity
	manager string
	// keys are those of lists of which a patch sets single entries.
	keys   map[string][]string
	object map[string]any
	shown  livediff.Shown
}

// before reads the object before the apply.
func (w *watcher) before(
	ctx context.Context, server *recordingServer, req *tfprotov6.ApplyResourceChangeRequest,
) *watchedApply {
	if w.Story == nil || isNull(req.PlannedState) || !applies(req.TypeName) {
		return nil
	}
	shapes, err := shapesOf(ctx, server.Server, req.TypeName)
	if err != nil {
		w.T.Error(err)
		return nil
	}
	planned, err := shapes.attributes(shapes.state, req.PlannedState)
	if err != nil {
		w.T.Error(err)
		return nil
	}
	id, ok := identityOf(planned)
	if !ok {
		return nil
	}
	apply := &watchedApply{
		watcher: w, id: id, manager: planned["field_manager"], object: w.get(ctx, id),
		keys: listKeysOf(shapes.state, req.PlannedState),
	}
	if apply.object == nil {
		return nil
	}
	apply.shown = livediff.Shown{
		State:    textsOf(shapes.state, req.PriorState, "managed_state"),
		Planned:  textsOf(shapes.state, req.PlannedState, "managed_state"),
		Warnings: w.warningsOf(id),
	}
	return apply
}

// warningsOf returns the warnings of the plans about an object.
func (w *watcher) warningsOf(id manifest.Identity) []string {
	w.mu.Lock()
	defer w.mu.Unlock()
	var about []string
	for _, warning := range w.warnings {
		if strings.Contains(warning, id.String()) {
			about = append(about, warning)
		}
	}
	return about
}

// after reads the object again, and compares the difference with the plan.
func (a *watchedApply) after(ctx context.Context, resp *tfprotov6.ApplyResourceChangeResponse) {
	if a == nil {
		return
	}
	live := a.get(ctx, a.id)
	if live == nil {
		return
	}
	losses, err := livediff.Losses(a.object, live, a.manager, a.keys)
	if err != nil {
		a.T.Error(err)
		return
	}
	a.shown.Applied = warningsOf(resp.Diagnostics)
	for _, loss := range a.shown.Unshown(a.object, losses) {
		a.T.Errorf("the apply of %s changed a live value that its plan did not show: %s", a.id, loss)
	}
}

// get returns the object as the server holds it, or nil if it does not exist.
func (w *watcher) get(ctx context.Context, id manifest.Identity) map[string]any {
	namespace := id.Namespace
	if namespace == "" {
		namespace = metav1.NamespaceDefault
	}
	client, err := w.resource(id.APIVersion, id.Kind, namespace)
	if err != nil {
		return nil
	}
	live, err := client.Get(ctx, id.Name, metav1.GetOptions{})
	if err != nil {
		return nil
	}
	return live.Object
}
