package ssa

import (
	"context"

	"k8s.io/apimachinery/pkg/apis/meta/v1/validation"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifest"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/ownership"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/paths"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/projection"
)

// dryRun is a forced apply that a plan asks the server to try.
type dryRun struct {
	// manager is whom it applies as, isUnderAnotherName says that this is nobody who applied before, so that
	// nothing is removed.
	manager            string
	isUnderAnotherName bool
	// isOfNewObject says that it creates another object, of which live values say nothing.
	isOfNewObject bool
	body          map[string]any
	// added are the fields of body that the apply itself will not send.
	added *paths.Set
	// keeps says that some of added would go with what leaves our claim.
	keeps bool
}

// dryRun returns the dry-run of the apply. managedFields cannot be rewritten in a dry-run. So fields that the apply
// will release, and fields that it keeps of a map that we leave, are sent with the values of our last apply, so that they
// stay in the answer. If the apply also rewrites claims of others, the dry-run is under another name.
func (a Attempt) dryRun() dryRun {
	own, claims, rewrite := a.intent.FieldManager, a.claims, a.rewrite
	plain := dryRun{manager: own, body: a.body, added: paths.NewSet()}
	roots := a.intent.endangered(rewrite.Claims(claims), a.body, a.kept)
	if len(roots) == 0 && !rewrite.Changes(claims) {
		return plain
	}
	ours := ownership.Rewrite{Manager: rewrite.Manager, PreviousManager: rewrite.PreviousManager, Release: rewrite.Release}
	both := rewrite.PreviousManager != own && !claims.Own(own).Empty() && !claims.Own(rewrite.PreviousManager).Empty()
	if both || rewrite.Add != nil || rewrite.Changes(ours.Claims(claims)) {
		return a.dryRunUnderAnotherName(a.body)
	}
	if claims.Own(own).Empty() && !claims.Own(rewrite.PreviousManager).Empty() {
		plain.manager = rewrite.PreviousManager
	}
	if rewrite.Release != nil {
		plain.added = rewrite.Release
	}
	if endangered := within(a.kept, roots); !endangered.Empty() {
		plain.added, plain.keeps = plain.added.Union(endangered), true
	}
	whole := projection.Graft(a.body, a.intent.Manifest.Object, plain.added)
	if last, err := manifest.Parse(a.prior.Settings.Body); err == nil {
		whole = projection.Graft(whole, last.Object, plain.added)
	}
	plain.body = whole
	return plain
}

// dryRunUnderAnotherName returns the apply of body as somebody who owns nothing.
func (a Attempt) dryRunUnderAnotherName(body map[string]any) dryRun {
	return dryRun{manager: dryRunManager(a.intent.FieldManager), isUnderAnotherName: true, body: body, added: paths.NewSet()}
}

func (d dryRun) send(ctx context.Context, api cluster.Interface, id manifest.Identity) (cluster.Applied, error) {
	return api.Apply(ctx, id, d.body, cluster.ApplyOptions{FieldManager: d.manager, DryRun: true, Force: true})
}

// applied returns what our entry will hold after the apply of body, by the claims in the answer.
func (d dryRun) applied(answered ownership.Claims, body map[string]any) *paths.Set {
	own := answered.Own(d.manager)
	if d.added.Empty() {
		return own
	}
	return projection.WithValues(body, own.Difference(d.added))
}

// dryRunManager returns the manager name of a dry-run that must not remove anything: a manager that owns nothing removes
// nothing, and the server returns the same for the body.
func dryRunManager(fieldManager string) string {
	const suffix = "-plan"
	if len(fieldManager)+len(suffix) > validation.FieldManagerMaxLength {
		fieldManager = fieldManager[:validation.FieldManagerMaxLength-len(suffix)]
	}
	return fieldManager + suffix
}

// dryRunAsNew returns a dry-run of the body as a new object under another name. It is for bodies that do not
// fit the live object as long as nothing is removed from it: another member of a union, for instance.
func (a Attempt) dryRunAsNew(ctx context.Context, api cluster.Interface) (cluster.Applied, error) {
	id := a.prior.Object
	id.Name += cluster.DryRunSuffix
	body := manifest.Identified(runtime.DeepCopyJSON(a.intent.split(a.known())), id)
	return api.Apply(ctx, id, body, cluster.ApplyOptions{FieldManager: dryRunManager(a.intent.FieldManager), DryRun: true, Force: true})
}
