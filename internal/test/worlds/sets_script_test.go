package worlds_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
)

const (
	// objectsOfWorld is how many objects a world of sets has. The first one has a manifest of its own, and the second one a
	// patch beside a set.
	objectsOfWorld = 24
	inManifest     = 0
	inPatch        = 1
	// mostInSet is how many objects a set has at most, and fewestInSet how many it keeps.
	mostInSet, fewestInSet = 20, 2
)

// setScript is what happens in a world of sets.
type setScript struct {
	objects []kind
	turns   []setTurn
	// lastIn are the sets that had the objects in the last turn.
	lastIn map[int]int
}

// setTurn is one round of a world of sets.
type setTurn struct {
	number          int
	before, between []memberWrite
	// sets are their configurations; manifest and patch are those of the resources with one object.
	sets            [2]holding
	manifest, patch lease
	// order is that in which the CLI plans and applies the sets and the manifest.
	order  []int
	rule   rule
	isLate bool
	// room is how many more ConfigMaps a quota allows in the apply; -1 for no quota.
	room int
	// elsewhere is true if another workspace plans the first set, too.
	elsewhere bool
	// replaced is a set that -replace names; -1 for none.
	replaced int
	// held is an object that gets a finalizer before the apply; -1 for none.
	held int
}

// memberWrite is a write to one of the objects.
type memberWrite struct {
	object int
	write
}

// holding is the configuration of a set.
type holding struct {
	present bool
	entries map[string]entry
	// isHidden is true if the first plan does not know the manifests at all.
	isHidden bool
	// manager is the field manager of a set in another workspace, which adopts only what it would not change.
	manager               string
	onConflict, onDestroy string
	ignored, leftTo       []string
	// given are the objects that a rule gives up to the other set.
	given []int
}

// entry is one object of a set.
type entry struct {
	object int
	fields []choice
	form   form
}

// newSetScript returns the same for the same numbers.
func newSetScript(seed, world uint64) setScript {
	r := random{Rand: rand.New(rand.NewPCG(seed, world+11<<32))}
	s := setScript{lastIn: map[int]int{}}
	for i := range objectsOfWorld {
		k := pick(r, configMap, configMap, configMap, configMap, service, widget)
		if i > inPatch && i%12 == 0 {
			k = deployment
		}
		s.objects = append(s.objects, k.called(fmt.Sprintf("x%d", i)))
	}
	current := setTurn{
		sets: [2]holding{{present: true, entries: map[string]entry{}}, {entries: map[string]entry{}}}, manifest: lease{present: true},
	}
	for at := range current.sets {
		for range fewestInSet + r.IntN(8) {
			s.add(r, &current, at)
		}
	}
	current.manifest.fields = r.of(s.objects[inManifest]).choose(s.objects[inManifest].fields, 3)
	for n := range turnsOfWorld {
		next := current.clone()
		next.number, next.order, next.room, next.held = n+1, r.Perm(3), -1, -1
		s.vary(r, &next)
		s.turns = append(s.turns, next)
		s.lastIn = map[int]int{}
		for i := range s.objects {
			if at := current.holderOf(i); at >= 0 {
				s.lastIn[i] = at
			}
		}
		for range 1 + r.IntN(5) {
			s.change(r, &current)
		}
	}
	s.complicate(seed, world)
	return s
}

// complicate adds what has random numbers of its own, so that a seed gives the same other steps without it.
func (s setScript) complicate(seed, world uint64) {
	r := random{Rand: rand.New(rand.NewPCG(seed, world+12<<32))}
	for i := range s.turns {
		t := &s.turns[i]
		t.elsewhere, t.replaced = r.IntN(3) == 0, -1
		if r.IntN(5) == 0 && t.held < 0 { // The state has the usual timeout of a deletion.
			t.replaced = r.IntN(len(t.sets))
		}
		if t.rule == unruled && i > 0 && r.IntN(4) == 0 {
			t.rule = spares
			s.replaces(r, s.turns[i-1].sets, t.sets)
		}
		if i > 0 && r.IntN(3) == 0 {
			s.move(r, i)
		}
	}
	r = random{Rand: rand.New(rand.NewPCG(seed, world+13<<32))}
	for i := range s.turns {
		if r.IntN(3) == 0 {
			exchange(r, s.turns[i].sets[r.IntN(2)])
		}
	}
}

// exchange gives two objects of a set each the key of the other.
func exchange(r random, h holding) {
	if keys := keysIn(h); len(keys) > 0 {
		one, other := pick(r, keys...), pick(r, keys...)
		h.entries[one], h.entries[other] = h.entries[other], h.entries[one]
	}
}

// move moves an object from one set to the other in a turn, and leaves it there. Both know of it in their first plans.
func (s setScript) move(r random, turn int) {
	from, t := r.IntN(2), &s.turns[turn]
	giver, taker := &t.sets[from], &t.sets[1-from]
	var all []int
	for _, key := range keysIn(*giver) {
		e := giver.entries[key]
		_, had := s.turns[turn-1].sets[from].keyOf(e.object)
		if _, has := taker.keyOf(e.object); had && !has && e.object > inPatch && key != "taken" {
			all = append(all, e.object)
		}
	}
	if len(all) == 0 || !giver.present || !s.turns[turn-1].sets[from].present || !taker.present || len(taker.entries) >= mostInSet {
		return
	}
	object := pick(r, all...)
	giver.isHidden, taker.isHidden = false, false
	for i := turn; i < len(s.turns); i++ {
		giver, taker := &s.turns[i].sets[from], &s.turns[i].sets[1-from]
		key, has := giver.keyOf(object)
		if !has {
			return
		}
		e := giver.entries[key]
		e.form.hides = e.form.hides && i > turn
		delete(giver.entries, key)
		s.turns[i].replaced = -1 // The replacement of a set gives up nothing.
		giver.given = append(slices.Clone(giver.given), object)
		taker.entries[fmt.Sprintf("m%d", object)] = e
		// It may go back later.
		taker.given = slices.DeleteFunc(slices.Clone(taker.given), func(given int) bool { return given == object })
	}
}

// gives reports whether a set gives up objects to the other one.
func (t setTurn) gives() bool { return len(t.sets[0].given)+len(t.sets[1].given) > 0 }

// keyOf returns the key of an object in a set; false if the set does not have it.
func (h holding) keyOf(object int) (string, bool) {
	for _, key := range keysIn(h) {
		if h.entries[key].object == object {
			return key, true
		}
	}
	return "", false
}

// replaces has an object immutable in one turn, and with other values in the next one.
func (s setScript) replaces(r random, before, now [2]holding) {
	at := r.IntN(len(now))
	for _, key := range keysIn(now[at]) {
		was, is := before[at].entries[key], now[at].entries[key]
		if was.object == is.object && is.object > inPatch && s.objects[is.object].name == configMap.name {
			was.fields = with(with(was.fields, choice{"immutable", true}), choice{"data|a", "1"})
			is.fields = with(with(is.fields, choice{"immutable", true}), choice{"data|a", "2"})
			before[at].entries[key], now[at].entries[key] = was, is
			return
		}
	}
}

// called returns the kind with objects of another name.
func (k kind) called(name string) kind {
	rename := func(base string) string { return strings.Replace(base, "name: x,", "name: "+name+",", 1) }
	k.base, k.others = rename(k.base), slices.Clone(k.others)
	for i := range k.others {
		k.others[i].base = rename(k.others[i].base)
	}
	if k.name == configMap.name && name != "x0" && name != "x1" { // Worlds of single resources replace nothing.
		k.fields = append(slices.Clone(k.fields), field{"immutable", []any{true}})
	}
	return k
}

func (r random) of(k kind) random { return random{Rand: r.Rand, kind: k} }

func (t setTurn) clone() setTurn {
	for i := range t.sets {
		t.sets[i].entries = maps.Clone(t.sets[i].entries)
	}
	return t
}

// fieldsOf gives fields of an object values. Those of an object with a patch are not the patch's.
func (s setScript) fieldsOf(r random, object, most int) []choice {
	r = r.of(s.objects[object])
	if object == inPatch {
		return r.fieldsOf([]manner{whole, part}, 0, most)
	}
	return r.choose(r.kind.fields, most)
}

// free returns an entry with an object that no set has; false if a set takes no more.
func (s setScript) free(r random, t setTurn, at int) (entry, bool) {
	var free []int
	for i := range s.objects {
		last, wasHeld := s.lastIn[i] // It moves to another set in two applies only.
		if i != inManifest && (i != inPatch || at == 0) && t.holderOf(i) < 0 && (!wasHeld || last == at) {
			free = append(free, i)
		}
	}
	if len(free) == 0 || len(t.sets[at].entries) >= mostInSet {
		return entry{}, false
	}
	object := pick(r, free...)
	return entry{object: object, fields: s.fieldsOf(r, object, 4)}, true
}

// add adds an object to a set.
func (s setScript) add(r random, t *setTurn, at int) {
	if e, has := s.free(r, *t, at); has {
		t.sets[at].entries[r.key(t.sets[at], e.object)] = e
	}
}

// key returns a key that a set does not have.
func (r random) key(h holding, object int) string {
	for n := object; ; n += 1 + r.IntN(5) {
		key := fmt.Sprintf("k%d", n)
		if _, has := h.entries[key]; !has {
			return key
		}
	}
}

// holderOf returns the set whose configuration has an object; -1 if none has.
func (t setTurn) holderOf(object int) int {
	for at, set := range t.sets {
		for _, e := range set.entries {
			if e.object == object {
				return at
			}
		}
	}
	return -1
}

func keysIn(h holding) []string { return slices.Sorted(maps.Keys(h.entries)) }

// change is one edit of the configuration.
func (s setScript) change(r random, t *setTurn) {
	at := r.IntN(len(t.sets))
	h := &t.sets[at]
	if len(h.entries) == 0 {
		s.add(r, t, at)
		return
	}
	key := pick(r, keysIn(*h)...)
	e := h.entries[key]
	switch dice := r.IntN(24); {
	case dice < 5:
		s.add(r, t, at)
	case dice < 8 && len(h.entries) > fewestInSet:
		delete(h.entries, key)
	case dice < 10:
		delete(h.entries, key)
		h.entries[r.key(*h, e.object)] = e
	case dice < 12: // The key stays, and is about another object.
		if other, has := s.free(r, *t, at); has {
			h.entries[key] = other
		}
	case dice < 17:
		for _, c := range s.fieldsOf(r, e.object, 2) {
			e.fields = with(e.fields, c)
		}
		h.entries[key] = e
	case dice < 19 && len(e.fields) > 1:
		n := r.IntN(len(e.fields))
		e.fields = slices.Delete(slices.Clone(e.fields), n, n+1)
		h.entries[key] = e
	case dice == 19:
		h.onConflict = pick(r, "", "", "fail", "force")
	case dice == 20:
		h.onDestroy = pick(r, "", "release")
	case dice == 21:
		h.ignored = pick(r, nil, []string{"data.a"}, []string{"metadata.labels.team", "data.b"})
	case dice == 22:
		h.leftTo = pick(r, nil, []string{"flux"}, []string{"kubectl*"})
	case dice == 23 && at == 1:
		h.present = !h.present
	default:
		s.changeSingles(r, t)
	}
}

// changeSingles edits the resources with one object.
func (s setScript) changeSingles(r random, t *setTurn) {
	r = r.of(s.objects[inPatch])
	switch r.IntN(4) {
	case 0:
		one := r.of(s.objects[inManifest])
		t.manifest.fields = with(slices.Clone(t.manifest.fields), one.choose(one.kind.fields, 1)[0])
	case 1:
		t.patch.present = false
	default:
		t.patch.present = t.holderOf(inPatch) == 0
		t.patch.fields = r.fieldsOf([]manner{whole, part}, 1, 3)
		t.patch.onDestroy = pick(r, "", "release", "restore")
	}
}

// vary adds what happens in one turn alone.
func (s setScript) vary(r random, t *setTurn) {
	for at := range t.sets {
		h := &t.sets[at]
		h.isHidden = r.IntN(15) == 0
		for _, key := range keysIn(*h) {
			e := h.entries[key]
			e.form = form{isObject: r.IntN(2) == 0, hides: r.IntN(6) == 0, hidden: r.IntN(100)}
			h.entries[key] = e
		}
	}
	t.patch.form = form{isObject: r.IntN(2) == 0}
	t.patch.present = t.patch.present && t.holderOf(inPatch) == 0 && len(t.patch.fields) > 0
	t.rule, t.isLate = pick(r, unruled, unruled, unruled, refuses, retains, rewrites), r.IntN(2) == 0
	if t.number == 1 {
		t.rule = unruled
	}
	t.isLate = t.isLate && t.rule != rewrites // Terraform refuses the second plan of what is rewritten since the first.
	t.before = s.writes(r, t, 4)
	if r.IntN(3) == 0 {
		t.between = s.writes(r, t, 4)
	}
	switch dice := r.IntN(12); {
	case dice < 2:
		t.room = r.IntN(3)
	case dice == 2:
		t.held = 2 + r.IntN(objectsOfWorld-2)
	case dice == 3:
		s.overlap(r, t)
	}
}

// writes are those of others, most of them to objects of the sets.
func (s setScript) writes(r random, t *setTurn, most int) []memberWrite {
	var all []memberWrite
	for range r.IntN(most + 1) {
		object := r.IntN(len(s.objects))
		if t.holderOf(object) < 0 {
			object = r.IntN(len(s.objects))
		}
		w := memberWrite{object: object}
		switch w.write = r.of(s.objects[object]).write(); {
		case object > inPatch && r.IntN(8) == 0:
			w.write = write{manager: "kubectl", how: remove}
		case w.how == forget:
			continue // The set does not know then what it has applied, and says so.
		case s.objects[object].name == deployment.name && w.how == scale:
			w.scale = 0
		}
		all = append(all, w)
	}
	return all
}

// overlap gives a set an object that the other one or the manifest has.
func (s setScript) overlap(r random, t *setTurn) {
	at := r.IntN(len(t.sets))
	other := t.sets[1-at]
	if !t.sets[at].present || !other.present || len(other.entries) == 0 {
		return
	}
	taken := entry{object: inManifest, fields: s.fieldsOf(r, inManifest, 1)}
	if r.IntN(2) == 0 {
		taken = other.entries[pick(r, keysIn(other)...)]
	}
	t.sets[0].isHidden, t.sets[1].isHidden = false, false // A plan that does not know an object cannot refuse it.
	if taken.form.hides = false; taken.object != inPatch {
		t.sets[at].entries["taken"] = taken
	}
}

// overlaps reports whether two resources have one object.
func (t setTurn) overlaps() bool {
	held := map[int]bool{inManifest: true}
	for _, h := range t.sets {
		for _, e := range h.entries {
			if h.present && held[e.object] {
				return true
			}
			held[e.object] = held[e.object] || h.present
		}
	}
	return false
}

func (s setScript) String() string {
	var text strings.Builder
	for _, t := range s.turns {
		fmt.Fprintf(&text, "step %d\n", t.number)
		t.say(&text, s.objects)
	}
	return text.String()
}

func (t setTurn) say(text *strings.Builder, objects []kind) {
	for _, w := range t.before {
		fmt.Fprintf(text, "  %s x%d: %s\n", objects[w.object].name, w.object, w.write)
	}
	if !t.isLate {
		fmt.Fprintf(text, "  the server %s\n", t.rule)
	}
	if t.elsewhere {
		text.WriteString("  another workspace plans set 0\n")
	}
	fmt.Fprintf(text, "  terraform plan, in the order %v\n", t.order)
	if t.replaced >= 0 {
		fmt.Fprintf(text, "    -replace of set %d\n", t.replaced)
	}
	for at, h := range t.sets {
		fmt.Fprintf(text, "    set %d: present=%t hidden=%t on_conflict=%s on_destroy=%s ignore_fields=%q ignore_managers=%q given=%v\n",
			at, h.present, h.isHidden, h.onConflict, h.onDestroy, h.ignored, h.leftTo, h.given)
		for _, key := range keysIn(h) {
			e := h.entries[key]
			fmt.Fprintf(text, "      %s = %s x%d %v %+v\n", key, objects[e.object].name, e.object, e.fields, e.form)
		}
	}
	fmt.Fprintf(text, "    manifest of x%d: %s\n    patch of x%d: %s\n", inManifest, t.manifest, inPatch, t.patch)
	for _, w := range t.between {
		fmt.Fprintf(text, "  %s x%d: %s\n", objects[w.object].name, w.object, w.write)
	}
	if t.isLate {
		fmt.Fprintf(text, "  the server %s\n", t.rule)
	}
	if t.held >= 0 {
		fmt.Fprintf(text, "  x%d gets a finalizer\n", t.held)
	}
	if t.room >= 0 {
		fmt.Fprintf(text, "  a quota allows %d more ConfigMaps\n", t.room)
	}
	text.WriteString("  terraform apply\n")
}
