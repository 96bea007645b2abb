package record

import (
	"context"
	"errors"
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/ownership"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
)

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
