package run

import (
	"strings"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
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

func (o *Object) forgetCreate() { o.creator, o.isNew = nil, false }

// HasCreator reports whether a resource of this run creates an object, or adopts it, as far as is planned by now.
func (o Object) HasCreator() bool { return o.creator != nil }

// IsToBeCreated reports whether a resource of this run is to create an object, as far as is known by now.
func (o *Objects) IsToBeCreated(api cluster.Interface, id manifest.Identity) bool {
	return o.OfName(At{API: api, Object: id}).HasCreator() || o.OfName(At{Object: id}).isAnnounced
}

// DefinesGroup reports whether a resource of this run is to create a definition of a kind of a group, as far as is
// known by now.
func (o *Objects) DefinesGroup(group string) (defines bool) {
	o.each(func(at At, known *Object) {
		if at.Object.IsDefinition() && (known.creator != nil || known.isAnnounced) {
			_, of, _ := strings.Cut(at.Object.Name, ".")
			defines = defines || of == group
		}
	})
	return defines
}

// NoteNew notes that a plan has found no object under the identity of one that a resource is to create.
func (o *Objects) NoteNew(api cluster.Interface, id manifest.Identity) {
	o.change(At{API: api, Object: id}, func(known *Object) { known.isNew = known.creator != nil })
}

// IsNew reports whether NoteNew was called for an object that a resource is to create.
func (o *Objects) IsNew(api cluster.Interface, id manifest.Identity) bool {
	return o.OfName(At{API: api, Object: id}).isNew
}
