package ownership

import (
	"fmt"
	"slices"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/paths"
)

// Manager identifies one entry of managedFields. Two entries with the same name are two managers if they differ in
// operation, version or subresource, as they are for the API server.
type Manager struct {
	Name        string
	Operation   metav1.ManagedFieldsOperationType
	APIVersion  string
	Subresource string
}

// String reads as API conflicts do: `"kubectl" with subresource "scale" using apps/v1`.
func (m Manager) String() string {
	text := fmt.Sprintf("%q", m.Name)
	if m.Subresource != "" && m.Subresource != wholeObject {
		text += fmt.Sprintf(" with subresource %q", m.Subresource)
	}
	if m.Operation == metav1.ManagedFieldsOperationUpdate && m.APIVersion != "" {
		text += " using " + m.APIVersion
	}
	return text
}

// Claim is the set of fields that one manager owns.
type Claim struct {
	Manager
	// Time is when the manager last changed its claim; zero for entries without a time.
	Time time.Time
	// Fields are the owned fields; [Parse] may leave out those under status.
	Fields *paths.Set
}

// Claims are the claims of all managers of one object, in the API server's order: Apply before Update, each oldest
// first.
type Claims []Claim

var (
	status       = paths.FieldPath("status")
	statusFields = paths.NewSet(status)
)

// Parse reads managedFields without the fields under status. It keeps these if a manager has applied some of them to
// the object itself, which the API server allows only for kinds without that subresource. An entry that is not
// FieldsV1, or whose fields do not parse, is an error that names its manager: without it, an owner would be lost.
func Parse(entries []metav1.ManagedFieldsEntry) (Claims, error) {
	claims, err := ParseWithStatus(entries)
	if err != nil || slices.ContainsFunc(claims, Claim.appliesStatus) {
		return claims, err
	}
	return claims.WithoutStatus(), nil
}

// WithoutStatus returns the claims without the fields under status.
func (c Claims) WithoutStatus() Claims {
	return c.WithFields(func(fields *paths.Set) *paths.Set { return fields.RecursiveDifference(statusFields) })
}

// WithFields returns the claims with change applied to the fields of each. c is not mutated.
func (c Claims) WithFields(change func(*paths.Set) *paths.Set) Claims {
	changed := slices.Clone(c)
	for i := range changed {
		changed[i].Fields = change(changed[i].Fields)
	}
	return changed
}

// Where returns the claims for which counts returns true, in order.
func (c Claims) Where(counts func(Claim) bool) Claims {
	return slices.DeleteFunc(slices.Clone(c), func(claim Claim) bool { return !counts(claim) })
}

func (c Claim) appliesStatus() bool {
	return c.isApply() && (c.Fields.Has(status) || HasParts(c.Fields, status))
}

// isApply reports whether the manager applies to the object itself.
func (m Manager) isApply() bool {
	return m.Operation == metav1.ManagedFieldsOperationApply && m.Subresource == ""
}

// ParseSubresource returns the claims on the part of an object that a subresource writes, which is the field of that
// name. Claims that were made through the subresource have an empty Manager.Subresource. It returns the errors of
// [Parse].
func ParseSubresource(entries []metav1.ManagedFieldsEntry, subresource string) (Claims, error) {
	claims, err := ParseWithStatus(entries)
	if err != nil {
		return nil, err
	}
	field := paths.NewSet(paths.FieldPath(subresource))
	for i := range claims {
		// structured-merge-diff has no intersection that keeps what is below a field.
		claims[i].Fields = claims[i].Fields.Difference(claims[i].Fields.RecursiveDifference(field))
		claims[i].Manager = claims[i].within(subresource)
	}
	return claims, nil
}

// within returns the manager as ParseSubresource does.
func (m Manager) within(subresource string) Manager {
	switch m.Subresource {
	case "":
		m.Subresource = wholeObject
	case subresource:
		m.Subresource = ""
	}
	return m
}

// wholeObject is the Subresource that ParseSubresource gives a claim that was made through the object itself.
const wholeObject = "(none)"

// mostEntries bounds the managers of an object: each field is compared with the fields of each of them.
const mostEntries = 1000

// ParseWithStatus does what Parse does, and keeps the fields under status.
func ParseWithStatus(entries []metav1.ManagedFieldsEntry) (Claims, error) {
	if len(entries) > mostEntries {
		return nil, fmt.Errorf("managedFields has %d entries, and at most %d are read", len(entries), mostEntries)
	}
	claims := make(Claims, 0, len(entries))
	for _, entry := range entries {
		fields, err := parseFields(entry)
		if err != nil {
			return nil, fmt.Errorf("managedFields entry of %q: %w", entry.Manager, err)
		}
		claim := Claim{Manager: managerOf(entry), Fields: fields}
		if entry.Time != nil {
			claim.Time = entry.Time.Time
		}
		claims = append(claims, claim)
	}
	return claims, nil
}

func managerOf(entry metav1.ManagedFieldsEntry) Manager {
	return Manager{
		Name: entry.Manager, Operation: entry.Operation, APIVersion: entry.APIVersion, Subresource: entry.Subresource,
	}
}

func parseFields(entry metav1.ManagedFieldsEntry) (*paths.Set, error) {
	if entry.FieldsType != "" && entry.FieldsType != "FieldsV1" {
		return nil, fmt.Errorf("unknown fieldsType %q", entry.FieldsType)
	}
	if entry.FieldsV1 == nil || len(entry.FieldsV1.GetRawBytes()) == 0 {
		return paths.NewSet(), nil
	}
	fields, err := paths.ParseSet(entry.FieldsV1.GetRawBytes())
	if err != nil {
		return nil, err
	}
	// An object has no list items at its root. The server keeps them, and every client that may patch can write them.
	strange := paths.NewSet()
	for _, part := range paths.Parts(fields) {
		if part.Element.FieldName == nil {
			strange.Members.Insert(part.Element)
		}
	}
	if !strange.Empty() {
		fields = fields.RecursiveDifference(strange)
	}
	return fields, nil
}

// IsOwn reports whether the manager is that of our own applies: the same name with another operation or a subresource
// is another manager.
func (m Manager) IsOwn(fieldManager string) bool {
	return m.Name == fieldManager && m.Operation == metav1.ManagedFieldsOperationApply && m.Subresource == ""
}

// IsUpdater reports whether the manager is that of fieldManager's updates.
func (m Manager) IsUpdater(fieldManager string) bool {
	return m.Name == fieldManager && m.Operation == metav1.ManagedFieldsOperationUpdate && m.Subresource == ""
}

// AsApplied returns claims in which the fields that fieldManager owns by updates count as applied, for a resource that
// writes by updates. c is not mutated.
func (c Claims) AsApplied(fieldManager string) Claims {
	var after Claims
	own := -1
	for _, claim := range c {
		if !claim.IsUpdater(fieldManager) && !claim.IsOwn(fieldManager) {
			after = append(after, claim)
			continue
		}
		claim.Operation = metav1.ManagedFieldsOperationApply
		if own >= 0 {
			after[own].Fields = after[own].Fields.Union(claim.Fields)
			continue
		}
		own, after = len(after), append(after, claim)
	}
	return after
}

// ancientChanges is the name of the manager into which the API server merges the oldest updaters of an object that has
// more than ten.
const ancientChanges = "ancient-changes"

// BeforeFirstApply is the name of the manager that the API server makes the owner of all that an object without
// managers has, at its next server-side apply.
const BeforeFirstApply = "before-first-apply"

// WithForgotten returns claims in which fieldManager owns again those of fields that the API server has merged into the
// claim of ancientChanges. c is not mutated.
func (c Claims) WithForgotten(fieldManager string, fields *paths.Set) Claims {
	at := slices.IndexFunc(c, func(claim Claim) bool { return claim.IsUpdater(ancientChanges) })
	if at < 0 || fields == nil {
		return c
	}
	forgotten := c[at].Fields.Intersection(fields)
	if forgotten.Empty() {
		return c
	}
	after := slices.Clone(c)
	after[at].Fields = after[at].Fields.Difference(forgotten)
	return Gaining(after, fieldManager, forgotten, after[at])
}

// Gaining returns claims in which fieldManager has applied these fields, too. If it has applied none before, its claim
// has the API version and the time of like. claims is mutated.
func Gaining(claims Claims, fieldManager string, fields *paths.Set, like Claim) Claims {
	own := slices.IndexFunc(claims, func(claim Claim) bool { return claim.IsOwn(fieldManager) })
	if own < 0 {
		return append(claims, Claim{Manager: Applier(fieldManager, like.APIVersion), Time: like.Time, Fields: fields})
	}
	claims[own].Fields = claims[own].Fields.Union(fields)
	return claims
}

// Applier returns the manager of the applies under a name.
func Applier(name, apiVersion string) Manager {
	return Manager{Name: name, Operation: metav1.ManagedFieldsOperationApply, APIVersion: apiVersion}
}

// Own returns the field set that fieldManager applied; it is empty if fieldManager applied none.
func (c Claims) Own(fieldManager string) *paths.Set {
	for _, claim := range c {
		if claim.IsOwn(fieldManager) {
			return claim.Fields
		}
	}
	return paths.NewSet()
}

// WithOwn returns the claims in which fieldManager has applied these fields, if it has applied any.
func (c Claims) WithOwn(fieldManager string, fields *paths.Set) Claims {
	replaced := slices.Clone(c)
	for i, claim := range replaced {
		if claim.IsOwn(fieldManager) {
			replaced[i].Fields = fields
		}
	}
	return slices.DeleteFunc(replaced, func(c Claim) bool { return c.Fields.Empty() })
}

// Updated returns the field set that fieldManager owns by updates.
func (c Claims) Updated(fieldManager string) *paths.Set {
	return c.Where(func(claim Claim) bool { return claim.IsUpdater(fieldManager) }).Fields()
}

// TimeOf returns when fieldManager last changed what it applied; the zero time if that is not known.
func (c Claims) TimeOf(fieldManager string) time.Time {
	for _, claim := range c {
		if claim.IsOwn(fieldManager) {
			return claim.Time
		}
	}
	return time.Time{}
}

// At returns the claims in which fieldManager last changed what it applied at another time.
func (c Claims) At(fieldManager string, changed time.Time) Claims {
	replaced := slices.Clone(c)
	for i, claim := range replaced {
		if claim.IsOwn(fieldManager) {
			replaced[i].Time = changed
		}
	}
	return replaced
}

// Others returns the claims of all managers but fieldManager's applies, in order.
func (c Claims) Others(fieldManager string) Claims {
	return c.Where(func(claim Claim) bool { return !claim.IsOwn(fieldManager) })
}

// CountOf returns how many fields a set has, without the maps and lists around them and the keys of list items.
func CountOf(fields *paths.Set) int {
	count := 0
	paths.Walk(fields.Leaves(), func(path paths.Path, _ bool) {
		if !paths.IsKeyField(path) {
			count++
		}
	})
	return count
}

// Held returns the claims without placeholders, which stand for no owner.
func (c Claims) Held() Claims { return slices.DeleteFunc(slices.Clone(c), Claim.IsPlaceholder) }

// Names returns the names of the managers that own anything, sorted, each once.
func (c Claims) Names() []string {
	var names []string
	for _, claim := range c.Held() {
		if !claim.Fields.Empty() {
			names = append(names, claim.Name)
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

var metadataFields = paths.NewSet(paths.FieldPath("metadata"))

// InOtherVersions returns the claims that are about another version of the kind than apiVersion, in order, without
// those on metadata alone, which is the same in all versions.
func (c Claims) InOtherVersions(apiVersion string) Claims {
	return c.Where(func(claim Claim) bool {
		return claim.APIVersion != apiVersion && !claim.Fields.RecursiveDifference(metadataFields).Empty()
	})
}

// InVersions returns the claims in some API versions, in order.
func (c Claims) InVersions(versions []string) Claims {
	return c.Where(func(claim Claim) bool { return slices.Contains(versions, claim.APIVersion) })
}

// Versions returns the API versions of the claims, in order, each once.
func (c Claims) Versions() []string {
	var versions []string
	for _, claim := range c {
		if !slices.Contains(versions, claim.APIVersion) {
			versions = append(versions, claim.APIVersion)
		}
	}
	return versions
}

// Fields returns the union of all claims.
func (c Claims) Fields() *paths.Set {
	union := paths.NewSet()
	for _, claim := range c {
		union = union.Union(claim.Fields)
	}
	return union
}

// Entries returns claims as entries of managedFields. Parse reads them; their form may differ from that of the server's
// entries.
func (c Claims) Entries() ([]metav1.ManagedFieldsEntry, error) {
	entries := make([]metav1.ManagedFieldsEntry, 0, len(c))
	for _, claim := range c {
		raw, err := paths.MarshalSet(claim.Fields)
		if err != nil {
			return nil, fmt.Errorf("claim of %q: %w", claim.Name, err)
		}
		entry := metav1.ManagedFieldsEntry{
			Manager: claim.Name, Operation: claim.Operation, APIVersion: claim.APIVersion,
			Subresource: claim.Subresource, FieldsV1: metav1.NewFieldsV1(string(raw)),
		}
		if !claim.Time.IsZero() {
			entry.Time = &metav1.Time{Time: claim.Time}
		}
		entries = append(entries, entry)
	}
	return entries, nil
}
