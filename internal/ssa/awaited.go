package ssa

import (
	"errors"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/registry"
)

// notReady is notReady that keeps what it forgives.
func (p *Plan) notReady(err error) error {
	if errors.As(err, &p.Awaited) && registry.NotReady(err) == nil {
		return nil
	}
	p.Awaited = nil
	return err
}

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
