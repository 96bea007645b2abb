package run

import (
	"strings"
	"sync"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/record"
)

// Objects is all that a run knows of objects. It also tells the object of a tainted resource, which Terraform plans as
// if it had no state while its object still exists: the object was read, and no other resource keeps it. OpenTofu also
// reads, and then does not plan, what a removed block forgets: a [Holder] tells the two apart.
//
// It is safe for concurrent use, and the zero value is empty.
type Objects struct {
	mu    sync.Mutex
	known map[At]*Object
	// definitions are the objects that define kinds, by the group of these.
	definitions map[string][]*Object
	// refreshed are the uids of objects that were read, the oldest first, and held is how many of them have readers.
	refreshed []string
	held      int
	// owned are the objects with owners, and unfinished is the number of objects with an unfinished resource.
	owned      []*Object
	unfinished int
}

// At is where an object is: UID if it exists, otherwise its name and the connection, or its name alone for any cluster.
// Two connections to one cluster count as two.
type At struct {
	API    cluster.Interface
	Object manifest.Identity
	UID    string
}

// key returns the place at which an object is known.
func (a At) key() At {
	if a.UID != "" {
		return At{UID: a.UID}
	}
	return a
}

// Object is the record of one object in a run.
type Object struct {
	// The fields up to owners are known by the uid. role is how the run plans the object, and reader the resource that
	// reads it.
	role   role
	reader Holder
	// IsProtected is true if a state protects the object from deletion.
	IsProtected bool
	// IsUnread is true if this run's refresh did not reach the object. An apply refreshes nothing, so this also tells
	// the first of Terraform's two plans from the second.
	IsUnread bool
	// isImported is true if this run's refresh has imported the object.
	isImported bool
	fate
	// Recreated is set if the object is not the one that its resource applied to.
	Recreated *RecreatedError
	handover
	// written are the writes of the run.
	written *writes
	// Live is the object as it was read last; nil if it was not read, or taken. readers are the plans that may take it.
	Live    map[string]any
	readers int
	// owners are the uids in the owner references, as the refresh has read them, and managers the field managers of the
	// parts that states have of it.
	owners, managers []string

	// shares, what resources do to the object, are known by the uid, or by name and connection before there is one.
	shares []Share

	// The fields up to targets are known by name and connection.
	creation
	// Unfinished is the note about the resource whose create has ended with an error; nil without one.
	Unfinished any
	// targets are the objects as plans have read them for parts, by the field manager of each part, and parts as the
	// refresh has read them for those that were not planned since.
	targets map[string]record.Prior
	parts   map[string]record.Snapshot

	// Deleted, the uid of the object of the name that the run has deleted, is known by the name alone.
	Deleted string
}

// fate is what a plan does with an object that exists.
type fate struct {
	// IsReplaced is true if a resource creates the object again, which is also known by the name alone, and IsLeaving
	// if the plan deletes it for good. GoesAlong is true if the API server deletes it with another one that leaves.
	IsReplaced, IsLeaving, GoesAlong bool
	// stays is set if the plan keeps the object, and ends if it deletes or replaces it.
	stays, ends *manifest.Identity
}

// creation is how an object comes to be.
type creation struct {
	// creator is the resource that is to create the object.
	creator *NewResource
	// isNew is true if a plan has found no object.
	isNew bool
	// isAnnounced is true if a resource is going to plan the creation. It is known by the name alone.
	isAnnounced bool
	// Refusal is why the create is refused; nil if it is not.
	Refusal error
}

// at returns what is known of an object. The caller holds o.mu.
func (o *Objects) at(at At) *Object {
	if o.known == nil {
		o.known, o.definitions = map[At]*Object{}, map[string][]*Object{}
	}
	if o.known[at] == nil {
		o.known[at] = &Object{targets: map[string]record.Prior{}, parts: map[string]record.Snapshot{}}
		if at.Object.IsDefinition() || at.Object.Group() == "apiregistration.k8s.io" {
			_, group, _ := strings.Cut(at.Object.Name, ".")
			o.definitions[group] = append(o.definitions[group], o.known[at])
		}
	}
	return o.known[at]
}

// change changes what is known of an object.
func (o *Objects) change(at At, change func(*Object)) {
	o.mu.Lock()
	defer o.mu.Unlock()
	change(o.at(at))
}

// Of returns what is known by now of the object with this uid.
func (o *Objects) Of(uid string) Object { return o.OfName(At{UID: uid}) }

// OfName returns what is known by now of the object at a place.
func (o *Objects) OfName(at At) Object {
	o.mu.Lock()
	defer o.mu.Unlock()
	if known := o.known[at]; known != nil {
		return *known
	}
	return Object{}
}

// each calls do with all objects.
func (o *Objects) each(do func(At, *Object)) {
	o.mu.Lock()
	defer o.mu.Unlock()
	for at, known := range o.known {
		do(at, known)
	}
}

// Holder is the record of a resource whose state Terraform does not pass to a plan.
type Holder struct {
	// Type is the type of the resource.
	Type string
	// Adopts is true if the resource adopts an object that exists.
	Adopts bool
	// IsStored is true if Terraform does pass the state of the resource, which has other objects.
	IsStored bool
}

// isOther reports whether a resource without a state is not the tainted one that has read an object. If neither its
// type nor a new wish to adopt tells, it may be.
func (h Holder) isOther(reader Holder) bool {
	return h.IsStored || h.Type != reader.Type || h.Adopts && !reader.Adopts
}

// role is how a run plans an existing object; it is empty before the object was read or planned.
type role string

const (
	// reading: the object is being read.
	reading role = "reading"
	// read: the object was read and not planned yet.
	read role = "read"
	// kept: the object was planned with its state, without a change, as an update or as a deletion.
	kept role = "kept"
	// given: the object was planned with its state, and leaves its resource without being deleted.
	given role = "given"
	// replaced: the object was planned without its state.
	replaced role = "replaced"
	// adopted: a resource that has no state of the object will adopt it.
	adopted role = "adopted"
)

// BeginRead notes that the read of a resource's object begins. No resource is planned before its own read has ended, so
// a resource without a state that is planned until then is another one.
func (o *Objects) BeginRead(uid string, by Holder) {
	o.change(At{UID: uid}, func(known *Object) {
		if known.role == "" && uid != "" {
			known.role, known.reader = reading, by
		}
	})
}

// EndRead notes that a resource's object was read.
func (o *Objects) EndRead(uid string, by Holder) {
	o.change(At{UID: uid}, func(known *Object) {
		if uid != "" && (known.role == "" || known.role == reading) {
			known.role, known.reader = read, by
		}
	})
}

// NoteUnread notes that this run's refresh did not reach the object with this uid.
func (o *Objects) NoteUnread(uid string) {
	o.change(At{UID: uid}, func(known *Object) { known.IsUnread = true })
}

// NoteImported notes that this run's refresh has imported the object with this uid.
func NoteImported(o *Objects, uid string) {
	o.change(At{UID: uid}, func(known *Object) { known.isImported = true })
}

// Protect notes that a state protects the object with this uid from deletion.
func (o *Objects) Protect(uid string) {
	o.change(At{UID: uid}, func(known *Object) { known.IsProtected = true })
}

// NoteRecreated notes an object that is not the one that its resource applied to.
func (o *Objects) NoteRecreated(err *RecreatedError) {
	o.change(At{UID: err.Is}, func(known *Object) { known.Recreated = err })
}

// keep notes that a resource keeps the object, and returns the role that the object had. It does not change an object
// that another resource replaces or adopts, nor one whose uid is not known, because no plan has read it.
func (o *Objects) keep(uid string) (before role) {
	if uid == "" {
		return ""
	}
	o.change(At{UID: uid}, func(known *Object) {
		if before = known.role; before != replaced && before != adopted {
			known.role = kept
		}
	})
	return before
}

// PlanEnd notes that a resource gives its object up. giver is its field manager if it leaves the object on the cluster,
// where another resource may adopt it, and "" if it deletes the object. Terraform 1.11 plans that before the read,
// Terraform 1.16 and OpenTofu after it. It returns an [*AlreadyManagedError] if another resource is to replace the
// object, or in the first round to adopt an object that is to be deleted: nothing shows which of the two Terraform
// applies first. In the apply, a resource that has adopted the object keeps it. An import in the same run does not keep
// the object from being deleted, so PlanEnd returns that error, too.
func (o *Objects) PlanEnd(id manifest.Identity, uid, giver string, round Round) error {
	before := o.keep(uid)
	isWanted := before == adopted || o.Of(uid).isImported
	if before == replaced || isWanted && round == FirstRound && giver == "" {
		return &AlreadyManagedError{Object: id}
	}
	if giver != "" && uid != "" {
		o.change(At{UID: uid}, func(known *Object) {
			if known.Giver = giver; before != adopted {
				known.role = given
			}
		})
	}
	return nil
}

// IsHeld reports whether a resource of the run has the object, or takes it, as far as is known by now. An object that
// was recreated is not the one that its resource has applied to.
func (o Object) IsHeld() bool { return o.role != "" && o.Recreated == nil }

// Ends reports whether the plan deletes the object for good, or another one with it.
func (o Object) Ends() bool { return o.IsLeaving || o.GoesAlong }

// IsManaged reports whether a resource has, or had, a state of the object, and does not give it up.
func (o Object) IsManaged() bool { return o.role != "" && o.role != adopted && o.role != given }

// Replace lets a resource without a state replace the object with this uid. If no resource manages the object, it
// returns an [*AlreadyExistsError], and also if by adopts what another resource has read but not planned; if another
// resource manages it, an [*AlreadyManagedError].
func (o *Objects) Replace(id manifest.Identity, uid string, by Holder) (err error) {
	err = &AlreadyExistsError{Object: id}
	o.change(At{UID: uid}, func(known *Object) {
		isRead := known.role == read || known.role == reading
		switch {
		case known.role == "" || known.role == given:
		case known.role == read && !by.isOther(known.reader):
			known.role, err = replaced, nil
		case !isRead || !by.Adopts:
			err = &AlreadyManagedError{Object: id}
		}
	})
	return err
}

// NoteReplaced notes that a resource deletes the object with this uid to create it again. It returns the resources that
// apply parts of the object and were planned before, and a [*PatchedError] if the run changes some of these parts.
func (o *Objects) NoteReplaced(id manifest.Identity, uid string) (parts []Share, err error) {
	o.change(At{Object: id}, func(known *Object) { known.IsReplaced = true })
	return o.noteEnd(id, uid, func(known *Object) *bool { return &known.IsReplaced })
}

// NoteLeaving does the same for an object that the plan deletes for good.
func (o *Objects) NoteLeaving(id manifest.Identity, uid string) (parts []Share, err error) {
	return o.noteEnd(id, uid, func(known *Object) *bool { return &known.IsLeaving })
}

// NoteAlong does the same for an object of no resource that the API server deletes with one that the plan deletes.
func NoteAlong(o *Objects, id manifest.Identity, uid string) (parts []Share, err error) {
	return o.noteEnd(id, uid, func(known *Object) *bool { return &known.GoesAlong })
}

func (o *Objects) noteEnd(id manifest.Identity, uid string, note func(*Object) *bool) (parts []Share, err error) {
	if uid == "" {
		return nil, nil
	}
	var pending []Share
	o.change(At{UID: uid}, func(known *Object) {
		noted := note(known)
		if *noted {
			return
		}
		*noted = true
		for _, share := range known.shares {
			if share.IsPart {
				parts = append(parts, share)
			}
			if share.IsPart && share.IsPending {
				pending = append(pending, share)
			}
		}
	})
	if len(pending) > 0 {
		err = &PatchedError{Object: id, Parts: pending, IsLeaving: o.Of(uid).Ends()}
	}
	return parts, err
}

// NoteDeleted notes that an object is deleted.
func (o *Objects) NoteDeleted(id manifest.Identity, uid string) {
	o.change(At{Object: id}, func(known *Object) { known.Deleted = uid })
}

// NoteUnfinished notes a resource whose create has ended with an error although the object exists. The CLI marks it as
// tainted, and plans and applies the rest of the create without its state. The caller notes what it needs of the state:
// the refresh notes it for the plan, and the destroy half of a replacement for the create half. nil ends a note.
func (o *Objects) NoteUnfinished(at At, resource any) {
	o.change(at, func(known *Object) {
		if known.Unfinished != nil {
			o.unfinished--
		}
		if known.Unfinished = resource; resource != nil {
			o.unfinished++
		}
	})
}

// HasUnfinished reports whether any resource was noted as unfinished.
func (o *Objects) HasUnfinished() bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.unfinished > 0
}
