package cluster

import (
	"cmp"
	"context"
	"errors"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
)

// PageSize is how many objects one LIST returns at most.
const PageSize = 500

// mostAsked is how many objects ListAll asks for, in all pages, before it takes a list for one that does not end.
const mostAsked = 4000 * PageSize

// smallerPage is by how much a page gets smaller that was too large to be read.
const smallerPage = 8

// mostStarts is how often ListAll starts if pages expire before it has read the last one.
const mostStarts = 3

// ListQuery shows which objects are listed; an empty selector is all of them.
type ListQuery struct {
	APIVersion, Kind string
	// Namespace is the default namespace if it is empty. AllNamespaces replaces it.
	Namespace     string
	AllNamespaces bool
	// LabelSelector and FieldSelector are as kubectl takes them.
	LabelSelector, FieldSelector string
	// MetadataOnly lists the objects without anything but apiVersion, kind and metadata.
	MetadataOnly bool
	// Limit is how many objects the page may have; 0 is PageSize.
	Limit int
	// Continue is the Continue of the previous page; "" for the first page.
	Continue string
}

// Objects returns the identity that errors about the query name. It has no name.
func (q ListQuery) Objects() manifest.Identity {
	id := manifest.Identity{APIVersion: q.APIVersion, Kind: q.Kind, Namespace: q.Namespace}
	if q.AllNamespaces {
		id.Namespace = ""
	}
	return id
}

// ServedKind is a kind in one of its versions.
type ServedKind struct {
	APIVersion, Kind string
	Scope            Scope
}

// Kinds are the kinds of an API server.
type Kinds struct {
	// Served are those whose objects can be listed, read and applied, each in one version, in the order of apiVersion
	// and kind.
	Served []ServedKind
	// Failed are the group versions whose own API server does not answer. Their kinds are not known.
	Failed []*Error
}

// LogQuery shows which part of the log of a container is read.
type LogQuery struct {
	Namespace, Pod, Container string
	// Previous is true for the run before the present one.
	Previous bool
	// Lines is how many of the last lines are read at most.
	Lines int
}

// Kubectl returns the command that prints the log, or why it cannot be read.
func (q LogQuery) Kubectl() string {
	command := "kubectl logs " + q.Pod + " -n " + q.Namespace + " -c " + q.Container
	if q.Previous {
		command += " --previous"
	}
	return command
}

// Page is a part of a list.
type Page struct {
	Objects []*unstructured.Unstructured
	// Continue gets the next page; "" at the end of the list.
	Continue string
}

// Selection shows which of the objects that a query selects are wanted.
type Selection struct {
	// Keep reports whether an object is wanted; nil wants all of them.
	Keep func(*unstructured.Unstructured) (bool, error)
	// Limit is the largest number of objects to return; 0 means no limit.
	Limit int
}

// Selected are the objects of a list.
type Selected struct {
	Objects []*unstructured.Unstructured
	// Truncated is true if the limit left objects out.
	Truncated bool
}

// ListAll lists objects, as [EachPage] does. An error of Keep is returned as it is.
func ListAll(ctx context.Context, api Interface, query ListQuery, want Selection) (Selected, error) {
	var selected Selected
	err := startingAgain(func() error {
		var failed error
		selected, query.Limit = Selected{}, want.pageSize(0)
		err := eachPage(ctx, api, query, func(page []*unstructured.Unstructured) (next int) {
			for _, object := range page {
				kept, err := want.keeps(object)
				switch {
				case err != nil:
					failed = err
					return 0
				case kept && want.isReached(len(selected.Objects)):
					selected.Truncated = true
					return 0
				case kept:
					selected.Objects = append(selected.Objects, object)
				}
			}
			return want.pageSize(len(selected.Objects))
		})
		return cmp.Or(err, failed)
	})
	if err != nil {
		return Selected{}, err
	}
	return selected, nil
}

// EachPage lists objects, by default one LIST for each 500 of them, and calls take with those of each page. take
// returns how many the next page may have; 0 ends the list. EachPage starts again, with objects that take has seen, if
// the server drops the list before the last page is read. If a page is too large to be read, it asks for smaller ones.
func EachPage(
	ctx context.Context, api Interface, query ListQuery, take func([]*unstructured.Unstructured) (next int),
) error {
	query.Limit = cmp.Or(query.Limit, PageSize)
	return startingAgain(func() error { return eachPage(ctx, api, query, take) })
}

// startingAgain calls list until its pages do not expire, but not more often than mostStarts.
func startingAgain(list func() error) error {
	for start := 1; ; start++ {
		if err := list(); ReasonOf(err) != ReasonExpired || start == mostStarts {
			return err
		}
	}
}

func eachPage(
	ctx context.Context, api Interface, query ListQuery, take func([]*unstructured.Unstructured) (next int),
) error {
	most := PageSize
	for asked := 0; ; asked += query.Limit {
		if asked >= mostAsked {
			return &Error{
				Reason: ReasonWrongAnswer, Object: query.Objects(), Message: "the list of the server does not end",
			}
		}
		query.Limit = min(most, query.Limit)
		page, err := api.List(ctx, query)
		if _, is := errors.AsType[*AnswerTooLargeError](err); is && query.Limit > 1 {
			most = max(1, query.Limit/smallerPage)
			continue
		}
		if err != nil {
			return err
		}
		next := take(page.Objects)
		if next == 0 || page.Continue == "" {
			return nil
		}
		query.Limit, query.Continue = next, page.Continue
	}
}

// pageSize returns how many objects to ask for: one more than are still wanted, to see whether the limit leaves any
// out.
func (s Selection) pageSize(have int) int {
	if s.Keep != nil || s.Limit == 0 {
		return PageSize
	}
	return min(PageSize, s.Limit+1-have)
}

func (s Selection) keeps(object *unstructured.Unstructured) (bool, error) {
	if s.Keep == nil {
		return true, nil
	}
	return s.Keep(object)
}

func (s Selection) isReached(have int) bool { return s.Limit > 0 && have == s.Limit }
