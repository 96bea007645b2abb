package listing

import (
	"context"
	"fmt"
	"testing"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
)

// many is a server with many objects of each kind.
type many struct {
	cluster.Interface
	objects int
	// expires is true until the first page after the first one is asked for: the server has dropped the list then.
	expires bool
}

func (m *many) List(_ context.Context, query cluster.ListQuery) (page cluster.Page, err error) {
	from := 0
	if query.Continue != "" {
		if _, err := fmt.Sscan(query.Continue, &from); err != nil {
			return page, err
		}
		if m.expires {
			m.expires = false
			return page, &cluster.Error{Reason: cluster.ReasonExpired}
		}
	}
	to := min(m.objects, from+query.Limit)
	for i := from; i < to; i++ {
		page.Objects = append(page.Objects, object(query.Kind, query.Namespace, fmt.Sprint("config-", i)))
	}
	if to < m.objects {
		page.Continue = fmt.Sprint(to)
	}
	return page, nil
}

func TestReadPages(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		api    many
		wanted int
		// pages are the sizes of the pages.
		pages []int
	}{
		"as many as are wanted":      {many{objects: 1200}, 1200, []int{500, 500, 200}},
		"few neighbours":             {many{objects: 75}, 30, []int{75}},
		"too many neighbours":        {many{objects: 5000}, 30, []int{90}},
		"all are in the first page":  {many{objects: 1200}, 450, []int{500}},
		"too few":                    {many{objects: 19}, 19, nil},
		"a list that has to restart": {many{objects: 700, expires: true}, 700, []int{500, 500, 200}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var ids []manifest.Identity
			for i := range test.wanted {
				ids = append(ids, manifest.Identity{APIVersion: "v1", Kind: "ConfigMap", Namespace: "shop", Name: fmt.Sprint("config-", i)})
			}
			var pages []int
			read := map[manifest.Identity]*unstructured.Unstructured{}
			ReadPages(t.Context(), &test.api, ids, func(page Page) {
				pages = append(pages, len(page))
				for id, object := range page {
					read[id] = object
				}
			})
			if fmt.Sprint(pages) != fmt.Sprint(test.pages) {
				t.Errorf("pages of %v objects, want %v", pages, test.pages)
			}
			for _, id := range ids {
				if object := read[id]; len(test.pages) > 0 && test.api.objects <= test.wanted && (object == nil || object.GetName() != id.Name) {
					t.Errorf("%s was read as %v", id, object)
				}
			}
		})
	}
}
