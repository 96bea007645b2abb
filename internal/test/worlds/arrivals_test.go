package worlds_test

import (
	"context"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
)

// arrive imports the object, if the step says so and there is one that is not managed yet.
func (w *world) arrive(ctx context.Context, s step) error {
	if !s.imports || !w.state.value.IsNull() {
		return nil
	}
	live, err := w.live(ctx)
	if err != nil || live == nil {
		return err
	}
	imported, err := w.planner.importObject(ctx, w.importID())
	if err != nil {
		return broke(s, "an object that exists can be imported", err.Error())
	}
	w.state = imported
	return nil
}

// importObject returns the state of an import.
func (r *run) importObject(ctx context.Context, id string) (state, error) {
	answer, err := r.server.ImportResourceState(ctx, &tfprotov6.ImportResourceStateRequest{TypeName: r.resourceType, ID: id})
	if err != nil {
		return state{}, err
	}
	if err := failure(answer.Diagnostics); err != nil {
		return state{}, err
	}
	imported := answer.ImportedResources[0]
	value, err := imported.State.Unmarshal(r.kind)
	return state{value, imported.Private, imported.Identity}, err
}
