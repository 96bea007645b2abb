package ssa

import (
	"errors"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/run"
)

// Awaited is what an apply waits for before it can apply the object. It is the zero value if nothing is missing.
type Awaited struct {
	// Err describes what is missing; nil if nothing is.
	Err *cluster.Error
	// Redefined is the CustomResourceDefinition that another resource of the run changes, if that may lift Err, which
	// is then the refusal of the object; "" otherwise.
	Redefined string
	// IsPlanned is true if a resource which was planned before is to create what is awaited.
	IsPlanned bool
	// IsPrerequisite is true if nothing is known of the object before: its namespace, because nothing serves its kind,
	// or the object itself, of which the resource applies a part.
	IsPrerequisite bool
}

// notReady returns run.NotReady of an error. If that is nil, a keeps the error.
func (a *Awaited) notReady(err error) error {
	if errors.As(err, &a.Err) && run.NotReady(err) == nil {
		return nil
	}
	// errors.As has set it, also for an error that no wait can lift.
	a.Err = nil
	return err
}

// AwaitObject returns nil if the object, its kind or its namespace does not exist yet according to err, and then keeps
// err.
func (a *Awaited) AwaitObject(err error) error {
	a.IsPrerequisite = true
	if cluster.ReasonOf(err) == cluster.ReasonNotFound && errors.As(err, &a.Err) {
		return nil
	}
	return a.notReady(err)
}

// ForgiveWebhook takes the error of a plan whose dry-run met a webhook that could not be reached. In the first
// round it returns nil, the plan describes what it awaits, and the computed values are unknown. Otherwise it
// returns the error: values that the first plan knew must not become unknown.
func (p *Plan) ForgiveWebhook(err error, round run.Round) error {
	if round != run.FirstRound || cluster.ReasonOf(err) != cluster.ReasonWebhookUnreachable {
		return err
	}
	p.State = nil
	return p.Awaited.notReady(err)
}
