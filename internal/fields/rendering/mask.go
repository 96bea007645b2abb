package rendering

import (
	"maps"
	"slices"
	"strings"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/paths"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/projection"
)

// MaskSet returns fields with digests instead of the secret values that paths hold: members of sets, and keys of list
// items. Equal sets stay equal.
func (r Renderer) MaskSet(fields *paths.Set) *paths.Set {
	if len(r.Sensitive) == 0 {
		return fields
	}
	masked := paths.NewSet()
	paths.Walk(fields, func(path paths.Path, _ bool) { masked.Insert(r.MaskPath(path)) })
	return masked
}

// MaskPath does what MaskSet does, for one path.
func (r Renderer) MaskPath(path paths.Path) paths.Path {
	at := r.Sensitive.Start()
	masked := path
	for i, element := range path {
		if at = at.Element(element); !at.Alive() {
			break
		}
		if !reveals(at, element) {
			continue
		}
		// Few paths have a secret in them, so the copy waits for the first one.
		if &masked[0] == &path[0] {
			masked = path.Copy()
		}
		masked[i] = r.maskElement(at, element)
	}
	return masked
}

func (r Renderer) maskElement(at paths.Cursor, element paths.PathElement) paths.PathElement {
	if member, isMember := paths.ElementValue(element); isMember {
		return paths.Value(r.maskValue(member))
	}
	keys := paths.KeyFields(element)
	for name, value := range keys {
		if at.Field(name).Matched() {
			keys[name] = r.maskValue(value)
		}
	}
	return paths.Key(keys)
}

// maskValue returns the digest of a value. A digest stays as it is: masking twice changes nothing.
func (r Renderer) maskValue(value any) any {
	if isDigest(value) {
		return value
	}
	return r.digest(value)
}

func isDigest(value any) bool {
	text, isText := value.(string)
	return isText && strings.HasPrefix(text, digestMark)
}

func isScalar(value any) bool {
	switch value.(type) {
	case map[string]any, []any:
		return false
	default:
		return true
	}
}

// MaskIDs returns values, which have the IDs of paths as keys, with the IDs of the masked paths as keys.
func (r Renderer) MaskIDs(values map[string]string) map[string]string {
	return r.renamed(values, r.MaskPath)
}

func (r Renderer) renamed(values map[string]string, rename func(paths.Path) paths.Path) map[string]string {
	if len(r.Sensitive) == 0 || len(values) == 0 {
		return values
	}
	renamed := make(map[string]string, len(values))
	for id, value := range values {
		path, err := paths.ParseID(id)
		if err != nil || len(path) == 0 {
			continue // Not one of our IDs.
		}
		renamed[paths.ID(rename(path))] = value
	}
	return renamed
}

// UnmaskSet undoes MaskSet for the list items in object; other items stay digests.
func (r Renderer) UnmaskSet(masked *paths.Set, object map[string]any) *paths.Set {
	if len(r.Sensitive) == 0 {
		return masked
	}
	fields, start := paths.NewSet(), r.unmasker(object)
	paths.Walk(masked, func(path paths.Path, _ bool) { fields.Insert(start.unmaskPath(path)) })
	return fields
}

// UnmaskIDs undoes MaskIDs for the list items in object.
func (r Renderer) UnmaskIDs(values map[string]string, object map[string]any) map[string]string {
	return r.renamed(values, r.unmasker(object).unmaskPath)
}

// unmasker is a place in an object that masked paths lead to. It remembers the places below that were visited, and so
// reads each list once.
type unmasker struct {
	renderer Renderer
	cursor   paths.Cursor
	object   *projection.Reader
	// path is the unmasked path to the place, and value the value there.
	path  paths.Path
	value any
	// below are the places below, by the ID of the masked element.
	below map[string]*unmasker
	// hidden are the masked items, if the place is a list, by the names of their keys.
	hidden map[string]hidden
}

// hidden are the items of a list with a secret in them, by the ID of their masked element.
type hidden struct {
	elements map[string]paths.PathElement
	// incomplete are those that leave keys to the server's default.
	incomplete []any
}

func (r Renderer) unmasker(object map[string]any) *unmasker {
	return &unmasker{renderer: r, cursor: r.Sensitive.Start(), object: projection.NewReader(object), value: object}
}

func (p *unmasker) unmaskPath(masked paths.Path) paths.Path {
	path := masked.Copy()
	for i, element := range masked {
		if !p.cursor.Alive() {
			break
		}
		if i == len(masked)-1 {
			path[i] = p.unmask(element)
			break
		}
		p = p.step(element)
		path[i] = p.path[i]
	}
	return path
}

func (p *unmasker) step(masked paths.PathElement) *unmasker {
	id := paths.ElementID(masked)
	if known, is := p.below[id]; is {
		return known
	}
	element := p.unmask(masked)
	next := &unmasker{
		renderer: p.renderer, cursor: p.cursor.Element(element), object: p.object, path: paths.Below(p.path, element),
	}
	next.value, _ = p.object.Lookup(next.path)
	if p.below == nil {
		p.below = map[string]*unmasker{}
	}
	p.below[id] = next
	return next
}

// unmask returns the element of the item that masked represents.
func (p *unmasker) unmask(masked paths.PathElement) paths.PathElement {
	list, isList := p.value.([]any)
	if !isList || masked.FieldName != nil || masked.Index != nil {
		return masked
	}
	id, keys := paths.ElementID(masked), paths.KeyFields(masked)
	form := strings.Join(slices.Sorted(maps.Keys(keys)), "\x00")
	if _, built := p.hidden[form]; !built {
		if p.hidden == nil {
			p.hidden = map[string]hidden{}
		}
		p.hidden[form] = p.hide(list, keys)
	}
	if element, is := p.hidden[form].elements[id]; is {
		return element
	}
	for _, item := range p.hidden[form].incomplete {
		candidate := keyLike(keys, item)
		if digest, reveals := p.mask(candidate); reveals && digest == id {
			return candidate
		}
	}
	return masked
}

// hide masks the items of a list that are known by keys of certain names, or by their value where keys is
// nil.
func (p *unmasker) hide(list []any, keys map[string]any) hidden {
	items := hidden{elements: make(map[string]paths.PathElement, len(list))}
	for _, item := range list {
		candidate := paths.Value(item)
		if keys != nil {
			if lacks(item, keys) {
				items.incomplete = append(items.incomplete, item)
				continue
			}
			candidate = keyLike(keys, item)
		}
		if digest, reveals := p.mask(candidate); reveals {
			if _, twice := items.elements[digest]; !twice {
				items.elements[digest] = candidate
			}
		}
	}
	return items
}

// mask returns the ID of an item's masked element, false where the element holds no secret.
func (p *unmasker) mask(candidate paths.PathElement) (string, bool) {
	at := p.cursor.Element(candidate)
	if !reveals(at, candidate) {
		return "", false
	}
	return paths.ElementID(p.renderer.maskElement(at, candidate)), true
}

func lacks(item any, keys map[string]any) bool {
	fields, _ := item.(map[string]any)
	for name := range keys {
		if value, has := fields[name]; !has || !isScalar(value) {
			return true
		}
	}
	return false
}

// keyLike returns an item's element with the names of keys. Keys that the item lacks have their values from keys.
func keyLike(keys map[string]any, item any) paths.PathElement {
	fields, _ := item.(map[string]any)
	own := make(map[string]any, len(keys))
	for name, value := range keys {
		own[name] = value
		if has, is := fields[name]; is && isScalar(has) {
			own[name] = has
		}
	}
	return paths.Key(own)
}
