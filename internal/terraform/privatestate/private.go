// Package privatestate reads and writes what resources keep in private state, and compresses it. The plugin framework
// keeps private state as JSON with each value in base64, and Terraform writes that in base64 again. Terraform's backend
// "local" writes the whole state for each resource that an apply changes, so size is time.
//
// Sealed private state is one byte, the version of the dictionary, and then the values as one JSON object, compressed
// with that dictionary, a string that most private states have in common. A dictionary never changes; another one gets
// another version.
package privatestate

import (
	"context"
	"encoding/json"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/prediction"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/record"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/diagnostics"
)

// The keys of private state.
const (
	// snapshotKey is the key of record.Snapshot.
	snapshotKey = "snapshot"
	// seenKey is the key of a Seen.
	seenKey = "seen"
	// staysKey is the key of the uid of the object that a replacement keeps.
	staysKey = "stays"
	// AlongKey is the key of the uid of the namespace or the definition that a run replaces together with the object.
	AlongKey = "along"
	// completedKey is the key of the Job that was seen complete.
	completedKey = "completed"
	// ObjectsKey is the key of the objects of a set.
	ObjectsKey = "objects"
)

// Keys are all keys of private state.
var Keys = []string{snapshotKey, seenKey, staysKey, AlongKey, completedKey, ObjectsKey}

// PrivateState reads private state, in plans and applies.
type PrivateState interface {
	GetKey(ctx context.Context, key string) ([]byte, diag.Diagnostics)
}

// Private reads and writes private state.
type Private interface {
	PrivateState
	PrivateWriter
}

// Save writes the JSON of a value into private state.
func Save(ctx context.Context, private PrivateWriter, key string, value any) diag.Diagnostics {
	document, err := json.Marshal(value)
	if err != nil {
		return diag.Diagnostics{diagnostics.UnwritablePrivateState(err)}
	}
	return private.SetKey(ctx, key, document)
}

// LoadSnapshot returns the snapshot in private state; an empty one if private state contains none.
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

// Seen is an object that the plan has read because the refresh could not, with the state that the plan predicts for it.
type Seen struct {
	record.Shown
	Snapshot     record.Snapshot
	PlannedState *prediction.PlannedState `json:",omitempty"`
}

// Save writes s into the private state of a plan. If s is nil, it removes the one that an earlier apply has left.
func (s *Seen) Save(ctx context.Context, private PrivateWriter) diag.Diagnostics {
	if s == nil {
		return private.SetKey(ctx, seenKey, nil)
	}
	return Save(ctx, private, seenKey, s)
}

// TakeSeen returns the Seen in from, and removes it from the private state to; nil if from contains none.
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

// SaveStays notes in the private state of a planned create that it updates the object with this uid in place. The CLI
// passes the private state to the destroy half of the replacement. For that of a plain destroy, nothing is noted.
func SaveStays(ctx context.Context, private PrivateWriter, uid string) diag.Diagnostics {
	return private.SetKey(ctx, staysKey, []byte(`"`+uid+`"`))
}

// HasStays reports whether the private state has the note.
func HasStays(ctx context.Context, private PrivateState) bool {
	data, _ := private.GetKey(ctx, staysKey)
	return len(data) > 0
}

// ForgetStays removes the note.
func ForgetStays(ctx context.Context, private PrivateWriter) diag.Diagnostics {
	return private.SetKey(ctx, staysKey, nil)
}

// TakeStays reports whether the private state of a planned destroy belongs to a create that updates the object with
// this uid in place. It removes the note: a destroy that fails keeps the private state.
func TakeStays(ctx context.Context, from PrivateState, to PrivateWriter, uid string) (bool, diag.Diagnostics) {
	data, diags := from.GetKey(ctx, staysKey)
	diags.Append(ForgetStays(ctx, to)...)
	return uid != "" && string(data) == `"`+uid+`"`, diags
}

// SaveAlong notes the uid of what the run replaces together with the object; "" ends the note.
func SaveAlong(ctx context.Context, private PrivateWriter, uid string) diag.Diagnostics {
	if uid == "" {
		return private.SetKey(ctx, AlongKey, nil)
	}
	return private.SetKey(ctx, AlongKey, []byte(`"`+uid+`"`))
}

// LoadAlong returns the uid that SaveAlong has noted; "" without one.
func LoadAlong(ctx context.Context, private PrivateState) string {
	data, _ := private.GetKey(ctx, AlongKey)
	return strings.Trim(string(data), `"`)
}

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
