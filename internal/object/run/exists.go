package run

import (
	"context"
	"errors"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/ownership"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/record"
)

// AlreadyExistsError reports that an object exists that a resource was about to create.
type AlreadyExistsError struct {
	Object manifest.Identity
	// Orphan is true if only our field manager owns fields of it: an apply that was killed may have created it.
	Orphan bool
	// HandedOver is true if an interrupted replacement has left the object to the next create of our field manager.
	HandedOver bool
	// Owned is true if our field manager owns fields of it.
	Owned bool
	// Since is true if another client created the object after the plan. Managers are the names of its field managers.
	Since    bool
	Managers []string
	// OfTerraform are the managers of the object under which resources of Terraform write.
	OfTerraform []string
}

func (e *AlreadyExistsError) Error() string { return e.Object.String() + " already exists" }

// Explain returns err. In an *AlreadyExistsError, it notes what the owners of the object tell: one GET. The answer of a
// dry-run does not show the owners that an apply would evict.
func Explain(ctx context.Context, api cluster.Interface, err error, fieldManager string) error {
	exists, is := errors.AsType[*AlreadyExistsError](err)
	if !is || exists.Since {
		return err
	}
	live, missing := api.Get(ctx, exists.Object)
	if missing != nil {
		return err
	}
	if claims, unreadable := record.ClaimsOf(exists.Object, live); unreadable == nil {
		exists.NoteOwners(claims, fieldManager)
	}
	return err
}

// NoteOwners notes what the owners of the object tell.
func (e *AlreadyExistsError) NoteOwners(claims ownership.Claims, fieldManager string) {
	e.Owned = !claims.Own(fieldManager).Empty()
	e.Orphan = e.Owned && claims.Others(fieldManager).Fields().Empty()
	e.HandedOver = record.IsHandedOver(claims, fieldManager)
	e.OfTerraform = record.OfTerraform(claims, fieldManager)
}

// NameInUseError reports that an object in the state has the name of the object to create: Terraform creates the
// replacement before it destroys the old object.
type NameInUseError struct {
	Object manifest.Identity
}

func (e *NameInUseError) Error() string {
	return e.Object.String() + " is already managed in this state, so it cannot be created"
}

// ProtectedError reports that a plan would delete an object that its state protects from deletion.
type ProtectedError struct {
	Object manifest.Identity
}

func (e *ProtectedError) Error() string { return e.Object.String() + " is protected" }

// RecreatedError reports an object that is not the one that a resource applied to, and of which its field manager owns
// nothing: another client has deleted that one and created this one.
type RecreatedError struct {
	Object manifest.Identity
	// Was is the uid of the object that the resource applied to, Is that of this one.
	Was, Is string
	// Managers are the names of the field managers of this one.
	Managers []string
}

// RecreatedIn returns what a snapshot tells of an object that is not the one of the last apply; nil if it is that
// object.
func RecreatedIn(snapshot record.Snapshot) *RecreatedError {
	if snapshot.Former == "" {
		return nil
	}
	return &RecreatedError{
		Object: snapshot.Object, Was: snapshot.Former, Is: snapshot.UID, Managers: snapshot.Claims.Names(),
	}
}

func (e *RecreatedError) Error() string { return e.Object.String() + " was deleted and created again" }
