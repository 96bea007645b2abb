package worlds_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/hashicorp/terraform-plugin-go/tftypes"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"
)

const (
	// usualTurns is how many steps the worlds of several resources have in all, and turnsOfWorld one of them.
	usualTurns   = 80
	turnsOfWorld = 10
)

// What a plan says about one of several resources on an object holds, whatever the other resources and other clients
// do.
func TestWorldsOfSeveral(t *testing.T) { playWorldsOfSeveral(t, usualTurns, func(script) {}) }

// playWorldsOfSeveral plays worlds with so many turns in all, after edit has changed their scripts.
func playWorldsOfSeveral(t *testing.T, usual uint64, edit func(script)) {
	t.Helper()
	stage := newStage(t)
	installRules(t)
	playTurns(t, usual, sharedKinds, func(t *testing.T, k kind, seed, world uint64, played *counts) (*finding, string, error) {
		t.Helper()
		script := newScript(k, seed, world)
		edit(script)
		err := stage.playSeveral(t.Context(), k, script, played)
		var found *finding
		if errors.As(err, &found) && !testing.Short() {
			script.turns, found = shrink(script.turns, found, func(t turn) int { return t.number }, func(shorter []turn) error {
				again := script
				again.turns = shorter
				return stage.playSeveral(t.Context(), k, again, &counts{})
			})
		}
		return found, script.String(), err
	})
}

// playTurns plays worlds with so many turns in all, each of one of the kinds. play returns what it finds, and the shortest way
// to it.
func playTurns(
	t *testing.T, usual uint64, kinds []kind,
	play func(t *testing.T, k kind, seed, world uint64, played *counts) (*finding, string, error),
) {
	t.Helper()
	seed, count := number(t, seedVariable, usualSeed), number(t, stepsVariable, usual)
	began := time.Now()
	var turns, applies, refused, failed atomic.Int64
	t.Run("worlds", func(t *testing.T) {
		for world := range (count + turnsOfWorld - 1) / turnsOfWorld {
			kind := kinds[world%uint64(len(kinds))]
			name := fmt.Sprintf("%s-%d", kind.name, world)
			if only := os.Getenv(worldVariable); only != "" && only != name && only != kind.name {
				continue
			}
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				played := &counts{}
				found, way, err := play(t, kind, seed, world, played)
				if found != nil {
					err = fmt.Errorf("%w\nreplay with %s=%d %s=%s; the shortest way to it:\n%s", found, seedVariable, seed, worldVariable, name, way)
				}
				if err != nil {
					t.Error(err)
				}
				turns.Add(int64(played.steps))
				applies.Add(int64(played.applies))
				refused.Add(int64(played.refused))
				failed.Add(int64(played.failed))
			})
		}
	})
	t.Logf("seed %d: %d steps, %d applies, %d failed, %d refused, in %s", seed, turns.Load(), applies.Load(), failed.Load(), refused.Load(),
		time.Since(began).Round(time.Second))
}

// sharedKinds are the kinds of the objects that several resources have.
var sharedKinds = []kind{configMap, deployment, service, widget}

// manner is how a resource changes its object.
type manner string

const (
	whole          manner = "manifest"
	part           manner = "server-side apply"
	jsonPatch      manner = "json"
	mergeOf        manner = "merge"
	strategicPatch manner = "strategic"
)

// tenant is one of several resources on an object.
type tenant struct {
	manner manner
	state  state
}

func (t *tenant) resourceType() string {
	if t.manner == whole {
		return "k8sconnect_manifest"
	}
	return "k8sconnect_patch"
}

// several is a world of several resources on one object.
type several struct {
	*world
	tenants          []*tenant
	planner, applier *run
	// connection is that of the provider; isLimited is true if its rights come and go.
	connection map[string]tftypes.Value
	isLimited  bool
	// rule is the one that holds. switches is true if the policy that rewrites has come or gone since the plan.
	rule     rule
	switches bool
	// planned is the object as it was before the plan.
	planned *unstructured.Unstructured
}

// playSeveral plays a script in a namespace of its own, and in the end destroys all patches.
func (s *stage) playSeveral(ctx context.Context, k kind, all script, played *counts) error {
	return s.withSeveral(ctx, k, all, played, func(v *several) error {
		for _, t := range all.toTheEnd() {
			if err := v.play(ctx, t); err != nil {
				return err
			}
		}
		return nil
	})
}

// withSeveral calls play with the world of a script in a namespace of its own, before anything happens in it.
func (s *stage) withSeveral(ctx context.Context, k kind, all script, played *counts, play func(*several) error) (err error) {
	namespace, err := s.typed.CoreV1().Namespaces().Create(ctx,
		&corev1.Namespace{ObjectMeta: metav1.ObjectMeta{GenerateName: "several-"}}, metav1.CreateOptions{})
	if err != nil {
		return err
	}
	defer func() {
		err = errors.Join(err, s.typed.CoreV1().Namespaces().Delete(context.WithoutCancel(ctx), namespace.Name, metav1.DeleteOptions{}))
	}()
	v := &several{world: &world{stage: s, kind: k, namespace: namespace.Name, dynamic: s.dynamic, counts: played}}
	v.client = v.clientOf(object(k.base, v.namespace, nil).GetAPIVersion())
	if _, err := v.client.Apply(ctx, "x", object(k.base, v.namespace, origin(k)), metav1.ApplyOptions{FieldManager: "origin"}); err != nil {
		return err
	}
	for _, m := range all.manners {
		v.tenants = append(v.tenants, &tenant{manner: m})
	}
	if v.connection = usualConnection(); all.isLimited {
		v.isLimited = true
		if v.connection, err = v.addUser(ctx); err != nil {
			return err
		}
	}
	return play(v)
}

// toTheEnd returns the turns, and one that destroys all patches.
func (s script) toTheEnd() []turn {
	if len(s.turns) == 0 {
		return nil
	}
	last := s.turns[len(s.turns)-1]
	last.before, last.leases, last.isLate = nil, slices.Clone(last.leases), false
	for i, m := range s.manners {
		last.leases[i].present, last.leases[i].leaves = m == whole, false
	}
	return append(slices.Clone(s.turns), last)
}

// configure returns the block of one of the resources, as the first plan knows it, or as the apply does; null if there is
// none.
func (v *several) configure(r *run, at int, l lease, first bool) (tftypes.Value, error) {
	if !l.present {
		return tftypes.NewValue(r.kind, nil), nil
	}
	t := v.tenants[at]
	values := map[string]tftypes.Value{}
	if l.onConflict != "" {
		values["on_conflict"] = text(l.onConflict)
	}
	if t.manner == whole {
		values["adopt_existing"] = tftypes.NewValue(tftypes.Bool, true)
		err := l.form.write(values, object(v.kind.base, v.namespace, l.fields).Object, first)
		return objectWith(r.kind, values), err
	}
	identified := object(identity(v.kind.base), v.namespace, nil)
	target, _ := r.kind.AttributeTypes["target"].(tftypes.Object)
	values["target"] = objectWith(target, map[string]tftypes.Value{
		"api_version": text(identified.GetAPIVersion()), "kind": text(identified.GetKind()), "namespace": text(v.namespace), "name": text(v.name()),
	})
	values["field_manager"] = text(managerOf(at))
	destroyedWith(values, l.onDestroy)
	if t.manner != part {
		patch, _ := r.kind.AttributeTypes["patch"].(tftypes.Object)
		body := text(string(l.patch(t.manner)))
		if first && v.hidesAll(at, l) {
			body = tftypes.NewValue(tftypes.String, tftypes.UnknownValue)
		}
		values["patch"] = objectWith(patch, map[string]tftypes.Value{"type": text(string(t.manner)), "body": body})
		return objectWith(r.kind, values), nil
	}
	if len(l.removed) > 0 {
		var removed []string
		for _, path := range l.removed {
			removed = append(removed, patternOf(path))
		}
		r.setLists(values, map[string][]string{"remove_fields": removed})
	}
	if len(l.fields) > 0 {
		body := object(identity(v.kind.base), v.namespace, l.fields).Object
		if l.turnsLists() {
			reverse(body)
		}
		if err := l.form.write(values, body, first); err != nil {
			return tftypes.Value{}, err
		}
	}
	return objectWith(r.kind, values), nil
}

// patternOf writes a path of the menu, which has no list items, as arguments have it.
func patternOf(path string) string {
	steps := strings.Split(path, "|")
	text := steps[0]
	for _, step := range steps[1:] {
		if strings.ContainsAny(step, "./") {
			text += fmt.Sprintf("[%q]", step)
		} else {
			text += "." + step
		}
	}
	return text
}

// patch returns the body of a patch that is not server-side apply.
func (l lease) patch(m manner) []byte {
	fields := map[string]any{}
	for _, c := range l.fields {
		c.put(fields)
	}
	var operations []any
	for _, c := range l.fields {
		operations = append(operations, map[string]any{"op": "add", "path": pointerOf(c.path), "value": c.value})
	}
	for _, path := range l.removed {
		choice{path, nil}.put(fields)
		operations = append(operations, map[string]any{"op": "remove", "path": pointerOf(path)})
	}
	var body any = fields
	if m == jsonPatch {
		body = operations
	}
	written, err := json.Marshal(body)
	if err != nil {
		panic(err)
	}
	return written
}

func pointerOf(path string) string {
	var text string
	for step := range strings.SplitSeq(path, "|") {
		text += "/" + strings.NewReplacer("~", "~0", "/", "~1").Replace(step)
	}
	return text
}

// accepts reports whether the server takes what a resource sends.
func (v *several) accepts(ctx context.Context, at int, l lease) bool {
	manager := managerOf(at)
	options := metav1.PatchOptions{FieldManager: manager, DryRun: []string{metav1.DryRunAll}}
	var err error
	switch m := v.tenants[at].manner; m {
	case whole:
		_, err = v.try(ctx, "k8sconnect", object(v.kind.base, v.namespace, l.fields).Object)
	case part:
		_, err = v.try(ctx, manager, object(identity(v.kind.base), v.namespace, l.fields).Object)
	default:
		kind := map[manner]types.PatchType{jsonPatch: types.JSONPatchType, mergeOf: types.MergePatchType, strategicPatch: types.StrategicMergePatchType}[m]
		_, err = v.client.Patch(ctx, v.name(), kind, l.patch(m), options)
	}
	return err == nil
}

// turnsLists reports whether a patch in yaml_body lists the items of a list in another order than the manifest. That is
// not its business.
func (l lease) turnsLists() bool { return l.form.hidden%2 == 1 }

// reverse reverses the lists of a value that have items with keys.
func reverse(value any) {
	switch value := value.(type) {
	case map[string]any:
		for _, part := range value {
			reverse(part)
		}
	case []any:
		for _, item := range value {
			reverse(item)
		}
		if !slices.ContainsFunc(value, func(item any) bool { _, isMap := item.(map[string]any); return !isMap }) {
			slices.Reverse(value)
		}
	}
}
