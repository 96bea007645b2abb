package objectkit

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/record"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/run"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/diagnostics"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/diagnostics/changes"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/model"
)

// updateGone plans a Job that has run once and is gone: nothing, or a replacement if it has to run again. If the shown
// plan may have been an update, because it did not know the manifest, the update creates the Job.
func (c *change) updateGone(ctx context.Context) {
	prior, diags := c.state.Prior(c.snapshot)
	c.diags.Append(diags...)
	why, err := c.rerun(ctx, prior)
	c.plan.KeepComputed(c.state)
	switch {
	case err != nil:
		c.diags.Append(c.resource.explain(diagnostics.Planned, prior.Object, err))
	case why != "" && (c.resource.Names.IsSet || c.resource.provider.Run().Rounds.Current() == run.FirstRound):
		c.diags.Append(changes.RunsAgain(c.resource.Names, prior.Object, why))
		c.unknown()
		for _, cause := range []string{
			"yaml_body", model.ManifestAttribute, "yaml_body_wo_version", "once", "rules_applied", "cluster", "id",
		} {
			c.replaces = append(c.replaces, path.Root(cause))
		}
	case why != "":
		c.diags.Append(changes.RunsAgain(c.resource.Names, prior.Object, why))
		c.create(ctx)
	case c.work.Args.IsUndecided():
		c.plan.SetUnknown()
		c.plan.SetObject(prior.Object, "")
	default:
		c.staysGone = true
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
	if now.IsUndecided() || now.HasManifestOf(last) {
		return "", nil
	}
	return changes.BodyChanged, nil
}
