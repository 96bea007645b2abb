package acceptance_test

import (
	"strings"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
)

// creator is how an object came to be, and how another client writes to it later.
type creator struct {
	// manager is the other writer, who is also the creator if create is set; "" for none.
	manager string
	// create makes the object with values; nil if the story's configuration does.
	create func(m story.Manager, kind sampleKind, all values)
	// edit changes the object to values.
	edit func(m story.Manager, kind sampleKind, all values)
	// applies is true if the manager writes by server-side apply.
	applies bool
	// takenOver are the managers that lose what we declare.
	takenOver []string
}

// isUs reports whether a configuration of ours makes the object.
func (c creator) isUs() bool { return c.create == nil }

// creators returns those of a Sample, by name. Deployments have one more, by strategic merge patch.
func creators() map[string]creator {
	return map[string]creator{
		"us alone":         {},
		"us, then another": {manager: "policy", edit: byApply, applies: true},
		"another applier": {
			manager: "operator-x", create: byApply, edit: byApply, applies: true,
		},
		"update by PUT":         {manager: "console", create: bareThen(byPut), edit: byPut},
		"update by merge patch": {manager: "console", create: bareThen(byMergePatch), edit: byMergePatch},
		"update by JSON patch":  {manager: "console", create: bareThen(byJSONPatch), edit: byJSONPatch},
		"client-side apply": {
			manager: "kubectl-client-side-apply", create: byClientSideApply, edit: byMergePatch,
			takenOver: []string{"kubectl-client-side-apply"},
		},
	}
}

func byApply(m story.Manager, kind sampleKind, all values) { m.Apply(kind.body(kind.theirs, all)) }

func byClientSideApply(m story.Manager, kind sampleKind, all values) {
	m.ApplyClientSide(kind.body(kind.theirs, all))
}

func byPut(m story.Manager, kind sampleKind, all values) {
	m.Put(kind.target, func(object map[string]any) { kind.fill(object, all) })
}

func byMergePatch(m story.Manager, kind sampleKind, all values) {
	m.Patch(kind.target, kind.body(kind.patch, all))
}

func byStrategicPatch(m story.Manager, kind sampleKind, all values) {
	m.StrategicPatch(kind.target, kind.body(kind.patch, all))
}

func byJSONPatch(m story.Manager, kind sampleKind, all values) {
	var operations []any
	for _, s := range kind.strategies {
		if value, has := all[s.name]; has {
			operations = append(operations, map[string]any{
				"op": "add", "path": "/" + strings.Join(append(s.parents, s.name), "/"), "value": value,
			})
		}
	}
	m.JSONPatch(kind.target, story.AsJSON(operations))
}

// bareThen creates the object without the fields, and then writes them.
func bareThen(write func(story.Manager, sampleKind, values)) func(story.Manager, sampleKind, values) {
	return func(m story.Manager, kind sampleKind, all values) {
		m.Create(kind.theirs)
		write(m, kind, all)
	}
}
