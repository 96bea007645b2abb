package objectkit

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/engine"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/record"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/diagnostics"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/model"
)

// replacement is why a plan cannot keep the object of the state. Without causes, it can.
type replacement struct {
	loss diagnostics.Loss
	// causes are the attributes that may require it.
	causes []path.Path
	// moves is true if the manifest names another object.
	moves bool
	// refusal is why the object may not be replaced; nil if it may.
	refusal diag.Diagnostic
	// version is the kept object in the API version of the plan, if that is another one than the state's.
	version record.Prior
}

// replacementOf compares the object that a plan names, which is id, with the one of the state, which is prior.
func (r *Objects) replacementOf(
	ctx context.Context, work engine.Work, plan, state *model.Model, id manifest.Identity, prior record.Prior,
) (replacement, error) {
	if !model.SamePatch(plan, state) {
		return replacement{loss: diagnostics.AnotherIdentity, causes: []path.Path{path.Root(model.PatchAttribute)}}, nil
	}
	version, isSame, err := work.InVersion(ctx, prior, id)
	if err != nil {
		return replacement{}, err
	}
	if !isSame && id != prior.Object {
		return replacement{loss: diagnostics.AnotherIdentity, moves: true, causes: []path.Path{
			path.Root("yaml_body"), path.Root(model.ManifestAttribute), path.Root("cluster"), path.Root("id"),
		}}, nil
	}
	snapshot := prior.Snapshot
	if plan.SameCluster(state.Connection) || snapshot.Age == record.Outdated {
		return replacement{version: version}, nil
	}
	same, err := record.Identical(ctx, work.API, prior)
	switch {
	case err != nil || same != record.AnotherObject:
		return replacement{version: version}, err
	// An object that was only imported or moved is not deleted because of a wrong connection.
	case snapshot.Known() && snapshot.Moved:
		return replacement{refusal: r.Names.MovedElsewhere(id)}, nil
	case snapshot.Known() && snapshot.AppliedState == "":
		return replacement{refusal: r.Names.ImportedElsewhere(id)}, nil
	}
	return replacement{loss: diagnostics.AnotherCluster, causes: anotherCluster()}, nil
}

// anotherCluster returns the causes of a replacement by an object of another cluster.
func anotherCluster() []path.Path { return []path.Path{path.Root("cluster"), path.Root("object_ref")} }
