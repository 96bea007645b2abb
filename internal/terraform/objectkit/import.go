package objectkit

import (
	"context"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/importing"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/record"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/run"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/diagnostics"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/diagnostics/changes"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/model"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/privatestate"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/results"
)

// importObject reads an object that was not created here: as its authors wrote it, as the manager of a set applied it,
// or the part that one manager owns.
func (r *Objects) importObject(
	ctx context.Context, api cluster.Interface, id manifest.Identity, state *model.Model,
) (importing.Imported, error) {
	if r.Names.IsSet() {
		return importing.ImportApplied(ctx, api, id, state.FieldManager.ValueString())
	}
	if !r.IsPart {
		state.FieldManager = r.provider.FieldManager()
		return importing.Import(ctx, api, id)
	}
	imported, err := importing.ImportPart(ctx, api, id, state.FieldManager.ValueString())
	if err == nil {
		state.SetTarget(imported.Object)
	}
	return imported, err
}

// readImported fills in a state of which only the ID is known.
func (r *Objects) readImported(
	ctx context.Context, api cluster.Interface, prior record.Prior, state *model.Model, out *Read,
) {
	if prior.IsMoved() {
		r.readMoved(ctx, api, prior, state, out)
		return
	}
	imported, err := r.importObject(ctx, api, prior.Object, state)
	if err != nil {
		out.Diags.Append(r.explain(diagnostics.Imported, prior.Object, err))
		return
	}
	// A set reports what it imports and would delete.
	if !r.IsPart && !r.Names.IsSet() && !r.provider.Destroys() {
		run.NoteImported(&r.provider.Run().Objects, imported.UID)
	}
	if imported.Object.IsSecret() {
		out.Diags.Append(r.Names.SecretImported(imported.Object))
	}
	claims := imported.Snapshot.Claims.WithoutKubectl()
	managers := record.OfTerraform(claims, state.FieldManager.ValueString())
	if len(managers) > 0 && !r.IsPart && !r.Names.IsSet() {
		out.Diags.Append(diagnostics.MayBeManaged(r.Names, imported.Object, managers))
	}
	r.keepImported(ctx, api, imported, state, out)
}

// readMoved does what readImported does, for a state that comes from another resource and has no body. It leaves the
// data of a Secret out of the state.
func (r *Objects) readMoved(
	ctx context.Context, api cluster.Interface, prior record.Prior, state *model.Model, out *Read,
) {
	id, err := record.LocateMoved(ctx, api, prior.Object)
	var imported importing.Imported
	if err == nil {
		imported, err = importing.Import(ctx, api, id)
	}
	if cluster.IsGone(err) {
		out.IsGone = true
		return
	}
	if err == nil && id.IsSecret() {
		imported.Body, err = importing.WithoutData(imported.Body)
	}
	if err == nil {
		prior.Arguments.Manifest, err = manifest.Parse(imported.Body)
	}
	if err == nil {
		imported.Observed, err = record.DescribeMoved(&unstructured.Unstructured{Object: imported.Live}, id,
			prior.Arguments.FieldManager, prior)
	}
	if err != nil {
		out.Diags.Append(r.explain(diagnostics.Read, prior.Object, err))
		return
	}
	r.tellMoved(imported.Observed, out)
	r.keepImported(ctx, api, imported, state, out)
}

// tellMoved notes the object that a moved block brought, and warns of annotations that the former resource or other
// tools keep on it.
func (r *Objects) tellMoved(observed record.Observed, out *Read) {
	out.Object = observed.Object
	if stay, end := importing.Annotations(observed); !r.IsPart && len(stay)+len(end) > 0 {
		out.Diags.Append(changes.SourceAnnotations(observed.Object, stay, end))
	}
}

// keepImported stores what an import has read, and the cluster of the object, if it can be identified now.
func (r *Objects) keepImported(
	ctx context.Context, api cluster.Interface, imported importing.Imported, state *model.Model, out *Read,
) {
	imported.Snapshot.Cluster, _ = cluster.Recognize(ctx, api, imported.Object, "")
	if ending, is := imported.Ending(ctx, api); is {
		out.Diags.Append(r.Names.BeingDeleted(ending))
	}
	r.provider.Run().Objects.NoteRefreshed(imported.Observed)
	state.SetImported(imported.Body, imported.Observed)
	out.Object = imported.Object
	out.Diags.Append(results.RefreshCompleted(ctx, out.private, state, imported.Observed)...)
	out.Diags.Append(privatestate.SaveSnapshot(ctx, out.private, imported.Snapshot)...)
}
