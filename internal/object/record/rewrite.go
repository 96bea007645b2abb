package record

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/ownership"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
)

// Editing returns the edits of a live object. claims are those after the rewrite.
type Editing func(live map[string]any, claims ownership.Claims) []cluster.Edit

// NoEdits returns no edits. It is an Editing.
func NoEdits(map[string]any, ownership.Claims) []cluster.Edit { return nil }

// Rewriting is a rewrite of an object's managedFields together with edits of its fields in the same request.
type Rewriting struct {
	// Claims returns the rewrite of the current claims.
	Claims func(ownership.Claims) ownership.Rewrite
	Edits  Editing
	// Probes is true if the rewrite also has to make managedFields convertible for the write that follows.
	Probes bool
}

// RewriteClaims rewrites the managedFields of live, which keeps every value. It costs and returns what RewriteAndEdit
// does.
func RewriteClaims(
	ctx context.Context, api cluster.Interface, id manifest.Identity, live *unstructured.Unstructured,
	wanted func(ownership.Claims) ownership.Rewrite,
) (*unstructured.Unstructured, error) {
	return RewriteAndEdit(ctx, api, id, live, Rewriting{Claims: wanted, Edits: NoEdits})
}

// RewriteApplied is RewriteClaims for an object that we have applied. If no manager owns anything of it, such as of a
// Namespace without labels, the server would record no owner of later writes, so the object gets a placeholder.
func RewriteApplied(
	ctx context.Context, api cluster.Interface, id manifest.Identity, live *unstructured.Unstructured,
	wanted func(ownership.Claims) ownership.Rewrite,
) (*unstructured.Unstructured, error) {
	placeholder, err := ownership.Placeholder(id.APIVersion)
	if err != nil {
		return live, Unreadable(id, err)
	}
	edits := func(_ map[string]any, claims ownership.Claims) []cluster.Edit {
		if len(claims) > 0 {
			return nil
		}
		return []cluster.Edit{cluster.SetManagedFields([]metav1.ManagedFieldsEntry{placeholder})}
	}
	return RewriteAndEdit(ctx, api, id, live, Rewriting{Claims: wanted, Edits: edits})
}

// Disclaim ends the claim of fieldManager on live, which keeps every value. It costs and returns what RewriteAndEdit
// does.
func Disclaim(
	ctx context.Context, api cluster.Interface, id manifest.Identity, live *unstructured.Unstructured,
	fieldManager string,
) (*unstructured.Unstructured, error) {
	return RewriteClaims(ctx, api, id, live, func(claims ownership.Claims) ownership.Rewrite {
		return ownership.Rewrite{Manager: fieldManager, Release: claims.Own(fieldManager)}
	})
}

// GiveBack returns the object of another client that a create has found, without the claim that the create has left on
// it. If no other manager owns anything of it, the claim may be that of another run with the same manager, so it stays.
func GiveBack(
	ctx context.Context, api cluster.Interface, found *cluster.TakenError, fieldManager string,
) *unstructured.Unstructured {
	claims, err := ClaimsOf(found.Object, found.Live)
	if !found.IsClaimed || err != nil || claims.Others(fieldManager).Fields().Empty() {
		return found.Live
	}
	live, err := Disclaim(ctx, api, found.Object, found.Live, fieldManager)
	if err != nil {
		return found.Live
	}
	return live
}

// RewriteAndEdit rewrites the managedFields of live and edits values. It sends nothing if that changes nothing, one
// PATCH otherwise, and a GET and another PATCH for each time that another client wrote in between. For a custom
// resource with entries in several versions, dry-runs come before the PATCH; see convertible. It returns the object as
// the server holds it then; on an error, as it was last seen.
func RewriteAndEdit(
	ctx context.Context, api cluster.Interface, id manifest.Identity, live *unstructured.Unstructured, wanted Rewriting,
) (*unstructured.Unstructured, error) {
	if version := live.GetAPIVersion(); version != "" {
		id.APIVersion = version // That of id may not be served any more.
	}
	err := cluster.Contend(ctx, id, func() (again bool, err error) {
		patch, _, err := wanted.convertible(ctx, api, id, live)
		if patch == nil || err != nil {
			return false, err
		}
		answer, err := api.Patch(ctx, id, *patch)
		switch {
		case err == nil:
			live = answer
			return false, nil
		case cluster.ReasonOf(err) != cluster.ReasonConflict:
			return false, err
		}
		live, err = fresh(ctx, api, id, live)
		return err == nil, err
	})
	return live, err
}

// patch returns the request that rewrites live, and the managedFields that it leaves. The entries in versions get the
// version of id. The request is nil if there is nothing to rewrite, and on an error.
func (r Rewriting) patch(
	id manifest.Identity, live *unstructured.Unstructured, versions []string,
) (*cluster.Patch, []metav1.ManagedFieldsEntry, error) {
	entries := live.GetManagedFields()
	claims, err := ClaimsOf(id, live)
	if err != nil {
		return nil, nil, err
	}
	rewrite := r.Claims(claims)
	if len(versions) > 0 {
		rewrite.Versions, rewrite.Convertible = slices.Concat(rewrite.Versions, versions), id.APIVersion
	}
	edited := r.Edits(live.Object, rewrite.Claims(claims))
	if !rewrite.Changes(claims) && len(edited) == 0 {
		return nil, entries, nil
	}
	patch := &cluster.Patch{FieldManager: rewrite.Manager, ResourceVersion: live.GetResourceVersion(), Edits: edited}
	if len(edited) == 0 {
		// A policy may allow only the owner to give up its claims. The request changes no value, so it makes none.
		patch.FieldManager = cmp.Or(rewrite.PreviousManager, rewrite.Manager)
	}
	if !rewrite.Changes(claims) {
		return patch, entries, nil
	}
	rewrite.Subresource, rewrite.Now = id.Subresource, time.Now()
	rewritten, err := rewrite.Entries(entries)
	if err != nil {
		return nil, nil, Unreadable(id, err)
	}
	patch.Edits = append([]cluster.Edit{cluster.SetManagedFields(rewritten)}, edited...)
	return patch, rewritten, nil
}

// fresh reads the object again; on an error it returns live.
func fresh(
	ctx context.Context, api cluster.Interface, id manifest.Identity, live *unstructured.Unstructured,
) (*unstructured.Unstructured, error) {
	now, err := api.Get(ctx, id)
	switch {
	case err != nil:
		return live, err
	case now.GetUID() != live.GetUID():
		return live, &cluster.Error{
			Reason: cluster.ReasonConflict, Object: id, Message: "the object was deleted and created again in the " +
				"meantime",
		}
	default:
		return now, nil
	}
}

// The API server converts an object to the version of each entry of managedFields. For a custom resource, that fails if
// its definition does not list the version any more, or if the schema of the version lacks a field of the object. Then
// every apply is refused, and every other write makes the server forget all owners. So the entries get the version of
// the request before it. Their fields stay.

// IsUnusable reports whether a refusal is about claims in unusable versions. If the server names no version, and the
// object as this run has read it has no claims in another one, it is not.
func (p Prior) IsUnusable(refusal error) bool {
	problem, is := errors.AsType[*cluster.UnconvertibleError](refusal)
	if !is || problem.Version != "" || problem.IsOwn || p.Live == nil {
		return is
	}
	live := unstructured.Unstructured{Object: p.Live}
	return len(otherVersions(p.Object, versionsOf(live.GetManagedFields()))) > 0
}

// Refused is an apply by a manager that the server has refused because of claims in unusable versions.
type Refused struct {
	Manager string
	Claims  ownership.Claims
	Refusal error
	// Again is true if versions were converted before.
	Again bool
}

// Converting returns a rewrite that also gives the claims in unusable versions the version of id.
func (r Refused) Converting(
	ctx context.Context, api cluster.Interface, id manifest.Identity, rewrite ownership.Rewrite,
) ownership.Rewrite {
	rewrite.Versions, rewrite.Convertible = r.unusable(ctx, api, id), id.APIVersion
	return rewrite
}

// unusable returns the versions that the refusal is about. It returns all versions but that of id if the server does
// not name one.
func (r Refused) unusable(ctx context.Context, api cluster.Interface, id manifest.Identity) []string {
	others := otherVersions(id, r.Claims.Versions())
	problem, is := errors.AsType[*cluster.UnconvertibleError](r.Refusal)
	if !is || r.Again {
		return others
	}
	version := problem.Version
	for _, claim := range r.Claims {
		if problem.IsOwn && claim.IsOwn(r.Manager) {
			version = claim.APIVersion
		}
	}
	switch unserved := unservedOf(ctx, api, id, others); {
	case version == "" || version == id.APIVersion:
		return others
	case slices.Contains(unserved, version):
		return unserved
	default:
		return []string{version}
	}
}

func otherVersions(id manifest.Identity, versions []string) []string {
	return slices.DeleteFunc(versions, func(version string) bool { return version == id.APIVersion })
}

// unservedOf returns those of versions in which the server does not serve the kind.
func unservedOf(ctx context.Context, api cluster.Interface, id manifest.Identity, versions []string) []string {
	var unserved []string
	for _, version := range versions {
		if _, err := api.Kind(ctx, version, id.Kind); cluster.ReasonOf(err) == cluster.ReasonKindNotServed {
			unserved = append(unserved, version)
		}
	}
	return unserved
}

// convertible returns the request that rewrites live, after which the server still knows all owners, and the versions
// that it converts; nil if nothing is to be rewritten. If the object is a custom resource with entries in other
// versions, dry-runs find out which of them have to be converted.
func (r Rewriting) convertible(
	ctx context.Context, api cluster.Interface, id manifest.Identity, live *unstructured.Unstructured,
) (*cluster.Patch, []string, error) {
	patch, rewritten, err := r.patch(id, live, nil)
	others := otherVersions(id, versionsOf(rewritten))
	if err != nil || patch == nil && !r.Probes || len(others) == 0 || manifest.IsBuiltinGroup(id.Group()) {
		return patch, nil, err
	}
	tries := slices.CompactFunc([][]string{nil, unservedOf(ctx, api, id, others), others}, slices.Equal[[]string])
	for _, versions := range tries {
		if patch, rewritten, err = r.patch(id, live, versions); err != nil || len(versions) == len(others) {
			return patch, versions, err
		}
		probe := cluster.Patch{FieldManager: r.manager(live), ResourceVersion: live.GetResourceVersion()}
		probe.Edits = []cluster.Edit{cluster.SetManagedFields(rewritten)}
		if patch != nil {
			probe = *patch
		}
		probe.DryRun = true
		if answer, err := api.Patch(ctx, id, probe); err != nil || len(answer.GetManagedFields()) > 0 {
			return patch, versions, nil //nolint:nilerr // The request itself shows an error.
		}
	}
	return patch, others, err
}

// Unusable returns the versions of the entries of live that a write of manager has to convert, because the server would
// forget all owners with it. It sends nothing if the object is not a custom resource with entries in other versions
// than that of id, and dry-runs otherwise.
func Unusable(
	ctx context.Context, api cluster.Interface, id manifest.Identity, live *unstructured.Unstructured, manager string,
) ([]string, error) {
	_, versions, err := Rewriting{
		Claims: func(ownership.Claims) ownership.Rewrite { return ownership.Rewrite{Manager: manager} },
		Edits:  NoEdits, Probes: true,
	}.convertible(ctx, api, id, live)
	return versions, err
}

func versionsOf(entries []metav1.ManagedFieldsEntry) []string {
	var versions []string
	for _, entry := range entries {
		if !slices.Contains(versions, entry.APIVersion) {
			versions = append(versions, entry.APIVersion)
		}
	}
	return versions
}

func (r Rewriting) manager(live *unstructured.Unstructured) string {
	claims, _ := ownership.Parse(live.GetManagedFields())
	return r.Claims(claims).Manager
}
