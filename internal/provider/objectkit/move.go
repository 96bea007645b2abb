package objectkit

import (
	"context"
	"errors"

	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/provider/moving"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/provider/privatestate"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/record"
)

// MoveState implements resource.ResourceWithMoveState.
func (r *Resource) MoveState(context.Context) []resource.StateMover {
	if len(r.Sources) == 0 {
		return nil
	}
	return []resource.StateMover{{StateMover: r.move}}
}

// move makes a state of the state of another resource: what it applied, where, and as whom. The read that follows does the
// rest, also the identity: whether the kind is namespaced is known only then.
func (r *Resource) move(ctx context.Context, req resource.MoveStateRequest, resp *resource.MoveStateResponse) {
	moved, err := r.Sources.Read(moving.State{
		Provider: req.SourceProviderAddress, TypeName: req.SourceTypeName, SchemaVersion: req.SourceSchemaVersion, JSON: req.SourceRawState.JSON,
	})
	var fault *moving.Error
	if errors.As(err, &fault) {
		resp.Diagnostics.Append(r.Words.Unmovable(fault.TypeName, fault.Problem, fault.Accepted))
		return
	}
	var state Model
	state.setTarget(moved.Object)
	resp.Diagnostics.Append(resp.TargetState.SetAttribute(ctx, path.Root("id"), moved.Object.ID())...)
	resp.Diagnostics.Append(resp.TargetState.SetAttribute(ctx, path.Root("target"), state.Target)...)
	resp.Diagnostics.Append(resp.TargetState.SetAttribute(ctx, path.Root("yaml_body"), moved.Body)...)
	resp.Diagnostics.Append(resp.TargetState.SetAttribute(ctx, path.Root("field_manager"), moved.FieldManager)...)
	resp.Diagnostics.Append(privatestate.SaveSnapshot(ctx, resp.TargetPrivate, record.Snapshot{Object: moved.Object, Moved: true})...)
}

// plannedFieldManager returns the field manager of a plan whose configuration names none. That of a moved state is the other
// resource's, and ends with the first apply.
func (r *Resource) plannedFieldManager(plan Model, state *Model, snapshot record.Snapshot) types.String {
	if snapshot.Moved {
		state = nil
	}
	return r.fieldManager(plan, state)
}
