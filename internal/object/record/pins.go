package record

import (
	"encoding/json"
	"maps"

	utiljson "k8s.io/apimachinery/pkg/util/json"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/ownership"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/paths"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/projection"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/rendering"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
)

// Pins are fields whose first value another client chose, and which we hold since. A nil set is empty.
type Pins struct {
	Fields *paths.Set
	// Items are the list items around Fields that the manifest does not have, without those that only we own. They come
	// and go as other managers want.
	Items *paths.Set
	// Unowned are the list items of the object around Fields that the manifest does not contain, and that no manager
	// owns a part of, not even we: managedFields was reset, or who added them is gone from it.
	Unowned *paths.Set
	// Values is the part of the object that Fields hold.
	Values map[string]any
}

// IsEmpty reports whether there are no pins.
func (p Pins) IsEmpty() bool { return paths.OrEmpty(p.Fields).Empty() }

// With returns the pins with the values that live has in fields. Fields that are pinned already keep their values.
func (p Pins) With(live map[string]any, fields *paths.Set) Pins {
	found := fields.Difference(paths.OrEmpty(p.Fields))
	if found.Empty() {
		return p
	}
	p.Fields = paths.OrEmpty(p.Fields).Union(found)
	p.Values = projection.Graft(p.Values, live, projection.WithItemKeys(live, found))
	return p
}

// New returns those of fields that are not pinned, neither in parts nor as a part of a pinned field.
func (p Pins) New(fields *paths.Set) *paths.Set {
	return paths.Filter(fields, func(field paths.Path) bool { return !paths.Touches(paths.OrEmpty(p.Fields), field) })
}

// Only returns the pins of fields.
func (p Pins) Only(fields *paths.Set) Pins {
	p.Fields = paths.OrEmpty(p.Fields).Intersection(fields)
	p.Values = projection.Extract(p.Values, projection.WithItemKeys(p.Values, p.Fields))
	return p
}

// Gone returns those of Items that the object lacks: no manager owns a part of them, and they are not unowned.
func (p Pins) Gone(claims ownership.Claims) *paths.Set {
	held := claims.Fields().Union(paths.OrEmpty(p.Unowned))
	return paths.Filter(paths.OrEmpty(p.Items), func(item paths.Path) bool { return !ownership.Holds(held, item) })
}

// Held returns the pins of fields that declared holds, as a whole or in part, or that are part of a field in declared.
func (p Pins) Held(declared *paths.Set) Pins {
	if p.IsEmpty() {
		return p
	}
	return p.Only(paths.Filter(p.Fields, func(field paths.Path) bool {
		return paths.Touches(paths.OrEmpty(declared), field)
	}))
}

// applied returns the pins that our last apply left: those of fields in declared, and those in list items that were
// missing. A value that a read has found since is pinned by the next apply, as it is then.
func (p Pins) applied(declared *paths.Set) Pins {
	if p.IsEmpty() {
		return p
	}
	away := paths.Filter(paths.OrEmpty(p.Items), func(item paths.Path) bool { return !paths.Touches(declared, item) })
	inItems := p.Fields.Difference(p.Fields.RecursiveDifference(away))
	return p.Only(inItems.Union(paths.OrEmpty(p.Held(declared).Fields)))
}

// Text returns the pinned values by field, as attributes show them.
func (p Pins) Text(renderer rendering.Renderer) map[string]string {
	return renderer.State(p.Values, paths.OrEmpty(p.Fields), paths.NewFormatter(paths.OrEmpty(p.Fields)))
}

// statePrints returns the fingerprints of the declared leaves of an object. Leaves in Items may be missing, and are
// included only if they differ from the pinned value.
func (p Pins) statePrints(live map[string]any, declared *paths.Set, renderer rendering.Renderer) map[string]string {
	if p.IsEmpty() || paths.OrEmpty(p.Items).Empty() {
		return renderer.Fingerprints(live, declared)
	}
	prints := map[string]string{}
	maps.Copy(prints, renderer.Fingerprints(live, declared.RecursiveDifference(p.Items)))
	pinned, now := projection.NewReader(p.Values), projection.NewReader(live)
	paths.Walk(p.Fields.Difference(p.Fields.RecursiveDifference(p.Items)), func(path paths.Path, _ bool) {
		value, presence := now.Lookup(path)
		wanted, _ := pinned.Lookup(path)
		if presence == projection.Present && projection.Fingerprint(value) != projection.Fingerprint(wanted) {
			prints[paths.ID(path)] = renderer.Fingerprint(path, value)
		}
	})
	return prints
}

// Pinnable returns the fields of an object that patterns cover and whose values can be pinned: any client may set them,
// and they are not secret. It returns none if the object has no claims: they show which fields are atomic.
func Pinnable(
	live map[string]any, patterns paths.Patterns, claims ownership.Claims, renderer rendering.Renderer,
) *paths.Set {
	if len(patterns) == 0 || claims.Fields().Empty() {
		return paths.NewSet()
	}
	return Public(projection.Matching(live, patterns,
		withEntries(live, claims.Fields())).RecursiveDifference(fixedFields(manifest.Identity{})), live, renderer)
}

// Public returns the fields of an object whose values are not secret.
func Public(fields *paths.Set, object map[string]any, renderer rendering.Renderer) *paths.Set {
	reader := projection.NewReader(object)
	return paths.Filter(fields, func(path paths.Path) bool {
		value, _ := reader.Lookup(path)
		return !renderer.Hides(path, value)
	})
}

// fixedFields returns the fields that only the server writes, and those that identify an object.
func fixedFields(id manifest.Identity) *paths.Set {
	return ServerFields(id).Union(paths.NewSet(paths.FieldPath("apiVersion"), paths.FieldPath("kind"),
		paths.FieldPath("metadata", "name"), paths.FieldPath("metadata", "namespace")))
}

type encodedPins struct {
	Fields  encodedFields   `json:"fields"`
	Items   encodedFields   `json:"items,omitzero"`
	Unowned encodedFields   `json:"unowned,omitzero"`
	Values  json.RawMessage `json:"values"`
}

// encode returns the pins for JSON, or nil without pins.
func (p Pins) encode() (*encodedPins, error) {
	if p.IsEmpty() && paths.OrEmpty(p.Items).Empty() {
		return nil, nil
	}
	values, err := json.Marshal(p.Values)
	return &encodedPins{encodedFields{p.Fields}, encodedFields{p.Items}, encodedFields{p.Unowned}, values}, err
}

func (e *encodedPins) decode() (Pins, error) {
	if e == nil {
		return Pins{}, nil
	}
	p := Pins{Fields: e.Fields.set(), Items: e.Items.set(), Unowned: e.Unowned.set()}
	return p, utiljson.Unmarshal(e.Values, &p.Values)
}
