package worlds_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tftypes"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/client-go/dynamic"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/reading"
)

// usualSetTurns is how many steps the worlds of sets have in all.
const usualSetTurns = 40

// What a plan says about the objects of sets holds, whatever other managers do to them and whichever of them fail. No
// object is lost or deleted without being listed, and the next run does what is left.
func TestWorldsOfSets(t *testing.T) { playWorldsOfSets(t, usualSetTurns, func(setScript) {}) }

// playWorldsOfSets plays worlds with so many turns in all, after edit has changed their scripts.
func playWorldsOfSets(t *testing.T, usual uint64, edit func(setScript)) {
	t.Helper()
	stage := newStage(t)
	installRules(t)
	playTurns(t, usual, []kind{{name: "sets"}}, func(t *testing.T, _ kind, seed, world uint64, played *counts) (*finding, string, error) {
		t.Helper()
		script := newSetScript(seed, world)
		edit(script)
		err := stage.playSets(t.Context(), script, played)
		var found *finding
		if errors.As(err, &found) && !testing.Short() {
			script.turns, found = shrink(script.turns, found, func(t setTurn) int { return t.number }, func(shorter []setTurn) error {
				return stage.playSets(t.Context(), setScript{objects: script.objects, turns: shorter}, &counts{})
			})
		}
		return found, script.String(), err
	})
}

// sets is a world of two sets, a manifest and a patch. Its own object is the one with the manifest.
type sets struct {
	*several
	objects []*world
	// residents are the resources: two sets, the manifest, and the patch.
	residents []*resident
	// failures are the errors of the last apply.
	failures []string
}

// resident is a resource in a world of sets.
type resident struct {
	tenant
	// single is the resource in the form that worlds of several have, and at its number there; nil for a set.
	single *several
	at     int
	// isTainted is true if its create has failed.
	isTainted bool
	// isReplaced is true while -replace names it.
	isReplaced bool
	// replacesNow is true if the last apply was refused because it would replace an object, which its plan did not.
	replacesNow bool
}

const (
	manifestResident = 2
	patchResident    = 3
)

// isSet reports whether a resident has many objects.
func (r *resident) isSet() bool { return r.single == nil }

func (r *resident) resourceType() string {
	if r.isSet() {
		return "k8sconnect_manifests"
	}
	return r.single.tenants[r.at].resourceType()
}

// stateOf returns where the state of a resident is kept.
func (r *resident) stateOf() *state {
	if r.isSet() {
		return &r.state
	}
	return &r.single.tenants[r.at].state
}

// playSets plays a script in a namespace of its own, and in the end destroys all resources.
func (s *stage) playSets(ctx context.Context, script setScript, played *counts) (err error) {
	namespace, err := s.typed.CoreV1().Namespaces().Create(ctx,
		&corev1.Namespace{ObjectMeta: metav1.ObjectMeta{GenerateName: "sets-"}}, metav1.CreateOptions{})
	if err != nil {
		return err
	}
	v := &sets{several: &several{connection: usualConnection()}}
	defer func() {
		for i := range v.objects {
			err = errors.Join(err, v.hold(context.WithoutCancel(ctx), i, false))
		}
		err = errors.Join(err, s.typed.CoreV1().Namespaces().Delete(context.WithoutCancel(ctx), namespace.Name, metav1.DeleteOptions{}))
	}()
	for _, k := range script.objects {
		w := &world{stage: s, kind: k, namespace: namespace.Name, dynamic: s.dynamic, counts: played}
		w.client = w.clientOf(object(k.base, w.namespace, nil).GetAPIVersion())
		v.objects = append(v.objects, w)
	}
	v.world = v.objects[inManifest]
	ofPatch := &several{
		world: v.objects[inPatch], connection: v.connection, tenants: []*tenant{{manner: whole}, {manner: part}},
	}
	v.tenants = []*tenant{{manner: whole}}
	v.residents = []*resident{{}, {}, {single: v.several}, {single: ofPatch, at: 1}}
	for _, t := range script.turns {
		if err := v.play(ctx, t); err != nil {
			return err
		}
	}
	if len(script.turns) == 0 {
		return nil
	}
	last := script.turns[len(script.turns)-1].clone()
	last.before, last.between, last.rule, last.isLate, last.held, last.replaced = nil, nil, unruled, false, -1, -1
	last.manifest.present, last.patch.present = false, false
	for i := range last.sets {
		last.sets[i].present = false
	}
	return v.play(ctx, last)
}

// configure returns the block of a resident; null without one. If first is true, values that only the apply knows are
// unknown.
func (v *sets) configure(r *run, t setTurn, at int, first bool) (tftypes.Value, error) {
	switch at {
	case manifestResident:
		return v.residents[at].single.configure(r, 0, t.manifest, first)
	case patchResident:
		return v.residents[at].single.configure(r, 1, t.patch, first)
	}
	h := t.sets[at]
	if !h.present {
		return tftypes.NewValue(r.kind, nil), nil
	}
	manifests, err := v.manifests(h, first)
	if err != nil {
		return tftypes.Value{}, err
	}
	values := map[string]tftypes.Value{"adopt_existing": tftypes.NewValue(tftypes.Bool, h.manager == ""), "manifests": manifests}
	if h.manager != "" {
		values["field_manager"] = text(h.manager)
	}
	if first && h.isHidden {
		values["manifests"] = tftypes.NewValue(tftypes.DynamicPseudoType, tftypes.UnknownValue)
	}
	if h.onConflict != "" {
		values["on_conflict"] = text(h.onConflict)
	}
	destroyedWith(values, h.onDestroy)
	var rules []any
	if len(h.ignored) > 0 {
		rules = append(rules, map[string]any{"kinds": []any{"ConfigMap"}, "ignore_fields": listOf(h.ignored)})
	}
	if len(h.given) > 0 {
		var given []string
		for _, object := range h.given {
			given = append(given, v.objects[object].name())
		}
		rules = append(rules, map[string]any{"names": listOf(given), "on_destroy": "release"})
	}
	if len(rules) > 0 {
		if values["rules"], err = reading.Value(rules).ToTerraformValue(context.Background()); err != nil {
			return tftypes.Value{}, err
		}
	}
	r.setLists(values, map[string][]string{"ignore_managers": h.leftTo})
	if timeouts, is := r.kind.AttributeTypes["timeouts"].(tftypes.Object); is && t.held >= 0 {
		values["timeouts"] = objectWith(timeouts, map[string]tftypes.Value{"delete": text("2s")})
	}
	return objectWith(r.kind, values), nil
}

func listOf(texts []string) []any {
	var all []any
	for _, text := range texts {
		all = append(all, text)
	}
	return all
}

// manifests returns the argument with the objects of a set.
func (v *sets) manifests(h holding, first bool) (tftypes.Value, error) {
	all, kinds := map[string]tftypes.Value{}, map[string]tftypes.Type{}
	for key, e := range h.entries {
		written := map[string]tftypes.Value{}
		if err := e.form.write(written, v.body(e).Object, first); err != nil {
			return tftypes.Value{}, err
		}
		for _, value := range written {
			all[key], kinds[key] = value, value.Type()
		}
	}
	return tftypes.NewValue(tftypes.Object{AttributeTypes: kinds}, all), nil
}

// body returns the manifest of an entry.
func (v *sets) body(e entry) *unstructured.Unstructured {
	w := v.objects[e.object]
	return object(w.kind.base, w.namespace, e.fields)
}

// live returns the objects that there are, by their numbers.
func (v *sets) live(ctx context.Context) (map[int]*unstructured.Unstructured, error) {
	clients := map[string]dynamic.ResourceInterface{}
	for _, w := range v.objects {
		clients[w.kind.name] = w.client
	}
	found := map[int]*unstructured.Unstructured{}
	for kind, client := range clients {
		list, err := client.List(ctx, metav1.ListOptions{})
		if err != nil {
			return nil, err
		}
		for i, w := range v.objects {
			for at := range list.Items {
				if w.kind.name == kind && list.Items[at].GetName() == w.name() {
					found[i] = &list.Items[at]
				}
			}
		}
	}
	return found, nil
}

// writeAll sends the requests of others.
func (v *sets) writeAll(ctx context.Context, writes []memberWrite) error {
	for _, w := range writes {
		if err := v.objects[w.object].writeAll(ctx, []write{w.write}); err != nil {
			return fmt.Errorf("x%d: %w", w.object, err)
		}
	}
	return nil
}

// obey has a rule hold for all objects.
func (v *sets) obey(ctx context.Context, next rule) error {
	err := v.several.obey(ctx, next)
	v.residents[patchResident].single.rule = v.rule
	return err
}

// hold gives an object a finalizer, which keeps it, or takes it away.
func (v *sets) hold(ctx context.Context, object int, holds bool) error {
	finalizers := "null"
	if holds {
		finalizers = `["worlds.example.com/hold"]`
	}
	return v.objects[object].write(ctx, write{manager: "holder", how: merge, fields: []choice{{"metadata|finalizers", raw(finalizers)}}})
}

func raw(text string) any {
	if text == "null" {
		return nil
	}
	return []any{strings.Trim(text, `[]"`)}
}

// limit has a quota allow a number of ConfigMaps more than there are; any number for -1.
func (v *sets) limit(ctx context.Context, room int) error {
	const name, count = "count", corev1.ResourceName("count/configmaps")
	quotas := v.stage.typed.CoreV1().ResourceQuotas(v.namespace)
	if room < 0 {
		return quotas.Delete(ctx, name, metav1.DeleteOptions{})
	}
	maps, err := v.stage.typed.CoreV1().ConfigMaps(v.namespace).List(ctx, metav1.ListOptions{})
	if err != nil {
		return err
	}
	hard := corev1.ResourceList{count: *resource.NewQuantity(int64(len(maps.Items)+room), resource.DecimalSI)}
	quota := &corev1.ResourceQuota{ObjectMeta: metav1.ObjectMeta{Name: name}, Spec: corev1.ResourceQuotaSpec{Hard: hard}}
	if _, err := quotas.Create(ctx, quota, metav1.CreateOptions{}); err != nil {
		return err
	}
	return v.await(ctx, func(ctx context.Context) (bool, error) {
		now, err := quotas.Get(ctx, name, metav1.GetOptions{})
		if err != nil {
			return false, err
		}
		_, isCounted := now.Status.Used[count]
		return isCounted && now.Status.Hard[count].Equal(hard[count]), nil
	})
}

// idOf returns an object as messages name it.
func (v *sets) idOf(object int) string {
	w := v.objects[object]
	body := v.body(entry{object: object})
	return fmt.Sprintf("%s %s/%s (%s)", body.GetKind(), w.namespace, body.GetName(), body.GetAPIVersion())
}
