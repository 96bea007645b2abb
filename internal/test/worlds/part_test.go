package worlds_test

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tftypes"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/livediff"
)

// usualPartSteps is how many steps the worlds of patches have in all.
const usualPartSteps = 70

// A patch tells of what it does to the object of another client, and in the end takes back what it added and nothing
// more.
func TestWorldsOfPatches(t *testing.T) {
	s := newStage(t)
	s.isPart = true
	playWorlds(t, s, usualPartSteps)
}

func (w *world) resourceType() string {
	if w.isPart {
		return "k8sconnect_patch"
	}
	return "k8sconnect_manifest"
}

// identity returns a manifest that has nothing but the identity of the object of a base.
func identity(base string) string {
	whole := object(base, "NS", nil)
	return fmt.Sprintf("{apiVersion: %s, kind: %s, metadata: {name: %s, namespace: NS}}", whole.GetAPIVersion(), whole.GetKind(), whole.GetName())
}

// script returns the steps of a world. Those of a patch have what a patch can be told.
func (s *stage) script(k kind, seed, number uint64) []step {
	script := steps(k, seed, number, length)
	s.move(k, seed, number, script)
	if !s.isPart {
		return script
	}
	for i := range script {
		c := &script[i].configuration
		c.pin, c.repin, c.limits, c.ignoreManagers, c.takeOver = nil, "", nil, nil, nil
		if c.fieldManager == "" {
			c.fieldManager = partManager
		}
	}
	return script
}

// partManager is the field manager of a patch whose configuration names no other.
const partManager = "part"

// createTarget creates the object of the patch, as another client.
func (w *world) createTarget(ctx context.Context) error {
	_, err := w.client.Apply(ctx, "x", object(w.kind.base, w.namespace, nil), metav1.ApplyOptions{FieldManager: "origin"})
	return err
}

// configurePart is configure for a patch.
func (r *run) configurePart(w *world, c configuration, first bool) (tftypes.Value, error) {
	body := w.body(c)
	target, _ := r.kind.AttributeTypes["target"].(tftypes.Object)
	values := map[string]tftypes.Value{
		"target": objectWith(target, map[string]tftypes.Value{
			"api_version": text(body.GetAPIVersion()), "kind": text(body.GetKind()), "namespace": text(w.namespace), "name": text("x"),
		}),
		"field_manager": text(c.fieldManager),
	}
	if err := c.form.write(values, body.Object, first); err != nil {
		return tftypes.Value{}, err
	}
	c, _ = c.ruled(w.namespace)
	r.setLists(values, map[string][]string{"ignore_fields": c.ignore, "sensitive_fields": c.sensitive})
	if c.onConflict != "" {
		values["on_conflict"] = text(c.onConflict)
	}
	return objectWith(r.kind, values), nil
}

// takeBack destroys the patch. Its manager owns nothing afterwards, and no value is gone but those that it added and owned alone.
func (w *world) takeBack(ctx context.Context, s step) error {
	if w.state.value.IsNull() {
		return nil
	}
	if err := w.refresh(ctx, s); err != nil {
		return err
	}
	added := attributeSet(w.state.value, "added_fields")
	manager := w.state.manager()
	before, err := w.live(ctx)
	if err != nil {
		return err
	}
	planned, err := w.planner.plan(ctx, w.state, tftypes.NewValue(w.planner.kind, nil))
	if err != nil {
		return broke(s, "the plan of a destroy succeeds", err.Error())
	}
	if _, _, err := w.applier.apply(ctx, w.state, planned); err != nil {
		return broke(s, "a destroy succeeds", err.Error())
	}
	after, err := w.live(ctx)
	if err != nil {
		return err
	}
	if after == nil {
		return broke(s, "a destroy of a patch leaves the object", "it is gone")
	}
	return w.checkTakenBack(s, manager, added, before, after)
}

func (w *world) checkTakenBack(s step, manager string, added []string, before, after *unstructured.Unstructured) error {
	var wrong []string
	for _, entry := range after.GetManagedFields() {
		if entry.Manager == manager {
			wrong = append(wrong, fmt.Sprintf("%s still owns %s", manager, entry.FieldsV1))
		}
	}
	losses, err := livediff.Losses(before.Object, after.Object, manager, nil)
	if err != nil {
		return err
	}
	for _, loss := range losses {
		// Where the patch has added a value, the server may have a default again afterwards.
		others := slices.DeleteFunc(slices.Clone(loss.Owners), func(owner string) bool { return owner == manager })
		if !w.goesWithItem(loss) && (len(others) > 0 || len(loss.Owners) == 0 || !covered(added, loss.Path)) {
			wrong = append(wrong, fmt.Sprintf("%s; added_fields were %q", loss, added))
		}
	}
	return broke(s, "a destroy removes what the patch added and owns alone, and nothing else", wrong...)
}

// hasContent reports whether an object has a value at a path. A map does not count: if a patch declares an empty map,
// its attributes do not show what other managers have in it.
func hasContent(live *unstructured.Unstructured, path livediff.Path) bool {
	value, has := livediff.Lookup(live.Object, path)
	_, isMap := value.(map[string]any)
	return has && !isMap && livediff.Text(value) != "[]"
}

// attributeSet returns a set of texts among the attributes of an object.
func attributeSet(object tftypes.Value, name string) []string {
	var attributes map[string]tftypes.Value
	var elements []tftypes.Value
	if object.As(&attributes) != nil || attributes[name].IsNull() || attributes[name].As(&elements) != nil {
		return nil
	}
	texts := make([]string, len(elements))
	for i, element := range elements {
		_ = element.As(&texts[i])
	}
	return texts
}
