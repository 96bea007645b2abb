package story

import (
	"context"
	"maps"
	"strings"
	"sync"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
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
	// leaving are the values of each object that the plans of destroys show as leaving, until these are applied: an
	// apply beside a destroy sees them go, too.
	leaving map[manifest.Identity]map[string]string
}

// planned records the warnings of a plan.
func (w *watcher) planned(diags []*tfprotov6.Diagnostic) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.warnings = append(w.warnings, warningsOf(diags)...)
}

// plannedDestroy records the values that the plan of a destroy shows.
func (w *watcher) plannedDestroy(
	ctx context.Context, server *recordingServer, req *tfprotov6.PlanResourceChangeRequest,
) {
	if !isNull(req.ProposedNewState) {
		return
	}
	state, ok := w.read(ctx, server, req.TypeName, req.PriorState)
	if !ok {
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.leaving == nil {
		w.leaving = map[manifest.Identity]map[string]string{}
	}
	if w.leaving[state.id] == nil {
		w.leaving[state.id] = map[string]string{}
	}
	maps.Copy(w.leaving[state.id], textsOf(state.kind, req.PriorState, "managed_state"))
}

// destroyed forgets what the plan of a destroy showed.
func (w *watcher) destroyed(
	ctx context.Context, server *recordingServer, req *tfprotov6.ApplyResourceChangeRequest,
) {
	if !isNull(req.PlannedState) {
		return
	}
	if state, ok := w.read(ctx, server, req.TypeName, req.PriorState); ok {
		w.mu.Lock()
		defer w.mu.Unlock()
		delete(w.leaving, state.id)
	}
}

// objectState is a state of a resource of one object.
type objectState struct {
	id         manifest.Identity
	attributes map[string]string
	kind       tftypes.Type
}

// read returns a state, and false if it is null, or the resource is not of one object.
func (w *watcher) read(
	ctx context.Context, server *recordingServer, typeName string, state *tfprotov6.DynamicValue,
) (objectState, bool) {
	if w.Story == nil || isNull(state) || !applies(typeName) {
		return objectState{}, false
	}
	shapes, err := shapesOf(ctx, server, typeName)
	if err != nil {
		w.T.Error(err)
		return objectState{}, false
	}
	attributes, err := shapes.attributes(shapes.state, state)
	if err != nil {
		w.T.Error(err)
		return objectState{}, false
	}
	id, ok := identityOf(attributes)
	return objectState{id: id, attributes: attributes, kind: shapes.state}, ok
}

// leavingOf returns the values of an object that the plans of destroys show as leaving.
func (w *watcher) leavingOf(id manifest.Identity) map[string]string {
	w.mu.Lock()
	defer w.mu.Unlock()
	leaving := map[string]string{}
	maps.Copy(leaving, w.leaving[id])
	return leaving
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
	planned, ok := w.read(ctx, server, req.TypeName, req.PlannedState)
	if !ok {
		return nil
	}
	shown := w.leavingOf(planned.id)
	apply := &watchedApply{
		watcher: w, id: planned.id, manager: planned.attributes["field_manager"], object: w.get(ctx, planned.id),
		keys: listKeysOf(planned.kind, req.PlannedState),
	}
	if apply.object == nil {
		return nil
	}
	maps.Copy(shown, textsOf(planned.kind, req.PriorState, "managed_state"))
	apply.shown = livediff.Shown{
		State:    shown,
		Planned:  textsOf(planned.kind, req.PlannedState, "managed_state"),
		Warnings: w.warningsOf(planned.id),
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
