package patches

import (
	"fmt"
	"math/rand/v2"
	"testing"
)

// TestRandom checks what FuzzApply and FuzzReference check, for patches and objects that are likely to fit each other.
func TestRandom(t *testing.T) {
	t.Parallel()
	for seed := range uint64(2000) {
		checkRandom(t, seed)
	}
}

func FuzzRandom(f *testing.F) {
	f.Add(uint64(0))
	f.Fuzz(checkRandom)
}

func checkRandom(t *testing.T, seed uint64) {
	r := random{rand.New(rand.NewPCG(seed, 1))}
	live := r.deployment()
	for _, one := range []struct {
		kind Type
		body any
	}{{JSON, r.operations()}, {Merge, r.part(false)}, {Strategic, r.part(true)}} {
		patch, err := Parse("", one.kind, jsonOf(t, one.body))
		if err != nil {
			isFault(t, err)
			continue
		}
		checkApply(t, patch, live, "Deployment")
		if got, err := patch.Apply(live, gadget); err == nil {
			checkReference(t, one.kind, got)
		}
		if t.Failed() {
			t.Fatalf("seed %d", seed)
		}
	}
}

type random struct{ *rand.Rand }

type fields = map[string]any

func pick[T any](r random, values ...T) T { return values[r.IntN(len(values))] }

func (r random) scalar() any {
	return pick[any](r, "a", "b", "<c>", int64(1), 1.0, 1.5, int64(1)<<60, true, "")
}

func (r random) scalars(values ...any) []any {
	list := make([]any, 0, 3)
	for _, i := range r.Perm(len(values))[:r.IntN(min(3, len(values))+1)] {
		list = append(list, values[i])
	}
	return list
}

func (r random) env() []any {
	list := []any{}
	for _, name := range r.scalars("X", "Y", "Z") {
		list = append(list, fields{"name": name, "value": pick(r, "1", "2")})
	}
	return list
}

func (r random) containers() []any {
	list := []any{}
	for _, name := range r.scalars("a", "b", "c") {
		one := fields{"name": name}
		if r.IntN(2) == 0 {
			one["args"] = r.scalars("x", "y", "z")
		}
		if r.IntN(2) == 0 {
			one["env"] = r.env()
		}
		list = append(list, one)
	}
	return list
}

// deployment returns a Deployment, whose values need not fit their types.
func (r random) deployment() fields {
	object := fields{"metadata": fields{"name": "web", "finalizers": r.scalars("a/x", "b/x", "c/x")}, "spec": fields{}}
	spec := fields{}
	for name, value := range map[string]any{"replicas": r.scalar(), "paused": nil, "strategy": fields{"type": r.scalar()}} {
		if r.IntN(2) == 0 {
			object["spec"].(fields)[name] = value
		}
	}
	for name, value := range map[string]any{"containers": r.containers(), "nodeSelector": fields{"a": r.scalar()}, "nodeName": r.scalar()} {
		if r.IntN(3) > 0 {
			spec[name] = value
		}
	}
	object["spec"].(fields)["template"] = fields{"spec": spec}
	return object
}

// part returns a part of a Deployment, with removals and perhaps directives.
func (r random) part(directives bool) fields {
	part := r.deployment()
	delete(part["metadata"].(fields), "name")
	r.strew(part, directives)
	if r.IntN(3) > 0 {
		delete(part, "metadata")
	}
	return part
}

func (r random) strew(value any, directives bool) {
	switch value := value.(type) {
	case []any:
		for _, item := range value {
			r.strew(item, directives)
		}
	case fields:
		for _, name := range sortedNames(value) {
			r.strew(value[name], directives)
			list, isList := value[name].([]any)
			if r.IntN(8) == 0 && name != "name" && name != "metadata" && name != "spec" {
				value[name] = nil
			}
			if !directives || !isList {
				continue
			}
			switch r.IntN(6) {
			case 0:
				value["$deleteFromPrimitiveList/"+name] = r.scalars("a/x", "b/x", "x", "y")
			case 1:
				value["$setElementOrder/"+name] = append(r.containers(), list...)
			case 2:
				value["$setElementOrder/"+name] = r.scalars("a/x", "b/x", "c/x")
			}
		}
		if directives && r.IntN(10) == 0 {
			value["$patch"] = pick(r, directiveReplace, directiveDelete)
		}
		if directives && r.IntN(10) == 0 {
			value["$retainKeys"] = []any{"name", "type", pick(r, "env", "replicas", "a")}
		}
	}
}

func (r random) pointer() string {
	return pick(r, "/spec/replicas", "/spec/paused", "/spec/strategy", "/spec/strategy/type", "/spec/template/spec/nodeSelector/a",
		"/spec/template/spec/containers", "/metadata/finalizers", "/metadata/labels", "/metadata/labels/a",
		fmt.Sprintf("/metadata/finalizers/%d", r.IntN(4)), fmt.Sprintf("/spec/template/spec/containers/%d", r.IntN(3)),
		fmt.Sprintf("/spec/template/spec/containers/%d/args/%d", r.IntN(2), r.IntN(3)), "/spec/template/spec/containers/0/env/0/value")
}

func (r random) operations() []any {
	list := []any{}
	for range 1 + r.IntN(4) {
		one := fields{"op": pick(r, opAdd, opAdd, opReplace, opRemove, opCopy, opTest), "path": r.pointer()}
		switch one["op"] {
		case opCopy:
			one["from"] = r.pointer()
		case opRemove:
		default:
			one["value"] = pick[any](r, r.scalar(), r.scalar(), nil, r.containers(), fields{"type": r.scalar()}, fields{"a": nil}, "a/x")
		}
		list = append(list, one)
	}
	return list
}
