package objectkit

import (
	"time"

	"github.com/hashicorp/terraform-plugin-framework/diag"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/record"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/registry"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/ssa"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/diagnostics"
)

// show sets the computed attributes that a plan predicts, and reports its warnings.
func (c *change) show(plan ssa.Plan) {
	if plan.State != nil {
		c.applies = plan.State.ManagedState
	}
	for _, field := range plan.Targets {
		if c.applies == nil {
			c.applies = map[string]string{}
		}
		c.applies[field] = ""
	}
	// An adoption is planned for the live object, or for a missing one, and both may change before the apply.
	adopting := c.state == nil && (c.plan.AdoptExisting.ValueBool() || c.resource.IsPart)
	if plan.State == nil || adopting {
		c.plan.setUnknown()
	} else {
		c.plan.setPlannedState(*plan.State)
	}
	c.report(plan)
}

// report adds the warnings of a plan.
func (c *change) report(plan ssa.Plan) {
	if plan.Adopts {
		c.diags.Append(c.resource.Words.Adopts(plan))
	}
	c.reportChanges(plan)
	if len(plan.UnmatchedSensitive) > 0 {
		c.diags.Append(c.resource.Words.UnmatchedSensitive(plan.Object, plan.UnmatchedSensitive))
	}
	if len(plan.Unmatched) > 0 {
		c.diags.Append(c.resource.Words.Unmatched(plan.Object, plan.Unmatched))
	}
	if len(plan.UnseenPins) > 0 {
		c.diags.Append(c.resource.Words.UnseenPins(plan.Object, plan.UnseenPins))
	}
	if len(plan.NewItems) > 0 {
		c.diags.Append(c.resource.Words.AddsItems(plan.Object, plan.NewItems))
	}
	if long, is := c.resource.Words.ListsTooLong(plan, time.Now()); is {
		c.diags.Append(long)
	}
	if awaited, is := c.resource.Words.Awaited(plan, c.timeout); is {
		c.diags.Append(awaited)
	}
	if len(plan.Dropped) > 0 {
		c.diags.Append(c.resource.Words.LeftOut(plan.Object, plan.Dropped)...)
	}
	if large, is := diagnostics.Large(plan.Object, plan.Bytes); is {
		c.diags.Append(large)
	}
	for _, warning := range plan.Warnings {
		c.diags.Append(diagnostics.ServerWarning(plan.Object, warning))
	}
}

// reportUnsent warns of write-only fields whose values in the configuration are not sent.
func (c *change) reportUnsent(id manifest.Identity, fields []string) {
	if len(fields) > 0 {
		c.diags.Append(c.resource.Words.WriteOnlyNotSent(id, fields))
	}
}

// reportChanges adds one warning of what becomes of single fields, and of an object that is not the one of the last apply.
func (c *change) reportChanges(plan ssa.Plan) {
	var recreated *registry.RecreatedError
	if c.state != nil {
		recreated = recreatedOf(c.snapshot)
	}
	switch {
	case len(plan.Changes) > 0 && recreated != nil:
		c.diags.Append(c.resource.Words.ChangesOfRecreated(plan, recreated, time.Now()))
	case len(plan.Changes) > 0:
		c.diags.Append(c.resource.Words.Changes(plan, time.Now()))
	case recreated != nil:
		c.diags.Append(c.resource.Words.Recreated(recreated))
	}
}

// moves warns of a replacement that leaves the namespace of an object whose manifest names none.
func (c *change) moves(m manifest.Manifest, from, to manifest.Identity) {
	stays := to
	stays.Namespace = from.Namespace
	if m.Namespace == "" && from == stays && from != to && c.resource.provider.IsNews(movedTo{from, to}) {
		c.diags.Append(c.resource.Words.NamespaceChange(from, to))
	}
}

// movedTo is the key of the warning that moves gives once: Terraform plans a replacement twice, as an update and as a create.
type movedTo struct{ from, to manifest.Identity }

// assumed is the key of the warning that assumes gives once.
type assumed struct{}

// assumes warns, once in a run, if neither the manifest nor the connection names a namespace.
func (c *change) assumes(api cluster.Interface, m manifest.Manifest, id manifest.Identity) {
	named := m.Namespace != "" || id.Namespace == "" || api.NamespaceSource() != cluster.NamespaceAssumed
	if !named && c.resource.provider.IsNews(assumed{}) {
		c.diags.Append(c.resource.Words.AssumedNamespace(id))
	}
}

// refuseLoss returns an error if the state protects the object, if the object is not the one of the last apply, or if it would have to be
// replaced and its on_destroy is "release". It uses the state and not the configuration, which a destroy does not have.
func (m Model) refuseLoss(words diagnostics.Words, loss diagnostics.Loss, snapshot record.Snapshot) diag.Diagnostics {
	if m.releases() && loss != diagnostics.ImmutableChange {
		return nil
	}
	id, diags := m.object()
	recreated := recreatedOf(snapshot)
	switch {
	case diags.HasError():
		return diags
	case m.releases():
		return diag.Diagnostics{words.NotReplaceable(id)}
	case m.Protection.ValueBool():
		return diag.Diagnostics{words.Protected(id, loss)}
	case recreated != nil && !m.resource.IsPart:
		return diag.Diagnostics{words.RecreatedKept(recreated, loss)}
	}
	return nil
}
