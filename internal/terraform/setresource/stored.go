package setresource

import (
	"cmp"
	"context"
	"encoding/json"
	"maps"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/prediction"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/diagnostics"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/model"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/privatestate"
)

// stored is the record of one object of the set in private state: in a state the object as it is, in a plan the object
// as it will be.
type stored struct {
	// Object is the import ID of the object; "" in a plan if it is not known yet.
	Object string `json:",omitempty"`
	// UID is "" for an object that does not exist yet, or that nothing has seen.
	UID string `json:",omitempty"`
	// Unseen is true if the create of the object got no answer.
	Unseen bool `json:",omitempty"`
	// Imported is true from an import to the next read.
	Imported bool `json:",omitempty"`
	// Shown are the owners and values of its fields; nil if they are not known yet.
	Shown *prediction.PlannedState `json:",omitempty"`
	lastWait
	// Left are the values that the last apply left of fields that have other values since.
	Left map[string]string `json:",omitempty"`
	ruled
	// Version is that of the write-only part; "" without one.
	Version string `json:",omitempty"`
	// OfRelease is true in a plan that takes over a release with the object.
	OfRelease bool `json:",omitempty"`
	// Does is the action of a plan on the object, From its key in the state if that is another one, and Before its
	// record in the state; nil if the plan does not change it.
	Does   action  `json:",omitempty"`
	From   string  `json:",omitempty"`
	Before *stored `json:",omitempty"`
	// Private is the private state of a resource with this object alone.
	Private memory `json:",omitempty"`
}

// lastWait is how the last wait for an object has ended.
type lastWait struct {
	// Ready is whether it has seen the object ready; nil without a wait, and in a plan that waits.
	Ready *bool `json:",omitempty"`
	// Waits is true in a plan that waits.
	Waits bool `json:",omitempty"`
}

// ruled is what rules of the provider block add to an object.
type ruled struct {
	// Rules are the arguments; nil without some. OpenRules is true in a plan that does not know them yet.
	Rules     json.RawMessage `json:",omitempty"`
	OpenRules bool            `json:",omitempty"`
}

// action is the action of a plan on an object.
type action string

const (
	// keeps: nothing is applied.
	keeps    action = ""
	creates  action = "create"
	updates  action = "update"
	replaces action = "replace"
	deletes  action = "delete"
)

// memory is the private state of one object.
type memory map[string]json.RawMessage

// own returns a stored object whose private state can be changed.
func (s stored) own() stored {
	if s.Private = maps.Clone(s.Private); s.Private == nil {
		s.Private = memory{}
	}
	return s
}

// before returns the record of an object in the state, given that in a plan.
func (s stored) before() stored {
	if s.Before != nil {
		return *s.Before
	}
	return s
}

// unplanned returns the records of a state from those of a plan that was not applied.
func unplanned(objects map[string]stored) map[string]stored {
	all := make(map[string]stored, len(objects))
	for key, object := range objects {
		if object.Does == creates {
			continue
		}
		was := object.before()
		was.Does, was.From = keeps, ""
		all[cmp.Or(object.From, key)] = was
	}
	return all
}

// isAbout reports whether both are about one object, as far as that is known.
func (s stored) isAbout(other stored) bool {
	if s.Object == other.Object {
		return true
	}
	one, err := manifest.ParseID(s.Object)
	two, otherErr := manifest.ParseID(other.Object)
	return err != nil || otherErr != nil || one.InAnyVersion() == two.InAnyVersion()
}

// GetKey implements privatestate.PrivateState.
func (m memory) GetKey(_ context.Context, key string) ([]byte, diag.Diagnostics) { return m[key], nil }

// SetKey implements privatestate.PrivateWriter.
func (m memory) SetKey(_ context.Context, key string, value []byte) diag.Diagnostics {
	if m[key] = value; value == nil {
		delete(m, key)
	}
	return nil
}

// load returns the objects of private state, by their keys in manifests.
func load(ctx context.Context, private privatestate.PrivateState) (map[string]stored, diag.Diagnostics) {
	data, diags := private.GetKey(ctx, privatestate.ObjectsKey)
	objects := map[string]stored{}
	if len(data) > 0 {
		if err := json.Unmarshal(data, &objects); err != nil {
			diags.Append(diagnostics.UnreadablePrivateState(err))
		}
	}
	return objects, diags
}

func save(ctx context.Context, private privatestate.PrivateWriter, objects map[string]stored) diag.Diagnostics {
	return privatestate.Save(ctx, private, privatestate.ObjectsKey, objects)
}

// fill sets the computed attributes of a model to the stored values.
func (s stored) fill(m *model.Model) {
	if err := model.DecodeRules(context.Background(), m, s.Rules); err != nil || s.OpenRules {
		model.SetRulesUnknown(m)
	}
	switch id, err := manifest.ParseID(s.Object); {
	case err != nil:
		m.SetObjectUnknown()
		m.SetUnknown()
	case s.Unseen:
		m.SetUnseen(id)
	case s.Shown == nil:
		m.SetObject(id, s.UID)
		m.SetUnknown()
	default:
		m.SetObject(id, s.UID)
		m.SetShown(*s.Shown)
	}
	if s.Version != "" {
		m.YAMLBodyWOVersion = types.StringValue(s.Version)
	}
	switch {
	case s.Waits:
		m.Ready = types.BoolUnknown()
	case s.Ready != nil:
		m.Ready = types.BoolValue(*s.Ready)
	}
}

// takeRules stores the rules that are in effect after a plan or an apply.
func (s *stored) takeRules(m *model.Model) {
	s.OpenRules = m.RulesApplied.IsUnknown()
	s.Rules, _ = model.EncodeRules(m) // They come from JSON, or from values that can be written as such.
}

// take sets what is stored to the computed attributes of a model.
func (s *stored) take(m *model.Model) {
	s.Object, s.UID, s.Shown, s.lastWait = "", m.UID(), nil, lastWait{Waits: m.Ready.IsUnknown()}
	if model.IsKnown(m.ID) {
		s.Object = m.ID.ValueString()
	}
	if model.IsKnown(m.FieldOwnership) || model.IsKnown(m.ManagedState) {
		shown := m.Shown()
		shown.OwnersUnknown = m.FieldOwnership.IsUnknown()
		s.Shown = &shown
	}
	s.Version = m.YAMLBodyWOVersion.ValueString()
	s.Unseen = !model.IsKnown(m.FieldOwnership) && !m.FieldOwnership.IsUnknown()
	if model.IsKnown(m.Ready) {
		ready := m.Ready.ValueBool()
		s.Ready = &ready
	}
}
