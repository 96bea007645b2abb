package setresource

import (
	"maps"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/prediction"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/attributes"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/model"
)

var (
	textsType  = types.MapType{ElemType: types.StringType}
	listsType  = types.MapType{ElemType: types.ListType{ElemType: types.StringType}}
	objectType = types.ObjectType{AttrTypes: map[string]attr.Type{
		"id": types.StringType, "uid": types.StringType, "ready": types.BoolType,
	}}
)

// unknown are the computed attributes of a plan that does not know its manifests.
func unknown() computed {
	return computed{
		Objects: types.MapUnknown(objectType), OwnersElsewhere: types.MapUnknown(listsType),
		Drifted: types.MapUnknown(textsType), Conflicts: types.MapUnknown(model.ConflictsType),
		Additions: types.MapUnknown(model.AdditionsType),
		Pending:   types.MapUnknown(types.StringType),
	}
}

// computedOf returns the computed attributes of a set with these members.
func computedOf(members []*member) computed {
	objects, owners := map[string]attr.Value{}, map[string]attr.Value{}
	drifted := map[string]attr.Value{}
	for _, m := range members {
		objects[m.key] = m.shown()
		if elsewhere := m.elsewhere(); elsewhere.IsUnknown() || len(elsewhere.Elements()) > 0 {
			owners[m.key] = elsewhere
		}
		if len(m.stored.Left) > 0 {
			drifted[m.key] = model.Drifted(m.stored.Left, m.stored.Shown.ManagedState)
		}
	}
	return computed{
		Objects:         types.MapValueMust(objectType, objects),
		OwnersElsewhere: mapOrUnknown(owners),
		Drifted:         types.MapValueMust(textsType, drifted),
		Conflicts:       types.MapNull(model.ConflictsType),
		Additions:       additionsOf(members),
		Pending:         types.MapValueMust(types.StringType, map[string]attr.Value{}),
	}
}

// conflictsOf returns the conflicts of members that an apply changes, by their keys; null without conflicts. They are
// unknown if those of one member are.
func conflictsOf(members []*member) types.Map {
	all := map[string]attr.Value{}
	for _, m := range members {
		switch {
		case m.plan == nil || m.stored.Does == keeps:
		case m.plan.Conflicts.IsUnknown():
			return types.MapUnknown(model.ConflictsType)
		case len(m.plan.Conflicts.Elements()) > 0:
			all[m.key] = m.plan.Conflicts
		}
	}
	if len(all) == 0 {
		return types.MapNull(model.ConflictsType)
	}
	return types.MapValueMust(model.ConflictsType, all)
}

// additionsOf returns the attribute additions of a set with these members; unknown if those of one member are.
func additionsOf(members []*member) types.Map {
	all := map[string]attr.Value{}
	for _, m := range members {
		switch s := m.stored.Shown; {
		case s == nil && m.stored.Unseen:
		case s == nil || s.OwnersUnknown:
			return types.MapUnknown(model.AdditionsType)
		case len(s.Additions) > 0:
			all[m.key] = model.Additions(s.Additions)
		}
	}
	if len(all) == 0 {
		return types.MapNull(model.AdditionsType)
	}
	return types.MapValueMust(model.AdditionsType, all)
}

// completedAdditions replaces the unknown values of planned additions by those seen after the apply.
func completedAdditions(planned, seen types.Map) types.Map {
	switch {
	case planned.IsUnknown():
		return seen
	case planned.IsNull():
		return planned
	}
	all, now := planned.Elements(), seen.Elements()
	for key, element := range all {
		before, _ := element.(types.Map)
		after, _ := now[key].(types.Map)
		all[key] = model.CompletedAdditions(before, after)
	}
	return types.MapValueMust(model.AdditionsType, all)
}

// mapOrUnknown returns owners_elsewhere. It is unknown as a whole if one of its elements is: a thousand unknown
// elements would tell the user no more.
func mapOrUnknown(owners map[string]attr.Value) types.Map {
	for _, of := range owners {
		if of.IsUnknown() {
			return types.MapUnknown(listsType)
		}
	}
	return types.MapValueMust(listsType, owners)
}

// shown returns the element of objects.
func (m *member) shown() attr.Value {
	s := m.stored
	values := map[string]attr.Value{
		"id": types.StringUnknown(), "uid": types.StringUnknown(), "ready": types.BoolPointerValue(s.Ready),
	}
	if s.Object != "" {
		values["id"] = types.StringValue(s.Object)
	}
	switch {
	case s.UID != "":
		values["uid"] = types.StringValue(s.UID)
	case s.Unseen:
		values["uid"] = types.StringNull()
	}
	if s.Waits {
		values["ready"] = types.BoolUnknown()
	}
	return types.ObjectValueMust(objectType.AttrTypes, values)
}

// storedIn returns the record of an object from its element in the attribute objects, for a set whose private state is
// lost.
func storedIn(element attr.Value) stored {
	object, _ := element.(types.Object)
	shown := object.Attributes()
	id, _ := shown["id"].(types.String)
	uid, _ := shown["uid"].(types.String)
	return stored{Object: id.ValueString(), UID: uid.ValueString(), Unseen: uid.ValueString() == ""}
}

// elsewhere returns the element of owners_elsewhere: the owners of each declared field that other managers own, alone
// or together with ours.
func (m *member) elsewhere() types.Map {
	s := m.stored.Shown
	if s == nil || s.OwnersUnknown || len(s.UnknownOwners) > 0 {
		if m.stored.Unseen {
			return types.MapNull(listsType.ElemType)
		}
		return types.MapUnknown(listsType.ElemType)
	}
	fields := map[string]attr.Value{}
	own := managerOf(m)
	for _, field := range slices.Concat(slices.Collect(maps.Keys(s.ManagedState)), s.UnknownValues) {
		owners := s.Owners.CoOwners[field]
		if owner, has := s.Owners.FieldOwnership[field]; has && len(owners) == 0 && owner != own {
			owners = []string{owner}
		}
		if len(owners) > 0 {
			fields[field] = types.ListValueMust(types.StringType, attributes.Texts(owners))
		}
	}
	return types.MapValueMust(listsType.ElemType, fields)
}

// managerOf returns our field manager.
func managerOf(m *member) string {
	of := m.plan
	if of == nil {
		of = m.state
	}
	return of.FieldManager.ValueString()
}

// drifts notes the fields whose values have changed since the last apply, compared with the values in before and those
// noted earlier, and the lists whose order is not that of the manifest.
func (s *stored) drifts(before stored, now *model.Model) {
	left, was, live := map[string]string{}, map[string]string{}, now.Shown().ManagedState
	if before.Shown != nil {
		was = maps.Clone(before.Shown.ManagedState)
	}
	maps.Copy(was, before.Left)
	for field, value := range was {
		if before.Shown != nil && prediction.IsTurned(before.Shown.ManagedState, field) {
			continue
		}
		if is, has := live[field]; !has || is != value {
			left[field] = value
		}
	}
	for field := range live {
		if prediction.IsTurned(live, field) {
			left[field] = "" // The order of the manifest, which no attribute shows.
		}
	}
	s.Left = left
}
