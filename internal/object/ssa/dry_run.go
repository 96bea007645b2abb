package ssa

import (
	"context"

	"k8s.io/apimachinery/pkg/runtime"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/ownership"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/paths"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/projection"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/wanted"
)

// dryRun is a forced apply that a plan asks the server to try.
type dryRun struct {
	// Manager is the field manager of the dry-run. IsUnderAnotherName is true if this manager has applied nothing
	// before. Then the dry-run removes nothing.
	Manager            string
	IsUnderAnotherName bool
	// IsOfNewObject is true if the dry-run creates another object, which has none of the live values.
	IsOfNewObject bool
	Body          map[string]any
	// added are the fields of Body that the apply itself will not send.
	added *paths.Set
	// own is what our entry will hold, if the answer does not show it; nil otherwise.
	own *paths.Set
	// Keeps is true if some of added would be removed with the fields that leave our claim.
	Keeps bool
}

// dryRun returns the dry-run of the apply. managedFields cannot be rewritten in a dry-run. So fields that the apply
// will release, and fields that it keeps of a map that we leave, are sent with the values of our last apply, which
// keeps them in the answer. If the apply also rewrites claims of other managers, the dry-run is under another name.
func (a *apply) dryRun() dryRun {
	own, claims, rewrite := a.wanted.FieldManager, a.wanted.Claims(), a.rewrite
	plain := dryRun{Manager: own, Body: a.body, added: paths.NewSet()}
	roots := wanted.PrunedAsAWhole(rewrite.Claims(claims), own, a.wanted.Keys.Complete(a.body), a.kept)
	if len(roots) == 0 && !rewrite.Changes(claims) {
		return plain
	}
	ours := ownership.Rewrite{
		Manager: rewrite.Manager, PreviousManager: rewrite.PreviousManager, Release: rewrite.Release,
	}
	// If both names have claims, a dry-run under one name keeps what the other holds. The apply, after the rename,
	// removes it.
	both := rewrite.PreviousManager != own && !claims.Own(own).Empty() && !claims.Own(rewrite.PreviousManager).Empty()
	if both || rewrite.Add != nil || rewrite.Changes(ours.Claims(claims)) {
		return a.dryRunUnderAnotherName(a.body)
	}
	// The claim has its old name until the apply. Only under that name does the dry-run remove the fields that leave
	// it.
	if claims.Own(own).Empty() && !claims.Own(rewrite.PreviousManager).Empty() {
		plain.Manager = rewrite.PreviousManager
	}
	if rewrite.Release != nil {
		plain.added = rewrite.Release
	}
	if within := wanted.Within(a.kept, roots); !within.Empty() {
		plain.added, plain.Keeps = plain.added.Union(within), true
	}
	keys := a.wanted.Keys
	whole := keys.Graft(a.body, a.wanted.Manifest.Object, plain.added)
	if last := a.wanted.Prior.LastBody(); last != nil {
		whole = keys.Graft(whole, last, plain.added)
	}
	plain.Body = whole
	return plain
}

// dryRunUnderAnotherName returns the apply of body by a manager that owns nothing.
func (a *apply) dryRunUnderAnotherName(body map[string]any) dryRun {
	return dryRun{
		Manager: wanted.DryRunManager(a.wanted.FieldManager), IsUnderAnotherName: true, Body: body,
		added: paths.NewSet(),
	}
}

// adds reports whether the body contains values of fields that patterns cover and that the apply itself does not send.
func (d dryRun) adds(patterns paths.Patterns) bool {
	covered, _ := projection.Covered(paths.OrEmpty(d.added), patterns, d.Body)
	return !covered.Empty()
}

// send sends the dry-run and returns the server's answer.
func (d dryRun) send(ctx context.Context, api cluster.Interface, id manifest.Identity) (cluster.Applied, error) {
	return api.Apply(ctx, id, d.Body, cluster.ApplyOptions{FieldManager: d.Manager, DryRun: true, Force: true})
}

// applied returns what our entry will hold after the apply of body, by the claims in the answer.
func (d dryRun) applied(answered ownership.Claims, body map[string]any) *paths.Set {
	if d.own != nil {
		return d.own
	}
	own := answered.Own(d.Manager)
	if d.added.Empty() {
		return own
	}
	return projection.WithValues(body, own.Difference(d.added))
}

// dryRunAsNew returns a dry-run of a body as a new object under another name. It is for bodies that do not fit the live
// object unless fields are removed from it: another member of a union, for instance.
func (a *apply) dryRunAsNew(ctx context.Context, api cluster.Interface, body map[string]any) (cluster.Applied, error) {
	id := a.wanted.Prior.Object
	id.Name = cluster.DryRunName(id.Name)
	return a.dryRunUnderAnotherName(manifest.Identified(runtime.DeepCopyJSON(body), id)).send(ctx, api, id)
}

// refusedAsNew returns the server's refusal of the manifest for a new object; nil if it takes it.
func refusedAsNew(ctx context.Context, api cluster.Interface, a *apply) error {
	return RefusedAsNew(ctx, api, a.wanted.Prior.Object, a.wanted.Split(a.known()), a.wanted.FieldManager)
}

// RefusedAsNew returns the server's refusal of a body for a new object with the name of one that exists: one dry-run of
// a create. It returns nil if the server admits it, which then finds the name taken.
func RefusedAsNew(
	ctx context.Context, api cluster.Interface, id manifest.Identity, body map[string]any, manager string,
) error {
	_, err := api.Apply(ctx, id, body, cluster.ApplyOptions{FieldManager: manager, DryRun: true, New: true})
	switch cluster.ReasonOf(err) {
	case cluster.ReasonConflict, cluster.ReasonFieldManagerConflict:
		return nil
	}
	return err
}
