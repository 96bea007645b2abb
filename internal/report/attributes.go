package report

import (
	"maps"
	"slices"
	"strings"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/diagnostics/changes"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/diagnostics/reader"
)

// The actions.
const (
	Create       = "create"
	Adopt        = "adopt"
	Update       = "update"
	Replace      = "replace"
	Delete       = "delete"
	ReleaseIt    = "release-object"
	Read         = "read"
	NoOp         = "no-op"
	Refused      = "refused"
	forget       = "forget"
	setType      = "k8sconnect_manifests"
	manifestType = "k8sconnect_manifest"
	patchType    = "k8sconnect_patch"
	waitType     = "k8sconnect_wait"
	sensitive    = "(sensitive)"
	ownsFields   = "field_ownership"
	ownsTogether = "co_owners"
	liveValues   = "managed_state"
	conflicts    = "conflicts"
	additions    = "additions"
)

// objectsOf returns the objects of a resource, two if another object replaces the one of the state, or the one of the
// state stays; false for a resource of another provider, and for a data source.
func objectsOf(change resourceChange) ([]Object, bool) {
	if !strings.HasPrefix(change.Type, "k8sconnect_") || change.Mode == "data" {
		return nil, false
	}
	was, now := identityIn(change.Change.Before), identityIn(change.Change.After)
	isOther := was.Kind != "" && now.Kind != "" && was.InAnyVersion() != now.InAnyVersion()
	stays := actionOf(change) == Replace && leaves(change, bodyIn(change))
	splits := change.Type != setType && (isOther || stays)
	forgets := slices.Contains(change.Change.Actions, forget)
	if len(change.Change.Actions) > 1 && (splits || forgets) {
		before, after := change, change
		before.Change.Actions, before.Change.After, before.Change.AfterUnknown = []string{Delete}, nil, nil
		if forgets {
			before.Change.Actions = []string{forget}
		}
		after.Change.Actions, after.Change.Before = []string{Create}, nil
		created, _ := objectsOf(after)
		ended, _ := objectsOf(before)
		return append(created, ended...), true
	}
	if change.Type == setType {
		return objectsOfSet(change), true
	}
	o := Object{Address: change.Address, Action: actionOf(change)}
	for _, side := range []map[string]any{change.Change.After, change.Change.Before} {
		if id := identityIn(side); o.Kind == "" && id.Kind != "" {
			o.identify(id)
		}
		if name, is := side["field_manager"].(string); is && o.Manager == "" {
			o.Manager = name
		}
	}
	starts := change.Type == waitType && slices.Contains(change.Change.Actions, Create)
	o.Waits = starts || change.Change.AfterUnknown["ready"] == true
	o.Unknown, o.unknown = change.Change.AfterUnknown[ownsFields] == true, change.Change.AfterUnknown
	o.conflicts, o.additions = mapIn(change.Change.After, conflicts), mapIn(change.Change.After, additions)
	o.Lines = linesOf(change)
	if change.Type == manifestType {
		o.ignored = append([]string{}, namesIn(change.Change.After["ignore_fields"])...)
	}
	return []Object{o}, true
}

// actionOf returns the action of a resource on its object. A destroy that releases the object deletes nothing, a patch
// updates an object and gives it up, and a wait changes none.
func actionOf(change resourceChange) string {
	actions := change.Change.Actions
	switch {
	case change.Type == waitType:
		return NoOp
	case change.Type == patchType && slices.Contains(actions, Create):
		return Update
	case len(actions) > 1:
		return Replace
	case len(actions) == 0 || actions[0] == forget:
		return ReleaseIt
	case actions[0] == Delete && (change.Type == patchType || leaves(change, bodyIn(change))):
		return ReleaseIt
	}
	return actions[0]
}

// leaves reports whether an object with a manifest stays on the cluster when its resource gives it up: by on_destroy,
// by that of a rule of the last apply, or by the annotation of Helm. A set that stays takes on_destroy from its
// configuration, a destroy from the state.
func leaves(change resourceChange, body any) bool {
	before := change.Change.Before
	policy := before["on_destroy"]
	if slices.Equal(change.Change.Actions, []string{Update}) {
		policy = change.Change.After["on_destroy"]
	}
	if policy == nil {
		policy = mapIn(before, "rules_applied")["on_destroy"]
	}
	if policy == nil {
		kept, _ := mapIn(mapIn(objectIn(body), "metadata"), "annotations")["helm.sh/resource-policy"].(string)
		return strings.EqualFold(strings.TrimSpace(kept), "keep")
	}
	return policy == "release" || policy == "hand_over"
}

// bodyIn returns the manifest in the state of a resource with one object.
func bodyIn(change resourceChange) any {
	if body := change.Change.Before["yaml_body"]; body != nil {
		return body
	}
	return change.Change.Before["manifest"]
}

func identityIn(attributes map[string]any) manifest.Identity {
	id, _ := attributes["id"].(string)
	if parsed, err := manifest.ParseID(id); err == nil {
		return parsed
	}
	ref := mapIn(attributes, "object_ref")
	if ref["kind"] == nil {
		ref = mapIn(attributes, "target")
	}
	text := func(key string) string { value, _ := ref[key].(string); return value }
	return manifest.Identity{
		APIVersion: text("api_version"), Kind: text("kind"), Namespace: text("namespace"), Name: text("name"),
	}
}

func mapIn(attributes map[string]any, name string) map[string]any {
	value, _ := attributes[name].(map[string]any)
	return value
}

func namesIn(value any) []string {
	list, _ := value.([]any)
	var names []string
	for _, name := range list {
		if text, is := name.(string); is {
			names = append(names, text)
		}
	}
	return names
}

// isSensitive reports whether Terraform hides the value of a field.
func isSensitive(marks any, path string) bool {
	all, _ := marks.(map[string]any)
	return marks == true || all[liveValues] == true || mapIn(all, liveValues)[path] == true
}

// linesOf returns the fields of a resource with their owners and values before and after.
func linesOf(change resourceChange) []Line {
	c := change.Change
	paths := map[string]bool{}
	for _, side := range []map[string]any{c.Before, c.After} {
		for _, attribute := range []string{ownsFields, liveValues} {
			for path := range mapIn(side, attribute) {
				paths[path] = true
			}
		}
	}
	var lines []Line
	for _, path := range slices.Sorted(maps.Keys(paths)) {
		lines = append(lines, Line{
			Path: path, Was: valueIn(c.Before, path, isSensitive(c.BeforeSensitive, path)),
			Becomes:      valueIn(c.After, path, isSensitive(c.AfterSensitive, path)),
			OwnersBefore: ownersIn(c.Before, path), OwnersAfter: ownersIn(c.After, path),
			UnknownOwners: isUnknown(c.AfterUnknown, ownsFields, path),
			UnknownValue:  isUnknown(c.AfterUnknown, liveValues, path),
		})
	}
	return lines
}

func isUnknown(unknown map[string]any, attribute, path string) bool {
	if parts := mapIn(unknown, attribute); parts != nil {
		return parts[path] == true
	}
	return unknown[attribute] == true
}

func valueIn(side map[string]any, path string, hidden bool) *string {
	value, is := mapIn(side, liveValues)[path].(string)
	if !is {
		return nil
	}
	if hidden {
		value = sensitive
	}
	return &value
}

// ownersIn returns all owners of a field, the one of field_ownership first.
func ownersIn(side map[string]any, path string) []string {
	var owners []string
	if owner, is := mapIn(side, ownsFields)[path].(string); is {
		owners = append(owners, owner)
	}
	for _, owner := range namesIn(mapIn(side, ownsTogether)[path]) {
		if !slices.Contains(owners, owner) {
			owners = append(owners, owner)
		}
	}
	return owners
}

// compare adds the changes that the attributes show and no warning reports.
func (o *Object) compare() {
	if o.Action != NoOp {
		o.addConflicts()
	}
	o.addAdditions()
	for i, field := range o.Fields {
		if field.Effect == changes.Change && len(field.Owners) > 0 && o.mayTake(field.Path) {
			o.Fields[i].Effect = changes.Take
		}
	}
	listed := o.listed()
	for _, line := range o.Lines {
		effect, owners := o.transition(line)
		if effect == "" || listed[line.Path] {
			continue
		}
		field := Field{Path: line.Path, Effect: effect, Was: line.Was, Becomes: line.Becomes, From: "attributes"}
		if line.UnknownOwners {
			field.Fate = ifChanged
		}
		for _, name := range owners {
			field.Owners = append(field.Owners, reader.Owner{Name: name})
		}
		o.list(field)
		listed[line.Path] = true
	}
	for _, edit := range o.edits {
		if listed[edit.Path] {
			continue
		}
		field := Field{Path: edit.Path, Effect: changes.Set, From: "manifests"}
		if edit.Removed {
			field.Effect = changes.Unset
		}
		o.list(field)
		listed[edit.Path] = true
	}
}

// ifChanged is the effect on a field of other managers whose new value the plan does not know: the apply takes it if
// the value is another one, and otherwise shares it.
const ifChanged = ", if its value changes"

// mayTake reports whether the apply gives a field a value that the plan does not know: then its owners are not known
// either.
func (o *Object) mayTake(path string) bool {
	return mapIn(o.unknown, liveValues)[path] == true && isUnknown(o.unknown, ownsFields, path)
}

// listed returns the paths of the fields that are listed by now.
func (o *Object) listed() map[string]bool {
	listed := map[string]bool{}
	for _, field := range o.Fields {
		listed[field.Path] = true
	}
	return listed
}

// list adds a field that a warning may have counted.
func (o *Object) list(field Field) {
	o.Fields = append(o.Fields, field)
	if o.Unlisted[field.Effect] > 0 {
		o.Unlisted[field.Effect]--
	}
	if o.Unlisted[field.Effect] == 0 {
		delete(o.Unlisted, field.Effect)
	}
}

// transition returns what happens to the owners of a field, and the other managers that it happens to.
func (o *Object) transition(line Line) (changes.Effect, []string) {
	if o.Action == NoOp || o.Action == Delete || o.Manager == "" {
		return "", nil
	}
	others := slices.DeleteFunc(slices.Clone(line.OwnersBefore), func(name string) bool { return name == o.Manager })
	if line.UnknownOwners && o.mayTake(line.Path) && len(others) > 0 {
		return changes.Take, others
	} else if line.UnknownOwners {
		return "", nil
	}
	owned, owns := slices.Contains(line.OwnersBefore, o.Manager), slices.Contains(line.OwnersAfter, o.Manager)
	lost := slices.DeleteFunc(slices.Clone(others), func(name string) bool {
		return slices.Contains(line.OwnersAfter, name)
	})
	switch {
	case owns && len(lost) > 0:
		return changes.Take, lost
	case owns && !owned && len(others) > 0:
		return changes.Share, others
	case owned && !owns && len(line.OwnersAfter) > 0:
		return changes.Release, line.OwnersAfter
	case o.Key != "" && owns && line.Was != nil && !owned:
		return changes.SetBack, nil
	}
	isSame := line.Was != nil && line.Becomes != nil && *line.Was == *line.Becomes && !line.UnknownValue
	switch {
	case o.Action != Update || isSame:
	case line.Becomes != nil || line.UnknownValue:
		return changes.Set, nil
	case line.Was != nil && len(line.OwnersAfter) > 0:
		return changes.Stay, line.OwnersAfter
	case line.Was != nil:
		return changes.Unset, nil
	}
	return "", nil
}
