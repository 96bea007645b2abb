package objectkit

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/record"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/run"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/diagnostics"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/diagnostics/changes"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/model"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/results"
)

// updateGone plans a Job that has run once and is gone: nothing, or a replacement if it has to run again.
func (c *change) updateGone(ctx context.Context, prior record.Prior) {
	why, err := c.rerun(ctx, prior)
	switch {
	case err != nil:
		c.diags.Append(c.resource.explain(diagnostics.Planned, prior.Object, err))
	case why == "" && c.work.Args.IsUndecided():
		c.plan.KeepComputed(c.state)
		c.plan.SetUnknown()
	case why == "":
		c.plan.KeepComputed(c.state)
		c.staysGone = true
	case c.resource.provider.Run().Rounds.Current() == run.SecondRound && !c.resource.Names.IsSet:
		c.diags.Append(changes.RerunUnplanned(c.resource.Names, prior.Object, why))
	default:
		c.diags.Append(changes.RunsAgain(c.resource.Names, prior.Object, why))
		c.unknown()
		for _, cause := range []string{
			"yaml_body", model.ManifestAttribute, "yaml_body_wo_version", "once", "rules_applied", "cluster", "id",
		} {
			c.replaces = append(c.replaces, path.Root(cause))
		}
	}
}

// rerun returns why a Job that has run once and is gone runs again; "" if it does not, or if that is not known yet.
func (c *change) rerun(ctx context.Context, prior record.Prior) (changes.Rerun, error) {
	now, last := c.work.Args, prior.Arguments
	if !model.RunsOnce(c.plan) {
		return changes.NoLongerOnce, nil
	}
	if c.work.API != nil {
		id, err := prior.Locate(ctx, c.work.API, now.Manifest)
		if err == nil && !c.plan.SameCluster(c.state.Connection) {
			_, err = c.resource.provider.Recognize(ctx, c.plan.Connection, c.work.API, id, prior.Snapshot.Cluster)
		}
		if isElsewhere(err) || err == nil && id.Namespace != prior.Object.Namespace {
			return changes.Elsewhere, nil
		}
		if err != nil {
			return "", err
		}
	}
	if now.IsUndecided() || manifest.Equal(now.Stored(), last.Stored()) && now.WriteOnly.Version == last.WriteOnly.Version {
		return "", nil
	}
	return changes.BodyChanged, nil
}

// planResultsOfGone plans the results of a Job that stays gone.
func (c *change) planResultsOfGone() {
	known, diags := results.PlanGone(c.plan, c.state)
	if c.diags.Append(diags...); !known {
		c.diags.Append(changes.GoneUnexported(c.resource.Names, c.stateObject()))
	}
}
