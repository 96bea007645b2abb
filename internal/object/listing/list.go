package listing

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"sync"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
)

// ClusterScopedError reports that a query has a namespace, and its kind is cluster-scoped.
type ClusterScopedError struct {
	// Objects is an identity without a name.
	Objects manifest.Identity
}

func (e *ClusterScopedError) Error() string { return e.Objects.Kind + " is cluster-scoped" }

// OfKind lists the objects of one kind, sorted by namespace and name: one LIST for each 500 of them. A query without a
// namespace lists all namespaces.
func OfKind(
	ctx context.Context, api cluster.Interface, query cluster.ListQuery, want cluster.Selection,
) (cluster.Selected, error) {
	query.AllNamespaces = query.Namespace == ""
	objects := query.Objects()
	located, err := cluster.Locate(ctx, api, objects)
	if err != nil {
		return cluster.Selected{}, err
	}
	if located.Namespace == "" && objects.Namespace != "" {
		return cluster.Selected{}, &ClusterScopedError{objects}
	}
	selected, err := cluster.ListAll(ctx, api, query, want)
	slices.SortFunc(selected.Objects, func(a, b *unstructured.Unstructured) int {
		return cmp.Or(cmp.Compare(a.GetNamespace(), b.GetNamespace()), cmp.Compare(a.GetName(), b.GetName()))
	})
	return selected, err
}

// Query selects the objects and kinds that are listed.
type Query struct {
	// Kinds are the kinds to list; none means all kinds. A kind without an API version is taken from the group that
	// serves it.
	Kinds []cluster.ServedKind
	// Namespace limits the query to one namespace; "" is all namespaces.
	Namespace                    string
	LabelSelector, FieldSelector string
	Filter                       Filter
	// Now is the time from which the age of an object is computed.
	Now time.Time
}

// Object is an object that a list found.
type Object struct {
	ID  manifest.Identity
	UID string
	// Label describes it to people.
	Label string
}

// Problem is why the objects of a kind are not in a list.
type Problem struct {
	Objects manifest.Identity
	Err     error
}

// Found is the result of a list.
type Found struct {
	Objects  []Object
	Problems []Problem
}

// atOnce is the number of kinds that are listed, or objects that are read, at the same time.
const atOnce = 8

// Objects returns the identity, without a name, for errors that are about all objects of the query.
func (q Query) Objects() manifest.Identity {
	about := manifest.Identity{Kind: "All", Namespace: q.Namespace}
	if len(q.Kinds) == 1 {
		about.APIVersion, about.Kind = q.Kinds[0].APIVersion, q.Kinds[0].Kind
	}
	return about
}

// Find lists metadata: one LIST of each kind for each 500 objects. A kind that cannot be listed is a Problem, and does
// not affect the other kinds. An error concerns all of them.
func (q Query) Find(ctx context.Context, api cluster.Interface) (Found, error) {
	kinds, found, err := q.kinds(ctx, api)
	if err != nil {
		return Found{}, err
	}
	type answer struct {
		objects []Object
		err     error
	}
	answers := InOrder(kinds, func(kind cluster.ServedKind) answer {
		objects, err := q.ofKind(ctx, api, kind)
		return answer{objects, err}
	})
	for i, a := range answers {
		switch {
		case a.err == nil:
			found.Objects = append(found.Objects, a.objects...)
		case ctx.Err() != nil || isAboutAll(a.err):
			return Found{}, a.err
		default:
			about := manifest.Identity{APIVersion: kinds[i].APIVersion, Kind: kinds[i].Kind, Namespace: q.Namespace}
			found.Problems = append(found.Problems, Problem{about, a.err})
		}
	}
	slices.SortFunc(found.Objects, byNeed)
	return found, nil
}

// kinds returns the kinds to list. It requests the kinds of the server only if the query does not name them with their
// versions.
func (q Query) kinds(ctx context.Context, api cluster.Interface) ([]cluster.ServedKind, Found, error) {
	isNamed := len(q.Kinds) > 0
	if isNamed && !slices.ContainsFunc(q.Kinds, func(kind cluster.ServedKind) bool { return kind.APIVersion == "" }) {
		return q.Kinds, Found{}, nil
	}
	known, err := api.Kinds(ctx)
	if err != nil {
		return nil, Found{}, err
	}
	if isNamed {
		kinds, err := inVersions(q.Kinds, known.Served)
		if unknown, is := errors.AsType[*UnknownKindsError](err); is {
			for _, failed := range known.Failed {
				unknown.Unanswered = append(unknown.Unanswered, failed.Object.APIVersion)
			}
		}
		return kinds, Found{}, err
	}
	var found Found
	for _, failed := range known.Failed {
		found.Problems = append(found.Problems, Problem{failed.Object, failed})
	}
	return all(known.Served, q.Namespace), found, nil
}

// isAboutAll reports whether an error would be the same for every kind.
func isAboutAll(err error) bool {
	return slices.Contains([]cluster.Reason{cluster.ReasonUnreachable, cluster.ReasonUnauthorized,
		cluster.ReasonCredentials}, cluster.ReasonOf(err))
}

func (q Query) ofKind(ctx context.Context, api cluster.Interface, kind cluster.ServedKind) ([]Object, error) {
	query := cluster.ListQuery{
		APIVersion: kind.APIVersion, Kind: kind.Kind, Namespace: q.Namespace,
		LabelSelector: q.LabelSelector, FieldSelector: q.FieldSelector, MetadataOnly: true,
	}
	selected, err := OfKind(ctx, api, query, cluster.Selection{Keep: q.Filter.Keep})
	if err != nil {
		return nil, err
	}
	return q.described(selected.Objects)
}

// described returns objects with the label that a list reports.
func (q Query) described(live []*unstructured.Unstructured) ([]Object, error) {
	var objects []Object
	for _, object := range live {
		claims, err := claimsOf(object)
		if err != nil {
			return nil, err
		}
		objects = append(objects, Object{manifest.IdentityOf(object), string(object.GetUID()), q.label(object, claims)})
	}
	return objects, nil
}

// InOrder returns the result of do for each element of all, a few of them at a time.
func InOrder[E, R any](all []E, do func(E) R) []R {
	results, turns := make([]R, len(all)), make(chan int)
	var workers sync.WaitGroup
	for range min(atOnce, len(all)) {
		workers.Go(func() {
			for i := range turns {
				results[i] = do(all[i])
			}
		})
	}
	for i := range all {
		turns <- i
	}
	close(turns)
	workers.Wait()
	return results
}
