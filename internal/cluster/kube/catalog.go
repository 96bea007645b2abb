package kube

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/sets"
	"k8s.io/apimachinery/pkg/version"
	clientdiscovery "k8s.io/client-go/discovery"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/paths"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
)

// resource is where a kind is served.
type resource struct {
	version schema.GroupVersion
	kind    cluster.Kind
	// manageable is true if its objects can be listed, read and applied.
	manageable bool
	// createOnly is true if the server keeps no objects of the kind, such as a SelfSubjectAccessReview.
	createOnly bool
}

// path returns the URL path of the version that serves the kind.
func (r resource) path() []string {
	if r.version.Group == "" {
		return []string{"api", r.version.Version}
	}
	return []string{"apis", r.version.Group, r.version.Version}
}

// catalog is one load of discovery.
type catalog struct {
	kinds map[schema.GroupVersionKind]resource
	// preferred has the version that the server prefers of each group.
	preferred map[string]string
	// failed are the group versions whose own API server did not answer, each with the reason.
	failed          map[schema.GroupVersion]error
	began, finished time.Time
}

var (
	coreV1    = schema.GroupVersion{Version: "v1"}
	errNoCore = errors.New("the server does not list the kinds of v1")
)

// loadCatalog loads discovery. It sends two GETs, /api and /apis, to servers with aggregated discovery (Kubernetes
// 1.27), and one more for every group version to older ones. Groups that fail are left out, and are in failed.
func loadCatalog(ctx context.Context, client clientdiscovery.DiscoveryInterfaceWithContext) (*catalog, error) {
	// The function, unlike the client's method of that name, does not load everything a second time when
	// one group fails.
	groups, lists, err := clientdiscovery.ServerGroupsAndResourcesWithContext(ctx, client)
	failed, partial := clientdiscovery.GroupDiscoveryFailedErrorGroups(err)
	if err != nil && !partial {
		return nil, err
	}
	// client-go treats a 404 of /api as a server without core kinds. We treat the objects of a kind that is not served
	// as gone, so we must not conclude that from a missing answer.
	if !slices.ContainsFunc(lists, func(l *metav1.APIResourceList) bool { return l.GroupVersion == "v1" }) &&
		failed[coreV1] == nil {
		return nil, errNoCore
	}
	kinds := map[schema.GroupVersionKind]resource{}
	for _, list := range lists {
		gv, err := schema.ParseGroupVersion(list.GroupVersion)
		if err != nil {
			continue
		}
		withStatus := map[string]bool{}
		for _, served := range list.APIResources {
			if plural, subresource, _ := strings.Cut(served.Name, "/"); subresource == "status" {
				withStatus[plural] = true
			}
		}
		for _, served := range list.APIResources {
			// A slash makes it a subresource, whose kind belongs to another resource.
			if strings.Contains(served.Name, "/") {
				continue
			}
			scope := cluster.ScopeCluster
			if served.Namespaced {
				scope = cluster.ScopeNamespaced
			}
			found := resource{
				version: gv, kind: cluster.Kind{Scope: scope, Plural: served.Name, HasStatus: withStatus[served.Name]},
				manageable: sets.New(served.Verbs...).HasAll("list", "get", "patch"),
				createOnly: slices.Equal(served.Verbs, []string{"create"}),
			}
			// Two resources may have one kind: of OpenShift's templates and processedtemplates, one keeps objects.
			known, taken := kinds[gv.WithKind(served.Kind)]
			if !taken || found.manageable && !known.manageable {
				kinds[gv.WithKind(served.Kind)] = found
			}
		}
	}
	preferred := map[string]string{}
	for _, group := range groups {
		preferred[group.Name] = group.PreferredVersion.Version
	}
	return &catalog{kinds: kinds, preferred: preferred, failed: failed}, nil
}

// manageable returns each kind whose objects can be listed, read and applied, in the version that the server prefers,
// or in the newest one if that version does not have it. The failed groups come as errors.
func (c *catalog) manageable() cluster.Kinds {
	var found cluster.Kinds
	for gvk, served := range c.kinds {
		if !served.manageable {
			continue
		}
		gv := gvk.GroupVersion()
		_, isPreferred := c.kinds[schema.GroupVersionKind{Group: gvk.Group, Version: c.preferred[gvk.Group],
			Kind: gvk.Kind}]
		if isPreferred && gvk.Version != c.preferred[gvk.Group] ||
			!isPreferred && gv.String() != c.versionsOf(gvk.GroupKind())[0] {
			continue
		}
		found.Served = append(found.Served,
			cluster.ServedKind{APIVersion: gv.String(), Kind: gvk.Kind, Scope: served.kind.Scope})
	}
	for gv, err := range c.failed {
		found.Failed = append(found.Failed,
			unanswered(manifest.Identity{APIVersion: gv.String(), Kind: "All"}, gv, err))
	}
	slices.SortFunc(found.Served, func(a, b cluster.ServedKind) int {
		return cmp.Or(cmp.Compare(a.APIVersion, b.APIVersion), cmp.Compare(a.Kind, b.Kind))
	})
	slices.SortFunc(found.Failed,
		func(a, b *cluster.Error) int { return cmp.Compare(a.Object.APIVersion, b.Object.APIVersion) })
	return found
}

// unanswered returns the error of a group whose own API server did not answer.
func unanswered(id manifest.Identity, gv schema.GroupVersion, cause error) *cluster.Error {
	err := &cluster.Error{
		Reason: cluster.ReasonServer, Object: id,
		Message: fmt.Sprintf("the cluster registers %s, but the API server behind it does not answer discovery", gv),
		Cause:   cause,
	}
	if !manifest.IsBuiltinGroup(gv.Group) {
		err.Reason = cluster.ReasonAPIUnavailable
		err.Details = cluster.UnavailableAPIError{Name: gv.Version + "." + gv.Group}
	}
	return err
}

func (c *catalog) find(gvk schema.GroupVersionKind) (resource, error) {
	gv := gvk.GroupVersion()
	id := manifest.Identity{APIVersion: gv.String(), Kind: gvk.Kind}
	if found, ok := c.kinds[gvk]; ok && found.createOnly {
		return resource{}, &cluster.Error{
			Reason: cluster.ReasonKindNotManageable, Object: id,
			Message: "a " + gvk.Kind + " can only be created: the API server answers it and keeps no object",
		}
	} else if ok {
		return found, nil
	}
	if err, ok := c.failed[gv]; ok {
		return resource{}, unanswered(id, gv, err)
	}
	return resource{}, &cluster.Error{
		Reason:  cluster.ReasonKindNotServed,
		Object:  id,
		Message: fmt.Sprintf("the cluster does not serve the kind %s in %s", gvk.Kind, gv),
		Details: &cluster.KindNotServedError{
			Nearest: nearest(gvk, slices.Collect(maps.Keys(c.kinds))), ServedIn: c.versionsOf(gvk.GroupKind()),
			BuiltinGroup: manifest.IsBuiltinGroup(gv.Group),
		},
	}
}

// versionsOf returns the API versions that serve a kind, the newest first.
func (c *catalog) versionsOf(kind schema.GroupKind) []string {
	var versions []string
	for served := range c.kinds {
		if served.GroupKind() == kind {
			versions = append(versions, served.Version)
		}
	}
	slices.SortFunc(versions, func(a, b string) int { return version.CompareKubeAwareVersionStrings(b, a) })
	for i, name := range versions {
		versions[i] = schema.GroupVersion{Group: kind.Group, Version: name}.String()
	}
	return versions
}

// listsKind reports whether the server's list of a version has a kind. It sends one GET.
func listsKind(
	ctx context.Context, client clientdiscovery.DiscoveryInterfaceWithContext, gvk schema.GroupVersionKind,
) (bool, error) {
	list, err := client.ServerResourcesForGroupVersionWithContext(ctx, gvk.GroupVersion().String())
	if apierrors.IsNotFound(err) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	return slices.ContainsFunc(list.APIResources, func(r metav1.APIResource) bool { return r.Kind == gvk.Kind }), nil
}

// nearest returns the served kinds that look most like asked, "apps/v1 Deployment", best first: the same kind
// in another version or group, then kinds that differ by a few letters. Case does not count.
func nearest(asked schema.GroupVersionKind, served []schema.GroupVersionKind) []string {
	// elsewhere is 0 in the same group and version, 1 in the same group, 2 in another group.
	elsewhere := func(kind schema.GroupVersionKind) int {
		switch {
		case kind.GroupVersion() == asked.GroupVersion():
			return 0
		case kind.Group == asked.Group:
			return 1
		default:
			return 2
		}
	}
	text := func(kind schema.GroupVersionKind) string { return kind.GroupVersion().String() + " " + kind.Kind }
	ordered := slices.SortedFunc(slices.Values(served), func(a, b schema.GroupVersionKind) int {
		return cmp.Or(cmp.Compare(elsewhere(a), elsewhere(b)), cmp.Compare(text(a), text(b)))
	})
	var names []string
	for _, kind := range paths.Similar(asked.Kind, ordered,
		func(kind schema.GroupVersionKind) string { return kind.Kind }) {
		names = append(names, text(kind))
	}
	return names
}
