// Package local answers dry-runs of a plan that the server refuses, by the live object and the request. It asks the
// server first. A refusal gets an answer if the user of a [Planner] may not write, or if a plan is made without the
// dry-run; see [engine.IsWithoutDryRun]:
//
//	work.API = local.Cluster{Interface: api}
//	plan, err := local.Planner{Engine: engine.Of(work), Work: work}.Plan(ctx, prior)
//
// An [Explainer] tries a new object to explain the refusal of another one.
//
// Every other caller of the cluster gets the refusal. work.Run.WithoutDryRun contains the rights that are missing.
//
// The answer contains the values of the request at the fields that managers own, and at those that no list contains. It
// lacks the data that only the schema provides: defaults, how the server writes a value, and the keys of list items
// that no manager owns. So it shows which managers own a declared field and whether its value differs, and no value
// after the apply is certain.
package local

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"sync"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/engine"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/obstacles"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/patches"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/record"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/ssa"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/wanted"
)

// Cluster is a cluster that answers refused dry-runs. Two of them are equal if their Interfaces are.
type Cluster struct{ cluster.Interface }

// Apply implements cluster.Interface. A refused dry-run costs a GET.
func (c Cluster) Apply(
	ctx context.Context, id manifest.Identity, body map[string]any, opts cluster.ApplyOptions,
) (cluster.Applied, error) {
	answer, err := c.Interface.Apply(ctx, id, body, opts)
	// The dry-run of a create asks what only the server knows.
	if !opts.DryRun || opts.New || err == nil {
		return answer, err
	}
	live, isAllowed := c.instead(ctx, id, err)
	if !isAllowed {
		return answer, err
	}
	kind, err := c.Kind(ctx, id.APIVersion, id.Kind)
	if err != nil {
		return answer, err
	}
	sent, dropped := kind.Sendable(body, id.Subresource)
	remarks := cluster.Remarks{Dropped: dropped}
	if live == nil {
		if uidOf(body) != "" {
			return answer, recreated(id)
		}
		return cluster.Applied{
			Object: &unstructured.Unstructured{Object: sent}, Outcome: cluster.Created, Remarks: remarks,
		}, nil
	}
	if uid := uidOf(body); uid != "" && uid != string(live.GetUID()) {
		return answer, recreated(id)
	}
	object, err := applied(id, live, sent, opts.FieldManager)
	return cluster.Applied{Object: object, Outcome: cluster.Updated, Remarks: remarks}, err
}

// Update implements cluster.Interface. A refused dry-run costs a GET.
func (c Cluster) Update(ctx context.Context, id manifest.Identity, update cluster.Update) (cluster.Applied, error) {
	answer, err := c.Interface.Update(ctx, id, update)
	if !update.DryRun || err == nil {
		return answer, err
	}
	live, isAllowed := c.instead(ctx, id, err)
	switch {
	case !isAllowed:
		return answer, err
	case live == nil || string(live.GetUID()) != update.UID:
		return answer, recreated(id)
	}
	object, err := patched(id, live.Object, formats[update.Type], update.Body)
	return cluster.Applied{Object: &unstructured.Unstructured{Object: object}, Outcome: cluster.Updated}, err
}

// TryMerge implements cluster.Interface. A refused dry-run costs a GET.
func (c Cluster) TryMerge(
	ctx context.Context, id manifest.Identity, fieldManager string, merge map[string]any,
) (map[string]any, error) {
	object, err := c.Interface.TryMerge(ctx, id, fieldManager, merge)
	if err == nil {
		return object, nil
	}
	live, isAllowed := c.instead(ctx, id, err)
	if !isAllowed || live == nil {
		return object, err
	}
	body, failed := json.Marshal(merge)
	if failed != nil {
		return nil, err
	}
	return patched(id, live.Object, patches.Merge, body)
}

// instead returns the object that a refused dry-run is about, nil if it does not exist, and whether it has an answer:
// the plan may do without the dry-run, and the user may read the object.
func (c Cluster) instead(
	ctx context.Context, id manifest.Identity, refusal error,
) (live *unstructured.Unstructured, isAllowed bool) {
	rights, _ := ctx.Value(key{}).(*missing)
	right := cluster.MissingRightOf(refusal)
	lacksRight := rights != nil && right != nil
	if !lacksRight && !engine.IsWithoutDryRun(ctx, refusal) {
		return nil, false
	}
	live, err := c.Get(ctx, id)
	if err != nil && !cluster.IsGone(err) {
		return nil, false
	}
	if lacksRight {
		rights.note(right)
	}
	return live, true
}

// formats are the types of patches by their media types.
var formats = map[types.PatchType]patches.Type{
	patches.JSON.MediaType(): patches.JSON, patches.Merge.MediaType(): patches.Merge,
	patches.Strategic.MediaType(): patches.Strategic,
}

func patched(id manifest.Identity, live map[string]any, kind patches.Type, body []byte) (map[string]any, error) {
	patch, err := patches.Parse(id.Subresource, kind, string(body))
	if err != nil {
		return nil, err
	}
	result, err := patch.Apply(live, schema.FromAPIVersionAndKind(id.APIVersion, id.Kind))
	return result.After, err
}

func uidOf(body map[string]any) string {
	uid, _, _ := unstructured.NestedString(body, "metadata", "uid")
	return uid
}

// recreated returns the error of the server about an object that is not the one of the request any more.
func recreated(id manifest.Identity) error {
	return &cluster.Error{
		Reason: cluster.ReasonConflict, Object: id,
		Message: "the object was deleted, or created again, since it was read",
	}
}

// missing holds the rights that a plan lacks. It is safe for concurrent use.
type missing struct {
	mu     sync.Mutex
	rights []*cluster.MissingRightError
}

type key struct{}

// allow returns a context in which dry-runs that the user may not send get an answer, and a list that collects the
// missing rights.
func allow(ctx context.Context) (context.Context, *missing) {
	rights := &missing{}
	return context.WithValue(ctx, key{}, rights), rights
}

// list returns the rights for lack of which dry-runs were refused, each once; nil if none was.
func (m *missing) list() []*cluster.MissingRightError {
	m.mu.Lock()
	defer m.mu.Unlock()
	return slices.Clone(m.rights)
}

func (m *missing) note(right *cluster.MissingRightError) {
	m.mu.Lock()
	defer m.mu.Unlock()
	isSame := func(other *cluster.MissingRightError) bool { return *other == *right }
	if !slices.ContainsFunc(m.rights, isSame) {
		m.rights = append(m.rights, right)
	}
}

// Planner is an engine whose plans do without the dry-runs that the user may not send. These plans know no value after
// the apply, nor which patterns match fields that the server fills in. It is noted in the run.
type Planner struct {
	engine.Engine
	Work engine.Work
}

// PlanFirst implements engine.Engine.
func (p Planner) PlanFirst(
	ctx context.Context, replaced record.Snapshot,
) (plan ssa.Plan, prior record.Prior, err error) {
	plan, err = p.plan(ctx, func(ctx context.Context) (ssa.Plan, error) {
		plan, prior, err = p.Engine.PlanFirst(ctx, replaced)
		return plan, err
	})
	return plan, prior, err
}

// Plan implements engine.Engine.
func (p Planner) Plan(ctx context.Context, prior record.Prior) (ssa.Plan, error) {
	return p.plan(ctx, func(ctx context.Context) (ssa.Plan, error) { return p.Engine.Plan(ctx, prior) })
}

func (p Planner) plan(ctx context.Context, make func(context.Context) (ssa.Plan, error)) (ssa.Plan, error) {
	ctx, lacking := allow(ctx)
	plan, err := make(ctx)
	if rights := lacking.list(); len(rights) > 0 {
		p.Work.Run.WithoutDryRun.Note(p.Work.API, plan.Object, rights)
		plan.ClearPredicted()
	}
	return plan, err
}

// Explainer is an engine whose plans name the defaults of the server that a refused value does not fit; see
// [obstacles.OfDefaults]. After this refusal, a plan sends at most one dry-run of a new object.
type Explainer struct {
	engine.Engine
	Work engine.Work
}

// PlanFirst implements engine.Engine.
func (e Explainer) PlanFirst(ctx context.Context, replaced record.Snapshot) (ssa.Plan, record.Prior, error) {
	plan, prior, err := e.Engine.PlanFirst(ctx, replaced)
	return plan, prior, e.explain(ctx, err)
}

// Plan implements engine.Engine.
func (e Explainer) Plan(ctx context.Context, prior record.Prior) (ssa.Plan, error) {
	plan, err := e.Engine.Plan(ctx, prior)
	return plan, e.explain(ctx, err)
}

func (e Explainer) explain(ctx context.Context, err error) error {
	args := e.Work.Args
	refusal, is := errors.AsType[*cluster.Error](err)
	if !is || args.IsPart {
		return err
	}
	return obstacles.OfDefaults(err, args.Manifest.Object, func(body map[string]any) (map[string]any, error) {
		id := refusal.Object
		id.Name = cluster.DryRunName(id.Name)
		tried, err := e.Work.API.Apply(ctx, id, manifest.Identified(body, id), cluster.ApplyOptions{
			FieldManager: wanted.DryRunManager(args.FieldManager), DryRun: true, Force: true,
		})
		if err != nil {
			return nil, err
		}
		return tried.Object.Object, nil
	})
}
