package run

import (
	"context"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/record"
)

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
		if s.By.Adopts {
			s.Run.AwaitHolder(ctx, uid)
		}
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
