package ssa

import (
	"errors"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/ownership"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/record"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/registry"
)

// NameInUseError says that an object in the state has the name of the object to create: Terraform creates the
// replacement before it destroys the old object.
type NameInUseError struct {
	Object manifest.Identity
}

func (e *NameInUseError) Error() string {
	return e.Object.String() + " is already managed in this state, so it cannot be created"
}

// ProtectedError says that a plan would delete an object that its state protects from deletion.
type ProtectedError struct {
	Object manifest.Identity
}

func (e *ProtectedError) Error() string { return e.Object.String() + " is protected" }

// Replacement distinguishes the object that a new one replaces, and that still has its name, from the objects of others.
type Replacement struct {
	// Replaced is the snapshot of the replaced object; empty if Terraform does not pass on its state, or
	// if there is no such object.
	Replaced record.Snapshot
	// Run knows the objects of all resources, including those whose state Terraform does not pass on.
	Run *registry.Run
}

// check returns an *AlreadyExistsError or an *AlreadyManagedError where a live object is not the one that the
// plan replaces, and a *ProtectedError or a *RecreatedError where it is and may not be deleted.
func (s Replacement) check(id manifest.Identity, live *unstructured.Unstructured, fieldManager string) error {
	uid := string(live.GetUID())
	if uid != s.Replaced.UID {
		if err := s.Run.Replace(id, uid); err != nil {
			return explainExisting(err, live, fieldManager)
		}
	}
	if s.Run.IsProtected(uid) {
		return &ProtectedError{Object: id}
	}
	if recreated := s.Run.Recreated(uid); recreated != nil {
		return recreated
	}
	return nil
}

// explainExisting returns err. In an *AlreadyExistsError, it notes whether the object may be our own.
func explainExisting(err error, live *unstructured.Unstructured, fieldManager string) error {
	var exists *registry.AlreadyExistsError
	if errors.As(err, &exists) {
		claims, unreadable := record.ClaimsOf(exists.Object, live)
		exists.Orphan = unreadable == nil && isOrphan(claims, fieldManager)
	}
	return err
}

// isOrphan reports whether nobody but a field manager owns anything.
func isOrphan(claims ownership.Claims, fieldManager string) bool {
	return !claims.Own(fieldManager).Empty() && claims.Others(fieldManager).Fields().Empty()
}
