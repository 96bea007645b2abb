package moving

import (
	"context"
	"errors"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/tfsdk"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/record"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/diagnostics"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/privatestate"
)

// Mover returns the state mover for all sources. It stores the object, the body and the field manager of the moved
// resource. set sets the object and the body in the attributes that a resource has for them. The read that follows does
// the rest, and also sets the identity: only then is it known whether the kind is namespaced.
func (s Sources) Mover(
	words diagnostics.Names, set func(context.Context, *tfsdk.State, Moved) diag.Diagnostics,
) resource.StateMover {
	return resource.StateMover{StateMover: func(
		ctx context.Context, req resource.MoveStateRequest, resp *resource.MoveStateResponse,
	) {
		source := State{
			Provider: req.SourceProviderAddress, TypeName: req.SourceTypeName, SchemaVersion: req.SourceSchemaVersion,
			JSON: req.SourceRawState.JSON,
		}
		if req.SourceIdentity != nil {
			source.Identity = req.SourceIdentity.JSON
		}
		moved, err := s.Read(source)
		if fault, is := errors.AsType[*Error](err); is {
			resp.Diagnostics.Append(words.Unmovable(fault.TypeName, fault.Problem, fault.Accepted))
			return
		}
		resp.Diagnostics.Append(resp.TargetState.SetAttribute(ctx, path.Root("id"), moved.Object.ID())...)
		resp.Diagnostics.Append(resp.TargetState.SetAttribute(ctx, path.Root("field_manager"), moved.FieldManager)...)
		resp.Diagnostics.Append(set(ctx, &resp.TargetState, moved)...)
		resp.Diagnostics.Append(privatestate.SaveSnapshot(ctx, resp.TargetPrivate, record.Snapshot{
			Object: moved.Object, Moved: true, MovedFrom: moved.Updaters,
		})...)
	}}
}
