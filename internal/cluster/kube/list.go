package kube

import (
	"cmp"
	"context"
	"net/http"
	"strconv"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/client-go/rest"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster/kube/connect"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
)

// metadataOnly asks for a list of metadata.
const metadataOnly = "application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1"

// List implements cluster.Interface.
func (c *Client) List(ctx context.Context, query cluster.ListQuery) (cluster.Page, error) {
	id := query.Objects()
	request, want, err := c.listRequest(ctx, query)
	if err != nil {
		return cluster.Page{}, c.confirmUnserved(ctx, id, err)
	}
	ctx = connect.Sending(ctx, listed(query))
	var list unstructured.UnstructuredList
	err = c.retrier.do(ctx, idempotent, func() error {
		var contentType string
		answered := request.Do(ctx).ContentType(&contentType)
		// Unlike Raw, Error has the server's words.
		if err := answered.Error(); err != nil {
			return err
		}
		text, err := answered.Raw()
		if err != nil {
			return err
		}
		if err := list.UnmarshalJSON(text); err != nil {
			return unreadable(request.URL(), http.MethodGet, contentType)
		}
		return nil
	})
	if err != nil {
		return cluster.Page{}, c.confirmUnserved(ctx, id, errorOf(ctx, id, err))
	}
	page := cluster.Page{Objects: make([]*unstructured.Unstructured, len(list.Items)), Continue: list.GetContinue()}
	for i := range list.Items {
		if problem := problemOfItem(want, &list, &list.Items[i]); problem != "" {
			return cluster.Page{}, want.wrongAnswer(request.URL(), problem)
		}
		page.Objects[i] = &list.Items[i]
		// A list of metadata does not contain the kind of its objects.
		page.Objects[i].SetAPIVersion(query.APIVersion)
		page.Objects[i].SetKind(query.Kind)
	}
	return page, nil
}

// listed returns what the log calls the objects of a query.
func listed(query cluster.ListQuery) string {
	if query.Namespace == "" {
		return "all of kind " + query.Kind
	}
	return "all of kind " + query.Kind + " in " + query.Namespace
}

// mostLog is how many bytes of a log are read at most.
const mostLog = 1 << 20

// Logs implements cluster.Interface.
func (c *Client) Logs(ctx context.Context, query cluster.LogQuery) (string, error) {
	id := manifest.Identity{APIVersion: "v1", Kind: "Pod", Namespace: query.Namespace, Name: query.Pod}
	_, path, err := c.resolve(ctx, id)
	if err != nil {
		return "", err
	}
	request := c.rest.Get().AbsPath(append(path, "log")...).
		Param("container", query.Container).
		Param("previous", strconv.FormatBool(query.Previous)).
		Param("tailLines", strconv.Itoa(query.Lines)).
		Param("limitBytes", strconv.Itoa(mostLog))
	ctx = connect.Sending(context.WithValue(ctx, commandKey{}, query.Kubectl()), id.String())
	var text []byte
	err = c.retrier.do(ctx, idempotent, func() error {
		answered := request.Do(ctx)
		if err := answered.Error(); err != nil {
			return err
		}
		var err error
		text, err = answered.Raw()
		return err
	})
	if err != nil {
		return "", errorOf(ctx, id, err)
	}
	return string(text), nil
}

// Kinds implements cluster.Interface.
func (c *Client) Kinds(ctx context.Context) (cluster.Kinds, error) {
	known, err := c.discovery.loaded(ctx)
	if err != nil {
		return cluster.Kinds{}, loadError(ctx, manifest.Identity{}, err)
	}
	return known.manageable(), nil
}

// Capabilities implements cluster.Interface.
func (c *Client) Capabilities(ctx context.Context) (found cluster.Capabilities, err error) {
	known, err := c.discovery.loaded(ctx)
	if err != nil {
		return found, loadError(ctx, manifest.Identity{}, err)
	}
	for gvk := range known.kinds {
		version := gvk.GroupVersion().String()
		found.APIVersions = append(found.APIVersions, version, version+"/"+gvk.Kind)
	}
	info, err := VersionOf(ctx, c)
	if err != nil {
		return found, errorOf(ctx, manifest.Identity{}, err)
	}
	found.Version = info.GitVersion
	return found, nil
}

// problemOfItem describes what an item of a list is if it is not one of the expected objects; "" if it is. Items of
// some lists have no kind.
func problemOfItem(want expected, list *unstructured.UnstructuredList, item *unstructured.Unstructured) string {
	kind := item.GetKind()
	if kind == "" || kind == "PartialObjectMetadata" || list.GetKind() == want.id.Kind+"List" && kind == want.id.Kind {
		item.SetAPIVersion(want.id.APIVersion)
		item.SetKind(want.id.Kind)
	}
	if problem := want.problemOf(item); problem != "" {
		return "a list with " + problem
	}
	return ""
}

// listRequest returns the request of a query, and the requirements for each object of the answer.
func (c *Client) listRequest(ctx context.Context, query cluster.ListQuery) (*rest.Request, expected, error) {
	id := query.Objects()
	served, err := c.discovery.resolve(ctx, query.APIVersion, query.Kind)
	if err != nil {
		return nil, expected{}, about(id, err)
	}
	path := append(served.path(), served.kind.Plural)
	if !query.AllNamespaces {
		if path, err = c.collectionPath(served, id); err != nil {
			return nil, expected{}, err
		}
	}
	request := c.rest.Get().AbsPath(path...).Param("limit", strconv.Itoa(cmp.Or(query.Limit, cluster.PageSize)))
	for name, value := range map[string]string{"labelSelector": query.LabelSelector,
		"fieldSelector": query.FieldSelector, "continue": query.Continue} {
		if value != "" {
			request.Param(name, value)
		}
	}
	if query.MetadataOnly {
		request.SetHeader("Accept", metadataOnly)
	}
	return request, expected{method: http.MethodGet, id: id, needsUID: served.manageable}, nil
}
