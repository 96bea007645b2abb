package importing

import (
	"context"
	"maps"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
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
	located, err := cluster.Locate(ctx, api, id)
	switch {
	case err != nil:
		return Imported{}, err
	case located.Namespace == "" && id.Namespace != "":
		return Imported{}, &cluster.Error{
			Reason:  cluster.ReasonBadRequest,
			Object:  id,
			Message: id.Kind + " is cluster-scoped",
		}
	}
	id = located
	live, err := api.Get(ctx, id)
	if err != nil {
		return Imported{}, err
	}
	claims, err := record.ClaimsOf(id, live)
	if err != nil {
		return Imported{}, err
	}
	authored, err := authoredManifest(ctx, api, id, live, claims)
	if err != nil {
		return Imported{}, err
	}
	// An empty map or list does not declare its content, so it has no value that a plan could change.
	declared := authored.fields.Difference(projection.EmptyCollections(authored.body, authored.fields))
	observed, err := record.Describe(live, record.Observation{ID: id, Fields: record.KnownFields{Declared: declared}})
	if err != nil {
		return Imported{}, err
	}
	text, err := manifest.Canonical(authored.body)
	if err != nil {
		return Imported{}, record.Unreadable(id, err)
	}
	return Imported{Observed: observed, Body: leftOut(live.Object, claims) + text}, nil
}

// leftOut returns lines of comments about list items that cannot be in a manifest, because the server does not accept
// two items with the same keys; "" without any.
func leftOut(live map[string]any, claims ownership.Claims) string {
	var lines strings.Builder
	for _, item := range projection.Duplicates(live, claims.Fields()) {
		lines.WriteString("# Left out, because an item before it has the same keys: " + paths.Format(item) + "\n")
	}
	return lines.String()
}

// authoredObject is a manifest as a person wrote it, with the fields that it holds.
type authoredObject struct {
	fields *paths.Set
	body   map[string]any
}

// authoredManifest picks the fields that a person wrote: those of kubectl's last-applied annotation, else
// those of managers other than controllers. Managers that updated the object own what the server filled
// in as well as what they wrote; a dry-run tells the two apart.
func authoredManifest(
	ctx context.Context,
	api cluster.Interface,
	id manifest.Identity,
	live *unstructured.Unstructured,
	claims ownership.Claims,
) (authoredObject, error) {
	claims = record.ClaimsAsData(id, claims)
	leaves := claims.Fields().Leaves().Difference(bookkeepingOf(id, live))
	variants := importDryRun{id: id, live: live.Object}
	var fields *paths.Set
	var err error
	if applied, has := lastApplied(live); has {
		if id.IsSecret() {
			applied = manifest.StringDataAsData(applied)
		}
		fields, err = variants.appliedFields(ctx, api, applied, projection.WithValues(live.Object, leaves))
	} else {
		written := claims.Authored().Intersection(leaves)
		doubtful := written.Difference(claims.Applied()).Difference(metadataFields(written))
		fields, err = variants.withoutDefaults(ctx, api, projection.WithValues(live.Object, written), doubtful)
	}
	fields = projection.WithItemKeys(live.Object, fields)
	return authoredObject{fields, manifest.Identified(projection.Extract(live.Object, fields), id)}, err
}

// appliedFields returns the part of fields that an applied manifest contains. If the manifest leaves a key of a list
// item to its default, and several items in fields match, a dry-run shows which of them it is; if the server refuses
// the dry-run, all of them stay.
func (r importDryRun) appliedFields(
	ctx context.Context,
	api cluster.Interface,
	applied map[string]any,
	fields *paths.Set,
) (*paths.Set, error) {
	fields = projection.WithValues(applied, fields)
	if !projection.IsAmbiguous(applied, fields) {
		return fields, nil
	}
	dry, err := r.apply(ctx, api, runtime.DeepCopyJSON(applied))
	if err != nil {
		return fields, ctx.Err()
	}
	claims, err := record.ClaimsOf(r.id, dry.Object)
	if err != nil {
		return fields, err
	}
	return fields.Intersection(claims.Own(dryRunManager)), nil
}

// metadataFields returns the members under metadata, which the server gives no defaults.
func metadataFields(fields *paths.Set) *paths.Set {
	metadata := paths.NewSet()
	paths.Walk(fields, func(path paths.Path, _ bool) {
		if path[0].FieldName != nil && *path[0].FieldName == "metadata" {
			metadata.Insert(path)
		}
	})
	return metadata
}

// bookkeeping are annotations that tools write on an object for their own use.
var bookkeeping = paths.NewSet(
	paths.Path{paths.Field("metadata"), paths.Field("annotations"), paths.Field(corev1.LastAppliedConfigAnnotation)},
	paths.Path{paths.Field("metadata"), paths.Field("annotations"), paths.Field("deployment.kubernetes.io/revision")},
)

// nameOfNamespace is the label with its name that the server gives every namespace.
var nameOfNamespace = paths.Path{
	paths.Field("metadata"), paths.Field("labels"), paths.Field(corev1.LabelMetadataName),
}

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
		path := paths.Path{paths.Field("metadata"), paths.Field("annotations"), paths.Field(name)}
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
