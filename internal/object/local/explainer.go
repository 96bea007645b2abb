package local

import (
	"context"
	"errors"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/engine"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/obstacles"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/record"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/ssa"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/wanted"
)

// Explainer is an engine whose plans say which defaults of the server a refused value does not fit; see
// [obstacles.OfDefaults]. After such a refusal, a plan sends at most one dry-run of a new object.
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
		id.Name += cluster.DryRunSuffix
		tried, err := e.Work.API.Apply(ctx, id, manifest.Identified(body, id), cluster.ApplyOptions{
			FieldManager: wanted.DryRunManager(args.FieldManager), DryRun: true, Force: true,
		})
		if err != nil {
			return nil, err
		}
		return tried.Object.Object, nil
	})
}
