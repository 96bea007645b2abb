package patching_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/patches"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
)

// TestRandomPatches holds that the server makes of random strategic patches what Apply says, where it accepts them, and that it
// accepts what Apply accepts. The patches add no list item that gets defaults.
func TestRandomPatches(t *testing.T) {
	s := story.New(t)
	object := s.Parse(fmt.Sprintf(cronJob, "random"))
	c := client{s.ResourceOf(object), object.GetName()}
	live, err := c.objects.Create(t.Context(), object, metav1.CreateOptions{})
	story.Must(t, err)
	t.Cleanup(c.release)
	changed := 0
	for seed := range uint64(400) {
		r := random{rand.New(rand.NewPCG(seed, 2))}
		body, err := json.Marshal(r.cronJob())
		story.Must(t, err)
		patch, err := patches.Parse("", patches.Strategic, string(body))
		if err != nil {
			continue
		}
		predicted, err := patch.Apply(live.Object, live.GroupVersionKind())
		if err != nil {
			continue
		}
		answer, err := c.objects.Patch(t.Context(), c.name, patch.Type.MediaType(), predicted.Body,
			metav1.PatchOptions{DryRun: []string{metav1.DryRunAll}, FieldValidation: metav1.FieldValidationStrict})
		if err != nil {
			t.Fatalf("%s: %v", body, err)
		}
		got, err := patch.Apply(answer.Object, answer.GroupVersionKind())
		if err != nil || !got.InEffect {
			t.Fatalf("%s is not in effect afterwards: %s, %v", body, cmp.Diff(got.Before, got.After), err)
		}
		if want, is := withoutWrites(predicted.After), withoutWrites(got.Before); !covers(want, is) || !covers(is, withoutEmptyMaps(want)) {
			t.Fatalf("%s (-predicted +got):\n%s", body, cmp.Diff(want, is))
		}
		if !predicted.InEffect {
			changed++
		}
	}
	if changed < 100 {
		t.Errorf("only %d patches changed the object", changed)
	}
}

// withoutEmptyMaps returns a value without fields that are empty maps, outside of lists.
func withoutEmptyMaps(value any) any {
	fields, isMap := value.(map[string]any)
	if !isMap {
		return value
	}
	kept := map[string]any{}
	for name, field := range fields {
		if inner, isMap := field.(map[string]any); !isMap || len(inner) > 0 {
			kept[name] = withoutEmptyMaps(field)
		}
	}
	return kept
}

type random struct{ *rand.Rand }

type fields = map[string]any

// some returns a few of the values in any order.
func (r random) some(values ...any) []any {
	list := []any{}
	for _, i := range r.Perm(len(values))[:r.IntN(len(values)+1)] {
		list = append(list, values[i])
	}
	return list
}

func (r random) often() bool { return r.IntN(2) == 0 }

func (r random) rarely() bool { return r.IntN(5) == 0 }

func (r random) cronJob() fields {
	metadata, spec := fields{}, fields{}
	if r.often() {
		metadata["finalizers"] = r.some("example.com/a", "example.com/c", "example.com/d")
	}
	if r.rarely() {
		metadata["$deleteFromPrimitiveList/finalizers"] = r.some("example.com/b", "example.com/e")
	}
	if r.rarely() {
		metadata["$setElementOrder/finalizers"] = r.some("example.com/c", "example.com/b", "example.com/a", "example.com/d")
	}
	if r.often() {
		metadata["labels"] = r.texts("app", "team")
	}
	if r.often() {
		spec["nodeSelector"] = r.texts("disk", "zone")
	}
	if r.often() {
		spec["containers"] = r.containers()
	}
	if r.rarely() {
		spec["$setElementOrder/containers"] = []any{fields{"name": "proxy"}, fields{"name": "app"}}
	}
	if r.often() {
		spec["volumes"] = r.some(fields{"name": "cache", "$patch": "delete"}, fields{"name": "none", "$patch": "delete"})
	}
	return fields{"metadata": metadata, "spec": fields{"jobTemplate": fields{"spec": fields{"template": fields{"spec": spec}}}}}
}

func (r random) texts(names ...any) fields {
	texts := fields{}
	for _, name := range r.some(names...) {
		texts[name.(string)] = "a"
		if r.rarely() {
			texts[name.(string)] = nil
		}
	}
	if r.rarely() {
		texts["$patch"] = "replace"
	}
	if r.rarely() {
		texts["$retainKeys"] = []any{"app", "zone", "team"}
	}
	return texts
}

func (r random) containers() []any {
	list := []any{}
	for _, name := range r.some("app", "proxy") {
		one := fields{"name": name}
		switch {
		case name == "proxy" && r.rarely():
			list = append(list, fields{"name": name, "$patch": "delete"})
			continue
		case r.often():
			one["image"] = "other:1"
		}
		if r.often() {
			one["args"] = r.some("serve", "--verbose", "--fast")
		}
		if r.often() {
			one["env"] = r.some(fields{"name": "MODE", "value": "test"}, fields{"name": "NEW", "value": "1"},
				fields{"name": "LEVEL", "$patch": "delete"}, fields{"name": "NONE", "$patch": "delete"})
		}
		if r.rarely() {
			one["$setElementOrder/env"] = []any{fields{"name": "NEW"}, fields{"name": "LEVEL"}, fields{"name": "MODE"}}
		}
		if r.rarely() {
			one["ports"] = []any{fields{"containerPort": 80, "$patch": "delete"}}
		}
		list = append(list, one)
	}
	return list
}
