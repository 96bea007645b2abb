// Package blame reads from managedFields who owns which field of an object: every field with its owners, the managers,
// the fields that are held without a value, the values that no manager holds, and the object as YAML with the owners of
// each line in a comment. Plain Go in, plain Go out.
//
// The data source and the functions show the same [Report], which [Read] returns.
//
//   - A stale field is held by a manager and has no value.
//   - An unowned value is held by no manager.
//   - managedFields do not record which fields are atomic. So a leaf of all claims together counts as whole, with
//     everything below it. A map that a manager holds only as empty looks the same.
//   - A list item without an owner is identified in the same way as its siblings.
//
// Secret values are masked, and not even their digests are shown: a data source keeps nothing from one read to the
// next, so it has no key for digests.
package blame

import (
	"maps"
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/ownership"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/paths"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/projection"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/rendering"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
)

// Query selects the fields of an object to report. The zero Query selects everything but the status.
type Query struct {
	// Status determines whether the fields under status are included.
	Status StatusFields
	// Path limits the report to the fields that a pattern covers; without patterns it covers all fields.
	Path paths.Patterns
	// Manager limits everything but the annotated YAML to the fields that managers of that name own. It may end in *;
	// "" sets no limit.
	Manager string
}

// StatusFields determines whether the fields under status are included.
type StatusFields string

// The zero value leaves them out.
const (
	WithoutStatus StatusFields = ""
	WithStatus    StatusFields = "WithStatus"
)

// Field is a field of an object.
type Field struct {
	// Path is its path as a string, which is unique in the object.
	Path string
	// Value is its value as rendering.Renderer shows it; nil if the field only groups other owned fields, or has no
	// value.
	Value *string
	// Owners are in the API server's order.
	Owners []ownership.Holder
}

// Manager is an owner with the number of fields that it owns, of those reported.
type Manager struct {
	ownership.Holder
	Fields int
}

// Report lists the owners of the fields of an object.
type Report struct {
	// Fields are all fields with an owner, sorted by path.
	Fields []Field
	// Managers are the owners of those fields, in the order of managedFields.
	Managers []Manager
	// Stale are the fields among them that have no value.
	Stale []Field
	// Unowned are the values that no manager owns: scalars, empty maps and empty lists. Fields that only the API server
	// writes, and fields that identify the object, are not among them.
	Unowned []Field
	// AnnotatedYAML is the object with the owners of each line in a comment.
	AnnotatedYAML string
}

// Read returns the owners of the fields of a live object, from the entries of its managedFields. Secret values are
// masked. object is not mutated. It returns an error if an entry cannot be read.
func Read(object map[string]any, entries []metav1.ManagedFieldsEntry, query Query) (Report, error) {
	claims, err := query.Status.claims(entries)
	if err != nil {
		return Report{}, err
	}
	shown := query.Status.shown(object)
	tree := grow(shown, claims, query.Path)
	unowned, wanted := tree.unowned()
	s := survey{object: shown, claims: claims, formatter: claims.Formatter(unowned)}
	report := s.report(s.covered(query.Path), wanted)
	labels := labelsOf(claims)
	report.AnnotatedYAML = header(shown, report, query.Path, labels) + annotate(tree.pruned(), claims, labels)
	return report.narrowed(query.Manager), nil
}

// Owners maps each field that an entry of managedFields holds, by its path as a string, to its owners, in the API
// server's order, fields under status included.
func Owners(entries []metav1.ManagedFieldsEntry) (map[string][]ownership.Holder, error) {
	claims, err := ownership.ParseWithStatus(entries)
	if err != nil {
		return nil, err
	}
	fields := survey{claims: claims, formatter: claims.Formatter()}.report(claims.Fields(), nil).Fields
	owners := make(map[string][]ownership.Holder, len(fields))
	for _, field := range fields {
		owners[field.Path] = field.Owners
	}
	return owners, nil
}

// survey lists fields of an object, as they are shown.
type survey struct {
	object    map[string]any
	claims    ownership.Claims
	formatter *paths.Formatter
}

// covered returns the owned fields that patterns cover; without patterns, all of them.
func (s survey) covered(patterns paths.Patterns) *paths.Set {
	fields := s.claims.Fields()
	if len(patterns) > 0 {
		fields, _ = projection.Covered(fields, patterns, s.object)
	}
	return fields
}

// report returns everything but the annotated YAML.
func (s survey) report(owned, unowned *paths.Set) Report {
	var report Report
	counts := make([]int, len(s.claims))
	projection.Walk(s.object, owned, func(at projection.Field) {
		field := s.field(at)
		for i, claim := range s.claims {
			if claim.Fields.Has(at.Path) {
				field.Owners = append(field.Owners, claim.Holder())
				counts[i]++
			}
		}
		report.Fields = append(report.Fields, field)
		if at.Presence == projection.Absent {
			report.Stale = append(report.Stale, field)
		}
	})
	for i, claim := range s.claims {
		if counts[i] > 0 {
			report.Managers = append(report.Managers, Manager{Holder: claim.Holder(), Fields: counts[i]})
		}
	}
	if unowned != nil {
		projection.Walk(s.object, unowned, func(at projection.Field) {
			report.Unowned = append(report.Unowned, s.field(at))
		})
	}
	return report
}

// field returns a field without its owners. Its value was masked before.
func (s survey) field(at projection.Field) Field {
	field := Field{Path: s.formatter.Format(at.Path)}
	if at.Leaf && at.Presence == projection.Present {
		text := rendering.Renderer{}.Text(at.Path, at.Value)
		field.Value = &text
	}
	return field
}

// narrowed returns the fields that managers of a name own, with all owners of each field; "" returns all fields.
func (r Report) narrowed(name string) Report {
	if name == "" {
		return r
	}
	other := func(owner ownership.Holder) bool { return !ownership.IsCalled(owner.Name, name) }
	notTheirs := func(field Field) bool {
		return !slices.ContainsFunc(field.Owners, func(owner ownership.Holder) bool { return !other(owner) })
	}
	return Report{
		Fields:   slices.DeleteFunc(r.Fields, notTheirs),
		Managers: slices.DeleteFunc(r.Managers, func(manager Manager) bool { return other(manager.Holder) }),
		Stale:    slices.DeleteFunc(r.Stale, notTheirs), AnnotatedYAML: r.AnnotatedYAML,
	}
}

func (s StatusFields) claims(entries []metav1.ManagedFieldsEntry) (ownership.Claims, error) {
	claims, err := ownership.ParseWithStatus(entries)
	if s != WithStatus {
		claims = claims.WithoutStatus()
	}
	return claims, err
}

// shown returns the object without managedFields, without its status unless that is included, and with secret values
// masked. object is not mutated.
func (s StatusFields) shown(object map[string]any) map[string]any {
	shown := masked(object)
	if s != WithStatus {
		delete(shown, "status")
	}
	if metadata, isMap := shown["metadata"].(map[string]any); isMap {
		metadata = maps.Clone(metadata)
		delete(metadata, "managedFields")
		shown["metadata"] = metadata
	}
	return shown
}

// masked returns a copy of an object, with the values of a Secret redacted: its data, and the annotations and labels
// that contain values of it, such as the copy that kubectl apply keeps.
func masked(object map[string]any) map[string]any {
	apiVersion, _ := object["apiVersion"].(string)
	kind, _ := object["kind"].(string)
	isSecret := manifest.Identity{APIVersion: apiVersion, Kind: kind}.IsSecret()
	shown := maps.Clone(rendering.Renderer{Secret: isSecret}.WithoutCopies(object, rendering.Redacted))
	if shown == nil {
		shown = map[string]any{}
	}
	if !isSecret {
		return shown
	}
	for _, name := range manifest.SecretFields() {
		if value, has := shown[name]; has {
			shown[name] = redacted(value)
		}
	}
	return shown
}

// redacted returns a value without its content; a map keeps its keys.
func redacted(value any) any {
	secrets, isMap := value.(map[string]any)
	if !isMap {
		return rendering.Redacted
	}
	hidden := make(map[string]any, len(secrets))
	for key := range secrets {
		hidden[key] = rendering.Redacted
	}
	return hidden
}
