package setresource

import (
	"cmp"
	"maps"
	"slices"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/diagnostics/sets"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/model"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/objectkit"
)

// member is one object of a set while a request is answered.
type member struct {
	key   string
	stage stage
	// now is its entry in the configuration, before the one in the state; nil without one.
	now, before entry
	// plan and state are its models in the plan and in the state; nil without one.
	plan, state *model.Model
	// stored is its record in private state, as the request will leave it. was is the record in the state.
	stored, was stored
	// isApplied is true if an apply has left something of the plan on the object.
	isApplied bool
	// found is how long the object exists that its create takes over without being told to; 0 without.
	found time.Duration
	// isForgotten is true if the object of a member that leaves is another one than that of the last apply.
	isForgotten bool
	// defines is the kind that the definition of a member defines, once it was looked up.
	defines string
	// fixed is the identity of a member that others need. It is set before an apply works on many members at a time.
	fixed manifest.Identity
	// controllers are the members that may run the controller of a custom resource that leaves, or an API server.
	controllers map[*member]bool
	// isGone is true if a read has not found its object, or if it was deleted.
	isGone bool
	// ended is closed when an apply has ended its work on the member.
	ended chan struct{}
	// leaves is how the object stays on the cluster that a plan gives up; nil if the plan does not.
	leaves *sets.Departure
	// requested is its end as a taint or -replace requests it; nil if neither does, or nothing goes with the object.
	requested *model.End
	// undo is the way back from its update; nil without one.
	undo *undo
	// diags are what is said of it, and refused the error with which its create will end.
	diags, refused diag.Diagnostics
}

// undo is the way back from the update of a member.
type undo struct {
	apply   objectkit.Applying
	applied objectkit.Applied
	// before is the entry of the state.
	before entry
}

// isUnready reports whether the object of a member has not become ready, and its wait asks for an undo.
func (m *member) isUnready() bool { return m.undo != nil && m.undo.applied.Undo.IsWanted() }

// id returns the object of a member, as far as it is known.
func (m *member) id() manifest.Identity {
	if m.fixed.Name != "" {
		return m.fixed
	}
	if id, err := manifest.ParseID(m.stored.Object); err == nil {
		return id
	}
	if args, is := m.plan.Legible(); is {
		return args.Manifest.Identity
	}
	return manifest.Identity{}
}

// keepParsed lets the manifests be parsed once for all that follows.
func (s set) keepParsed() {
	all, _ := s.entries()
	bytes := 0
	for _, of := range all {
		text, _ := of.manifest.(types.String)
		bytes += len(text.ValueString())
	}
	manifest.Keep(2 * bytes) // Another set may be as large.
}

// compare returns the members of a set, sorted by key: staying are those in the configuration, leaving are those that
// were removed from it. was is the set of the state; nil without one. An object whose key changes stays a member.
func compare(plan, was *set, objects map[string]stored) (staying, leaving []*member) {
	left := map[string]*member{}
	if was != nil {
		before, _ := was.entries()
		shown := was.Objects.Elements()
		for key, of := range before {
			left[key] = was.member(key, of, storedIn(shown[key]), objects[key])
		}
	}
	if plan != nil {
		staying = plan.members(left)
	}
	if was == nil {
		replacing(staying, objects)
	}
	for _, key := range slices.Sorted(maps.Keys(left)) {
		m := left[key]
		m.stored.Does = deletes
		m.endsBy(plan)
		if slices.ContainsFunc(staying, func(other *member) bool { return other.key == key }) {
			m.stored.From, m.key = key, key+": "+m.id().String() // The key is now about another object.
		}
		leaving = append(leaving, m)
	}
	return staying, leaving
}

// replacing gives the members of a set that replaces itself what private state keeps of their objects: Terraform passes
// it to the plan of the create half, which so knows the objects that are still there.
func replacing(members []*member, objects map[string]stored) {
	byObject, left := map[manifest.Identity]string{}, map[string]*member{}
	for key, object := range objects {
		if id, err := manifest.ParseID(object.Object); err == nil {
			byObject[id.InAnyVersion()], left[key] = key, &member{stored: object}
		}
	}
	var others []*member
	for _, m := range members {
		if key, has := byObject[m.id().InAnyVersion()]; has {
			m.stored.Private = objects[key].own().Private
			delete(left, key)
		} else {
			others = append(others, m)
		}
	}
	namesake := namesakes(left)
	for _, m := range others {
		if key, has := namesake(m); has {
			m.stored.Private = objects[key].own().Private
		}
	}
}

// member returns the member of a state. is is its record in the attributes of the state, and object the one in private
// state.
func (s *set) member(key string, before entry, is, object stored) *member {
	if !object.before().isAbout(is) { // The destroy half of a replacement gets the private state of the create half.
		object = stored{}
	}
	m := &member{key: key, before: before, state: s.object(key, before), stored: object.own(), was: object.before()}
	if m.was.Object == "" {
		m.was = is
	}
	m.was.fill(m.state)
	m.stage = stageOf(m.id())
	return m
}

// members returns the members in the configuration. It takes those with a state out of left: an object that the
// configuration still contains stays the same member, even under another key. If a key names another object now, the
// old one leaves.
func (s *set) members(left map[string]*member) []*member {
	now, _ := s.entries()
	var all, unmatched []*member
	for _, key := range slices.Sorted(maps.Keys(now)) {
		m := &member{key: key, stored: stored{}.own(), now: now[key], plan: s.object(key, now[key])}
		if all = append(all, m); !m.take(left, key) {
			unmatched = append(unmatched, m)
		}
	}
	byObject := map[manifest.Identity]string{}
	for key, m := range left {
		byObject[m.id().InAnyVersion()] = key
	}
	var unknown []*member
	for _, m := range unmatched {
		if from, has := byObject[m.id().InAnyVersion()]; !has || !m.take(left, from) {
			unknown = append(unknown, m)
		}
	}
	namesake := namesakes(left)
	unknown = slices.DeleteFunc(unknown, func(m *member) bool {
		key, is := namesake(m)
		return is && m.follows(left, key, s)
	})
	for _, m := range unknown {
		if was, has := left[m.key]; has && m.mayBe(was) {
			m.follows(left, m.key, s)
		}
	}
	for _, m := range all {
		m.stage = stageOf(m.id())
	}
	return all
}

// namesakes returns a function that returns the key in left of the only object that can be that of a member: a manifest
// may leave out the namespace of its object, and one of an object without a namespace may name one.
func namesakes(left map[string]*member) func(*member) (key string, is bool) {
	withoutNamespace := func(m *member) manifest.Identity {
		id := m.id().InAnyVersion()
		id.Namespace = ""
		return id
	}
	keys := map[manifest.Identity][]string{}
	for key, was := range left {
		id := withoutNamespace(was)
		keys[id] = append(keys[id], key)
	}
	return func(m *member) (string, bool) {
		isOther := func(key string) bool {
			return left[key] == nil || left[key].id().Namespace != "" && m.id().Namespace != ""
		}
		found := slices.DeleteFunc(slices.Clone(keys[withoutNamespace(m)]), isOther)
		if m.id().Name == "" || len(found) != 1 {
			return "", false
		}
		return found[0], true
	}
}

// mayBe reports whether the object of a member of the configuration may be that of one of the state.
func (m *member) mayBe(was *member) bool {
	now, before := m.id().InAnyVersion(), was.id().InAnyVersion()
	if now.Namespace == "" || before.Namespace == "" {
		now.Namespace, before.Namespace = "", ""
	}
	return now.Name == "" || before.Name == "" || now == before
}

// follows gives a member of the set now the state of the one with a key in left, which may be about another object. It
// returns false if left does not have the key.
func (m *member) follows(left map[string]*member, key string, now *set) bool {
	was, has := left[key]
	if !has {
		return false
	}
	delete(left, key)
	m.continues(was)
	m.endsBy(now)
	if key != m.key {
		m.stored.From = key
	}
	return true
}

// take takes the member with a key out of left if it is the same object.
func (m *member) take(left map[string]*member, key string) bool {
	was, has := left[key]
	if !has {
		return false
	}
	isSame := key == m.key && m.now.manifest.Equal(was.before.manifest) // Most are, and need no parsing.
	if !isSame && (m.id().Name == "" || was.id().InAnyVersion() != m.id().InAnyVersion()) {
		return false
	}
	delete(left, key)
	if m.continues(was); key != m.key {
		m.stored.From = key
	}
	return true
}

// endsBy sets how the object of a member ends that leaves a set: by the arguments of now, the set in the configuration;
// nil for a destroy.
func (m *member) endsBy(now *set) {
	if now != nil {
		m.state.OnDestroy, m.state.Successor, m.state.OwnRules = now.OnDestroy, now.Successor, now.base.OwnRules
		m.state.Propagation, m.state.ForceDestroy, m.state.Timeouts = now.Propagation, now.ForceDestroy, now.Timeouts
	}
}

// continues gives a member of the configuration the state of another one.
func (m *member) continues(was *member) {
	m.before, m.state, m.stored = was.before, was.state, was.stored
}

// planned returns the members of an apply as the plan has left them. was is the set of the state; nil without one.
func planned(plan, was *set, objects map[string]stored) (staying, leaving []*member) {
	now, _ := plan.entries()
	var before map[string]entry
	var shown map[string]attr.Value
	if was != nil {
		before, _ = was.entries()
		shown = was.Objects.Elements()
	}
	for _, key := range slices.Sorted(maps.Keys(objects)) {
		object, m := objects[key], &member{key: key}
		// The entry in the state under the key of a new object belongs to another object.
		from := cmp.Or(object.From, key)
		if of, has := before[from]; has && object.Does != creates {
			m = was.member(key, of, storedIn(shown[from]), object)
		}
		m.stored = object.own()
		m.stored.From, m.stored.Before = "", nil
		if m.stage = stageOf(m.id()); object.Does == deletes {
			m.endsBy(plan)
			leaving = append(leaving, m)
			continue
		}
		m.now, m.plan, m.ended = now[key], plan.object(key, now[key]), make(chan struct{})
		m.stored.fill(m.plan)
		m.plan.OfRelease = m.stored.OfRelease
		if m.stage = stageOf(m.id()); object.Does == replaces && !object.before().isAbout(object) {
			m.endsBy(plan) // The key is now about another object.
		}
		staying = append(staying, m)
	}
	return staying, leaving
}
