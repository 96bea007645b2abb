// Package listing finds objects that a user may want to manage: of a kind or of all kinds, by selectors and by owners.
//
// managedFields are metadata, so the owners cost no more than a list of metadata.
//
// # Objects that a controller made
//
// Most objects of a cluster are made by controllers. They come back or change if a user manages them. An object counts
// as made by a controller if its ownerReferences name one, or if only controllers have written to it. A few names count
// too: the objects that every namespace has, and Helm's records of its releases. Kinds that only controllers use are
// left out of "all kinds".
package listing

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/ownership"
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
		return eachOnce(q.Kinds), Found{}, nil
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

const (
	// Fewest is from how many objects of one kind and namespace a LIST is cheaper than a GET for each of them.
	Fewest = 20
	// mostNeighbours is how many objects a LIST may return for each one that is wanted.
	mostNeighbours = 3
	// mostLists is how many LISTs run at a time.
	mostLists = 20
)

// Page contains objects that were read by LIST.
type Page map[manifest.Identity]*unstructured.Unstructured

// ReadPages reads objects by LIST, if there are enough of one kind in one namespace, and not many more on the cluster
// that are not wanted. It calls take with the objects of each page, one page at a time, until all are found: not all of
// them have to be in memory. Objects that it cannot read or does not find are left to a GET. If a list has to start
// again, objects come twice.
func ReadPages(ctx context.Context, api cluster.Interface, ids []manifest.Identity, take func(Page)) {
	wanted := map[manifest.Identity]map[string]bool{}
	for _, id := range ids {
		name := id.Name
		if id.Name = ""; wanted[id] == nil {
			wanted[id] = map[string]bool{}
		}
		wanted[id][name] = true
	}
	var taking sync.Mutex
	var group errgroup.Group
	group.SetLimit(mostLists)
	for kind, names := range wanted {
		if len(names) < Fewest || kind.Kind == "" {
			continue
		}
		group.Go(func() error {
			readPages(ctx, api, kind, names, func(page Page) {
				taking.Lock()
				defer taking.Unlock()
				take(page)
			})
			return nil
		})
	}
	_ = group.Wait()
}

// readPages reads the objects of a kind in a namespace, until it has found those with the names, which it removes.
func readPages(
	ctx context.Context, api cluster.Interface, of manifest.Identity, names map[string]bool, take func(Page),
) {
	most := mostNeighbours * len(names)
	query := cluster.ListQuery{APIVersion: of.APIVersion, Kind: of.Kind, Namespace: of.Namespace}
	query.Limit = min(most, cluster.PageSize)
	read := 0
	// The GETs have the errors.
	_ = cluster.EachPage(ctx, api, query, func(objects []*unstructured.Unstructured) (next int) {
		page := make(Page, len(objects))
		for _, object := range objects {
			id := of
			id.Name = object.GetName()
			page[id] = object
			delete(names, id.Name)
		}
		take(page)
		if read += len(objects); len(names) == 0 {
			return 0
		}
		return min(max(0, most-read), cluster.PageSize)
	})
}

// ReadTogether reads objects as [ReadPages] does, and returns all of them.
func ReadTogether(ctx context.Context, api cluster.Interface, ids []manifest.Identity) Page {
	all := make(Page, len(ids))
	ReadPages(ctx, api, ids, func(page Page) { maps.Copy(all, page) })
	return all
}

// label returns the label of an object for people: "Deployment default/web (kubectl-client-side-apply, 2 days ago)".
// The manager is the one that the query asks for, else the person or tool that wrote last, else the manager that wrote
// last.
func (q Query) label(object *unstructured.Unstructured, claims ownership.Claims) string {
	name := object.GetName()
	if object.GetNamespace() != "" {
		name = object.GetNamespace() + "/" + name
	}
	text := object.GetKind() + " " + name
	claim, has := q.shown(claims)
	switch {
	case !has:
		return text + " (no owner)"
	case claim.Time.IsZero():
		return fmt.Sprintf("%s (%s)", text, claim.Name)
	}
	return fmt.Sprintf("%s (%s, %s)", text, claim.Name, ago(q.Now.Sub(claim.Time)))
}

// shown returns the claim that a label is about.
func (q Query) shown(claims ownership.Claims) (ownership.Claim, bool) {
	candidates := claims.Held()
	if people := claims.OfPeople(); len(people) > 0 {
		candidates = people
	}
	if q.Filter.Manager != "" {
		candidates = claims.Where(q.Filter.fits)
	}
	if len(candidates) == 0 {
		return ownership.Claim{}, false
	}
	return slices.MaxFunc(candidates, func(a, b ownership.Claim) int { return a.Time.Compare(b.Time) }), true
}

// units are the units of an age, the largest first.
var units = []struct {
	name   string
	length time.Duration
}{{"day", 24 * time.Hour}, {"hour", time.Hour}, {"minute", time.Minute}}

// ago returns an age in its largest unit: "2 days ago".
func ago(age time.Duration) string {
	for _, unit := range units {
		switch count := int(age / unit.length); {
		case count == 1:
			return "1 " + unit.name + " ago"
		case count > 1:
			return fmt.Sprintf("%d %ss ago", count, unit.name)
		}
	}
	return "just now"
}
