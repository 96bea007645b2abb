package command

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/owners"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/report/page"
)

// The page of a cluster opens on what the text prints, with links to the objects that it has.
func TestPageOf(t *testing.T) {
	t.Parallel()
	since := time.Date(2026, 11, 26, 9, 0, 0, 0, time.UTC)
	overview := owners.Overview{
		Managers: []owners.Manager{{
			Name: "kubectl", Operation: "Update", Subresource: "scale", Resource: "deployments.apps", Objects: 1, Fields: 2, LastWrite: &since, About: "kubectl scale",
		}},
		Findings: []owners.Finding{
			{Problem: owners.Shared, Resource: "configmaps", Namespace: "shop", Name: "a", Managers: []string{"flux", "helm"}, Fields: []string{"a", "b", "c", "d", "e"}, Since: &since, Mend: "first"},
			{Problem: owners.Shared, Resource: "configmaps", Namespace: "shop", Name: "b", Managers: []string{"flux", "helm"}, Mend: "second"},
			{Problem: owners.Shared, Resource: "secrets", Namespace: "shop", Name: "a", Managers: []string{"flux", "helm"}, Mend: "third", Named: []string{"a"}},
			{Problem: owners.Shared, Resource: "secrets", Namespace: "shop", Name: "b", Managers: []string{"flux", "helm"}, Mend: "of b", Named: []string{"b"}},
			{Problem: owners.AtomicLists, Resource: "shops.example.com", Name: "v1", Fields: []string{"spec.items"}, Mend: "fourth"},
		},
		NotSeen: []owners.NotSeen{{Resource: "nodes", Reason: "forbidden"}},
	}
	got := pageOf(overview, map[string]string{
		"configmaps shop/a": "A", "secrets shop/a": "S", "customresourcedefinitions.apiextensions.k8s.io /shops.example.com": "D",
	})
	both, at := []string{"flux", "helm"}, "2026-11-26T09:00:00Z"
	want := page.Survey{
		Groups: []page.Group{
			{Alike: []page.Alike{
				{Mend: "first", Findings: []page.Finding{
					{Object: "A", Target: "configmaps shop/a", Managers: both, Since: at, Fields: []string{"a", "b", "c"}, More: 2},
					{Target: "configmaps shop/b", Managers: both},
				}},
				{Mend: "third", Findings: []page.Finding{{Object: "S", Target: "secrets shop/a", Managers: both}}},
				{Mend: "of b", Findings: []page.Finding{{Target: "secrets shop/b", Managers: both}}},
			}},
			{Alike: []page.Alike{{Mend: "fourth", Findings: []page.Finding{{Object: "D", Target: "shops.example.com v1", Fields: []string{"spec.items"}}}}}},
		},
		Managers: []page.Manager{{Label: "kubectl (scale)", Operation: "Update", Kind: "deployments.apps", Objects: 1, Fields: 2, Written: at, About: "kubectl scale"}},
		NotSeen:  []string{"nodes: forbidden"},
	}
	for i, group := range got.Groups {
		if group.Heading == "" {
			t.Errorf("group %d has no heading", i)
		}
		got.Groups[i].Heading = ""
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
