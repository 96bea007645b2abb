package privatestate

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/diag"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/record"
)

// The keys of private state.
const (
	// snapshotKey is that of record.Snapshot.
	snapshotKey = "snapshot"
	// SeenKey is that of what a plan saw of an object that the refresh did not get to.
	SeenKey = "seen"
)

// Keys are all keys of private state.
var Keys = []string{snapshotKey, SeenKey}

// PrivateState is what plans and applies have of private state.
type PrivateState interface {
	GetKey(ctx context.Context, key string) ([]byte, diag.Diagnostics)
}

// LoadSnapshot returns the snapshot in private state, and an empty one if private state has no snapshot.
func LoadSnapshot(ctx context.Context, private PrivateState) (record.Snapshot, diag.Diagnostics) {
	data, diags := private.GetKey(ctx, snapshotKey)
	snapshot, err := decodeSnapshot(data)
	if err != nil {
		diags.AddError("Unreadable Private State", "The provider's record of the object cannot be read: "+err.Error()+
			".\n\nImport the object again.")
	}
	return snapshot, diags
}

// decodeSnapshot gives an empty snapshot without one.
func decodeSnapshot(value []byte) (record.Snapshot, error) {
	document, err := Document(value)
	if err != nil {
		return record.Snapshot{}, err
	}
	return record.DecodeSnapshot(document)
}

// PrivateWriter is what reads and applies have of private state.
type PrivateWriter interface {
	SetKey(ctx context.Context, key string, value []byte) diag.Diagnostics
}

// SaveSnapshot writes a snapshot into private state.
func SaveSnapshot(ctx context.Context, private PrivateWriter, snapshot record.Snapshot) diag.Diagnostics {
	data, err := snapshot.Encode()
	if err != nil {
		var diags diag.Diagnostics
		diags.AddError("Unwritable Private State", err.Error())
		return diags
	}
	return private.SetKey(ctx, snapshotKey, data)
}
