package privatestate

import (
	"context"
	"encoding/json"

	"github.com/hashicorp/terraform-plugin-framework/diag"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/record"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/diagnostics"
)

// Completed identifies a Job that was seen complete, and whose manifest the state holds. The zero value stands for no
// Job.
type Completed struct {
	UID string
	// IsGone is true if the last read did not find the Job. The state keeps it.
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
	return Save(ctx, private, completedKey, c)
}
