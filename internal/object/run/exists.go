package run

import (
	"context"
	"crypto/sha256"
	"errors"
	"slices"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/ownership"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/record"
)

// AlreadyExistsError reports that an object exists that a resource was about to create.
type AlreadyExistsError struct {
	Object manifest.Identity
	Traces
	// Since is true if another client created the object after the plan. Managers are the names of its field managers.
	Since    bool
	Managers []string
}

// Traces are what the owners of an object tell about its origin.
type Traces struct {
	// Orphan is true if only our field manager owns fields of it: an apply that was killed may have created it.
	Orphan bool
	// HandedOver is true if an interrupted replacement has left the object to the next create of our field manager.
	HandedOver bool
	// Owned is true if our field manager owns fields of it.
	Owned bool
	// Updaters are the names of the managers of the object if none of them has applied it, as every resource does; nil
	// otherwise.
	Updaters []string
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
	claims = claims.Held()
	e.Owned = !claims.Own(fieldManager).Empty()
	e.Orphan = e.Owned && claims.Others(fieldManager).Fields().Empty()
	e.HandedOver = record.IsHandedOver(claims, fieldManager)
	e.OfTerraform = record.OfTerraform(claims, fieldManager)
	applies := func(c ownership.Claim) bool { return c.Operation == metav1.ManagedFieldsOperationApply }
	if !slices.ContainsFunc(claims, applies) {
		e.Updaters = claims.Names()
	}
}

// NameInUseError reports that the name of the object to create belongs to an object in the state: Terraform creates the
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

// AlreadyManagedError reports that two resources of one state manage an object.
type AlreadyManagedError struct {
	Object manifest.Identity
	// New is the other resource, if it has no state yet; nil if it has one.
	New *NewResource
	// SameBody is true if both are new and their manifests are the same string.
	SameBody bool
}

func (e *AlreadyManagedError) Error() string {
	return e.Object.String() + " is managed by another resource"
}

// NewResource describes a resource without a state for messages. Terraform does not tell a provider the addresses of
// resources.
type NewResource struct {
	FieldManager string
	// Source is the file of a Helm chart from which the manifest was rendered, according to its comment; "" without
	// one.
	Source string
	body   [sha256.Size]byte
}

// NewResourceOf returns the resource that applies the manifest in text as fieldManager.
func NewResourceOf(fieldManager, text string) NewResource {
	return NewResource{FieldManager: fieldManager, Source: chartFile(text), body: sha256.Sum256([]byte(text))}
}

// chartFile returns the file of a Helm chart that helm template names above each manifest.
func chartFile(text string) string {
	const mark = "# Source: "
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if source, is := strings.CutPrefix(line, mark); is {
			return source
		}
		if line != "" && line != "---" && !strings.HasPrefix(line, "#") {
			break
		}
	}
	return ""
}
