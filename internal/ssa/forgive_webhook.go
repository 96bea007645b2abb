package ssa

import (
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/registry"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
)

// ForgiveWebhook takes the error of a plan whose dry-run met a webhook that could not be reached. In the first
// round that is nil, the plan says what it awaits, and what it computes is unknown. Otherwise the error stays:
// values that the first plan knew must not become unknown.
func (p *Plan) ForgiveWebhook(err error, round registry.Round) error {
	if round != registry.FirstRound || cluster.ReasonOf(err) != cluster.ReasonWebhookUnreachable {
		return err
	}
	p.State = nil
	return p.notReady(err)
}
