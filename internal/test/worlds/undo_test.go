package worlds_test

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-go/tftypes"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/livediff"
)

// setUndo sets a wait that fails after four seconds.
func (r *run) setUndo(values map[string]tftypes.Value) {
	wait, _ := r.kind.AttributeTypes["wait"].(tftypes.Object)
	limits, _ := r.kind.AttributeTypes["timeouts"].(tftypes.Object)
	never := map[string]tftypes.Value{"metadata.annotations.never": text("*")}
	values["wait"] = objectWith(wait, map[string]tftypes.Value{
		"fields": tftypes.NewValue(wait.AttributeTypes["fields"], never), "on_failure": text("undo"),
	})
	values["timeouts"] = objectWith(limits, map[string]tftypes.Value{"update": text("4s")})
}

// rehearse applies the configuration of a step, every eighth time, with a wait that fails, before the step itself is played. Afterwards the
// object has the values that it had before, whoever owned them, but for those that the API server chooses.
func (w *world) rehearse(ctx context.Context, s step) error {
	if w.isPart || w.state.value.IsNull() || s.number%8 != 2 || w.kind.changes || w.kind.defined {
		return nil
	}
	s.configuration.undoes = true
	config, err := w.planner.configure(w, s.configuration, true)
	if err != nil {
		return err
	}
	first, err := w.planner.plan(ctx, w.state, config)
	if err != nil || first.value.Equal(w.state.value) {
		return w.restart(ctx, s.configuration) // The step itself judges a refusal.
	}
	known, err := w.applier.configure(w, s.configuration, false)
	if err != nil {
		return err
	}
	before, err := w.live(ctx)
	if err != nil {
		return err
	}
	second, err := w.applier.plan(ctx, w.state, known)
	if err != nil {
		return w.restart(ctx, s.configuration)
	}
	next, _, failed := w.applier.apply(ctx, w.state, second)
	if failed != nil && strings.Contains(failed.Error(), "could not be updated: no answer") {
		return w.restart(ctx, s.configuration) // The machine has no time. The step starts from what is on the server.
	}
	if failed == nil || !strings.Contains(failed.Error(), "Object Not Ready") {
		return broke(s, "an apply whose wait fails says so", fmt.Sprint(failed))
	}
	after, err := w.live(ctx)
	if err != nil {
		return err
	}
	w.state = next
	if strings.Contains(failed.Error(), "could not be set back") {
		return broke(s, "an undo succeeds", failed.Error())
	}
	if err := w.checkUndone(s, before, after, failed); err != nil {
		return err
	}
	if err := w.restart(ctx, s.configuration); err != nil {
		return err
	}
	return w.refresh(ctx, s)
}

// checkUndone compares an object before an apply with the one after its undo.
func (w *world) checkUndone(s step, before, after *unstructured.Unstructured, said error) error {
	var wrong []string
	claims, err := livediff.ReadClaims(before.Object)
	if err != nil {
		return err
	}
	is := plainOf(after)
	own, body := w.state.manager(), w.body(s.configuration).Object
	chosen := []string{"f:nodePort", "f:healthCheckNodePort", "f:clusterIP"}
	livediff.Leaves(plainOf(before), claims, func(path livediff.Path, old any) {
		if slices.Contains(chosen, path[len(path)-1]) {
			return
		}
		value, has := livediff.Lookup(is, path)
		_, isDeclared := livediff.Lookup(body, path)
		if !has && !isDeclared && !slices.Contains(claims.OwnersOf(path), own) {
			return // The apply has removed it from others, as an obstacle for instance, and that is not undone.
		}
		if !has || !livediff.SameText(livediff.Text(old), value) {
			wrong = append(wrong, fmt.Sprintf("%s was %v and is %v", path, old, value))
		}
	})
	if len(wrong) > 0 {
		wrong = append(wrong, said.Error())
	}
	return broke(s, "an undo gives back all values", wrong...)
}

// plainOf returns what people write into an object.
func plainOf(object *unstructured.Unstructured) map[string]any {
	plain := runtime.DeepCopyJSON(object.Object)
	delete(plain, "status")
	metadata, _ := plain["metadata"].(map[string]any)
	for _, name := range []string{"managedFields", "resourceVersion", "generation"} {
		delete(metadata, name)
	}
	return plain
}
