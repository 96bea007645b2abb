package manifestresource

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/diag"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/record"
)

// snapshotKey is the key of record.Snapshot in private state.
const snapshotKey = "snapshot"

// privateState is what plans and applies have of private state.
type privateState interface {
	GetKey(ctx context.Context, key string) ([]byte, diag.Diagnostics)
}

func loadSnapshot(ctx context.Context, private privateState) (record.Snapshot, diag.Diagnostics) {
	data, diags := private.GetKey(ctx, snapshotKey)
	snapshot, err := decodeSnapshot(data)
	if err != nil {
		diags.AddError("Unreadable Private State", "The provider's record of the object cannot be read: "+err.Error()+
			".\n\nImport the object again.")
	}
	return snapshot, diags
}

// decodeSnapshot gives an empty snapshot without one.
func decodeSnapshot(data compressed) (record.Snapshot, error) {
	if len(data) == 0 {
		return record.Snapshot{}, nil
	}
	document, err := data.decompress()
	if err != nil {
		return record.Snapshot{}, err
	}
	return record.DecodeSnapshot(document)
}

// privateWriter is what reads and applies have of private state.
type privateWriter interface {
	SetKey(ctx context.Context, key string, value []byte) diag.Diagnostics
}

func saveSnapshot(ctx context.Context, private privateWriter, snapshot record.Snapshot) diag.Diagnostics {
	data, err := encodeSnapshot(snapshot)
	if err != nil {
		var diags diag.Diagnostics
		diags.AddError("Unwritable Private State", err.Error())
		return diags
	}
	return private.SetKey(ctx, snapshotKey, data)
}

func encodeSnapshot(snapshot record.Snapshot) (compressed, error) {
	document, err := snapshot.Encode()
	if err != nil {
		return nil, err
	}
	return compress(document)
}
