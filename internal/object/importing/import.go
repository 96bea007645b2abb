// Package importing takes over an object that was not created here: [Import] reads it and writes a manifest for it,
// [ImportPart] the part that one manager owns, and [ImportApplied] the manifest that one manager has applied.
//
// # What the manifest holds
//
// yaml_body of an imported object holds the fields of kubectl's last-applied annotation. Without that annotation
// it holds the fields that managers other than controllers own, with their live values, and the replicas that people
// have set, which the server records like those of an autoscaler.
//
// A manager with operation Update owns the fields that the server filled in as well as those that its user wrote. The
// import tells the two apart by dry-run creates of the object under another name, without the doubtful fields. If the
// server requires a field, the import puts it back. If the server fills a field in with the same value, the value was a
// default.
//
// The keys of list items are always written, regardless of owners and defaults. If the annotation leaves a key to its
// default and several items of the object match, a dry-run of the annotation shows which one it is.
//
// If no person or tool owns any of the object's content, it all counts as written by one. Defaults inside an optional
// part stay, because the dry-run leaves out the whole part. All defaults stay if the server refuses the dry-runs.
//
// List items with the same keys as an earlier one are left out: the server would refuse them in the manifest. Comments
// name them, and fields of other versions of the kind that the object does not have in this one.
//
// The string is JSON, which is YAML. Terraform renders generated JSON as a readable jsonencode({...}), and other
// multi-line strings on one line; a manifest with comments, too.
package importing

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	utiljson "k8s.io/apimachinery/pkg/util/json"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/ownership"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/paths"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/projection"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/rendering"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/record"
)

// Imported is an object that was not created here.
type Imported struct {
	record.Observed
	// Body is a manifest of the object as its author would have written it, as JSON.
	Body string
}

// Import reads an object and writes a manifest for it: one GET, and some dry-runs if the server's defaults have to be
// told from the author's fields. The manifest contains the fields in kubectl's last-applied annotation or, without one,
// those that managers other than controllers own, with their live values.
func Import(ctx context.Context, api cluster.Interface, id manifest.Identity) (Imported, error) {
	at, err := locate(ctx, api, id)
	if err != nil {
		return Imported{}, err
	}
	authored, err := at.authoredManifest(ctx, api)
	if err != nil {
		return Imported{}, err
	}
	// An empty map or list does not declare its content, so it has no value that a plan could change.
	declared := authored.fields.Difference(projection.EmptyCollections(authored.body, authored.fields))
	observed, err := record.Describe(at.live, record.Observation{
		ID: at.id, Fields: record.KnownFields{Declared: declared},
	})
	if err != nil {
		return Imported{}, err
	}
	text, err := manifest.Canonical(authored.body)
	if err != nil {
		return Imported{}, record.Unreadable(at.id, err)
	}
	return Imported{Observed: observed, Body: at.leftOut() + text}, nil
}

// found is an object as it was read.
type found struct {
	id     manifest.Identity
	live   *unstructured.Unstructured
	claims ownership.Claims
}

// locate reads an object: one GET.
func locate(ctx context.Context, api cluster.Interface, id manifest.Identity) (found, error) {
	located, err := cluster.Locate(ctx, api, id)
	switch {
	case err != nil:
		return found{}, err
	case located.Namespace == "" && id.Namespace != "":
		return found{}, &cluster.Error{
			Reason: cluster.ReasonBadRequest, Object: id, Message: id.Kind + " is cluster-scoped",
		}
	}
	live, err := api.Get(ctx, located)
	if err != nil {
		return found{}, err
	}
	claims, err := record.ClaimsOf(located, live)
	return found{located, live, claims}, err
}

// leftOut returns lines of comments about what cannot be in a manifest: list items, because the server does not accept
// two items with the same keys, and fields of other versions of the kind; "" without any.
func (f found) leftOut() string {
	var lines strings.Builder
	for _, item := range projection.Duplicates(f.live.Object, f.claims.Fields()) {
		lines.WriteString("# Left out, because an item before it has the same keys: " + paths.Format(item) + "\n")
	}
	for _, claim := range f.claims.OfPeople().InOtherVersions(f.id.APIVersion) {
		paths.Walk(projection.WithoutValues(f.live.Object, claim.Fields.Leaves()), func(path paths.Path, _ bool) {
			fmt.Fprintf(&lines, "# Left out, because the object has no such field in %s: %s, which %q has written in "+
				"%s.\n", f.id.APIVersion, paths.Format(path), claim.Name, claim.APIVersion)
		})
	}
	return lines.String()
}

// authoredObject is a manifest as a person wrote it, with the fields that it holds.
type authoredObject struct {
	fields *paths.Set
	body   map[string]any
}

// metadata is all of the metadata, which the server gives no defaults.
var metadata = paths.NewSet(paths.FieldPath("metadata"))

// authoredManifest picks the fields that a person wrote: those of kubectl's last-applied annotation, else
// those of managers other than controllers, and the replicas that people have set. Managers that updated
// the object own what the server filled in as well as what they wrote; a dry-run tells the two apart.
func (f found) authoredManifest(ctx context.Context, api cluster.Interface) (authoredObject, error) {
	variants := importDryRun{id: f.id, live: f.live.Object}
	claims, err := variants.withUnowned(ctx, api, record.ClaimsAsData(f.id, f.claims))
	if err != nil {
		return authoredObject{}, err
	}
	leaves := claims.Fields().Leaves().Difference(bookkeepingOf(f.id, f.live))
	var fields *paths.Set
	if applied, has := lastApplied(f.live); has {
		if f.id.IsSecret() {
			applied = manifest.StringDataAsData(applied)
		}
		fields, err = variants.appliedFields(ctx, api, applied, projection.WithValues(f.live.Object, leaves))
	} else {
		written := claims.Authored().Union(claims.Scaled()).Intersection(leaves)
		doubtful := written.RecursiveDifference(metadata).Difference(claims.Applied())
		fields, err = variants.withoutDefaults(ctx, api, projection.WithValues(f.live.Object, written), doubtful)
	}
	fields = projection.WithItemKeys(f.live.Object, fields)
	return authoredObject{fields, manifest.Identified(projection.Extract(f.live.Object, fields), f.id)}, err
}

// appliedFields returns the part of fields that an applied manifest contains. If the manifest leaves a key of a list
// item to its default, and several items in fields match, a dry-run shows which of them it is; if the server refuses
// the dry-run, all of them stay.
func (r importDryRun) appliedFields(
	ctx context.Context, api cluster.Interface, applied map[string]any, fields *paths.Set,
) (*paths.Set, error) {
	fields = projection.WithValues(applied, fields)
	if !projection.IsAmbiguous(applied, fields) {
		return fields, nil
	}
	dry, err := r.apply(ctx, api, runtime.DeepCopyJSON(applied))
	switch {
	case ctx.Err() != nil:
		return fields, err
	case err != nil:
		return fields, nil //nolint:nilerr // What the server refuses, an import writes as it is.
	}
	claims, err := record.ClaimsOf(r.id, dry.Object)
	if err != nil {
		return fields, err
	}
	return fields.Intersection(claims.Own(dryRunManager)), nil
}

// bookkeeping are annotations that tools write on an object for their own use.
var bookkeeping = paths.NewSet(
	paths.FieldPath("metadata", "annotations", corev1.LastAppliedConfigAnnotation),
	paths.FieldPath("metadata", "annotations", "deployment.kubernetes.io/revision"))

// nameOfNamespace is the label with its name that the server gives every namespace.
var nameOfNamespace = paths.FieldPath("metadata", "labels", corev1.LabelMetadataName)

// bookkeepingOf returns the annotations that tools write on an object for their own use, the annotations and labels
// that contain values of a Secret, and the label that the server gives a namespace.
func bookkeepingOf(id manifest.Identity, live *unstructured.Unstructured) *paths.Set {
	fields := bookkeeping.Union(paths.NewSet(secretCopies(id, live)...))
	if id.IsNamespace() {
		fields.Insert(nameOfNamespace)
	}
	return fields
}

// secretCopies returns the annotations and labels that contain values of a Secret.
func secretCopies(id manifest.Identity, live *unstructured.Unstructured) []paths.Path {
	return rendering.Renderer{Secret: id.IsSecret()}.CopiesIn(live.Object)
}

func lastApplied(live *unstructured.Unstructured) (map[string]any, bool) {
	text, has := live.GetAnnotations()[corev1.LastAppliedConfigAnnotation]
	if !has {
		return nil, false
	}
	var object map[string]any
	if err := utiljson.Unmarshal([]byte(text), &object); err != nil {
		return nil, false
	}
	return object, true
}

// sourcePrefix is the prefix of the annotations in which another provider notes what it owns.
const sourcePrefix = "k8sconnect.terraform.io/"

// Annotations returns the annotations that tools write for their own use, sorted: those that stay when our next apply
// leaves them out, and those that it removes because they count as ours.
func Annotations(observed record.Observed) (stay, end []string) {
	live := unstructured.Unstructured{Object: observed.Live}
	for name := range live.GetAnnotations() {
		if name != corev1.LastAppliedConfigAnnotation && !strings.HasPrefix(name, sourcePrefix) {
			continue
		}
		path := paths.FieldPath("metadata", "annotations", name)
		if !paths.OrEmpty(observed.Snapshot.Fields.Declared).Has(path) {
			stay = append(stay, name)
		} else {
			end = append(end, name)
		}
	}
	slices.Sort(stay)
	slices.Sort(end)
	return stay, end
}

// WithoutData returns the manifest of a Secret without its data.
func WithoutData(body string) (string, error) {
	secret, err := manifest.Parse(body)
	if err != nil {
		return "", err
	}
	kept := maps.Clone(secret.Object)
	for _, name := range manifest.SecretFields() {
		delete(kept, name)
	}
	return manifest.Canonical(kept)
}

// OwnsNothingError reports that a manager owns nothing of the object of which its part was to be imported.
type OwnsNothingError struct {
	Object  manifest.Identity
	Manager string
	// Managers are those who own fields, sorted.
	Managers []string
}

func (e *OwnsNothingError) Error() string {
	return fmt.Sprintf("%s: %q owns nothing", e.Object, e.Manager)
}

// ImportPart reads an object and writes a manifest of the fields that one manager owns: one GET. Body contains no
// identity. Fields that the manager owns by server-side apply count as applied. The next apply takes over fields that
// it owns by updates.
func ImportPart(ctx context.Context, api cluster.Interface, id manifest.Identity, manager string) (Imported, error) {
	return importOwned(ctx, api, id, manager, true)
}

// ImportApplied reads an object and writes the manifest that one manager has applied: one GET.
func ImportApplied(ctx context.Context, api cluster.Interface, id manifest.Identity, manager string) (Imported, error) {
	return importOwned(ctx, api, id, manager, false)
}

func importOwned(
	ctx context.Context, api cluster.Interface, id manifest.Identity, manager string, isPart bool,
) (Imported, error) {
	at, err := locate(ctx, api, id)
	if err != nil {
		return Imported{}, err
	}
	id, live, claims := at.id, at.live, at.claims
	owned, others := paths.NewSet(), []string{}
	for _, claim := range record.ClaimsAsData(id, claims) {
		if claim.Name == manager && (isPart || claim.Operation == metav1.ManagedFieldsOperationApply) {
			owned = owned.Union(claim.Fields)
		} else {
			others = append(others, claim.Name)
		}
	}
	fields := projection.WithValues(live.Object, owned.Leaves().Difference(bookkeepingOf(id, live)))
	if fields.Empty() {
		slices.Sort(others)
		return Imported{}, &OwnsNothingError{Object: id, Manager: manager, Managers: slices.Compact(others)}
	}
	if isPart {
		fields = projection.WithItemKeys(live.Object, fields)
	}
	body := projection.Extract(live.Object, fields)
	if !isPart {
		body = manifest.Identified(body, id)
	}
	applied := fields.Intersection(record.AsData(id, claims.Own(manager)))
	var copied []string // What the manager owns was not applied by us.
	for _, path := range secretCopies(id, live) {
		copied = append(copied, paths.Format(path))
	}
	observed, err := record.Describe(live, record.Observation{
		ID: id, FieldManager: manager, IsPart: isPart,
		Carried: record.Snapshot{Secrecy: record.Secrecy{Copied: copied}},
		Fields:  record.KnownFields{Declared: applied, Empty: projection.EmptyCollections(body, applied)},
	})
	if err != nil {
		return Imported{}, err
	}
	// Fields that the manager owns by updates keep an apply pending: the first one takes them over.
	if fields.Leaves().Difference(applied).Empty() {
		observed.Snapshot.AppliedState = observed.Snapshot.LiveState
	}
	text, err := manifest.Canonical(body)
	if err != nil {
		return Imported{}, record.Unreadable(id, err)
	}
	return Imported{Observed: observed, Body: text}, nil
}
