package waitresource

import (
	"context"
	"errors"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/readiness"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/waiting"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/diagnostics"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/providerdata"
)

// readTimeout is how long a read may take if the configuration sets no timeout.
const readTimeout = time.Minute

// Read reads the object if the resource exports values, or if the object was not ready. If the object is gone, the
// resource leaves the state. If the connection is known only during the apply, the state does not change.
func (r *waitResource) Read(ctx context.Context, req resource.ReadRequest, resp *resource.ReadResponse) {
	var state model
	resp.Diagnostics.Append(req.State.Get(ctx, &state)...)
	if resp.Diagnostics.HasError() || state.Ready.ValueBool() && state.exportsNothing() {
		return
	}
	defer r.provider.Run().Waits.Begin(ctx)()
	limit, diags := state.Timeouts.Read(ctx, readTimeout)
	if resp.Diagnostics.Append(diags...); resp.Diagnostics.HasError() {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	api, status, diags := r.provider.Connect(ctx, state.Connection)
	// A refresh knows the connection of the state alone, and the configuration may have newer credentials.
	if status == providerdata.Invalid && state.IsOwn() {
		resp.Diagnostics.Append(r.Names.NotRefreshed(state.object(), errors.New(diags.Errors()[0].Detail())))
		return
	}
	resp.Diagnostics.Append(diags...)
	if status != providerdata.Ready {
		return
	}
	seen, err := look(ctx, api, state)
	switch {
	case cluster.IsGone(err) && state.Ready.ValueBool():
		resp.State.RemoveResource(ctx)
	// The object was missing, or not ready, when the last wait ended. The next apply waits again.
	case cluster.IsGone(err):
	case cluster.LacksCredentials(err) && state.IsOwn():
		resp.Diagnostics.Append(r.Names.NotRefreshed(seen.Object, err))
	case err != nil && state.IsOwn():
		resp.Diagnostics.Append(diagnostics.OfStored(r.Names, r.explain(diagnostics.Read, seen.Object, err), err))
	case err != nil:
		resp.Diagnostics.Append(r.explain(diagnostics.Read, seen.Object, err))
	default:
		state.ID = types.StringValue(seen.Object.ID())
		state.setSeen(seen, state.Ready.ValueBool() || isReady(ctx, api, state, seen))
		resp.Diagnostics.Append(resp.State.Set(ctx, &state)...)
	}
}

// look reads the object with one GET.
func look(ctx context.Context, api cluster.Interface, state model) (waiting.Awaited, error) {
	id, err := cluster.LocateExisting(ctx, api, state.object())
	seen := waiting.Awaited{Object: id}
	if _, elsewhere := cluster.ServedElsewhere(id, err); elsewhere || err == nil {
		seen.Live, err = cluster.Get(ctx, api, id)
	}
	return seen, err
}

// isReady reports whether an object is ready now that was not ready when the last wait ended.
func isReady(ctx context.Context, api cluster.Interface, state model, seen waiting.Awaited) bool {
	judge := state.wait().Judge
	if judge == nil {
		return true
	}
	kind, err := api.Kind(ctx, seen.Live.GetAPIVersion(), seen.Live.GetKind())
	return err == nil && judge(seen.Live, kind.HasStatus).State == readiness.Ready
}
