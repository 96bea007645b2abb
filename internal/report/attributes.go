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
	setType      = "k8sconnect_manifests"
	manifestType = "k8sconnect_manifest"
	patchType    = "k8sconnect_patch"
	sensitive    = "(sensitive)"
	ownsFields   = "field_ownership"
	ownsTogether = "co_owners"
	liveValues   = "managed_state"
	conflicts    = "conflicts"
	additions    = "additions"
)

// objectsOf returns the objects of a resource; false for a resource of another provider, and for a data source.
func objectsOf(change resourceChange) ([]Object, bool) {
	if !strings.HasPrefix(change.Type, "k8sconnect_") || change.Mode == "data" {
		return nil, false
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
	o.Waits = change.Type == "k8sconnect_wait" || change.Change.After["wait"] != nil
	o.Unknown = change.Change.AfterUnknown[ownsFields] == true
	o.conflicts, o.additions = mapIn(change.Change.After, conflicts), mapIn(change.Change.After, additions)
	o.Lines = linesOf(change)
	o.ignores, o.ignored = change.Type == manifestType, namesIn(change.Change.After["ignore_fields"])
	return []Object{o}, true
}

// actionOf returns the action of a resource. A destroy that releases the object deletes nothing.
func actionOf(change resourceChange) string {
	actions := change.Change.Actions
	switch {
	case len(actions) > 1:
		return Replace
	case len(actions) == 0 || actions[0] == "forget":
		return ReleaseIt
	case actions[0] == Delete && (change.Type == patchType || leaves(change)):
		return ReleaseIt
	}
	return actions[0]
}

// leaves reports whether the objects that a resource gives up stay on the cluster. A set that stays takes the policy
// from its configuration, a destroy from the state.
func leaves(change resourceChange) bool {
	policy := change.Change.Before["on_destroy"]
	if slices.Equal(change.Change.Actions, []string{"update"}) {
		policy = change.Change.After["on_destroy"]
	}
	return policy == "release" || policy == "hand_over"
}

func identityIn(attributes map[string]any) manifest.Identity {
	id, _ := attributes["id"].(string)
	if parsed, err := manifest.ParseID(id); err == nil {
		return parsed
	}
	ref, _ := attributes["object_ref"].(map[string]any)
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
			Path:          path,
			Was:           valueIn(c.Before, path, isSensitive(c.BeforeSensitive, path)),
			Becomes:       valueIn(c.After, path, isSensitive(c.AfterSensitive, path)),
			OwnersBefore:  ownersIn(c.Before, path),
			OwnersAfter:   ownersIn(c.After, path),
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
	for _, line := range o.Lines {
		effect, owners := o.transition(line)
		if effect == "" || slices.ContainsFunc(o.Fields, func(f Field) bool { return f.Path == line.Path }) {
			continue
		}
		field := Field{Path: line.Path, Effect: effect, Was: line.Was, Becomes: line.Becomes, From: "attributes"}
		for _, name := range owners {
			field.Owners = append(field.Owners, reader.Owner{Name: name})
		}
		o.list(field)
	}
	for _, edit := range o.edits {
		if slices.ContainsFunc(o.Fields, func(f Field) bool { return f.Path == edit.Path }) {
			continue
		}
		field := Field{Path: edit.Path, Effect: changes.Set, From: "manifests"}
		if edit.Removed {
			field.Effect = changes.Unset
		}
		o.list(field)
	}
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
	if o.Action == NoOp || o.Action == Delete || o.Manager == "" || line.UnknownOwners {
		return "", nil
	}
	others := slices.DeleteFunc(slices.Clone(line.OwnersBefore), func(name string) bool { return name == o.Manager })
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
