package worlds_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/hashicorp/terraform-plugin-go/tftypes"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/dynamic"
)

// definition is the definition of the kind in a world that has one of its own.
type definition struct {
	// state is that of the resource of the definition, if it is ours.
	state state
	// edition is what the server has.
	edition edition
}

func (w *world) definitions() dynamic.ResourceInterface {
	return w.dynamic.Resource(schema.GroupVersionResource{Group: "apiextensions.k8s.io", Version: "v1", Resource: "customresourcedefinitions"})
}

func (w *world) group() string { return w.namespace + ".example.com" }

// install creates the definition, as a resource or as another manager.
func (w *world) install(ctx context.Context, ours bool) error {
	w.definition = &definition{edition: edition{ours: ours}}
	if !ours {
		return w.defineAs(ctx, w.definition.edition)
	}
	if err := w.restart(ctx, configuration{}); err != nil {
		return err
	}
	w.definition.state.value = tftypes.NewValue(w.planner.kind, nil)
	planned, err := w.planDefinition(ctx, w.planner, w.definition.edition)
	if err != nil {
		return err
	}
	if err := w.applyDefinition(ctx, w.planner, planned, w.definition.edition); err != nil {
		return err
	}
	w.planner = nil
	return nil
}

func (w *world) undefine(ctx context.Context) error {
	return w.definitions().Delete(ctx, "gadgets."+w.group(), metav1.DeleteOptions{})
}

// define changes the definition as another manager, if it is not ours.
func (w *world) define(ctx context.Context, s step) error {
	if !w.kind.defined {
		return nil
	}
	next := w.reachable(s.edition)
	if err := w.migrate(ctx, next); err != nil {
		return err
	}
	if next.ours || next == w.definition.edition {
		return nil
	}
	return w.defineAs(ctx, next)
}

// reachable returns a schema without a step that the server refuses: a version that is stored must be served.
func (w *world) reachable(next edition) edition {
	next.oldest = min(next.oldest, w.definition.edition.storage)
	return next
}

// defineAs writes the definition as another manager, and waits until the server serves it.
func (w *world) defineAs(ctx context.Context, next edition) error {
	body := object(next.manifest(w.group()), w.namespace, nil)
	if _, err := w.definitions().Apply(ctx, body.GetName(), body, metav1.ApplyOptions{FieldManager: "operator", Force: true}); err != nil {
		return err
	}
	w.definition.edition = next
	if err := w.awaitServed(ctx); err != nil {
		return err
	}
	return w.awaitPublished()
}

// migrate rewrites the object in the version that is stored, before older ones go.
func (w *world) migrate(ctx context.Context, next edition) error {
	now := w.definition.edition
	if next.oldest <= now.oldest {
		return nil
	}
	live, err := w.live(ctx)
	if err != nil {
		return err
	}
	if live != nil {
		if _, err := w.client.Update(ctx, live, metav1.UpdateOptions{FieldManager: "storage-migrator"}); err != nil {
			return err
		}
	}
	patch := fmt.Sprintf(`{"status":{"storedVersions":[%q]}}`, versionNames[now.storage])
	_, err = w.definitions().Patch(ctx, "gadgets."+w.group(), types.MergePatchType, []byte(patch), metav1.PatchOptions{FieldManager: "storage-migrator"}, "status")
	return err
}

// planDefinition plans the resource of the definition.
func (w *world) planDefinition(ctx context.Context, r *run, next edition) (plan, error) {
	d := w.definition
	if !d.state.value.IsNull() {
		read, err := r.refresh(ctx, d.state)
		if err != nil {
			return plan{}, fmt.Errorf("the refresh of the definition: %w", err)
		}
		d.state = read
	}
	planned, err := r.plan(ctx, d.state, objectWith(r.kind, map[string]tftypes.Value{"yaml_body": text(next.manifest(w.group()))}))
	if err != nil {
		return planned, fmt.Errorf("the plan of the definition: %w", err)
	}
	return planned, nil
}

// applyDefinition applies it.
func (w *world) applyDefinition(ctx context.Context, r *run, planned plan, next edition) error {
	if planned.value.Equal(w.definition.state.value) {
		return nil
	}
	applied, _, err := r.apply(ctx, w.definition.state, planned)
	if err != nil {
		return fmt.Errorf("the apply of the definition: %w", err)
	}
	w.definition.state, w.definition.edition = applied, next
	return nil
}

// awaitServed waits until the server serves the versions of the definition and no other, and uses the newest.
func (w *world) awaitServed(ctx context.Context) error {
	served := w.definition.edition.served()
	w.client = w.clientOf(w.group() + "/" + served[len(served)-1])
	return await("the versions are served", func() bool {
		for _, name := range versionNames {
			_, err := w.clientOf(w.group()+"/"+name).List(ctx, metav1.ListOptions{})
			if slices.Contains(served, name) != (err == nil) {
				return false
			}
		}
		return true
	})
}

// awaitPublished waits until the schema is published.
func (w *world) awaitPublished() error {
	now := w.definition.edition
	return await("the schema is published", func() bool {
		documents, err := w.stage.typed.Discovery().OpenAPIV3().Paths()
		if err != nil {
			return false
		}
		for _, name := range now.served() {
			document := documents["apis/"+w.group()+"/"+name]
			if document == nil {
				return false
			}
			text, err := document.Schema("application/json")
			if err != nil || strings.Contains(string(text), `"extra"`) != now.extra || strings.Contains(string(text), "int-or-string") != now.wide ||
				strings.Contains(string(text), `"c"`) != now.more {
				return false
			}
		}
		return true
	})
}

func await(what string, is func() bool) error {
	for range 600 {
		if is() {
			return nil
		}
		time.Sleep(50 * time.Millisecond)
	}
	return errors.New("waited in vain: " + what)
}

// together is a definition that changes in the same run as the object.
type together struct {
	edition edition
	plan    plan
}

// planTogether plans the definition, before the object; nil if it is not ours, or does not change.
func (w *world) planTogether(ctx context.Context, s step) (*together, error) {
	if !w.kind.defined || !s.edition.ours {
		return nil, nil
	}
	next := w.reachable(s.edition)
	planned, err := w.planDefinition(ctx, w.planner, next)
	if err != nil {
		return nil, broke(s, "the definition can be planned", err.Error())
	}
	if planned.value.Equal(w.definition.state.value) {
		return nil, nil
	}
	return &together{next, planned}, nil
}

// applyTogether applies the definition, after the plan of the object and before its apply.
func (w *world) applyTogether(ctx context.Context, s step, t *together) error {
	if t == nil {
		return nil
	}
	known, err := w.applier.plan(ctx, w.definition.state, t.plan.config)
	if err != nil {
		return broke(s, "the definition can be planned twice", err.Error())
	}
	if err := w.applyDefinition(ctx, w.applier, known, t.edition); err != nil {
		return broke(s, "the definition can be applied", err.Error())
	}
	return w.awaitServed(ctx)
}
