package privatestate

import (
	"context"
	"encoding/json"

	"github.com/hashicorp/terraform-plugin-framework/diag"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/record"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/diagnostics"
)

// Completed is a Job that was seen complete, with the body that the state has. The zero value is none.
type Completed struct {
	UID string
	// IsGone is true if the last read has not found the Job any more, and keeps it in the state.
	IsGone bool `json:",omitempty"`
}

// LoadCompleted returns the Job in private state.
func LoadCompleted(ctx context.Context, private PrivateState) (Completed, diag.Diagnostics) {
	data, diags := private.GetKey(ctx, completedKey)
	var job Completed
	if len(data) == 0 || diags.HasError() {
		return job, diags
	}
	if err := json.Unmarshal(data, &job); err != nil {
		diags.Append(diagnostics.UnreadablePrivateState(err))
	}
	return job, diags
}

// Load returns the snapshot and the Job in private state.
func Load(ctx context.Context, private PrivateState) (record.Snapshot, Completed, diag.Diagnostics) {
	snapshot, diags := LoadSnapshot(ctx, private)
	job, faults := LoadCompleted(ctx, private)
	diags.Append(faults...)
	return snapshot, job, diags
}

// Save writes the Job into private state.
func (c Completed) Save(ctx context.Context, private PrivateWriter) diag.Diagnostics {
	if c == (Completed{}) {
		return private.SetKey(ctx, completedKey, nil)
	}
	document, err := json.Marshal(c)
	if err != nil {
		return diag.Diagnostics{diagnostics.UnwritablePrivateState(err)}
	}
	return private.SetKey(ctx, completedKey, document)
}
