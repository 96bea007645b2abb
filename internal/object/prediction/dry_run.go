package prediction

import (
	"context"

	"k8s.io/apimachinery/pkg/apis/meta/v1/validation"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/ownership"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/paths"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/projection"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/intents"
)

// DryRun is a forced apply that a plan asks the server to try.
type DryRun struct {
	// Manager is the field manager of the dry-run. IsUnderAnotherName is true if this manager has applied nothing
	// before. Then the dry-run removes nothing.
	Manager            string
	IsUnderAnotherName bool
	// IsOfNewObject is true if the dry-run creates another object, which has none of the live values.
	IsOfNewObject bool
	Body          map[string]any
	// added are the fields of Body that the apply itself will not send.
	added *paths.Set
	// Keeps is true if some of added would be removed with the fields that leave our claim.
	Keeps bool
}

// DryRun returns the dry-run of the apply. managedFields cannot be rewritten in a dry-run. So fields that the apply
// will release, and fields that it keeps of a map that we leave, are sent with the values of our last apply, which
// keeps them in the answer. If the apply also rewrites claims of other managers, the dry-run is under another name.
func (a Attempt) DryRun() DryRun {
	own, claims, rewrite := a.Intent.FieldManager, a.Claims, a.Rewrite
	plain := DryRun{Manager: own, Body: a.Body, added: paths.NewSet()}
	roots := a.Intent.Endangered(rewrite.Claims(claims), a.Body, a.Kept)
	if len(roots) == 0 && !rewrite.Changes(claims) {
		return plain
	}
	ours := ownership.Rewrite{Manager: rewrite.Manager, PreviousManager: rewrite.PreviousManager, Release: rewrite.Release}
	both := rewrite.PreviousManager != own && !claims.Own(own).Empty() && !claims.Own(rewrite.PreviousManager).Empty()
	if both || rewrite.Add != nil || rewrite.Changes(ours.Claims(claims)) {
		return a.DryRunUnderAnotherName(a.Body)
	}
	// The claim has its old name until the apply. Only under that name does the dry-run remove the fields that leave
	// it.
	if claims.Own(own).Empty() && !claims.Own(rewrite.PreviousManager).Empty() {
		plain.Manager = rewrite.PreviousManager
	}
	if rewrite.Release != nil {
		plain.added = rewrite.Release
	}
	if endangered := intents.Within(a.Kept, roots); !endangered.Empty() {
		plain.added, plain.Keeps = plain.added.Union(endangered), true
	}
	whole := projection.Graft(a.Body, a.Intent.Manifest.Object, plain.added)
	if last := a.Prior.LastBody(); last != nil {
		whole = projection.Graft(whole, last, plain.added)
	}
	plain.Body = whole
	return plain
}

// DryRunUnderAnotherName returns the apply of body by a manager that owns nothing.
func (a Attempt) DryRunUnderAnotherName(body map[string]any) DryRun {
	return DryRun{Manager: DryRunManager(a.Intent.FieldManager), IsUnderAnotherName: true, Body: body, added: paths.NewSet()}
}

// Adds reports whether the body contains values of fields that patterns cover and that the apply itself does not send.
func (d DryRun) Adds(patterns paths.Patterns) bool {
	covered, _ := projection.Covered(paths.OrEmpty(d.added), patterns, d.Body)
	return !covered.Empty()
}

// Send sends the dry-run and returns the server's answer.
func (d DryRun) Send(ctx context.Context, api cluster.Interface, id manifest.Identity) (cluster.Applied, error) {
	return api.Apply(ctx, id, d.Body, cluster.ApplyOptions{FieldManager: d.Manager, DryRun: true, Force: true})
}

// Applied returns what our entry will hold after the apply of body, by the claims in the answer.
func (d DryRun) Applied(answered ownership.Claims, body map[string]any) *paths.Set {
	own := answered.Own(d.Manager)
	if d.added.Empty() {
		return own
	}
	return projection.WithValues(body, own.Difference(d.added))
}

// DryRunManager returns the manager name of a dry-run that must not remove anything: a manager that owns nothing
// removes nothing, and the server makes the same of the body.
func DryRunManager(fieldManager string) string {
	const suffix = "-plan"
	if len(fieldManager)+len(suffix) > validation.FieldManagerMaxLength {
		fieldManager = fieldManager[:validation.FieldManagerMaxLength-len(suffix)]
	}
	return fieldManager + suffix
}

// DryRunAsNew returns a dry-run of the body as a new object under another name. It is for bodies that do not fit the
// live object unless fields are removed from it: another member of a union, for instance.
func (a Attempt) DryRunAsNew(ctx context.Context, api cluster.Interface) (cluster.Applied, error) {
	id := a.Prior.Object
	id.Name += cluster.DryRunSuffix
	body := manifest.Identified(runtime.DeepCopyJSON(a.Intent.Split(a.Known())), id)
	return api.Apply(ctx, id, body, cluster.ApplyOptions{FieldManager: DryRunManager(a.Intent.FieldManager), DryRun: true, Force: true})
}
