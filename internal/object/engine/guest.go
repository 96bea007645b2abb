package engine

import (
	"context"
	"encoding/json"
	"slices"
	"sync"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	utiljson "k8s.io/apimachinery/pkg/util/json"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/ownership"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/paths"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/projection"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/arguments"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/deletion"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/record"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/run"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/ssa"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/wanted"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/withdrawal"
)

// guest is the common part of the engines that apply to an object of another client. Methods that it does not define
// are those of whole.
type guest struct {
	whole
	// target reads the object, to which we have applied nothing. The prior names it even with an error.
	target func(ctx context.Context, api cluster.Interface, args arguments.Arguments) (record.Prior, error)
	// plan plans an apply, and returns the prior that the apply starts from.
	plan func(
		ctx context.Context, api cluster.Interface, args arguments.Arguments, prior record.Prior,
	) (ssa.Plan, record.Prior, error)
}

// PlanFirst costs a GET and a dry-run. If the object is missing in the plan that the CLI shows, the returned plan
// contains no state. If it is missing in the plan that an apply makes, PlanFirst fails, and the user has to plan again:
// the shown plan may contain values, and they must not become unknown. If our field manager owns fields already, and no
// resource of the run has applied them, it waits for the refreshes of others.
func (g guest) PlanFirst(ctx context.Context, replaced record.Snapshot) (ssa.Plan, record.Prior, error) {
	plan := ssa.Plan{Action: ssa.Create, Object: g.Args.Manifest.Identity}
	prior, err := g.target(ctx, g.API, g.Args)
	if plan.Object = prior.Object; err != nil {
		if err = plan.Awaited.AwaitObject(err); err == nil && g.Run.Rounds.Current() == run.SecondRound {
			err = plan.Awaited.Err
		}
		return plan, record.Prior{}, err
	}
	manager := g.Args.FieldManager
	owned := prior.Snapshot.Claims.AsApplied(manager).Own(manager)
	plan, prior, err = g.plan(ctx, g.API, g.Args, prior)
	if err == nil && !owned.Empty() && !replaced.Known() && g.Run.Rounds.Current() != run.SecondRound {
		plan.Managers.IncludeOwn = !g.Run.AwaitPart(ctx, prior.Snapshot.UID, manager)
	}
	g.Run.Objects.HoldTarget(g.API, g.Args.FieldManager, prior)
	return plan, prior, err
}

func (guest) AwaitFirst(ctx context.Context, queue *run.WaitQueue, try func() error) error {
	return run.AwaitObject(ctx, queue, try)
}

// first returns the object as the plan of this process has read it. Without this plan, it waits for the object until
// ctx ends, and reads it.
func (g guest) first(ctx context.Context, planned ssa.Plan) (record.Prior, error) {
	prior := g.Run.Objects.TakeTarget(g.API, g.Args.FieldManager, planned.Object)
	if prior.Snapshot.Known() {
		return prior, nil
	}
	err := run.AwaitObject(ctx, &g.Run.Waits, func() (err error) {
		prior, err = g.target(ctx, g.API, g.Args)
		return err
	})
	return prior, err
}

// noted returns the results of a first apply, and notes in the run that it has succeeded.
func (g guest) noted(observed record.Observed, result ssa.Result, err error) (record.Observed, ssa.Result, error) {
	if err == nil {
		run.NoteApplied(&g.Run.Objects, observed.UID, g.Args.FieldManager)
	}
	return observed, result, err
}

// takingBack takes back what args apply to the object of prior, unless releases is set: then no value changes. It
// returns the object as it is then, which may be nil if releases is set, and on an error.
type takingBack = func(
	ctx context.Context, args arguments.Arguments, prior record.Prior, releases bool,
) (deletion.Deletion, *unstructured.Unstructured, error)

// end calls takeBack, which gives up the fields that we own and, unless releases is set, also removes what we added. A
// single refusal may be accidental, so it calls takeBack once more then. If that is refused too, it only releases them.
// If a new resource of the run has applied to the object under the same field manager, as does the replacement of a
// part with create_before_destroy, end takes back only what that resource does not apply.
func (g guest) end(ctx context.Context, prior record.Prior, how Policy, takeBack takingBack) (ended Ended, err error) {
	ctx, cancel := context.WithDeadline(ctx, how.Until)
	defer cancel()
	prior = g.withSnapshot(ctx, prior)
	declared := paths.OrEmpty(prior.Snapshot.Fields.Declared)
	rest, isApplied := run.Unapplied(&g.Run.Objects, prior.Snapshot.UID, g.Args.FieldManager, declared)
	if isApplied && rest.Empty() {
		return Ended{Adopted: true}, nil
	}
	if isApplied {
		takeBack, ended.Adopted = g.takingBackOnly(rest), !rest.Leaves().Equals(declared.Leaves())
	}
	args := g.Args
	args.Manifest.Object = manifest.Identified(map[string]any{}, prior.Object)
	// An end only takes back: it removes no field of other managers, and meets no conflict that could stop it.
	args.Remove, args.Ignore, args.OnConflict = nil, nil, arguments.Force
	// The snapshot contains digests for the fields that were sensitive in the last apply.
	args.Sensitive = paths.PatternsOf(prior.Snapshot.Sensitive)
	done, live, err := takeBack(ctx, args, prior, how.Releases)
	if cluster.ReasonOf(err) == cluster.ReasonInvalid {
		done, live, err = takeBack(ctx, args, prior, how.Releases)
	}
	if err == nil && !how.Releases {
		ended.Kept = leftToOthers(prior, live)
	}
	if refusal := err; cluster.ReasonOf(refusal) == cluster.ReasonInvalid {
		if done, _, err = takeBack(ctx, args, prior, true); err == nil && done == deletion.Released {
			ended.Refused, ended.Kept = refusal, notTakenBack(prior, live)
		}
	}
	if cluster.IsGone(err) || cluster.ReasonOf(err) == cluster.ReasonConflict {
		done, err = deletion.Confirm(ctx, g.API, prior.Object, prior.Snapshot.UID, err)
	}
	ended.Superseded = done == deletion.Superseded
	return ended, err
}

func (g guest) takingBackOnly(fields *paths.Set) takingBack {
	return func(
		ctx context.Context, _ arguments.Arguments, prior record.Prior, releases bool,
	) (done deletion.Deletion, live *unstructured.Unstructured, err error) {
		err = g.write(prior, func(record.Prior) (err error) {
			live, err = withdrawal.TakeBackOnly(ctx, g.API, prior, fields, releases)
			return err
		})
		return deletion.Released, live, err
	}
}

// withSnapshot returns prior with a snapshot of the object of the state. Terraform destroys a tainted resource without
// the one that was stored, and the plan has none to pass on if there was no refresh.
func (g guest) withSnapshot(ctx context.Context, prior record.Prior) record.Prior {
	if prior.UID == "" || prior.Snapshot.Known() && prior.Snapshot.UID == prior.UID {
		return prior
	}
	observed, err := record.Observe(ctx, g.API, g.Args.FieldManager, prior)
	if prior.Snapshot.UID = prior.UID; err == nil && observed.UID == prior.UID {
		prior.Snapshot = observed.Snapshot
	}
	return prior // What takes it back reads the object, too, and reports an error.
}

// part applies fields of an object that another client created, with server-side apply.
type part struct{ guest }

func targetOfPart(ctx context.Context, api cluster.Interface, args arguments.Arguments) (record.Prior, error) {
	id, err := cluster.Locate(ctx, api, args.Manifest.Identity)
	if err != nil {
		return record.Prior{Object: id}, err
	}
	live, err := cluster.Get(ctx, api, id)
	if err != nil {
		return record.Prior{Object: id}, err
	}
	return record.PriorOf(live, record.Observation{ID: id, IsPart: true})
}

// planPart plans no replacement: the object is not ours.
func planPart(
	ctx context.Context, api cluster.Interface, args arguments.Arguments, prior record.Prior,
) (ssa.Plan, record.Prior, error) {
	plan, err := ssa.PlanUpdate(ctx, api, args, prior)
	if err == nil && plan.Action == ssa.Replace {
		err = &ssa.UnreplaceableError{Object: prior.Object, IsPart: true, Fields: plan.Immutable.Fields}
	}
	return plan, prior, err
}

func (p part) Plan(ctx context.Context, prior record.Prior) (ssa.Plan, error) {
	plan, _, err := planPart(ctx, p.API, p.Args, prior)
	return plan, err
}

func (p part) Create(ctx context.Context, planned ssa.Plan) (record.Observed, ssa.Result, error) {
	prior, err := p.first(ctx, planned)
	if err != nil {
		return record.Observed{}, ssa.Result{}, err
	}
	return p.noted(p.whole.Apply(ctx, prior, ssa.Plan{Object: prior.Object}))
}

// Apply reads the object first, which costs one GET, if a destroy is to restore the fields that the apply takes, or if
// it contains several items of a list, whose order is not ours alone.
func (p part) Apply(ctx context.Context, prior record.Prior, planned ssa.Plan) (record.Observed, ssa.Result, error) {
	if p.Args.Restores || prior.Live == nil && wanted.HasOrder(p.Args.Manifest.Object) {
		live, err := cluster.Get(ctx, p.API, prior.Object)
		if err != nil {
			return record.Observed{}, ssa.Result{}, err
		}
		prior.Live = live.Object
	}
	return p.whole.Apply(ctx, prior, planned)
}

func (p part) End(ctx context.Context, prior record.Prior, how Policy) (Ended, error) {
	return p.end(ctx, prior, how, func(
		ctx context.Context, args arguments.Arguments, prior record.Prior, releases bool,
	) (done deletion.Deletion, live *unstructured.Unstructured, err error) {
		if releases {
			done, err := p.leave(ctx, prior, how)
			return done, nil, err
		}
		err = p.write(prior, func(prior record.Prior) (err error) {
			live, err = withdrawal.TakeBackPart(ctx, p.API, args, prior)
			return err
		})
		return deletion.Released, live, err
	})
}

// NotRead stands for the value of a field that the run has not read.
const NotRead = "(not read)"

// FatesOf returns what happens to each field of a part when the part is taken back, and to the fields that are removed
// with them, sorted by path: fields are removed, restored, or left with their values. A field that no manager owns and
// no attribute shows is unclaimed, with its value or [NotRead]. releases is true if every value stays.
func FatesOf(prior record.Prior, releases bool) []ownership.Change {
	snapshot, w := prior.Snapshot, wanted.For(prior.Arguments, prior)
	own, others := snapshot.Claims.Own(w.FieldManager), snapshot.Claims.Others(w.FieldManager).Fields()
	forgotten, ours := wanted.ForgottenPart(prior), paths.NewSet()
	gone, obstacles := paths.NewSet(), paths.NewSet()
	if !releases {
		still := forgotten
		if prior.Live != nil {
			still = wanted.StillForgotten(w, forgotten, prior.Live, snapshot.Claims)
		}
		ours = paths.Filter(own, func(path paths.Path) bool { return !ownership.Holds(others, path) }).Union(still)
		gone = wanted.Withdrawn(ours, snapshot.Fields.Added)
		known := snapshot.Claims.Fields().Union(paths.OrEmpty(snapshot.Fields.Unowned))
		obstacles = wanted.Restorable(snapshot.Obstacles, func(path paths.Path) bool {
			return paths.Touches(known, path) && !wanted.Inside(gone, path)
		})
	}
	names := snapshot.Renderer().Names(snapshot.Claims.Formatter(own, gone, obstacles,
		paths.OrEmpty(snapshot.Fields.Unowned)))
	with := paths.Filter(paths.OrEmpty(snapshot.Fields.Unowned).Leaves(), func(path paths.Path) bool {
		return wanted.Inside(gone, path)
	}).Difference(own.Union(forgotten))
	valueWith, restored := valuesWith(w), projection.NewReader(snapshot.Obstacles.Values)
	var fates []ownership.Change
	paths.Walk(own.Union(forgotten).Leaves().Union(with).Union(obstacles), func(path paths.Path, _ bool) {
		fate := ownership.Change{Field: names.Format(path), Path: path.Copy(), What: ownership.Leaving}
		switch {
		// A key only names its list item, and is removed or stays with it.
		case paths.IsKeyField(path):
			return
		case obstacles.Has(path):
			value, _ := restored.Lookup(path)
			fate.What, fate.Becomes = ownership.Restoring, projection.JSON(value)
		case with.Has(path):
			fate.What, fate.Was = ownership.Unclaimed, valueWith(path)
		case wanted.Inside(gone, path):
			fate.What = ownership.Removing
		case ours.Has(path):
			if fate.Becomes = asWritten(snapshot.Before[paths.ID(path)]); fate.Becomes != "" {
				fate.What = ownership.Restoring
			}
		}
		fates = append(fates, fate)
	})
	return fates
}

// valuesWith returns a function that returns the live value of a field that no manager owns.
func valuesWith(w wanted.Wanted) func(paths.Path) string {
	live := projection.NewReader(w.Prior.Live)
	text := sync.OnceValue(func() func(paths.Path, any) string { return w.LiveRenderer().Knowing(w.Prior.Live).Text })
	return func(path paths.Path) string {
		value, presence := live.Lookup(path)
		if presence != projection.Present {
			return NotRead
		}
		return text()(path, value)
	}
}

// asWritten returns a value from before as people write it, "" without one: "<" may be stored as "\u003c".
func asWritten(stored json.RawMessage) string {
	var value any
	if len(stored) == 0 {
		return ""
	}
	if err := utiljson.Unmarshal(stored, &value); err != nil {
		return string(stored)
	}
	return projection.JSON(value)
}

// leftToOthers returns the fields that the plan of a destroy removes or restores, by the snapshot of prior, and that
// other managers own on the object as the destroy has left it. It returns nil if the owners cannot be read.
func leftToOthers(prior record.Prior, live *unstructured.Unstructured) []ownership.Change {
	claims, err := record.ClaimsOf(prior.Object, live)
	if patch := prior.Arguments.Patch; patch != nil {
		claims, err = record.ClaimsOnPatched(prior.Object, live, prior.Arguments.FieldManager, *patch, nil)
	}
	if err != nil {
		return nil
	}
	var left []ownership.Change
	for _, fate := range FatesOf(prior.Unmasked(live.Object), false) {
		fate.Owners = claims.Others(prior.Arguments.FieldManager).HoldersWithin(fate.Path)
		if fate.What != ownership.Leaving && len(fate.Owners) > 0 {
			left = append(left, fate)
		}
	}
	return left
}

// notTakenBack returns the fields that the plan of a destroy removes or restores, by the snapshot of prior, without
// those that have their earlier value in live, the object as the refused destroy has left it; nil if it is not known.
func notTakenBack(prior record.Prior, live *unstructured.Unstructured) []ownership.Change {
	var reader *projection.Reader
	if live != nil {
		reader = projection.NewReader(live.Object)
	}
	return slices.DeleteFunc(FatesOf(prior, false), func(fate ownership.Change) bool {
		if fate.What != ownership.Restoring || live == nil {
			return fate.What == ownership.Leaving
		}
		value, presence := reader.Lookup(fate.Path)
		return presence == projection.Present && projection.JSON(value) == fate.Becomes
	})
}

// OwnedFields returns how many fields the object of prior has that the resource owns.
func OwnedFields(prior record.Prior) int {
	claims, manager := prior.Snapshot.Claims, prior.Arguments.FieldManager
	return ownership.CountOf(claims.Own(manager).Union(claims.Updated(manager)))
}
