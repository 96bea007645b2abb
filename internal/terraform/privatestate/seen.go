package privatestate

import (
	"context"
	"encoding/json"

	"github.com/hashicorp/terraform-plugin-framework/diag"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/prediction"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/record"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/diagnostics"
)

// Seen is an object that the plan has read because the refresh could not, with the state that the plan predicts for it.
type Seen struct {
	record.Shown
	Snapshot     record.Snapshot
	PlannedState *prediction.PlannedState `json:",omitempty"`
}

// Save writes s into the private state of a plan.
func (s Seen) Save(ctx context.Context, private PrivateWriter) diag.Diagnostics {
	document, err := json.Marshal(s)
	if err != nil {
		return diag.Diagnostics{diagnostics.UnwritablePrivateState(err)}
	}
	return private.SetKey(ctx, seenKey, document)
}

// TakeSeen returns what the plan has read of an object that the refresh could not read, and removes it; nil if the plan
// has read nothing.
func TakeSeen(ctx context.Context, from PrivateState, to PrivateWriter) (*Seen, diag.Diagnostics) {
	data, diags := from.GetKey(ctx, seenKey)
	var seen *Seen
	if !diags.HasError() && len(data) > 0 {
		seen = &Seen{}
		if err := json.Unmarshal(data, seen); err != nil {
			diags.Append(diagnostics.UnreadablePlan(err))
		}
	}
	diags.Append(to.SetKey(ctx, seenKey, nil)...)
	return seen, diags
}

// Since returns the prior that an apply starts from: the given one, or what the plan has read.
func (s *Seen) Since(prior record.Prior) record.Prior {
	if s == nil {
		return prior
	}
	prior.Shown, prior.Snapshot = s.Shown, s.Snapshot
	return prior
}
