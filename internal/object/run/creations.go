package run

import (
	"context"
	"errors"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/record"
)

// PlanCreate notes that a resource is to create an object. It returns an [*AlreadyManagedError] if another resource is
// to create the same object.
func (o *Objects) PlanCreate(api cluster.Interface, id manifest.Identity, by NewResource) (err error) {
	o.change(At{API: api, Object: id}, func(known *Object) {
		if other := known.creator; other != nil {
			err = &AlreadyManagedError{Object: id, New: other, SameBody: other.body == by.body}
			return
		}
		known.creator = &by
	})
	return err
}

// AnnounceCreate notes that a resource is going to plan the creation of an object.
func (o *Objects) AnnounceCreate(id manifest.Identity) {
	o.change(At{Object: id}, func(known *Object) { known.isAnnounced = true })
}

// ForgetCreate undoes PlanCreate, for a plan that is to be made again.
func (o *Objects) ForgetCreate(api cluster.Interface, id manifest.Identity) {
	o.change(At{API: api, Object: id}, (*Object).forgetCreate)
}

// ForgetCreates does the same for an object on any cluster, and forgets its adoption, too.
func (o *Objects) ForgetCreates(id manifest.Identity) {
	o.each(func(at At, known *Object) {
		switch {
		case at.Object == id:
			known.forgetCreate()
		case known.role == adopted && known.adoptedAs == id:
			known.role = ""
		}
	})
}

func (o *Object) forgetCreate() { o.creator, o.isNew, o.Refusal = nil, false, nil }

// RefuseCreate notes why the create of an object that the run has planned is refused.
func RefuseCreate(o *Objects, api cluster.Interface, id manifest.Identity, refusal error) {
	o.change(At{API: api, Object: id}, func(known *Object) { known.Refusal = refusal })
}

// HasCreator reports whether a resource of this run creates an object, or adopts it, as far as is planned by now.
func (o Object) HasCreator() bool { return o.creator != nil }

// IsToBeCreated reports whether a resource of this run is to create an object, as far as is known by now.
func (o *Objects) IsToBeCreated(api cluster.Interface, id manifest.Identity) bool {
	return o.OfName(At{API: api, Object: id}).HasCreator() || o.OfName(At{Object: id}).isAnnounced
}

// DefinesGroup reports whether a resource of this run is to create a definition of a kind of a group, or to register an
// API server of the group, as far as is known by now.
func (o *Objects) DefinesGroup(group string) bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	return slices.ContainsFunc(o.definitions[group], func(known *Object) bool {
		return known.creator != nil || known.isAnnounced
	})
}

// needs are refusals of a new object without another one that they do not name: a Service without a range that has its
// address, and a Pod without the limits that a quota demands.
var needs = []struct {
	kind   string
	reason cluster.Reason
	says   string
	needed string
}{
	{"Service", cluster.ReasonInvalid, "The range of valid IPs is", "ServiceCIDR"},
	{"Pod", cluster.ReasonForbidden, "failed quota: ", "LimitRange"},
}

// OrNeeding returns err, or an error that may go away, if the API server may have refused an object because it lacks
// one that the run is to create.
func OrNeeding(o *Objects, err error) error {
	refused, is := errors.AsType[*cluster.Error](err)
	if !is {
		return err
	}
	for _, need := range needs {
		if need.kind != refused.Object.Kind || need.reason != refused.Reason ||
			!strings.Contains(refused.Said(), need.says) {
			continue
		}
		o.each(func(at At, known *Object) {
			isNear := need.needed == "ServiceCIDR" || at.Object.Namespace == refused.Object.Namespace
			if at.Object.Kind != need.needed || !isNear || known.creator == nil && !known.isAnnounced {
				return
			}
			awaited := *refused
			awaited.Reason, awaited.Details = cluster.ReasonNotYetAdmitted, &cluster.NotYetAdmittedError{
				Awaited: at.Object.String(), Problem: "does not exist yet", Missing: at.Object,
			}
			err = &awaited
		})
	}
	return err
}

// NoteNew notes that a plan has found no object under the identity of one that a resource is to create.
func (o *Objects) NoteNew(api cluster.Interface, id manifest.Identity) {
	o.change(At{API: api, Object: id}, func(known *Object) { known.isNew = known.creator != nil })
}

// IsNew reports whether NoteNew was called for an object that a resource is to create.
func (o *Objects) IsNew(api cluster.Interface, id manifest.Identity) bool {
	return o.OfName(At{API: api, Object: id}).isNew
}

// Replacement distinguishes the object that a new one replaces, and that still has its name, from objects that do not
// belong to the resource.
type Replacement struct {
	// Replaced is the snapshot of the replaced object; empty if Terraform does not pass on its state, or
	// if there is no object of this kind.
	Replaced record.Snapshot
	// By is the resource that is planned.
	By Holder
	// Run knows the objects of all resources, including those whose state Terraform does not pass on.
	Run *Run
	// Refusal is why the server does not make the new object of the old one; nil if it would.
	Refusal error
	// Try, unless it is nil, returns the server's refusal of the new object; nil if it takes it, as far as that shows
	// before the old one is gone. It gets Refusal.
	Try func(id manifest.Identity, refusal error) error
}

// Check returns an *AlreadyExistsError or an *AlreadyManagedError if a live object is not the one that the plan
// replaces. If it is that one, Check returns a [*ProtectedError], a *RecreatedError or a [*PatchedError] if it may not
// be deleted, and otherwise the error of Try.
func (s Replacement) Check(ctx context.Context, id manifest.Identity, live *unstructured.Unstructured) error {
	uid := string(live.GetUID())
	if uid != s.Replaced.UID {
		s.Run.AwaitHolder(ctx, uid, s.By)
		if err := s.Run.Objects.Replace(id, uid, s.By); err != nil {
			return err
		}
	}
	known := s.Run.Objects.Of(uid)
	if known.IsProtected {
		return &ProtectedError{Object: id}
	}
	if known.Recreated != nil {
		return known.Recreated
	}
	if _, err := s.Run.Objects.NoteReplaced(id, uid); err != nil || s.Try == nil {
		return err
	}
	return s.Try(id, s.Refusal)
}
