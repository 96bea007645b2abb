package datasources

import (
	"context"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/waiting"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/diagnostics/unready"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/reading"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/waits"
)

// await waits until an object that exists is ready, and sets ready and the object as it was seen last. The timeout of
// the configuration counts from began; without one, the wait has a limit of its own.
func (m *objectModel) await(
	ctx context.Context, api cluster.Interface, found *reading.Found, began time.Time,
) diag.Diagnostics {
	if m.Wait.IsNull() {
		return nil
	}
	m.Ready = types.BoolValue(true)
	wait, err := waits.Of(m.Wait.Attributes())
	if err != nil || wait.Judge == nil {
		return nil // Validation has refused an invalid wait before.
	}
	limit, diags := m.Timeouts.Read(ctx, time.Since(began)+waiting.Limit(found.Live))
	ctx, cancel := context.WithDeadline(ctx, began.Add(limit))
	defer cancel()
	end, err := waiting.Await(ctx, api, found.Object, found.Live, wait.Goal)
	found.Live = end.Live
	outcome := unready.ReadFailed
	if wait.Reports {
		outcome = unready.ReadUnready
	}
	diags.Append(waits.Report(objectNames, end, err, outcome, objectNames.Error)...)
	m.Ready = types.BoolValue(err == nil)
	return diags
}
