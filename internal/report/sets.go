package report

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/difference"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
)

// member is an object of a set, before or after the apply.
type member struct {
	key string
	// id is zero if it is not known.
	id manifest.Identity
	// body is its manifest.
	body any
	// isNew is true if the object gets its uid from the apply.
	isNew bool
}

// objectsOfSet returns the objects of a set, each with the plan's action on it. It compares objects, and not keys: a
// key may become that of another object, and an object may get another key.
func objectsOfSet(change resourceChange) []Object {
	c, action := change.Change, actionOf(change)
	before, after := membersIn(c.Before), membersIn(c.After)
	if isUnknownSet(c.AfterUnknown) {
		after = slices.Clone(before) // Any of them may leave: see gapOf.
	}
	of := func(m member, does string) Object {
		o := Object{Address: change.Address, Key: m.key, Action: does}
		o.Manager, _ = c.After["field_manager"].(string)
		o.identify(m.id)
		o.Unknown = o.Action == Create || o.Action == Replace
		ready := mapIn(mapIn(c.AfterUnknown, "objects"), m.key)["ready"]
		o.Waits = ready == true || (action == Create || action == Replace) && c.After["wait"] != nil
		return o
	}
	var objects []Object
	places, left := placesOf(after, before)
	for i, now := range after {
		if places[i] < 0 {
			objects = append(objects, of(now, Create))
			continue
		}
		was := before[places[i]]
		if now.id.Kind == "" {
			now.id = was.id
		}
		does := action
		if action == Update {
			does = was.becomes(now)
		}
		o := of(now, does)
		if c.AfterUnknown[conflicts] == true {
			o.drift(mapIn(mapIn(c.Before, "drifted"), was.key), mapIn(c.After, "drifted"),
				mapIn(mapIn(c.Before, "owners_elsewhere"), was.key))
		}
		if o.Action == Update {
			o.edits = slices.DeleteFunc(difference.Leaves(objectIn(was.body), objectIn(now.body)),
				func(edit difference.Leaf) bool { return edit.Removed && isOpenMember(c.AfterUnknown, now.key) })
		}
		o.conflicts, o.additions = mapIn(mapIn(c.After, conflicts), now.key), mapIn(mapIn(c.After, additions), now.key)
		if o.Action == NoOp && len(o.Lines)+len(o.conflicts) > 0 && action != NoOp {
			o.Action = Update
		}
		objects = append(objects, o)
	}
	for _, was := range left {
		o := of(was, Delete)
		if o.Waits = false; action == ReleaseIt || leaves(change, was.body) {
			o.Action = ReleaseIt
		}
		objects = append(objects, o)
	}
	return objects
}

// hooksOf stands before the address of a set whose hooks an apply runs.
const hooksOf = "the hooks of "

// runsHooks reports whether the apply of a set runs hooks, or may: it counts them by its revision.
func runsHooks(change resourceChange) bool {
	before, after, unknown := change.Change.Before, change.Change.After, change.Change.AfterUnknown
	hooks := fmt.Sprint(before["hooks"])
	ends := strings.Contains(hooks, "pre-delete") || strings.Contains(hooks, "post-delete")
	if ends && slices.Contains(change.Change.Actions, Delete) {
		return true
	}
	hasHooks := len(mapIn(after, "hooks")) > 0 || isOpen(unknown["hooks"])
	hasTurn := len(namesIn(after["hooks_to_run"])) > 0 || isOpen(unknown["hooks_to_run"])
	counts := isOpen(unknown["revision"]) || !reflect.DeepEqual(before["revision"], after["revision"])
	return hasHooks && hasTurn && counts
}

// placesOf returns the index in before of the object of each member of after, -1 for a new one, and what is left of
// before.
func placesOf(after, before []member) (places []int, left []member) {
	alike, taken := map[any][]int{}, map[int]bool{}
	for i, was := range before {
		alike[was.key] = append(alike[was.key], i)
		if was.id.Kind != "" {
			alike[was.id.InAnyVersion()] = append(alike[was.id.InAnyVersion()], i)
		}
	}
	for _, now := range after {
		found := slices.Concat(alike[now.key], alike[now.id.InAnyVersion()])
		slices.Sort(found)
		found = slices.DeleteFunc(found, func(i int) bool { return taken[i] || !now.continues(before[i]) })
		at := append(found, -1)[0]
		taken[at] = true
		places = append(places, at)
	}
	for i, was := range before {
		if !taken[i] {
			left = append(left, was)
		}
	}
	return places, left
}

// isUnknownSet reports whether the keys of a set are not known.
func isUnknownSet(unknown map[string]any) bool {
	return unknown["manifests"] == true || unknown["secret_manifests"] == true
}

// isOpenMember reports whether the manifest of a member has values that are not known.
func isOpenMember(unknown map[string]any, key string) bool {
	return isOpen(mapIn(unknown, "manifests")[key]) || isOpen(mapIn(unknown, "secret_manifests")[key])
}

// membersIn returns the objects of a set on one side of a change, sorted by key.
func membersIn(side map[string]any) []member {
	objects, manifests := mapIn(side, "objects"), maps.Clone(mapIn(side, "secret_manifests"))
	if manifests == nil {
		manifests = map[string]any{}
	}
	maps.Copy(manifests, mapIn(side, "manifests"))
	keys := slices.Collect(maps.Keys(manifests))
	for key := range objects {
		if _, has := manifests[key]; !has {
			keys = append(keys, key)
		}
	}
	slices.Sort(keys)
	var all []member
	for _, key := range keys {
		attributes, _ := objects[key].(map[string]any)
		m := member{key: key, id: identityIn(attributes), body: manifests[key]}
		m.isNew = m.id.Kind != "" && attributes["uid"] == nil
		if m.id.Kind == "" {
			m.id = namedIn(m.body)
		}
		all = append(all, m)
	}
	return all
}

// continues reports whether a member is the object that another one was before.
func (m member) continues(was member) bool {
	if m.id.Kind == "" || was.id.Kind == "" {
		return m.key == was.key
	}
	return m.id.InAnyVersion() == was.id.InAnyVersion()
}

// becomes returns the action of an update of the set on an object that stays in it. Changes of an object with the same
// manifest are in the warnings, or in the attributes with the differences.
func (m member) becomes(now member) string {
	switch {
	case !m.isNew && now.isNew:
		return Replace
	case reflect.DeepEqual(m.body, now.body):
		return NoOp
	}
	return Update
}

// drift adds the fields of a member of a set that the apply sets back.
func (o *Object) drift(before, after, elsewhere map[string]any) {
	still := mapIn(after, o.Key)
	for _, path := range slices.Sorted(maps.Keys(before)) {
		if _, stays := still[path]; stays || after == nil {
			continue
		}
		line := Line{Path: path}
		if value, is := before[path].(string); is {
			line.Was = &value
		}
		line.UnknownValue = true
		line.OwnersBefore, line.OwnersAfter = namesIn(elsewhere[path]), []string{o.Manager}
		o.Lines = append(o.Lines, line)
	}
}

// namedIn returns the object that a manifest names; zero if it is not known.
func namedIn(body any) manifest.Identity { return parsed(body).Identity }

// objectIn returns the object of a manifest; nil if it is not known.
func objectIn(body any) map[string]any { return parsed(body).Object }

func parsed(body any) (m manifest.Manifest) {
	switch body := body.(type) {
	case string:
		m, _ = manifest.Parse(body)
	case map[string]any:
		m, _ = manifest.Of(body)
	}
	return m
}
