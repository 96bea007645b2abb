// Package report lists the changes of a plan to the objects and fields of a cluster, and to their owners. Begin with
// [Of].
//
// It reads no cluster. Values come from attributes and warnings that show secrets as digests. Of the manifests of a
// plan, which may contain secrets, it reads only the names of the objects of a set, the paths of fields that change,
// and the annotation that keeps an object.
package report

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/difference"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/diagnostics/changes"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/diagnostics/reader"
)

// Version is the version of the JSON form. It changes if a key changes its meaning or goes.
const Version = 1

// Report lists the changes of a plan.
type Report struct {
	Version int      `json:"version"`
	Objects []Object `json:"objects"`
	// Counts are the numbers of fields by effect, and of objects by action.
	Counts map[string]int `json:"counts"`
	// OtherResources is the number of changed resources of other providers.
	OtherResources int `json:"other_resources"`
	// Actions are the addresses of the actions of this provider that the apply runs and that may change objects, and
	// Hooks those of the sets of which it runs hooks, or may.
	Actions []string `json:"actions,omitempty"`
	Hooks   []string `json:"hooks,omitempty"`
	// Notes are warnings and errors that belong to no object.
	Notes []Note `json:"notes,omitempty"`
	// Incomplete lists the gaps of the report; empty if it knows everything. Failed is true if that is because the plan
	// failed, which breaks every rule.
	Incomplete []string `json:"incomplete,omitempty"`
	Failed     bool     `json:"failed,omitempty"`
	// isOfLog is true without the plan itself, which alone has the actions.
	isOfLog bool
	// places are the indices of the objects of each address, as far as these are indexed.
	places  map[string][]int
	indexed int
}

// Object is an object of a cluster, in one resource.
type Object struct {
	Address string `json:"address"`
	// Key is the key of the object in a set; "" in other resources.
	Key        string `json:"key,omitempty"`
	APIVersion string `json:"api_version,omitempty"`
	Kind       string `json:"kind,omitempty"`
	Namespace  string `json:"namespace,omitempty"`
	Name       string `json:"name,omitempty"`
	// Action is create, adopt, update, replace, delete, release-object, read, no-op, or refused: the plan failed
	// because of this object.
	Action string `json:"action"`
	// Manager is the field manager of the resource; "" if it is not known.
	Manager string `json:"field_manager,omitempty"`
	Waits   bool   `json:"waits,omitempty"`
	// Unknown is true if the owners after the apply are not in the plan.
	Unknown bool    `json:"owners_unknown,omitempty"`
	Fields  []Field `json:"fields,omitempty"`
	// Unlisted are the numbers of fields that a warning counts and that are not among Fields, by effect.
	Unlisted map[changes.Effect]int `json:"unlisted,omitempty"`
	Notes    []Note                 `json:"notes,omitempty"`
	// Along is what the API server deletes along with the object; nil if no warning names anything.
	Along *Along `json:"along,omitempty"`
	Place
	// Lines are the declared fields with their owners, for a page.
	Lines []Line `json:"-"`
	planned
}

// planned is what the plan has about an object and its resource.
type planned struct {
	// ignored are the fields that the resource leaves to other managers already; nil if it cannot.
	ignored []string
	// conflicts and additions are the attributes of these names.
	conflicts, additions map[string]any
	// unknown are the attributes that the plan does not know.
	unknown map[string]any
	// edits are the fields that an update changes in the manifest of an object of a set.
	edits []difference.Leaf
}

// Along are the objects that the API server deletes along with another one, or the object itself, if it goes with its
// owner.
type Along struct {
	// Objects are their kinds and names, "PersistentVolumeClaim shop/data" for instance.
	Objects []string `json:"objects,omitempty"`
	// More is true if there are others, or may be.
	More bool `json:"more,omitempty"`
}

// Place is where a resource is in the configuration; the zero value if no warning names it.
type Place struct {
	File string `json:"file,omitempty"`
	Line int    `json:"line,omitempty"`
}

// Field is a change of the apply to a field.
type Field struct {
	Path   string         `json:"path"`
	Effect changes.Effect `json:"effect"`
	// Was and Becomes are null if they are not known, or if the field has no value.
	Was     *string        `json:"was"`
	Becomes *string        `json:"becomes"`
	Owners  []reader.Owner `json:"owners,omitempty"`
	// Fate describes the circumstances, for example the field together with which a value is removed.
	Fate  string   `json:"fate,omitempty"`
	Notes []string `json:"notes,omitempty"`
	// Ignore is the line that leaves the field to its owner; "" without one.
	Ignore string `json:"ignore,omitempty"`
	// From is "warning", "attributes" or "manifests".
	From string `json:"from"`
}

// Note is a warning or an error.
type Note struct {
	Severity string `json:"severity"`
	Summary  string `json:"summary"`
	Detail   string `json:"detail"`
	// listed is true if its content is already shown among the fields of an object, or as its action.
	listed bool
}

// Line is a declared field before and after the apply.
type Line struct {
	Path                        string
	Was, Becomes                *string
	OwnersBefore, OwnersAfter   []string
	UnknownOwners, UnknownValue bool
}

// ID returns the object's kind and name, or the address of the resource if they are not known.
func (o Object) ID() string {
	if o.Kind == "" {
		return cmp.Or(o.Key, o.Address)
	}
	return o.identity().String()
}

// Count returns the number of fields with an effect, listed or not.
func (o Object) Count(effect changes.Effect) int {
	n := o.Unlisted[effect]
	for _, field := range o.Fields {
		if field.Effect == effect {
			n++
		}
	}
	return n
}

// effects are sorted by danger, the most dangerous first.
var effects = []changes.Effect{
	changes.Take, changes.Remove, changes.SetBack, changes.Change, changes.Restore, changes.Release, changes.Stay,
	changes.Addition, changes.Add, changes.Share, changes.Unset, changes.Set,
}

// Effects returns all effects, most dangerous first.
func Effects() []changes.Effect { return slices.Clone(effects) }

// danger returns the position of an object: what refuses the plan first, lost data, deletions, then the worst that
// happens to a field.
func (o Object) danger() int {
	worst := len(effects) + 5
	for _, field := range o.Fields {
		worst = min(worst, 4+slices.Index(effects, field.Effect))
	}
	for effect := range o.Unlisted {
		worst = min(worst, 4+slices.Index(effects, effect))
	}
	switch {
	case o.Action == Refused:
		return 0
	case o.LosesData():
		return 1
	case o.Action == Delete:
		return 2
	case o.Action == Replace:
		return 3
	case o.Action == NoOp || o.Action == Read:
		worst++
	}
	return worst
}

// Of returns the report of a plan, which is the output of `terraform show -json`. log is the output of
// `terraform plan -json`. One of them may be nil.
func Of(plan, log []byte) (Report, error) {
	said, err := readLog(log)
	if err != nil {
		return Report{}, err
	}
	read := planFile{Changes: said.changes}
	if plan != nil {
		if read, err = readPlan(plan); err != nil {
			return Report{}, err
		}
	}
	r := Report{Version: Version, Objects: []Object{}, Counts: map[string]int{}, isOfLog: plan == nil}
	if failure := said.failure(read.Errored); failure != "" {
		r.Failed, r.Incomplete = true, []string{failure}
	}
	acting := r.addChanges(read)
	// Warnings first: the attributes add only changes that no warning reports.
	for _, w := range said.warnings {
		r.addWarning(w, plan == nil)
	}
	for i := range r.Objects {
		r.Objects[i].compare()
		r.Objects[i].advise()
	}
	acts := func(o Object) bool { return o.Action != NoOp && o.Action != Delete }
	// Only the log has what is deleted along with an object.
	mayTake := func(o Object) bool { return acts(o) || o.Action == Delete }
	if lacks := said.lacks(read.Changes, acting); log != nil && lacks != "" && !r.Failed {
		r.Incomplete = append(r.Incomplete, lacks)
	}
	if plan == nil && !r.Failed && slices.ContainsFunc(r.Objects, acts) {
		r.Incomplete = append(r.Incomplete, "There is only the log of the plan, so what it does without a warning is "+
			"not known. Add the output of terraform show -json.")
	}
	if log == nil && slices.ContainsFunc(r.Objects, mayTake) {
		r.Incomplete = append(r.Incomplete, "There is no log of the plan, and only its warnings have all that an "+
			"apply takes and removes. Add the output of terraform plan -json.")
	}
	r.finish()
	return r, nil
}

// addChanges adds the objects and actions of a plan, and returns the addresses of the resources that change objects.
func (r *Report) addChanges(plan planFile) (acting []string) {
	for _, change := range plan.Changes {
		objects, is := objectsOf(change)
		if !is {
			if change.Mode != "data" && !slices.Contains(change.Change.Actions, NoOp) {
				r.OtherResources++
			}
			continue
		}
		r.Objects = append(r.Objects, objects...)
		if lacks := gapOf(change); lacks != "" {
			r.Incomplete = append(r.Incomplete, lacks)
		}
		if action := actionOf(change); action != NoOp && action != Read && change.Deposed == "" {
			acting = append(acting, change.Address)
			if runsHooks(change) {
				r.Hooks = append(r.Hooks, change.Address)
			}
		}
	}
	for _, action := range plan.Actions {
		isOurs := strings.HasPrefix(action.Type, "k8sconnect_") && action.Type != waitType
		if isOurs && !slices.Contains(r.Actions, action.Address) {
			r.Actions = append(r.Actions, action.Address)
		}
	}
	return acting
}

// Runs returns a sentence about the actions and hooks that the apply runs; "" without any.
func (r Report) Runs() string {
	all := slices.Clone(r.Actions)
	for _, address := range r.Hooks {
		all = append(all, hooksOf+address)
	}
	if len(all) == 0 {
		return ""
	}
	return "The apply runs " + strings.Join(all, ", ") + ". The plan does not show what they change."
}

func (r *Report) finish() {
	byDanger := map[int][]Object{}
	for i := range r.Objects {
		o := &r.Objects[i]
		slices.SortStableFunc(o.Fields, func(a, b Field) int {
			return slices.Index(effects, a.Effect) - slices.Index(effects, b.Effect)
		})
		r.Counts[o.Action]++
		for _, effect := range effects {
			if n := o.Count(effect); n > 0 {
				r.Counts[string(effect)] += n
			}
		}
		if o.Waits {
			r.Counts["wait"]++
		}
		byDanger[o.danger()] = append(byDanger[o.danger()], *o)
	}
	r.Objects = r.Objects[:0]
	for _, danger := range slices.Sorted(maps.Keys(byDanger)) {
		r.Objects = append(r.Objects, byDanger[danger]...)
	}
}

func (o *Object) identity() manifest.Identity {
	return manifest.Identity{APIVersion: o.APIVersion, Kind: o.Kind, Namespace: o.Namespace, Name: o.Name}
}

func (o *Object) identify(id manifest.Identity) {
	o.APIVersion, o.Kind, o.Namespace, o.Name = id.APIVersion, id.Kind, id.Namespace, id.Name
}

// LosesData reports whether the plan deletes an object with data or with other objects in it.
func (o Object) LosesData() bool {
	deletes := o.Action == Delete || o.Action == Replace
	return deletes && slices.Contains([]string{
		"PersistentVolumeClaim", "PersistentVolume", "VolumeSnapshot", "VolumeGroupSnapshot", "Namespace",
		"CustomResourceDefinition",
	}, o.Kind)
}
