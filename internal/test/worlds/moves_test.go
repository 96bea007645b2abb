package worlds_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
)

// family is a group of moves beyond writes of fields and edits of the configuration, or an oracle of its own.
type family string

const (
	// unions switch a part of which the server accepts one alternative at a time: by us, and by other managers.
	unions family = "unions"
	// keys change the key of a list item of the object.
	keys family = "keys"
	// records wipe managedFields, or give them entries of versions and fields that are gone.
	records family = "records"
	// arrivals begin a world with an object that another manager has created, with other items: it is adopted or imported.
	arrivals family = "arrivals"
	// versions let versions and fields of a definition come and go, and change the apiVersion of the resource.
	versions family = "versions"
	// removals check that what a plan shows as removed is gone after the apply, unless the plan says that it stays.
	removals family = "removals"
	// advice follows what the error of a plan advises, until the plan passes.
	advice family = "advice"
	// ruling moves arguments of the resource to rules of the provider block, and back.
	ruling family = "rules"
)

// families are all of them, played those that TestWorldsOfMoves plays together without movesVariable, and alone those that
// TestWorldsOfOneMove plays one by one; the other tests play none then. A family joins played as soon as the provider keeps
// its promises in worlds of all families.
var (
	families = []family{unions, keys, records, arrivals, versions, removals, advice, ruling}
	played   = []family{arrivals, removals, advice, records, ruling}
	alone    = []family{unions, keys, versions}
)

// usualMoveSteps is how many steps the worlds with moves have in all.
const usualMoveSteps = 105

// What a plan shows and what its errors advise holds for objects that other managers have created with other items,
// too.
func TestWorldsOfMoves(t *testing.T) { playWorlds(t, newStage(t, played...), usualMoveSteps) }

// stepsAlone is how many steps the worlds of one family have in all: one world for each kind.
const stepsAlone = 7 * shortest

// What a plan shows holds for switched unions, changed keys of list items, and versions that come and go.
func TestWorldsOfOneMove(t *testing.T) {
	for _, f := range alone {
		t.Run(string(f), func(t *testing.T) { playWorlds(t, newStage(t, f), stepsAlone) })
	}
}

// movesVariable names the families that are played: "all", "none", or their names with commas in between.
const movesVariable = "K8SCONNECT_WORLDS_MOVES"

// chosen returns the families that movesVariable chooses, or the usual ones.
func chosen(t *testing.T, usual []family) []family {
	t.Helper()
	switch text := os.Getenv(movesVariable); text {
	case "":
		return usual
	case "all":
		return families
	case "none":
		return nil
	default:
		var all []family
		for name := range strings.SplitSeq(text, ",") {
			if !slices.Contains(families, family(name)) {
				t.Fatalf("%s: there is no family %q, only %q", movesVariable, name, families)
			}
			all = append(all, family(name))
		}
		return all
	}
}

func (s *stage) plays(f family) bool { return slices.Contains(s.families, f) }

// move adds the moves of the families to the steps of a world. Each family has random numbers of its own, so that a seed
// gives the same other steps with and without it.
func (s *stage) move(k kind, seed, world uint64, all []step) {
	moves := map[family]func(random, []step){
		unions: switchUnions, keys: changeKeys, records: spoilRecords, arrivals: s.arrive, versions: evolve, ruling: addRules,
	}
	for i, f := range families {
		if add := moves[f]; add != nil && s.plays(f) {
			add(random{Rand: rand.New(rand.NewPCG(seed, world+uint64(i+2)<<32)), kind: k}, all)
		}
	}
}

// union is a part of an object of which the server accepts one alternative at a time.
type union struct {
	// at is the path of the part.
	at           string
	alternatives [][]choice
}

// switchUnions has the configuration declare other alternatives, and other managers put theirs in their place.
func switchUnions(r random, all []step) {
	if len(r.kind.unions) == 0 {
		return
	}
	declared := map[string][]choice{}
	for i := range all {
		u := pick(r, r.kind.unions...)
		switch dice := r.IntN(10); {
		case dice < 4:
			declared[u.at] = pick(r, u.alternatives...)
		case dice == 4:
			delete(declared, u.at)
		case dice < 7 && i > 0:
			all[i].before = append(all[i].before, r.switched(u))
		case dice == 7 && i > 0 && len(all[i].between) > 0:
			all[i].between = append(all[i].between, r.switched(u))
		}
		for _, u := range r.kind.unions { // In the order of the menu.
			all[i].configuration.overlay(u.at, declared[u.at])
		}
	}
}

// overlay declares choices, in place of all others at or below a path.
func (c *configuration) overlay(at string, choices []choice) {
	if choices == nil {
		return
	}
	c.fields = slices.DeleteFunc(slices.Clone(c.fields), func(f choice) bool { return f.path == at || strings.HasPrefix(f.path, at+"|") })
	c.fields = append(c.fields, choices...)
}

// switched returns a write of another manager that has an alternative in place of what is there.
func (r random) switched(u union) write {
	fields := pick(r, u.alternatives...)
	if r.IntN(4) == 0 {
		return write{manager: pick(r, "flux", "helm"), how: pick(r, apply, forced), version: r.kind.base, fields: fields}
	}
	return write{manager: pick(r, "kubectl-edit", "kubectl-replace", "kubectl-client-side-apply"), how: update, cut: []string{u.at}, fields: fields}
}

// changeKeys has other managers change keys of list items.
func changeKeys(r random, all []step) {
	if len(r.kind.keyed) == 0 {
		return
	}
	for i := range all {
		if i == 0 || r.IntN(3) > 0 {
			continue
		}
		f := pick(r, r.kind.keyed...)
		w := write{manager: pick(r, "kubectl-edit", "kubectl-replace", "operator"), how: rekey, fields: []choice{{f.path, pick(r, f.values...)}}}
		if len(all[i].between) > 0 && r.IntN(2) == 0 {
			all[i].between = append(all[i].between, w)
		} else {
			all[i].before = append(all[i].before, w)
		}
	}
}

// spoilRecords has managedFields wiped, and gives them entries of versions and fields that no schema has.
func spoilRecords(r random, all []step) {
	for i := range all {
		if i == 0 || r.IntN(4) > 0 {
			continue
		}
		w := write{manager: pick(r, "", "k8sconnect", "flux", "kubectl-edit"), how: pick(r, forget, forget, deadVersion, deadField)}
		all[i].before = append(all[i].before, w)
	}
}

// arrive has another manager create the object, with other items, before the first step.
func (s *stage) arrive(r random, all []step) {
	if s.isPart || len(all) == 0 || r.kind.defined || r.IntN(3) == 0 {
		return
	}
	fields := r.choose(r.kind.fields, 5)
	for range r.IntN(3) {
		fields = append(fields, pick(r, append(r.kind.extras, fields...)...))
	}
	for _, u := range r.kind.unions {
		if r.IntN(2) == 0 {
			fields = append(fields, pick(r, u.alternatives...)...)
		}
	}
	all[0].before = append([]write{{
		manager: pick(r, "kubectl-create", "kubectl-client-side-apply", "flux"), how: pick(r, create, create, apply),
		version: r.kind.base, fields: fields,
	}}, r.writes(2)...)
	all[0].imports = r.IntN(2) == 0
}

// importID returns the ID with which an object is imported.
func (w *world) importID() string {
	body := object(w.kind.base, w.namespace, nil)
	return fmt.Sprintf("apiVersion=%s,kind=%s,namespace=%s,name=%s", body.GetAPIVersion(), body.GetKind(), w.namespace, body.GetName())
}

// arrive imports the object, if the step says so and there is one that is not managed yet.
func (w *world) arrive(ctx context.Context, s step) error {
	if !s.imports || !w.state.value.IsNull() {
		return nil
	}
	live, err := w.live(ctx)
	if err != nil || live == nil {
		return err
	}
	imported, err := w.planner.importObject(ctx, w.importID())
	if err != nil {
		return broke(s, "an object that exists can be imported", err.Error())
	}
	w.state = imported
	return nil
}

// importObject returns the state of an import.
func (r *run) importObject(ctx context.Context, id string) (state, error) {
	answer, err := r.server.ImportResourceState(ctx, &tfprotov6.ImportResourceStateRequest{TypeName: r.resourceType, ID: id})
	if err != nil {
		return state{}, err
	}
	if err := failure(answer.Diagnostics); err != nil {
		return state{}, err
	}
	imported := answer.ImportedResources[0]
	value, err := imported.State.Unmarshal(r.kind)
	return state{value, imported.Private, imported.Identity}, err
}

// addRules moves arguments to rules of the provider block, and back.
func addRules(r random, all []step) {
	for i := range all {
		c := &all[i].configuration
		if i > 0 && r.IntN(3) > 0 { // Each change of the rules needs processes of its own.
			c.byRules = slices.Clone(all[i-1].configuration.byRules)
			continue
		}
		for _, name := range []string{"ignore_fields", "ignore_managers", "on_conflict", "sensitive_fields", "take_over_managers"} {
			if r.IntN(2) == 0 {
				c.byRules = append(c.byRules, name)
			}
		}
	}
}

// ruled returns the configuration without what rules have, and the rules. A resource keeps a part of a list.
func (c configuration) ruled(namespace string) (configuration, []any) {
	rest := c.clone()
	rest.pin = c.pinned() // What a rule decides about cannot be pinned, either.
	var rules []any
	for _, name := range c.byRules {
		add := map[string]any{"namespaces": []any{namespace}}
		switch list := rest.list(name); {
		case name == "on_conflict" && c.onConflict != "":
			add[name], rest.onConflict = c.onConflict, ""
		case list == nil || *list == nil || len(*list) == 0 && name != "take_over_managers":
			continue
		default:
			kept := len(*list) / 2
			values := []any{}
			for _, value := range (*list)[kept:] {
				values = append(values, value)
			}
			add[name] = values
			if *list = slices.Clone((*list)[:kept]); kept == 0 {
				*list = nil
			}
		}
		// Rules for other objects come before and after it.
		rules = append(rules, map[string]any{"namespaces": []any{"else"}, "ignore_fields": []any{"spec"}}, add)
	}
	return rest, append(rules, map[string]any{"names": []any{"else"}, "on_conflict": "fail", "delete_protection": true})
}

// list returns an argument that is a list; nil for any other.
func (c *configuration) list(name string) *[]string {
	return map[string]*[]string{
		"ignore_fields": &c.ignore, "ignore_managers": &c.ignoreManagers, "sensitive_fields": &c.sensitive,
		"take_over_managers": &c.takeOver,
	}[name]
}
