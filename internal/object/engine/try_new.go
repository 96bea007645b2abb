package engine

import (
	"context"
	"errors"
	"strings"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster/refusals"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
)

// refusedAsNew returns what a policy, a webhook or an admission plugin has against the object that a replacement
// creates, before the old one is deleted: one dry-run of a create, which the server ends with a conflict if it admits
// the object. Other refusals may be about what the old object still holds: its ports, or its share of a quota.
func (e whole) refusedAsNew(ctx context.Context, id manifest.Identity) error {
	if e.Args.IsUndecided() {
		return nil
	}
	_, err := e.API.Apply(ctx, id, e.Args.Manifest.Object, cluster.ApplyOptions{
		FieldManager: e.Args.FieldManager, DryRun: true, New: true,
	})
	refusal, is := errors.AsType[*cluster.Error](err)
	if is && (refusal.Reason == cluster.ReasonForbidden || refusals.IsOfPolicy(refusal.Message)) &&
		refusals.MissingRight(refusal.Message) == nil && !strings.Contains(refusal.Message, "exceeded quota") {
		return err
	}
	return nil
}
