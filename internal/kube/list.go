package kube

import (
	"cmp"
	"context"
	"strconv"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/client-go/rest"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifest"
)

// metadataOnly asks for a list of metadata.
const metadataOnly = "application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1"

// List implements cluster.Interface.
func (c *Client) List(ctx context.Context, query cluster.ListQuery) (cluster.Page, error) {
	id := query.Objects()
	request, err := c.listRequest(ctx, query)
	if err != nil {
		return cluster.Page{}, c.confirmUnserved(ctx, id, err)
	}
	var list unstructured.UnstructuredList
	err = c.retrier.do(ctx, idempotent, func() error {
		answered := request.Do(ctx)
		// Unlike Raw, Error has the server's words.
		if err := answered.Error(); err != nil {
			return err
		}
		text, err := answered.Raw()
		if err != nil {
			return err
		}
		return list.UnmarshalJSON(text)
	})
	if err != nil {
		return cluster.Page{}, c.confirmUnserved(ctx, id, errorOf(ctx, id, err))
	}
	page := cluster.Page{Objects: make([]*unstructured.Unstructured, len(list.Items)), Continue: list.GetContinue()}
	for i := range list.Items {
		page.Objects[i] = &list.Items[i]
		// A list of metadata does not say of what kind its objects are.
		page.Objects[i].SetAPIVersion(query.APIVersion)
		page.Objects[i].SetKind(query.Kind)
	}
	return page, nil
}

// Kinds implements cluster.Interface.
func (c *Client) Kinds(ctx context.Context) (cluster.Kinds, error) {
	known, err := c.discovery.loaded(ctx)
	if err != nil {
		return cluster.Kinds{}, loadError(ctx, manifest.Identity{}, err)
	}
	return known.manageable(), nil
}

func (c *Client) listRequest(ctx context.Context, query cluster.ListQuery) (*rest.Request, error) {
	id := query.Objects()
	served, err := c.discovery.resolve(ctx, query.APIVersion, query.Kind)
	if err != nil {
		return nil, about(id, err)
	}
	path := append(served.path(), served.plural)
	if !query.AllNamespaces {
		if path, err = c.collectionPath(served, id); err != nil {
			return nil, err
		}
	}
	request := c.rest.Get().AbsPath(path...).Param("limit", strconv.Itoa(cmp.Or(query.Limit, cluster.PageSize)))
	for name, value := range map[string]string{"labelSelector": query.LabelSelector, "fieldSelector": query.FieldSelector, "continue": query.Continue} {
		if value != "" {
			request.Param(name, value)
		}
	}
	if query.MetadataOnly {
		request.SetHeader("Accept", metadataOnly)
	}
	return request, nil
}
