package privatestate

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/diag"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/record"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/diagnostics"
)

// The keys of private state.
const (
	// snapshotKey is the key of record.Snapshot.
	snapshotKey = "snapshot"
	// seenKey is the key of what a plan read of an object that the refresh could not read.
	seenKey = "seen"
	// staysKey is the key of the uid of the object that a replacement keeps.
	staysKey = "stays"
	// ObjectsKey is the key of the objects of a set.
	ObjectsKey = "objects"
)

// Keys are all keys of private state.
var Keys = []string{snapshotKey, seenKey, staysKey, ObjectsKey}

// PrivateState reads private state, in plans and applies.
type PrivateState interface {
	GetKey(ctx context.Context, key string) ([]byte, diag.Diagnostics)
}

// LoadSnapshot returns the snapshot in private state, and an empty one if private state has no snapshot.
func LoadSnapshot(ctx context.Context, private PrivateState) (record.Snapshot, diag.Diagnostics) {
	data, diags := private.GetKey(ctx, snapshotKey)
	snapshot, err := record.DecodeSnapshot(data)
	if err != nil {
		diags.Append(diagnostics.UnreadablePrivateState(err))
	}
	return snapshot, diags
}

// PrivateWriter writes private state, in reads and applies.
type PrivateWriter interface {
	SetKey(ctx context.Context, key string, value []byte) diag.Diagnostics
}

// SaveSnapshot writes a snapshot into private state.
func SaveSnapshot(ctx context.Context, private PrivateWriter, snapshot record.Snapshot) diag.Diagnostics {
	data, err := snapshot.Encode()
	if err != nil {
		return diag.Diagnostics{diagnostics.UnwritablePrivateState(err)}
	}
	return private.SetKey(ctx, snapshotKey, data)
}
