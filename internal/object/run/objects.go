package run

import (
	"context"
	"slices"
	"sync"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
)

// Objects are objects that exist, by uid. They also tell the object of a tainted resource, which Terraform plans as if
// it had no state while its object still exists: the object was read, and no other resource keeps it. OpenTofu also
// reads, and then does not plan, what a removed block forgets: a [Holder] tells the two apart.
//
// It is safe for concurrent use, and the zero value is empty.
type Objects struct {
	mu    sync.Mutex
	byUID map[string]knownObject
	// shares are what resources do to an object that several may apply to; see [At.key].
	shares map[At][]Share
	// written are the writes of the run by the uid of the object.
	written map[string]*writes
	// deleted are the uids of the objects that the run has deleted.
	deleted map[manifest.Identity]string
}

type knownObject struct {
	role role
	// reader is the resource that reads the object.
	reader Holder
	// isProtected is true if a state protects the object from deletion, isUnread if the refresh did not reach it.
	isProtected, isUnread bool
	// isReplaced is true if a resource creates the object again, isLeaving if the plan deletes it for good.
	isReplaced, isLeaving bool
	recreated             *RecreatedError
	// giver is the field manager of the resource that gives the object up without deleting it, and adopter that of the
	// one that adopts it.
	giver, adopter string
	// isTaken is true if the adopter has applied to the object.
	isTaken bool
}

// Holder is what a run knows of a resource whose state Terraform does not pass to a plan.
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

func (o *Objects) get(uid string) knownObject {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.byUID[uid]
}

// change changes what is known of an object.
func (o *Objects) change(uid string, change func(*knownObject)) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.byUID == nil {
		o.byUID = map[string]knownObject{}
	}
	changed := o.byUID[uid]
	change(&changed)
	o.byUID[uid] = changed
}

// BeginRead notes that the read of a resource's object begins. No resource is planned before its own read has ended, so
// a resource without a state that is planned until then is another one.
func (o *Objects) BeginRead(uid string, by Holder) {
	o.change(uid, func(known *knownObject) {
		if known.role == "" && uid != "" {
			known.role, known.reader = reading, by
		}
	})
}

// EndRead notes that a resource's object was read.
func (o *Objects) EndRead(uid string, by Holder) {
	o.change(uid, func(known *knownObject) {
		if uid != "" && (known.role == "" || known.role == reading) {
			known.role, known.reader = read, by
		}
	})
}

// NoteUnread notes that this run's refresh did not reach the object with this uid.
func (o *Objects) NoteUnread(uid string) {
	o.change(uid, func(known *knownObject) { known.isUnread = true })
}

// IsUnread reports whether this run's refresh did not reach the object with this uid. An apply refreshes nothing, so
// this also tells the first of Terraform's two plans from the second.
func (o *Objects) IsUnread(uid string) bool { return o.get(uid).isUnread }

// Protect notes that a state protects the object with this uid from deletion.
func (o *Objects) Protect(uid string) {
	o.change(uid, func(known *knownObject) { known.isProtected = true })
}

// IsProtected reports whether a state protects the object with this uid from deletion.
func (o *Objects) IsProtected(uid string) bool { return o.get(uid).isProtected }

// NoteRecreated notes an object that is not the one that its resource applied to.
func (o *Objects) NoteRecreated(err *RecreatedError) {
	o.change(err.Is, func(known *knownObject) { known.recreated = err })
}

// Recreated returns what NoteRecreated has noted of the object with this uid; nil without this note.
func (o *Objects) Recreated(uid string) *RecreatedError { return o.get(uid).recreated }

// AwaitHolder waits until the resource that has read the object with this uid is planned: it may give the object up. It
// waits no longer if nothing moves in the run, as for a tainted resource, which is not planned with its state.
func (r *Run) AwaitHolder(ctx context.Context, uid string) {
	r.awaitQuiet(ctx, quietInPlan, func() bool {
		now := r.Objects.get(uid).role
		return now != read && now != reading
	})
}

// NoteTaken notes that a resource has applied to the object with this uid, which it adopts or creates.
func (o *Objects) NoteTaken(uid string) {
	o.change(uid, func(known *knownObject) { known.isTaken = true })
}

// AwaitTakers waits until other resources have taken all objects with these uids, which one resource is about to
// release, so that an object always has an owner. It waits no longer if nothing moves in the run: nobody may want them.
func (r *Run) AwaitTakers(ctx context.Context, uids []string) {
	if len(uids) == 0 {
		return
	}
	defer r.Waits.Begin()()
	r.awaitQuiet(ctx, quietInPlan, func() bool {
		return !slices.ContainsFunc(uids, func(uid string) bool { return !r.Objects.get(uid).isTaken })
	})
}

// keep notes that a resource keeps the object, and returns the role that the object had. It does not change an object
// that another resource replaces or adopts, nor one whose uid is not known, because no plan has read it.
func (o *Objects) keep(uid string) (before role) {
	if uid == "" {
		return ""
	}
	o.change(uid, func(known *knownObject) {
		if before = known.role; before != replaced && before != adopted {
			known.role = kept
		}
	})
	return before
}

// PlanEnd notes that a resource gives its object up. giver is its field manager if it leaves the object on the cluster,
// where another resource may adopt it, and "" if it deletes the object. Terraform 1.11 plans that before the read,
// Terraform 1.16 and OpenTofu after it. It returns an [*AlreadyManagedError] if another resource is to replace the
// object, or in the first round to adopt an object that is to be deleted: nothing says which of the two Terraform
// applies first. In the apply, a resource that has adopted the object keeps it.
func (o *Objects) PlanEnd(id manifest.Identity, uid, giver string, round Round) error {
	before := o.keep(uid)
	if before == replaced || before == adopted && round == FirstRound && giver == "" {
		return &AlreadyManagedError{Object: id}
	}
	if giver != "" && uid != "" {
		o.change(uid, func(known *knownObject) {
			if known.giver = giver; before != adopted {
				known.role = given
			}
		})
	}
	return nil
}

// Adopter returns the field manager of the resource of this run that adopts the object with this uid; false if none
// does. The resource that had it in its state then does not delete it.
func (o *Objects) Adopter(uid string) (fieldManager string, is bool) {
	known := o.get(uid)
	return known.adopter, uid != "" && known.role == adopted
}

// IsManaged reports whether a resource has, or had, a state of the object with this uid, and does not give it up.
func (o *Objects) IsManaged(uid string) bool {
	now := o.get(uid).role
	return now != "" && now != adopted && now != given
}

// Giver returns the field manager of the resource of this run that gives up the object with this uid without deleting
// it; "" if none does.
func (o *Objects) Giver(uid string) string { return o.get(uid).giver }

// Replace lets a resource without a state replace the object with this uid. If no resource manages the object, it
// returns an [*AlreadyExistsError], and also if by adopts what another resource has read but not planned; if another
// resource manages it, an [*AlreadyManagedError].
func (o *Objects) Replace(id manifest.Identity, uid string, by Holder) (err error) {
	err = &AlreadyExistsError{Object: id}
	o.change(uid, func(known *knownObject) {
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
	return o.noteEnd(id, uid, func(known *knownObject) *bool { return &known.isReplaced })
}

// NoteLeaving does the same for an object that the plan deletes for good.
func (o *Objects) NoteLeaving(id manifest.Identity, uid string) (parts []Share, err error) {
	return o.noteEnd(id, uid, func(known *knownObject) *bool { return &known.isLeaving })
}

func (o *Objects) noteEnd(
	id manifest.Identity, uid string, note func(*knownObject) *bool,
) (parts []Share, err error) {
	var pending []Share
	o.change(uid, func(known *knownObject) {
		noted := note(known)
		if *noted {
			return
		}
		*noted = true
		for _, share := range o.shares[At{UID: uid}] {
			if share.IsPart {
				parts = append(parts, share)
			}
			if share.IsPart && share.IsPending {
				pending = append(pending, share)
			}
		}
	})
	if len(pending) > 0 {
		err = &PatchedError{Object: id, Parts: pending, IsLeaving: o.IsLeaving(uid)}
	}
	return parts, err
}

// NoteDeleted notes that an object is deleted.
func (o *Objects) NoteDeleted(id manifest.Identity, uid string) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.deleted == nil {
		o.deleted = map[manifest.Identity]string{}
	}
	o.deleted[id] = uid
}

// Deleted returns the uid of an object that the run has deleted; "" if it has deleted none.
func (o *Objects) Deleted(id manifest.Identity) string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.deleted[id]
}

// IsReplaced reports whether NoteReplaced was called for the object with this uid.
func (o *Objects) IsReplaced(uid string) bool { return uid != "" && o.get(uid).isReplaced }

// IsLeaving reports whether NoteLeaving was called for the object with this uid.
func (o *Objects) IsLeaving(uid string) bool { return uid != "" && o.get(uid).isLeaving }

// Adopt lets a resource without a state adopt the object with this uid as a field manager, in its plan and in its
// apply. If a resource with a state keeps the object, including this one before its replacement, it returns an
// [*AlreadyManagedError]. A resource that has only read it is refused by its own plan, if it has one.
func (o *Objects) Adopt(id manifest.Identity, uid, fieldManager string) (err error) {
	o.change(uid, func(known *knownObject) {
		if known.role == kept || known.role == replaced {
			err = &AlreadyManagedError{Object: id}
			return
		}
		known.role, known.adopter = adopted, fieldManager
	})
	return err
}
