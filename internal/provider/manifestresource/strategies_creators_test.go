package manifestresource_test

import "strings"

// creator is how an object came to be, and how somebody else writes to it later.
type creator struct {
	// manager is the other writer, who is also the creator where create is set; "" for none.
	manager string
	// create makes the object with values; nil where the story's configuration does.
	create func(m manager, kind sampleKind, all values)
	// edit changes the object to values.
	edit func(m manager, kind sampleKind, all values)
	// applies says that the manager writes by server-side apply.
	applies bool
	// takenOver are the managers that lose what we declare.
	takenOver []string
}

// isUs says that a configuration of ours makes the object.
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

func byApply(m manager, kind sampleKind, all values) { m.apply(kind.body(kind.theirs, all)) }

func byClientSideApply(m manager, kind sampleKind, all values) {
	m.applyClientSide(kind.body(kind.theirs, all))
}

func byPut(m manager, kind sampleKind, all values) {
	m.put(kind.target, func(object map[string]any) { kind.fill(object, all) })
}

func byMergePatch(m manager, kind sampleKind, all values) {
	m.patch(kind.target, kind.body(kind.patch, all))
}

func byStrategicPatch(m manager, kind sampleKind, all values) {
	m.strategicPatch(kind.target, kind.body(kind.patch, all))
}

func byJSONPatch(m manager, kind sampleKind, all values) {
	var operations []any
	for _, s := range kind.strategies {
		if value, has := all[s.name]; has {
			operations = append(operations, map[string]any{
				"op": "add", "path": "/" + strings.Join(append(s.parents, s.name), "/"), "value": value,
			})
		}
	}
	m.jsonPatch(kind.target, asJSON(operations))
}

// bareThen creates the object without the fields, and then writes them.
func bareThen(write func(manager, sampleKind, values)) func(manager, sampleKind, values) {
	return func(m manager, kind sampleKind, all values) {
		m.create(kind.theirs)
		write(m, kind, all)
	}
}
