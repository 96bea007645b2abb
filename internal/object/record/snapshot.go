package record

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"slices"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/ownership"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/paths"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/projection"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/rendering"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
)

// Snapshot is the record of an object that a resource keeps between a read and the plan that follows. A prediction uses
// the snapshot and sends no new request. So Terraform's two plans of one change agree, no matter what other managers
// write in between.
type Snapshot struct {
	Object manifest.Identity `json:"object"`
	Sighting
	Creation
	Move
	// WrittenByOwn is true if a read has found a write of our field manager that is newer than our last apply.
	WrittenByOwn bool `json:"writtenByOwn,omitempty"`
	// Claims are those in the object's managedFields, without the ones on status.
	Claims ownership.Claims `json:"-"`
	// Controllers are the names of the managers that update the status of the object, sorted.
	Controllers []string `json:"controllers,omitempty"`
	// Fields are what else is known of fields.
	Fields KnownFields `json:"-"`
	// Pins are the pinned fields, and those that a read has found and the next apply pins.
	Pins Pins `json:"-"`
	// Lists are those that list_lengths names.
	Lists Lists `json:"lists,omitempty"`
	Foreign
	Digests
	// IgnoredByManager are the patterns of the fields that the last apply left to ignored managers.
	IgnoredByManager []string `json:"ignoredByManager,omitempty"`
	Restorable
	// Refilled are the values of fields that remove_fields covers and that the API server has put back.
	Refilled Refilled `json:"refilled,omitempty"`
	// Patched records whether the patch is in effect; the zero value for resources that send no patch.
	Patched Patched `json:"patched,omitzero"`
	// RepeatedConflicts are how often in a row fields were taken back.
	RepeatedConflicts RepeatedConflicts `json:"repeatedConflicts,omitempty"`
	// Age reports whether the last read reached the object.
	Age Age `json:"age,omitempty"`
	// Unshown are the owners after the last apply, if the state shows those that its plan had promised instead; nil
	// otherwise. A read shows them and drops it.
	Unshown *ownership.View `json:"unshown,omitempty"`
	Secrecy
}

// Sighting is which object a read or an apply has met, and where.
type Sighting struct {
	UID string `json:"uid"`
	// Cluster is the uid of the cluster that the object is in, or cluster.Unrecognizable; "" if no request has asked
	// yet.
	Cluster string `json:"cluster,omitempty"`
	// Elsewhere is the uid of the other cluster that the last read reached through the connection in the state.
	Elsewhere string `json:"elsewhere,omitempty"`
	// Former is the uid of the object of our last apply or of the import, if it was replaced by another object of the
	// same name of which our field manager owns nothing; "" otherwise. UID is that of the other object.
	Former string `json:"former,omitempty"`
	// ResourceVersion is the version of the object that was seen.
	ResourceVersion string `json:"resourceVersion,omitempty"`
}

// Creation is how the create of an object has ended that has no other state yet.
type Creation struct {
	// OutcomeUnknown is true if no request has seen the object: its create got no answer. UID is "" then.
	OutcomeUnknown bool `json:"outcomeUnknown,omitempty"`
	// Unfinished is true if the object exists, or may exist, and its create has ended with an error. The CLI has marked
	// the resource as tainted then.
	Unfinished bool `json:"unfinished,omitempty"`
}

// Move is where the state of an object came from.
type Move struct {
	// Moved is true if the state came from another resource, which applied to the object, and we have not applied
	// since.
	Moved bool `json:"moved,omitempty"`
	// MovedFrom are the managers under which that resource wrote to the object by update. They count for as long as
	// Moved.
	MovedFrom []string `json:"movedFrom,omitempty"`
}

// Foreign is what the fields of other managers contain.
type Foreign struct {
	// Values are the fingerprints of the leaves that other managers own, by paths.ID.
	Values map[string]string `json:"values,omitempty"`
	// Candidates are the values, as attributes show them, of fields that may be additions, by paths.ID. They are kept
	// until our first apply.
	Candidates map[string]string `json:"candidates,omitempty"`
	// Kinds contains "map" for each of Values that is a map and whose fingerprint does not show it.
	Kinds map[string]string `json:"kinds,omitempty"`
}

// Digests tell whether declared values have changed since our last apply.
type Digests struct {
	// LiveState is the digest of the declared values as they were seen, AppliedState the same after our last
	// apply; "" after an import.
	LiveState    string `json:"liveState,omitempty"`
	AppliedState string `json:"appliedState,omitempty"`
}

// Restorable is what the destroy of a part gives back.
type Restorable struct {
	// Before are the values that fields of a part had before we applied them, by paths.ID, if a destroy is to restore
	// them.
	Before map[string]json.RawMessage `json:"before,omitempty"`
	// Obstacles are fields of other managers that applies of a part have removed because the server refused them
	// together with ours, with their values, if a destroy is to restore them.
	Obstacles Pins `json:"-"`
}

// Secrecy is which values the snapshot keeps as digests, or not at all.
type Secrecy struct {
	// Sensitive are the patterns of the fields whose values are secret, WriteOnly those of the fields that
	// were stored nowhere, as the last apply had them.
	Sensitive []string `json:"sensitive,omitempty"`
	WriteOnly []string `json:"writeOnly,omitempty"`
	// Doubtful are the patterns of fields that may be write-only, if the snapshot that listed these was lost.
	Doubtful []string `json:"doubtful,omitempty"`
	// Copied are the patterns of annotations and labels that contain secret values.
	Copied []string `json:"copied,omitempty"`
	// DigestKey keys the digests of secret values; set for objects that have any.
	DigestKey []byte `json:"digestKey,omitempty"`
}

// Age reports whether a snapshot is as old as the state's last read.
type Age string

// The ages of a snapshot.
const (
	// Current: the snapshot is from the last read, or from an apply after it.
	Current Age = ""
	// Outdated: the last read did not reach the object, for lack of credentials.
	Outdated Age = "Outdated"
	// Gone: the plan found no object, after a last read that lacked the credentials to look. Only the private state of
	// a planned replacement contains this age.
	Gone Age = "Gone"
)

// encoded is a snapshot with its claims and fields in the format of managedFields.
type encoded struct {
	plain
	Managers    []metav1.ManagedFieldsEntry `json:"managers"`
	Declared    encodedFields               `json:"declared"`
	EmptyFields encodedFields               `json:"emptyFields,omitzero"`
	Kept        encodedFields               `json:"kept,omitzero"`
	Added       encodedFields               `json:"added,omitzero"`
	Unowned     encodedFields               `json:"unowned,omitzero"`
	Hollow      encodedFields               `json:"hollow,omitzero"`
	Unwanted    encodedFields               `json:"unwanted,omitzero"`
	Filled      encodedFields               `json:"filled,omitzero"`
	Pins        *encodedPins                `json:"pins,omitempty"`
	Obstacles   *encodedPins                `json:"obstacles,omitempty"`
}

// plain is a Snapshot without its JSON methods.
type plain Snapshot

// Encode returns the snapshot as JSON. It does what [json.Marshal] does, which would read the result once more.
func (s Snapshot) Encode() ([]byte, error) { return s.MarshalJSON() }

// MarshalJSON implements json.Marshaler.
func (s Snapshot) MarshalJSON() ([]byte, error) {
	known := s.Fields
	out := encoded{
		plain: plain(s), Declared: encodedFields{known.Declared}, EmptyFields: encodedFields{known.Empty},
		Kept: encodedFields{known.Kept}, Added: encodedFields{known.Added}, Unowned: encodedFields{known.Unowned},
		Hollow: encodedFields{known.Hollow}, Unwanted: encodedFields{known.Unwanted},
		Filled: encodedFields{known.Filled},
	}
	var err error
	if out.Managers, err = s.Claims.Entries(); err != nil {
		return nil, err
	}
	if out.Pins, err = s.Pins.encode(); err != nil {
		return nil, err
	}
	if out.Obstacles, err = s.Obstacles.encode(); err != nil {
		return nil, err
	}
	return json.Marshal(out)
}

// DecodeSnapshot reads what Encode wrote, once; nil gives an empty snapshot.
func DecodeSnapshot(data []byte) (Snapshot, error) {
	var s Snapshot
	if len(data) == 0 {
		return s, nil
	}
	err := s.UnmarshalJSON(data)
	return s, err
}

// UnmarshalJSON implements json.Unmarshaler.
func (s *Snapshot) UnmarshalJSON(data []byte) error {
	var in encoded
	err := json.Unmarshal(data, &in)
	if err != nil {
		return err
	}
	*s = Snapshot(in.plain)
	if s.Claims, err = ownership.ParseWithStatus(in.Managers); err != nil {
		return err
	}
	s.Fields = KnownFields{
		Declared: in.Declared.set(), Empty: in.EmptyFields.set(), Kept: in.Kept.set(), Added: in.Added.set(),
		Unowned: in.Unowned.set(), Hollow: in.Hollow.set(), Unwanted: in.Unwanted.set(), Filled: in.Filled.set(),
	}
	if s.Pins, err = in.Pins.decode(); err != nil {
		return err
	}
	s.Obstacles, err = in.Obstacles.decode()
	return err
}

// nonEmpty returns the claims that contain any field.
func nonEmpty(claims ownership.Claims) ownership.Claims {
	return slices.DeleteFunc(slices.Clone(claims), func(c ownership.Claim) bool { return c.Fields.Empty() })
}

// Known reports whether the snapshot is of an object at all.
func (s Snapshot) Known() bool { return s.UID != "" }

// encodedFields are fields whose JSON is that of fieldsV1. Zero are those that are nil or empty.
type encodedFields struct{ fields *paths.Set }

func (e encodedFields) set() *paths.Set { return paths.OrEmpty(e.fields) }

// IsZero is for omitzero.
func (e encodedFields) IsZero() bool { return e.set().Empty() }

// MarshalJSON implements json.Marshaler.
func (e encodedFields) MarshalJSON() ([]byte, error) { return paths.MarshalSet(e.fields) }

// UnmarshalJSON implements json.Unmarshaler.
func (e *encodedFields) UnmarshalJSON(data []byte) (err error) {
	e.fields, err = paths.ParseSet(data)
	return err
}

// DigestOf returns a digest of values. Equal maps have equal digests.
func DigestOf(values map[string]string) string {
	encoded, _ := json.Marshal(values)
	sum := sha256.Sum256(encoded)
	return base64.RawStdEncoding.EncodeToString(sum[:15])
}

// keyed returns renderer with a new key if the renderer hides secrets and lacks a key.
func keyed(renderer rendering.Renderer) rendering.Renderer {
	if renderer.HasSecrets() && len(renderer.DigestKey) == 0 {
		renderer.DigestKey = make([]byte, 32)
		_, _ = rand.Read(renderer.DigestKey)
	}
	return renderer
}

// Patched records whether a patch is in effect on an object.
type Patched struct {
	// Left is the digest of the changes that the patch would still make after its last apply: the server writes some
	// values in another way, for example 1000m of cpu as 1. It is "" if the patch would change nothing.
	Left string `json:"left,omitempty"`
	// Now is the same digest after the last read.
	Now string `json:"now,omitempty"`
}

// doesNotFit takes the place of both digests if the patch does not fit the object.
const doesNotFit = "misfit"

// IsPending reports whether the patch would change the object, or does not fit it.
func (p Patched) IsPending() bool { return p.Now != p.Left || p.Now == doesNotFit }

// Applied returns what is known after an apply.
func (p Patched) Applied() Patched { return Patched{Left: p.Now, Now: p.Now} }

// ClaimsWith returns the claims on the object of a patch, in which fields that the field manager owns by updates count
// as applied. If the patch is in effect on the object, the fields of declared are ours, including those whose owner the
// API server has forgotten.
func (p Patched) ClaimsWith(claims ownership.Claims, fieldManager string, declared *paths.Set) ownership.Claims {
	claims = claims.AsApplied(fieldManager)
	if p.IsPending() {
		return claims
	}
	return claims.WithForgotten(fieldManager, declared)
}

// MergedMaps returns the leaves of other managers that are maps and into which the server merges parts of the body with
// owners of their own. isOwned reports whether a field will have an owner.
func (s Snapshot) MergedMaps(body map[string]any, others *paths.Set, isOwned func(paths.Path) bool) *paths.Set {
	reader := projection.NewReader(body)
	return paths.Filter(others.Leaves(), func(path paths.Path) bool {
		value, _ := reader.Lookup(path)
		parts, isMap := value.(map[string]any)
		if id := paths.ID(path); !isMap || !strings.HasPrefix(s.Values[id], "{") && s.Kinds[id] != mapKind {
			return false
		}
		for name := range parts {
			if isOwned(paths.Below(path, paths.Field(name))) {
				return true
			}
		}
		return false
	})
}

// IsWhole returns a function that reports whether a field of other managers has a live value without parts:
// a scalar or a list. A field of which held has a part is a map.
func (s Snapshot) IsWhole(held *paths.Set) func(paths.Path) bool {
	return func(field paths.Path) bool {
		id := paths.ID(field)
		print, has := s.Values[id]
		return has && !strings.HasPrefix(print, "{") && s.Kinds[id] != mapKind && !ownership.HasNamedParts(held, field)
	}
}

// IsAbsent returns a function that reports whether a field of other managers has no live value: the snapshot contains
// neither its value nor, among the fields held, a part of it.
func (s Snapshot) IsAbsent(held *paths.Set) func(paths.Path) bool {
	return func(field paths.Path) bool {
		_, has := s.Values[paths.ID(field)]
		return !has && !ownership.HasParts(held, field)
	}
}

const mapKind = "map"

// kindsOf returns mapKind for each of leaves that is a map and whose fingerprint does not show that.
func kindsOf(live map[string]any, leaves *paths.Set, prints map[string]string) map[string]string {
	var kinds map[string]string
	object := projection.NewReader(live)
	paths.Walk(leaves, func(path paths.Path, _ bool) {
		id := paths.ID(path)
		if print, has := prints[id]; !has || json.Valid([]byte(print)) {
			return
		}
		if value, _ := object.Lookup(path); isMap(value) {
			if kinds == nil {
				kinds = map[string]string{}
			}
			kinds[id] = mapKind
		}
	})
	return kinds
}

func isMap(value any) bool {
	_, is := value.(map[string]any)
	return is
}
