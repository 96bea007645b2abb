package prediction

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/ownership"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/paths"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/projection"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/arguments"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/record"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/wanted"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/clustertest"
)

// side is what a configuration says of data.a: its value, "" for none, and whether it is ignored.
type side struct {
	value   string
	ignored bool
}

var sides = []side{{}, {value: "1"}, {value: "2"}, {value: "1", ignored: true}, {value: "2", ignored: true}, {ignored: true}}

// world is one combination of what can be true of data.a: what the configuration said and says, who
// holds it with which value, and whether anything was ever applied.
type world struct {
	before, now side
	// held is the live value, "" for none.
	held string
	// byOther and byUs say who owns it now.
	byOther, byUs bool
	applied       bool
}

// worlds returns all combinations that a server can bring about: an owned field has a value.
func worlds() []world {
	var all []world
	flags := []bool{false, true}
	for _, before := range sides {
		for _, now := range sides {
			for _, held := range []string{"", "1", "2", "3"} {
				for _, byOther := range flags {
					for _, byUs := range flags {
						for _, applied := range flags {
							if held != "" || !byOther && !byUs {
								all = append(all, world{before, now, held, byOther, byUs, applied})
							}
						}
					}
				}
			}
		}
	}
	return all
}

func (s side) manifest(t *testing.T) (manifest.Manifest, paths.Patterns) {
	t.Helper()
	body := "{apiVersion: v1, kind: ConfigMap, metadata: {name: web, namespace: shop}, data: {z: \"0\"}}"
	if s.value != "" {
		body = strings.Replace(body, "{z:", fmt.Sprintf("{a: %q, z:", s.value), 1)
	}
	parsed, err := manifest.Parse(body)
	if err != nil {
		t.Fatal(err)
	}
	if !s.ignored {
		return parsed, nil
	}
	patterns, err := paths.ParseAll([]string{"data.a"})
	if err != nil {
		t.Fatal(err)
	}
	return parsed, patterns
}

func (s side) declared() bool { return s.value != "" && !s.ignored }

var fieldA = paths.Path{paths.Field("data"), paths.Field("a")}

// setWith returns a set of data.z, and of data.a if with is true.
func setWith(with bool) *paths.Set {
	set := paths.NewSet(paths.Path{paths.Field("data"), paths.Field("z")})
	if with {
		set.Insert(fieldA)
	}
	return set
}

// prediction returns the plan of a world.
func (w world) prediction(t *testing.T) Inputs {
	t.Helper()
	encode := func(set *paths.Set) string {
		raw, err := paths.MarshalSet(set)
		if err != nil {
			t.Fatal(err)
		}
		return string(raw)
	}
	managers := clustertest.Owning(encode(setWith(w.byUs)))
	prior := record.Prior{Object: clustertest.ConfigMap, Shown: record.Shown{ManagedState: map[string]string{"data.z": "0"}}}
	prior.Snapshot = record.Snapshot{Object: clustertest.ConfigMap, Sighting: record.Sighting{UID: "u"}, Foreign: record.Foreign{Values: map[string]string{}}}
	if w.byOther {
		managers = append(managers, clustertest.Updating("tuner", `{"f:data":{"f:a":{}}}`))
		prior.Snapshot.Values[paths.ID(fieldA)] = projection.Fingerprint(w.held)
	}
	prior.Snapshot.Claims = clustertest.Claims(t, managers)
	old, oldIgnored := w.before.manifest(t)
	prior.Arguments = arguments.Arguments{Manifest: old, Ignore: oldIgnored, FieldManager: "k8sconnect"}
	if w.applied {
		prior.Snapshot.AppliedState = "digest"
		prior.Snapshot.Fields.Declared = setWith(w.before.declared())
		if w.before.declared() && w.held != "" {
			prior.ManagedState["data.a"] = w.held
		}
	}
	next, ignored := w.now.manifest(t)
	want := wanted.For(arguments.Arguments{Manifest: next, Ignore: ignored, FieldManager: "k8sconnect"}, prior)
	claims, err := ownership.Parse(managers)
	if err != nil {
		t.Fatal(err)
	}
	body := want.Body(claims.Fields(), "u")
	return Inputs{
		Wanted: want, Rewrite: want.BeforeApply(claims, "k8sconnect"), Body: body,
		Result: body, Applied: setWith(w.now.declared()),
	}
}

// diffsOf returns the facts of data.a in a world, with the change that the plan reports about it.
func (w world) diffsOf(t *testing.T) (ownership.Facts, []ownership.Change) {
	t.Helper()
	in := w.prediction(t)
	planned, changes := in.PlannedState()
	found := fieldDiff{Inputs: in, declared: in.Wanted.Prior.DeclaredBefore(), before: desiredBefore(in.Wanted, in.Wanted.Claims().Fields()), now: desiredBy(in.Wanted, in.Body), shown: planned.ManagedState, formatter: in.Wanted.Claims().Formatter(setWith(true)), taken: map[string][]ownership.Holder{}}
	for _, change := range changes {
		if change.What.IsConflict() {
			found.taken[paths.ID(fieldA)] = change.Owners
		}
	}
	return found.of(fieldA), changes
}

// TestTransitionsOfEveryWorld proves that the four transitions named impossible are, in every combination
// of what the configuration said and says and who holds what; that each of the others happens; and that
// the plan reports what its outcome says, of that field and of no other.
func TestTransitionsOfEveryWorld(t *testing.T) {
	t.Parallel()
	seen := map[ownership.Transition]bool{}
	for _, w := range worlds() {
		facts, changes := w.diffsOf(t)
		transition, outcome := facts.Classify()
		seen[transition] = true
		if outcome == ownership.Impossible {
			t.Errorf("%+v: %s happens: %+v", w, transition, facts)
		}
		isReported := len(changes) > 0
		switch {
		case len(changes) > 1 || isReported && (changes[0].Field != "data.a" || changes[0].What != transition):
			t.Errorf("%+v: the plan reports %+v of %s", w, changes, transition)
		case outcome == ownership.Silent && isReported, outcome == ownership.Reported && !isReported:
			t.Errorf("%+v: %s is %s, and the plan reports %+v", w, transition, outcome, changes)
		case outcome == ownership.ReportedIfShared && isReported != (w.byOther && !w.byUs):
			t.Errorf("%+v: %s is shared: %t, reported: %+v", w, transition, w.byOther, changes)
		case outcome == ownership.ReportedIfKept && isReported != (w.byOther || w.byUs && w.now.ignored):
			t.Errorf("%+v: %s is kept, and the plan reports %+v", w, transition, changes)
		}
	}
	want := []ownership.Transition{
		ownership.Alien, ownership.Foreign, ownership.IgnoredEdit, ownership.IgnoredContest, ownership.Declaring, ownership.Taking,
		ownership.Leaving, ownership.Yielding, ownership.Keeping, ownership.Retaking, ownership.Changing, ownership.Overruling,
	}
	got := make([]ownership.Transition, 0, len(seen))
	for transition := range seen {
		got = append(got, transition)
	}
	slices.Sort(want)
	slices.Sort(got)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("transitions that happen (-want +got):\n%s", diff)
	}
}

// TestChangesOfOneField holds what a plan reports in the words of a person who wrote the configuration.
func TestChangesOfOneField(t *testing.T) {
	t.Parallel()
	mine := side{value: "1"}
	tests := map[string]struct {
		world world
		want  string
	}{
		"nothing happened":                       {world{before: mine, now: mine, held: "1", byUs: true, applied: true}, ""},
		"somebody joined with an equal value":    {world{before: mine, now: mine, held: "1", byUs: true, byOther: true, applied: true}, ""},
		"somebody changed it":                    {world{before: mine, now: mine, held: "3", byOther: true, applied: true}, `Retaking "3" -> "1"`},
		"somebody changed it and let go of it":   {world{before: mine, now: mine, held: "3", applied: true}, `Retaking "3" -> "1"`},
		"our own change":                         {world{before: mine, now: side{value: "2"}, held: "1", byUs: true, applied: true}, ""},
		"our own change of a shared value":       {world{before: mine, now: side{value: "2"}, held: "1", byUs: true, byOther: true, applied: true}, `Overruling "1" -> "2"`},
		"our own change after somebody's":        {world{before: mine, now: side{value: "2"}, held: "3", byOther: true, applied: true}, `Overruling "3" -> "2"`},
		"our own change to somebody's value":     {world{before: mine, now: side{value: "2"}, held: "2", byOther: true, applied: true}, `Changing "2" -> "2"`},
		"a new field":                            {world{now: mine, applied: true}, ""},
		"a new field that others own equal":      {world{now: mine, held: "1", byOther: true, applied: true}, `Declaring "1" -> "1"`},
		"a new field that others own":            {world{now: mine, held: "3", byOther: true, applied: true}, `Taking "3" -> "1"`},
		"an import with equal values":            {world{before: mine, now: mine, held: "1", byOther: true}, `Declaring "1" -> "1"`},
		"an import with another value":           {world{before: mine, now: mine, held: "3", byOther: true}, `Taking "3" -> "1"`},
		"a field that is removed":                {world{before: mine, held: "1", byUs: true, applied: true}, ""},
		"a field that is removed and stays":      {world{before: mine, held: "1", byUs: true, byOther: true, applied: true}, `Leaving "1" -> "null"`},
		"a field that is ignored from now on":    {world{before: mine, now: side{value: "1", ignored: true}, held: "1", byUs: true, applied: true}, `Leaving "1" -> "null" ignored`},
		"a lost field that is ignored":           {world{before: mine, now: side{value: "1", ignored: true}, held: "3", byOther: true, applied: true}, `Yielding "3" -> "null" ignored`},
		"a lost field that is removed":           {world{before: mine, held: "3", byOther: true, applied: true}, `Yielding "3" -> "null"`},
		"a shared field that is ignored":         {world{before: mine, now: side{value: "1", ignored: true}, held: "1", byOther: true, byUs: true, applied: true}, `Leaving "1" -> "null" ignored`},
		"an edit of what is ignored":             {world{before: side{value: "1", ignored: true}, now: side{value: "2", ignored: true}, held: "3", byOther: true, applied: true}, ""},
		"a field that is not ignored any longer": {world{before: side{value: "1", ignored: true}, now: mine, held: "3", byOther: true, applied: true}, `Taking "3" -> "1"`},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, changes := tt.world.diffsOf(t)
			var lines []string
			for _, c := range changes {
				line := fmt.Sprintf("%s %q -> %q", c.What, c.Was, c.Becomes)
				if c.Why == ownership.Ignored {
					line += " ignored"
				}
				lines = append(lines, line)
			}
			if got := strings.Join(lines, "; "); got != tt.want {
				t.Errorf("reported %s, want %s", got, tt.want)
			}
		})
	}
}

// TestAdmissionChangesOurValue holds that a policy which will rewrite our value does not count as a manager that changed it.
func TestAdmissionChangesOurValue(t *testing.T) {
	t.Parallel()
	mine := side{value: "1"}
	in := world{before: mine, now: mine, held: "1", byUs: true, applied: true}.prediction(t)
	in.Result = map[string]any{"data": map[string]any{"a": "rewritten", "z": "0"}}
	planned, changes := in.PlannedState()
	if len(changes) > 0 {
		t.Errorf("the plan reports %+v", changes)
	}
	if got := planned.ManagedState["data.a"]; got != "rewritten" {
		t.Errorf("data.a becomes %q", got)
	}
}
