package worlds_test

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
)

// script is what happens in a world of several resources.
type script struct {
	manners []manner
	turns   []turn
	// isLimited is true if the provider uses a ServiceAccount whose rights come and go.
	isLimited bool
}

// turn is one round: others write, the user plans all resources, others may write, and the user applies.
type turn struct {
	number          int
	before, between []write
	leases          []lease
	// order is that in which the CLI plans and applies the resources.
	order []int
	// rule is what the server adds from then on: before the plan, or after it if isLate is true.
	rule   rule
	isLate bool
	// readsLate is true for a CLI that plans to destroy a resource before it reads its object, as Terraform 1.11 does.
	readsLate bool
}

// lease is the configuration of one of the resources; without present, it is not in the configuration.
type lease struct {
	present bool
	// leaves is true if a removed block takes the resource out of the state first, without a destroy; arrives is true if
	// an import block brings the object then.
	leaves, arrives       bool
	fields                []choice
	removed               []string
	onConflict, onDestroy string
	form                  form
}

func newScript(k kind, seed, world uint64) script {
	r := random{Rand: rand.New(rand.NewPCG(seed, world+9<<32)), kind: k}
	manners := []manner{pick(r, whole, part), pick(r, part, part, mergeOf, jsonPatch, strategicPatch)}
	for range r.IntN(3) {
		manners = append(manners, pick(r, part, mergeOf, strategicPatch, jsonPatch))
	}
	if k.name == widget.name {
		for i, m := range manners {
			if m == strategicPatch {
				manners[i] = mergeOf
			}
		}
	}
	s := script{manners: manners}
	current := make([]lease, len(manners))
	for i := range current {
		current[i] = lease{present: i < 2, fields: r.fieldsOf(manners, i, 3)}
	}
	for n := range turnsOfWorld {
		next := turn{number: n + 1, order: r.Perm(len(manners))}
		for _, l := range current {
			l.fields, l.removed = slices.Clone(l.fields), slices.Clone(l.removed)
			l.form = form{isObject: r.IntN(2) == 0, hides: r.IntN(3) == 0, hidden: r.IntN(100)}
			next.leases = append(next.leases, l)
		}
		if n > 0 {
			next.before = r.writes(2)
			if r.IntN(2) == 0 {
				next.between = r.writes(2)
			}
			if r.IntN(8) == 0 {
				r.overlap(next.leases)
			}
		}
		s.turns = append(s.turns, next)
		for range 1 + r.IntN(2) {
			r.changeLease(manners, current)
		}
	}
	s.complicate(k, seed, world)
	return s
}

// complicate adds what the steps of a world meet. It has random numbers of its own, so that a seed gives the same other steps
// without it.
func (s *script) complicate(k kind, seed, world uint64) {
	r := random{Rand: rand.New(rand.NewPCG(seed, world+10<<32)), kind: k}
	s.isLimited = r.IntN(3) == 0
	all, current := []rule{unruled, refuses, retains, rewrites}, unruled
	if s.isLimited {
		all = append(all, forbids, forbids)
	}
	if k.name == service.name {
		all = append(all, limits)
	}
	defer s.shareItems(r)
	for i := range s.turns {
		t := &s.turns[i]
		if i > 0 && r.IntN(3) == 0 {
			current, t.isLate = pick(r, all...), r.IntN(2) == 0
		}
		t.rule, t.readsLate = current, r.IntN(2) == 0
		for at := range t.leases {
			t.leases[at].leaves = i > 0 && r.IntN(12) == 0
			t.leases[at].arrives = r.IntN(2) == 0
			if r.IntN(8) == 0 && s.manners[at] != whole {
				t.leases[at].removed = append(t.leases[at].removed, r.unwanted(s.manners, at, t.leases[at])...)
			}
		}
	}
}

// shareItems has the manifest and a patch in yaml_body name the same two containers.
func (s *script) shareItems(r random) {
	at := slices.Index(s.manners, part)
	if at < 0 || s.manners[0] != whole || r.kind.name != deployment.name {
		return
	}
	const log = "spec|template|spec|containers|[name=log]|"
	for i := range s.turns {
		leases := s.turns[i].leases
		leases[0].present, leases[at].present = true, true
		leases[0].fields = with(leases[0].fields, choice{log + "image", "log:1"})
		for _, path := range []string{container + "|", log} {
			leases[at].fields = with(leases[at].fields, choice{path + "env|[name=SHARED]|value", pick(r, "1", "2")})
		}
	}
}

// unwanted returns a field that one of the resources removes, although another client has set it, or the server fills
// it in again.
func (r random) unwanted(manners []manner, at int, l lease) []string {
	var all []string
	for i, f := range slices.Concat(origin(r.kind), defaults(r.kind)) {
		if i%len(manners) == at && !l.names(f.path) {
			all = append(all, f.path)
		}
	}
	if len(all) == 0 {
		return nil
	}
	return []string{pick(r, all...)}
}

// defaults are fields that the server fills in, beside the values.
func defaults(k kind) []choice {
	switch k.name {
	case deployment.name:
		return []choice{{"spec|revisionHistoryLimit", int64(10)}, {"spec|progressDeadlineSeconds", int64(600)}, {"spec|strategy", nil}}
	case service.name:
		return []choice{{"spec|internalTrafficPolicy", "Cluster"}, {"spec|sessionAffinityConfig", nil}}
	}
	return nil
}

// fieldsOf gives some of the fields a value that one of the resources sets alone.
func (r random) fieldsOf(manners []manner, at, most int) []choice {
	pool := r.pool(manners, at)
	if len(pool) == 0 {
		return nil
	}
	return r.choose(pool, most)
}

func (r random) pool(manners []manner, at int) []field {
	var pool []field
	base := object(r.kind.base, "NS", origin(r.kind)).Object
	var units []string
	for _, f := range r.kind.fields {
		if unit := unitOf(f.path); !slices.Contains(units, unit) {
			units = append(units, unit)
		}
		f.values = slices.DeleteFunc(slices.Clone(f.values), func(value any) bool {
			fields, isMap := value.(map[string]any)
			return isMap && len(fields) == 0
		})
		isMine := slices.Index(units, unitOf(f.path))%len(manners) == at && len(f.values) > 0
		inList, parent := strings.Contains(f.path, "["), f.path[:max(strings.LastIndex(f.path, "|"), 0)]
		if manners[0] == whole && has(base, f.path) {
			isMine = at == 0 && len(f.values) > 0 // The manifest has it in any case.
		}
		switch manners[at] {
		case jsonPatch:
			isMine = isMine && !inList && has(base, parent)
		case mergeOf:
			isMine = isMine && !inList
		}
		if isMine {
			pool = append(pool, f)
		}
	}
	return pool
}

// unitOf returns the field that has one owner: a selector is a map that is written as a whole.
func unitOf(path string) string {
	if strings.HasPrefix(path, "spec|selector|") {
		return "spec|selector"
	}
	return path
}

func (r random) changeLease(manners []manner, leases []lease) {
	at := r.IntN(len(leases))
	l := &leases[at]
	switch dice := r.IntN(20); {
	case !l.present:
		l.present = true
	case dice < 8:
		for _, c := range r.fieldsOf(manners, at, 1) {
			l.fields = with(l.fields, c)
			l.removed = slices.DeleteFunc(l.removed, func(path string) bool { return path == c.path })
		}
	case dice < 12 && len(l.fields) > 1:
		n := r.IntN(len(l.fields))
		l.fields = slices.Delete(slices.Clone(l.fields), n, n+1)
	case dice < 14 && manners[at] != whole:
		for _, c := range r.fieldsOf(manners, at, 1) {
			if !strings.Contains(c.path, "[") && isOptional(r.kind, c.path) {
				l.fields = slices.DeleteFunc(slices.Clone(l.fields), func(f choice) bool { return f.path == c.path })
				l.removed = toggled(l.removed, c.path)
			}
		}
		if len(l.fields) == 0 && len(l.removed) == 0 {
			l.fields = r.fieldsOf(manners, at, 1)
		}
	case dice == 14:
		l.onConflict = pick(r, "", "fail", "force")
	case dice < 17:
		l.onDestroy = pick(r, "", "release", "restore")
	case at > 0:
		l.present = false
	}
}

// isOptional reports whether an object may lack a field: the server fills no other one in.
func isOptional(k kind, path string) bool {
	return strings.HasPrefix(path, "metadata|") || k.name == configMap.name || strings.HasPrefix(path, "spec|selector|")
}

// overlap has one of the resources set a field of another one, to another value.
func (r random) overlap(leases []lease) {
	from, to := r.IntN(len(leases)), r.IntN(len(leases))
	if from == to || !leases[from].present || !leases[to].present || len(leases[from].fields) == 0 {
		return
	}
	taken := pick(r, leases[from].fields...)
	if strings.Contains(taken.path, "[") || !strings.HasPrefix(taken.path, "metadata|") {
		return
	}
	leases[to].fields = with(leases[to].fields, taken)
}

// overlaps reports whether two of the resources set, or remove, the same field.
func overlaps(leases []lease) bool {
	for i, one := range leases {
		for _, other := range leases[i+1:] {
			if one.present && other.present && one.meets(other) {
				return true
			}
		}
	}
	return false
}

// inUnits returns leases that remove whole units: a patch that removes a part of an atomic map owns the map from then on.
func inUnits(leases []lease) []lease {
	whole := slices.Clone(leases)
	for i, l := range whole {
		for _, path := range l.removed {
			whole[i].fields = append(slices.Clip(whole[i].fields), choice{path: path})
		}
	}
	return whole
}

func (l lease) meets(other lease) bool {
	return slices.ContainsFunc(l.fields, func(c choice) bool { return other.names(c.path) }) ||
		slices.ContainsFunc(l.removed, func(path string) bool {
			return slices.ContainsFunc(other.fields, func(c choice) bool { return c.path == path })
		})
}

func (l lease) names(path string) bool {
	return slices.Contains(l.removed, path) || slices.ContainsFunc(l.fields, func(c choice) bool { return unitOf(c.path) == unitOf(path) })
}

// origin are the fields of the object that another client has created.
func origin(k kind) []choice {
	all := []choice{{"metadata|labels|origin", "yes"}, {"metadata|annotations|origin", "yes"}}
	switch k.name {
	case configMap.name:
		return append(all, choice{"data|origin", "yes"})
	case service.name:
		return append(all, choice{"spec|selector|origin", "yes"})
	}
	return all
}

func (s script) String() string {
	var text strings.Builder
	fmt.Fprintf(&text, "resources: %v\n", s.manners)
	if s.isLimited {
		text.WriteString("the provider has a ServiceAccount\n")
	}
	for _, t := range s.turns {
		fmt.Fprintf(&text, "step %d\n", t.number)
		for _, w := range t.before {
			fmt.Fprintf(&text, "  %s\n", w)
		}
		if t.rule != unruled && !t.isLate {
			fmt.Fprintf(&text, "  the server %s\n", t.rule)
		}
		fmt.Fprintf(&text, "  terraform plan, in the order %v", t.order)
		if t.readsLate {
			text.WriteString(", destroys before their reads")
		}
		text.WriteString("\n")
		for i, l := range t.leases {
			fmt.Fprintf(&text, "    %d: %s\n", i, l)
		}
		for _, w := range t.between {
			fmt.Fprintf(&text, "  %s\n", w)
		}
		if t.isLate {
			fmt.Fprintf(&text, "  the server %s\n", cmp.Or(t.rule, "does nothing more"))
		}
		text.WriteString("  terraform apply\n")
	}
	return text.String()
}

func (l lease) String() string {
	text := fmt.Sprint(l.fields)
	if !l.present {
		text = "none"
	}
	if l.leaves {
		text = "removed from the state, then " + text
	}
	if l.arrives && l.present {
		text = "imported if it is new: " + text
	}
	if !l.present {
		return text
	}
	if len(l.removed) > 0 {
		text += fmt.Sprintf(" without %q", l.removed)
	}
	for name, value := range map[string]string{" on_conflict=": l.onConflict, " on_destroy=": l.onDestroy} {
		if value != "" {
			text += name + value
		}
	}
	if l.form.isObject && l.form.hides {
		text += fmt.Sprintf(" with an unknown value (%d)", l.form.hidden)
	}
	if l.turnsLists() {
		text += " with lists turned"
	}
	return text
}
