package command

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/sync/errgroup"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/discovery"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/metadata"
	"k8s.io/client-go/tools/pager"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/ownership"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/listing"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/owners"
)

// atOnce is the number of kinds that are listed at the same time.
const atOnce = 8

// kind is a kind whose objects can be listed.
type kind struct {
	schema.GroupVersionResource
	Kind string
}

func (k kind) name() string { return k.GroupResource().String() }

type reader struct {
	metadata  metadata.Interface
	dynamic   dynamic.Interface
	namespace string
	selector  string
	progress  *progressPrinter

	lock   sync.Mutex
	survey owners.Survey
	// read are the kinds with objects, and listed the number of kinds that could be listed.
	read   []kind
	listed int
}

// survey reads the metadata of all objects of a namespace or of the cluster. A kind that cannot be read is in NotSeen.
func (o *options) survey(ctx context.Context, progress *progressPrinter) (owners.Survey, error) {
	config, err := o.flags.ToRESTConfig()
	if err != nil {
		return owners.Survey{}, err
	}
	r := &reader{selector: o.selector, progress: progress}
	if !o.all {
		if r.namespace, _, err = o.flags.ToRawKubeConfigLoader().Namespace(); err != nil {
			return owners.Survey{}, err
		}
	}
	if r.metadata, err = metadata.NewForConfig(config); err != nil {
		return owners.Survey{}, err
	}
	if r.dynamic, err = dynamic.NewForConfig(config); err != nil {
		return owners.Survey{}, err
	}
	// Not the cached one of the flags: a kind of the last minutes counts.
	known, err := discovery.NewDiscoveryClientForConfig(config)
	if err != nil {
		return owners.Survey{}, err
	}
	r.survey = owners.Survey{Quiet: time.Now().Add(-o.quiet), WithStatus: o.status}
	kinds, err := r.kinds(known)
	if err != nil {
		return owners.Survey{}, err
	}
	if err := r.readAll(ctx, kinds); err != nil {
		return owners.Survey{}, err
	}
	return r.survey, nil
}

// kinds returns the kinds to list, each in the version that the server prefers. It notes which versions are served.
func (r *reader) kinds(known discovery.DiscoveryInterface) ([]kind, error) {
	groups, lists, err := discovery.ServerGroupsAndResources(known)
	failed, partial := discovery.GroupDiscoveryFailedErrorGroups(err)
	if err != nil && !partial {
		return nil, err
	}
	for version, why := range failed {
		r.notSeen(version.String(), why)
	}
	if len(groups) == 0 || len(lists)+len(failed) == 0 {
		return nil, errors.New("the server does not answer as an API server of Kubernetes: it serves no kinds")
	}
	preferred := map[string]bool{}
	for _, group := range groups {
		preferred[group.PreferredVersion.GroupVersion] = true
	}
	// The preferred version of a group first; the others are in the server's order.
	slices.SortStableFunc(lists, func(a, b *metav1.APIResourceList) int {
		switch x, y := preferred[a.GroupVersion], preferred[b.GroupVersion]; {
		case x && !y:
			return -1
		case y && !x:
			return 1
		}
		return 0
	})
	served, chosen := map[string]bool{}, map[schema.GroupResource]bool{}
	var kinds []kind
	for _, list := range lists {
		version, err := schema.ParseGroupVersion(list.GroupVersion)
		if err != nil {
			continue
		}
		for _, each := range list.APIResources {
			served[list.GroupVersion+" "+each.Kind] = true
			found := kind{version.WithResource(each.Name), each.Kind}
			isWanted := !strings.Contains(each.Name, "/") && !chosen[found.GroupResource()] &&
				slices.Contains(each.Verbs, "list") && slices.Contains(each.Verbs, "patch") &&
				(r.namespace == "" || each.Namespaced) && !listing.IsOfControllers(list.GroupVersion, each.Kind)
			if isWanted {
				chosen[found.GroupResource()] = true
				kinds = append(kinds, found)
			}
		}
	}
	r.survey.Served = func(apiVersion, kind string) bool {
		version, err := schema.ParseGroupVersion(apiVersion)
		// The kinds of a group whose server does not answer are not known.
		return served[apiVersion+" "+kind] || err == nil && failed[version] != nil
	}
	return kinds, nil
}

func (r *reader) notSeen(resource string, why error) {
	reason := why.Error()
	if apierrors.IsForbidden(why) {
		reason = "you may not list them"
	}
	r.lock.Lock()
	defer r.lock.Unlock()
	r.survey.NotSeen = append(r.survey.NotSeen, owners.NotSeen{Resource: resource, Reason: reason})
}

// readAll lists the objects of all kinds, and reads the definitions of those that the client does not know.
func (r *reader) readAll(ctx context.Context, kinds []kind) error {
	r.progress.kinds.Store(int64(len(kinds)))
	if err := each(kinds, func(k kind) {
		// A kind that has been removed since discovery has no objects.
		if err := r.list(ctx, k); err != nil && !apierrors.IsNotFound(err) {
			r.notSeen(k.name(), err)
		}
		r.progress.done.Add(1)
	}); ctx.Err() != nil || err != nil {
		return ctx.Err()
	}
	if r.listed == 0 && len(r.survey.NotSeen) > 0 {
		return fmt.Errorf("none of %d kinds could be listed: %s: %s", len(kinds), r.survey.NotSeen[0].Resource,
			r.survey.NotSeen[0].Reason)
	}
	slices.SortFunc(r.survey.Objects, func(a, b owners.Object) int {
		return strings.Compare(a.Resource+"\x00"+a.ID.Namespace+"\x00"+a.ID.Name,
			b.Resource+"\x00"+b.ID.Namespace+"\x00"+b.ID.Name)
	})
	custom := slices.DeleteFunc(r.read, func(k kind) bool {
		return k.Group == "" || scheme.Scheme.Recognizes(k.GroupVersion().WithKind(k.Kind))
	})
	_ = each(custom, func(k kind) { r.define(ctx, k) })
	return ctx.Err()
}

// each calls do for each kind, several at a time.
func each(kinds []kind, do func(kind)) error {
	var group errgroup.Group
	group.SetLimit(atOnce)
	for _, k := range kinds {
		group.Go(func() error {
			do(k)
			return nil
		})
	}
	return group.Wait()
}

func (r *reader) list(ctx context.Context, k kind) error {
	client := r.metadata.Resource(k.GroupVersionResource).Namespace(r.namespace)
	pages := pager.New(func(ctx context.Context, options metav1.ListOptions) (runtime.Object, error) {
		return client.List(ctx, options)
	})
	pages.PageSize = pageSize
	var objects []owners.Object
	err := pages.EachListItem(ctx, metav1.ListOptions{LabelSelector: r.selector}, func(item runtime.Object) error {
		object, is := item.(*metav1.PartialObjectMetadata)
		if !is {
			return fmt.Errorf("the server has sent a %T", item)
		}
		of, err := objectOf(object, k)
		objects = append(objects, of)
		r.progress.objects.Add(1)
		return err
	})
	if err != nil {
		return err
	}
	r.lock.Lock()
	defer r.lock.Unlock()
	r.listed++
	if len(objects) > 0 {
		r.survey.Objects, r.read = append(r.survey.Objects, objects...), append(r.read, k)
	}
	return nil
}

func objectOf(object *metav1.PartialObjectMetadata, k kind) (owners.Object, error) {
	id := manifest.Identity{
		APIVersion: k.GroupVersion().String(), Kind: k.Kind, Namespace: object.Namespace, Name: object.Name,
	}
	claims, err := ownership.ParseWithStatus(object.ManagedFields)
	if err != nil {
		return owners.Object{}, fmt.Errorf("%s: %w", id, err)
	}
	shown := &unstructured.Unstructured{Object: map[string]any{}}
	shown.SetAPIVersion(id.APIVersion)
	shown.SetKind(id.Kind)
	shown.SetNamespace(id.Namespace)
	shown.SetName(id.Name)
	shown.SetLabels(object.Labels)
	shown.SetOwnerReferences(object.OwnerReferences)
	return owners.Object{
		ID: id, Resource: k.name(), Claims: claims, Controlled: listing.IsControlled(shown, claims),
		NameOnly: isNameOnly(k, object), Written: owners.WrittenByKubectl(object.Annotations, claims),
	}, nil
}

// isNameOnly reports whether an object is of a kind that most people give a name alone, and has no metadata either. The
// API server records no manager of it.
func isNameOnly(k kind, object *metav1.PartialObjectMetadata) bool {
	labels := maps.Clone(object.Labels)
	delete(labels, corev1.LabelMetadataName)
	isEmpty := len(labels) == 0 && len(object.Annotations) == 0
	return isEmpty && slices.Contains([]string{"namespaces", "serviceaccounts"}, k.name())
}

var definitions = schema.GroupVersionResource{
	Group: "apiextensions.k8s.io", Version: "v1", Resource: "customresourcedefinitions",
}

// define reads the definition of a kind. A kind of another API server has none.
func (r *reader) define(ctx context.Context, k kind) {
	definition, err := r.dynamic.Resource(definitions).Get(ctx, k.name(), metav1.GetOptions{})
	switch {
	case apierrors.IsNotFound(err):
	case err != nil:
		r.notSeen(definitions.GroupResource().String()+" "+k.name(), err)
	default:
		r.lock.Lock()
		defer r.lock.Unlock()
		r.survey.Definitions = append(r.survey.Definitions, definition.Object)
	}
}

// progressEvery is how often progress is printed, and after how long for the first time.
const progressEvery = 2 * time.Second

// progressPrinter prints how much has been read, if it takes long.
type progressPrinter struct {
	kinds, done, objects atomic.Int64
	once                 sync.Once
	stopped, ended       chan struct{}
}

func startProgress(w io.Writer) *progressPrinter {
	p := &progressPrinter{stopped: make(chan struct{}), ended: make(chan struct{})}
	go func() {
		defer close(p.ended)
		ticker := time.NewTicker(progressEvery)
		defer ticker.Stop()
		for {
			select {
			case <-p.stopped:
				return
			case <-ticker.C:
				_, _ = fmt.Fprintln(w, p)
			}
		}
	}()
	return p
}

// String returns how much has been read.
func (p *progressPrinter) String() string {
	if p.kinds.Load() == 0 {
		return fmt.Sprintf("Reading: %d objects", p.objects.Load())
	}
	return fmt.Sprintf("Reading: %d of %d kinds, %d objects", p.done.Load(), p.kinds.Load(), p.objects.Load())
}

// stop ends the printing, and returns when nothing more is printed.
func (p *progressPrinter) stop() {
	p.once.Do(func() { close(p.stopped) })
	<-p.ended
}
