package prediction

import (
	"maps"
	"reflect"
	"slices"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/ownership"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/paths"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/projection"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/rendering"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/record"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/wanted"
)

// PlannedState are the computed attributes after the apply.
type PlannedState struct {
	// Owners are not certain if OwnersUnknown is true. Unwanted are empty: the apply removes them.
	record.Shown
	Unknown
	// Conflicts are the values of other managers that the apply changes or removes, each field once, and values that no
	// other manager owns and that the apply sets back. Both of Terraform's plans know them, with the Was of the state.
	Conflicts []ownership.Change `json:"-"`
	// AddedByOthers are Additions with their paths and owners.
	AddedByOthers []Addition `json:"-"`
	// Rewritten are values that stay in the manifest and that the server changes. ManagedState shows it.
	Rewritten []ownership.Change `json:"-"`
	// Removed are fields of ours alone that are removed with the manifest.
	Removed []ownership.Change `json:"-"`
	// ConflictsUnknown is true if the configuration does not know all values of the object yet.
	ConflictsUnknown bool `json:"-"`
}

// Unknown is what of a PlannedState is known only after the apply.
type Unknown struct {
	// OwnersUnknown is true in four cases. No manager owns anything: the server makes a manager "before-first-apply"
	// the owner of all fields that the object contains at the time of the apply. A manager owns fields in another
	// version of the kind. The apply removes obstacles that have owners. It is not known whether anything has to be
	// applied, and the apply would change the owners or the additions.
	OwnersUnknown bool
	// PinsUnknown is true if the apply may pin values that are not known yet. Then the other maps are not known either.
	PinsUnknown bool
	// FieldsUnknown is true if it is not known which fields the object will have. Then no map is known.
	FieldsUnknown bool
	// UnknownValues are the keys of ManagedState whose value is known only after the apply: digests whose key does not
	// exist yet, write-only values that the apply sends, and values that the configuration does not know yet.
	UnknownValues []string
	// UnknownOwners are the fields whose owners are known only after the apply, because other managers hold them and
	// their value is write-only, or not known yet.
	UnknownOwners []string
}

// KnowsConflicts reports whether the apply will have exactly these conflicts.
func (s PlannedState) KnowsConflicts() bool {
	return !s.ConflictsUnknown && !s.OwnersUnknown && !s.PinsUnknown && !s.FieldsUnknown && len(s.UnknownOwners) == 0
}

// OrAsBefore returns what is known in both of two cases: the apply leaves this state, or nothing has to be applied and
// the state of prior stays.
func (s PlannedState) OrAsBefore(prior record.Prior) PlannedState {
	for field, owner := range s.Owners.FieldOwnership {
		was, has := prior.Owners.FieldOwnership[field]
		if !has {
			s.OwnersUnknown = true
		}
		if was != owner || !slices.Equal(s.Owners.CoOwners[field], prior.Owners.CoOwners[field]) {
			s.UnknownOwners = append(s.UnknownOwners, field)
		}
	}
	if len(s.Owners.FieldOwnership) != len(prior.Owners.FieldOwnership) ||
		!reflect.DeepEqual(s.Additions, prior.Additions) {
		s.OwnersUnknown = true
	}
	for field, value := range s.ManagedState {
		was, has := prior.ManagedState[field]
		s.FieldsUnknown = s.FieldsUnknown || !has
		if was != value {
			s.UnknownValues = append(s.UnknownValues, field)
		}
	}
	s.FieldsUnknown = s.FieldsUnknown || len(s.ManagedState) != len(prior.ManagedState)
	s.ConflictsUnknown = true
	s.UnknownOwners, s.UnknownValues = sortUnique(s.UnknownOwners), sortUnique(s.UnknownValues)
	return s
}

// sortUnique returns values sorted, each once. It may change values.
func sortUnique(values []string) []string {
	slices.Sort(values)
	return slices.Compact(values)
}

// Divergence returns the declared fields that an apply left with another value than its plan showed, or without an
// owner that the plan showed, because other clients wrote in between, sorted. An owner that was added in between shares
// our value, and is not listed.
func Divergence(planned PlannedState, observed record.Observed) []string {
	var fields []string
	for field, value := range planned.ManagedState {
		// No key for digests exists in the plan of a new object, so it shows secret values as redacted.
		if observed.ManagedState[field] != value && value != rendering.Redacted {
			fields = append(fields, field)
			continue
		}
		if len(planned.Owners.Lost(observed.Owners, field)) > 0 {
			fields = append(fields, field)
		}
	}
	for field := range observed.ManagedState {
		if _, was := planned.ManagedState[field]; was {
			continue
		}
		undisclosed := slices.Contains(planned.UnknownValues, field)
		if !undisclosed || len(planned.Owners.Lost(observed.Owners, field)) > 0 {
			fields = append(fields, field)
		}
	}
	return sortUnique(fields)
}

// Transfers returns the fields whose shown owner changes, sorted by path, with the names of the owners before and
// after: "" for a field without an owner, and for a new field.
func Transfers(before, after ownership.View) []ownership.Change {
	var all []ownership.Change
	for _, field := range slices.Sorted(maps.Keys(after.FieldOwnership)) {
		from, to := before.FieldOwnership[field], after.FieldOwnership[field]
		if from != to {
			all = append(all, ownership.Change{Field: field, Was: from, Becomes: to})
		}
	}
	return all
}

// UnknownValues returns the keys of state whose value is known only after the apply, sorted: secret values whose digest
// key does not exist yet, values that the configuration does not know yet, and write-only ones that the apply sends.
// Attributes show write-only values alike before and after, so an unknown value is how the plan shows that the apply
// sets them.
func UnknownValues(state map[string]string, applied *paths.Set, w wanted.Wanted, names rendering.Formatter) []string {
	var fields []string
	for field, value := range state {
		if value == rendering.Redacted {
			fields = append(fields, field)
		}
	}
	sent := wanted.SentWriteOnly(w.Arguments, w.Prior)
	undecided, _ := w.UndecidedFields(applied)
	paths.Walk(applied, func(path paths.Path, _ bool) {
		field := names.Format(path)
		if _, shown := state[field]; shown && (sent.Match(path) || undecided.Has(path)) {
			fields = append(fields, field)
		}
	})
	return sortUnique(fields)
}

// mayChange returns a function that reports whether Terraform's second plan may give one of fields another value: a
// write-only one, or one that is not known yet.
func mayChange(w wanted.Wanted, fields *paths.Set) func(path paths.Path) bool {
	writeOnly := w.WriteOnly.Patterns()
	undecided, _ := w.UndecidedFields(fields)
	return func(path paths.Path) bool { return writeOnly.Match(path) || undecided.Has(path) }
}

// FieldsUnknown reports whether it is not known yet which of applied the object will have. body was sent and object is
// the answer to it: if the server has dropped values of the body, the stand-ins may be the reason. It does not store
// some zeros and empty strings in any case.
func FieldsUnknown(w wanted.Wanted, body, object map[string]any, applied *paths.Set) bool {
	if !w.IsUndecided() {
		return false
	}
	stored := projection.WithValues(object, applied)
	if _, keys := w.UndecidedFields(stored); keys {
		return true
	}
	sent := projection.NewReader(body)
	return !paths.Filter(applied.Difference(stored).Leaves(), func(path paths.Path) bool {
		value, _ := sent.Lookup(path)
		return value != nil && !projection.IsEmptyCollection(value) && !reflect.ValueOf(value).IsZero()
	}).Empty()
}

// UnknownOwners returns the fields that other managers hold and whose value is write-only or not known yet, sorted.
// Their owners after the apply depend on the value.
func UnknownOwners(claims ownership.Claims, applied *paths.Set, w wanted.Wanted, names rendering.Formatter) []string {
	var fields []string
	mayChange := mayChange(w, applied)
	paths.Walk(claims.Others(w.FieldManager).Fields(), func(path paths.Path, _ bool) {
		if mayChange(path) {
			fields = append(fields, names.Format(path))
		}
	})
	return sortUnique(fields)
}

// WriteOnlyDiffers returns a function that reports whether a body gives a write-only field a value other than the live
// one. If this run has not read the object, a field counts as different if we do not own it, or if the version is new.
// live is the object; nil if this run has not read it.
func WriteOnlyDiffers(w wanted.Wanted, live, body map[string]any) func(path paths.Path) bool {
	given := projection.NewReader(body)
	if live != nil {
		live := projection.NewReader(live)
		return func(path paths.Path) bool {
			gives, _ := given.Lookup(path)
			value, _ := live.Lookup(path)
			return projection.Fingerprint(gives) != projection.Fingerprint(value)
		}
	}
	isNew := w.WriteOnly.Version != w.Prior.Arguments.WriteOnly.Version
	own := w.Claims().Own(w.PreviousManager())
	return func(path paths.Path) bool { return isNew || !own.Has(path) }
}
