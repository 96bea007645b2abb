package objectkit

import (
	"context"
	"errors"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/engine"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/record"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/diagnostics"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/model"
)

// replacement is why a plan cannot keep the object of the state. Without causes, it can.
type replacement struct {
	// id is the object that the plan names.
	id   manifest.Identity
	loss diagnostics.Loss
	// causes are the attributes that may require it.
	causes []path.Path
	// moves is true if the manifest names another object.
	moves bool
	// refusal is why the object may not be replaced; nil if it may.
	refusal func(diagnostics.Names, manifest.Identity) diag.Diagnostic
	// version is the kept object in the API version of the plan, if that is another one than the state's.
	version record.Prior
}

// replacementOf compares the object that a plan names with the one of the state, which is prior.
func replacementOf(
	ctx context.Context, work engine.Work, plan, state *model.Model, prior record.Prior,
) (replacement, error) {
	id, err := prior.Locate(ctx, work.API, work.Args.Manifest)
	found := replacement{id: id}
	if err != nil {
		return found, err
	}
	if !model.SamePatch(plan, state) {
		found.loss, found.causes = diagnostics.AnotherIdentity, []path.Path{path.Root(model.PatchAttribute)}
		return found, nil
	}
	var isSame bool
	if found.version, isSame, err = work.InVersion(ctx, prior, id); err != nil {
		return found, err
	}
	if !isSame && id != prior.Object {
		found.loss, found.moves = diagnostics.AnotherIdentity, true
		found.causes = []path.Path{path.Root("yaml_body"), path.Root(model.ManifestAttribute), path.Root("cluster"),
			path.Root("id")}
		return found, nil
	}
	snapshot := prior.Snapshot
	if plan.SameCluster(state.Connection) || snapshot.Age == record.Outdated {
		return found, nil
	}
	same, err := record.Identical(ctx, work.API, prior)
	switch {
	case err != nil || same != record.AnotherObject:
		return found, err
	// An object that was only imported or moved is not deleted because of a wrong connection.
	case snapshot.Known() && snapshot.Moved:
		found.refusal = diagnostics.Names.MovedElsewhere
	case snapshot.Known() && snapshot.AppliedState == "":
		found.refusal = diagnostics.Names.ImportedElsewhere
	default:
		found.loss, found.causes = diagnostics.AnotherCluster, anotherCluster()
	}
	return found, nil
}

// anotherCluster returns the causes of a replacement by an object of another cluster.
func anotherCluster() []path.Path { return []path.Path{path.Root("cluster"), path.Root("object_ref")} }

func isElsewhere(err error) bool {
	_, is := errors.AsType[*cluster.OtherClusterError](err)
	return is
}
