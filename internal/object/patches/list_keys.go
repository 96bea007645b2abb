package patches

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	jsonpatch "gopkg.in/evanphx/json-patch.v4"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/paths"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
)

// ListKeys are the fields that together identify an entry of the lists which Pattern names.
type ListKeys struct {
	Pattern paths.Pattern
	Names   []string
}

// Element returns the path element of an entry: its keys, or its value if it does not have all of them.
func (k ListKeys) Element(entry any) paths.PathElement {
	if keys := k.keysOf(entry); keys != nil {
		return paths.Key(keys)
	}
	return paths.Value(entry)
}

// keysOf returns the keys of an entry; nil if it does not have all of them.
func (k ListKeys) keysOf(entry any) map[string]any {
	fields, _ := entry.(map[string]any)
	keys := make(map[string]any, len(k.Names))
	for _, name := range k.Names {
		if !isScalar(fields[name]) {
			return nil
		}
		keys[name] = fields[name]
	}
	return keys
}

// positionsIn returns the positions of the entries of a list, by their idOf: of equal ones, that of the first.
func (k ListKeys) positionsIn(list []any) map[any]int {
	positions := make(map[any]int, len(list))
	for i, entry := range slices.Backward(list) {
		positions[k.idOf(entry)] = i
	}
	delete(positions, nil)
	return positions
}

// idOf returns a value that is equal for entries with the same keys; nil if the entry does not have all of them.
func (k ListKeys) idOf(entry any) any {
	type joined struct{ key, others any }
	fields, _ := entry.(map[string]any)
	var id any
	for _, name := range k.Names {
		if !isScalar(fields[name]) {
			return nil
		}
		id = joined{fields[name], id}
	}
	return id
}

// WithListKeys returns a merge patch that sets single entries of lists, and leaves the other entries alone. keys are
// the names of the fields that identify an entry, by the path of the list. Every failure is an *[Error].
func (p Patch) WithListKeys(keys map[string][]string) (Patch, error) {
	if len(keys) == 0 {
		return p, nil
	}
	if p.Type != Merge {
		return p, &Error{
			Problem:    fmt.Sprintf("list_keys is for a merge patch, and this is a %s patch", p.Type),
			Suggestion: `Set type = "merge", or remove list_keys.`,
		}
	}
	for _, list := range slices.Sorted(maps.Keys(keys)) {
		pattern, err := paths.ParseArgument(list)
		switch {
		case err != nil:
			return p, &Error{Problem: "list_keys: " + strings.TrimSuffix(err.Error(), "."), Suggestion: listPath}
		case pattern.IsEntry():
			return p, &Error{Problem: "list_keys: " + list + " selects entries of a list", Suggestion: listPath}
		case len(keys[list]) == 0:
			return p, &Error{
				Problem:    "list_keys has no key for " + list,
				Suggestion: `Write the fields that identify an entry, for example ["key", "effect"].`,
			}
		}
		p.keys = append(p.keys, ListKeys{Pattern: pattern, Names: slices.Sorted(slices.Values(keys[list]))})
	}
	found := map[string]bool{}
	if err := checkEntries(p.fields, p.keysAtRoot(), nil, found); err != nil {
		return p, err
	}
	for _, list := range p.keys {
		if !found[list.Pattern.String()] {
			return p, &Error{
				Problem:    fmt.Sprintf("list_keys names %s, and the body sets no entry there", list.Pattern),
				Suggestion: "Write the entry in the body, or remove the list from list_keys.",
			}
		}
	}
	text, err := encode(keys)
	p.Text += " list_keys " + string(text)
	return p, err
}

const listPath = "Write the path of the list, for example spec.taints."

// ListKeys returns the keys of lists of which the patch sets single entries.
func (p Patch) ListKeys() []ListKeys { return p.keys }

// keysAt follows the patterns of list keys down an object.
type keysAt []struct {
	keys ListKeys
	at   paths.Cursor
}

func (p Patch) keysAtRoot() keysAt {
	at := make(keysAt, len(p.keys))
	for i, keys := range p.keys {
		at[i].keys, at[i].at = keys, paths.Patterns{keys.Pattern}.Start()
	}
	return at
}

// below returns the patterns that may name something below a field or an entry.
func (k keysAt) below(step func(paths.Cursor) paths.Cursor) keysAt {
	var next keysAt
	for _, one := range k {
		if one.at.Matched() {
			continue
		}
		if one.at = step(one.at); one.at.Alive() || one.at.Matched() {
			next = append(next, one)
		}
	}
	return next
}

func (k keysAt) field(name string) keysAt {
	return k.below(func(at paths.Cursor) paths.Cursor { return at.Field(name) })
}

func (k keysAt) entry(keys ListKeys, entry any) keysAt {
	item := paths.Item{Index: -1, Value: entry, Keys: keys.keysOf(entry)}
	return k.below(func(at paths.Cursor) paths.Cursor { return at.Item(item) })
}

// named returns the keys of the list at which the patterns are; false if none of them names it.
func (k keysAt) named() (ListKeys, bool) {
	for _, one := range k {
		if one.at.Matched() {
			return one.keys, true
		}
	}
	return ListKeys{}, false
}

// checkEntries returns an error for entries of a body that their keys do not identify. It notes the patterns that name
// lists with entries in found.
func checkEntries(fields map[string]any, keys keysAt, at pointer, found map[string]bool) error {
	for _, name := range sortedNames(fields) {
		next, here := keys.field(name), slices.Concat(at, pointer{name})
		switch value := fields[name].(type) {
		case map[string]any:
			if err := checkEntries(value, next, here, found); err != nil {
				return err
			}
		case []any:
			list, isNamed := next.named()
			if !isNamed {
				continue
			}
			positions := list.positionsIn(value)
			for i, entry := range value {
				found[list.Pattern.String()] = true
				inner, isMap := entry.(map[string]any)
				here := slices.Concat(here, pointer{fmt.Sprint(i)})
				switch {
				case !isMap:
					return &Error{
						Problem: fmt.Sprintf("%s of the body is %s, and list_keys is for lists of objects", here,
							manifest.Describe(entry)),
						Suggestion: "Remove the list from list_keys.",
					}
				case list.keysOf(entry) == nil:
					return &Error{
						Problem: fmt.Sprintf("%s of the body does not have all keys of its list: %s", here,
							strings.Join(list.Names, ", ")),
						Suggestion: "Write them: they identify the entry.",
					}
				case positions[list.idOf(entry)] < i:
					return &Error{
						Problem:    fmt.Sprintf("%s of the body has the same keys as an entry before it", here),
						Suggestion: "Remove one of the two, or add a key to list_keys in which they differ.",
					}
				}
				if err := checkEntries(inner, next.entry(list, entry), here, found); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// withLists returns the fields of a body with each list that has keys as the patch makes it of the list in object.
func withLists(fields, object map[string]any, keys keysAt) (map[string]any, error) {
	if len(keys) == 0 {
		return fields, nil
	}
	whole, err := maps.Clone(fields), error(nil)
	for _, name := range sortedNames(fields) {
		next := keys.field(name)
		switch value := fields[name].(type) {
		case map[string]any:
			there, _ := object[name].(map[string]any)
			whole[name], err = withLists(value, there, next)
		case []any:
			if list, isNamed := next.named(); isNamed {
				there, _ := object[name].([]any)
				whole[name], err = mergeEntries(value, there, list, next)
			}
		}
		if err != nil {
			return nil, err
		}
	}
	return whole, nil
}

// mergeEntries returns a list with entries of a body merged into it, new ones at the end.
func mergeEntries(entries, there []any, list ListKeys, keys keysAt) ([]any, error) {
	merged, positions := slices.Clone(there), list.positionsIn(there)
	for _, entry := range entries {
		position, has := positions[list.idOf(entry)]
		before := map[string]any{}
		if has {
			before, _ = merged[position].(map[string]any)
		}
		fields, _ := entry.(map[string]any)
		fields, err := withLists(fields, before, keys.entry(list, entry))
		if err != nil {
			return nil, err
		}
		after, err := mergeInto(before, fit(fields, before, nil))
		if err != nil {
			return nil, err
		}
		if has {
			merged[position] = after
		} else {
			merged = append(merged, after)
		}
	}
	return merged, nil
}

// mergeInto returns an object with the fields of a merge patch. before is not mutated.
func mergeInto(before, fields map[string]any) (map[string]any, error) {
	body, err := encode(fields)
	if err != nil {
		return nil, err
	}
	return rewrite(before, func(object []byte) ([]byte, error) {
		return jsonpatch.MergePatch(object, body)
	}, refusedFields)
}
