package privatestate

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/diag"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/record"
)

// The keys of private state.
const (
	// snapshotKey is the key of record.Snapshot.
	snapshotKey = "snapshot"
	// SeenKey is the key of what a plan read of an object that the refresh could not read.
	SeenKey = "seen"
)

// Keys are all keys of private state.
var Keys = []string{snapshotKey, SeenKey}

// PrivateState reads private state, in plans and applies.
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

// decodeSnapshot returns the snapshot in a value of private state; an empty one if there is no value.
func decodeSnapshot(value []byte) (record.Snapshot, error) {
	document, err := Document(value)
	if err != nil {
		return record.Snapshot{}, err
	}
	return record.DecodeSnapshot(document)
}

// PrivateWriter writes private state, in reads and applies.
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
