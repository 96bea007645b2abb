package prediction

import (
	"slices"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/additions"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/ownership"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/paths"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/rendering"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/record"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/wanted"
)

// Addition is what others have added to an object, as a plan reports it.
type Addition = additions.Named

// Reason is why an addition is not removed, one of these.
type Reason = additions.Reason

// The reasons, as package additions describes them.
const (
	OfController = additions.OfController
	PartLeft     = additions.PartLeft
	SecretKey    = additions.SecretKey
)

// additionsAfter returns what others have added to the object after the apply, which leaves these claims. The values
// are those of the state; a field that leaves the configuration and stays, because others own it too, has none there.
func additionsAfter(in Inputs, after ownership.Claims, names rendering.Formatter) []Addition {
	w := in.Wanted
	if w.IsPart {
		return nil
	}
	found := wanted.AdditionsBeside(w, after, in.Applied)
	all := additions.Name(found, names, knownValues(w.Prior))
	if w.Manifest.APIVersion != w.Prior.Object.APIVersion {
		// The claims are about the fields of the version in the state.
		all = slices.DeleteFunc(all, func(a Addition) bool { return w.Prior.Additions[a.Field].Owners == nil })
	}
	return all
}

// Additions returns what others have added to an object that needs no apply, as the last read found it.
func Additions(w wanted.Wanted) []Addition {
	renderer := w.LiveRenderer()
	return additions.Name(wanted.Additions(w), renderer.Names(w.Claims().Formatter()), knownValues(w.Prior))
}

// knownValues returns the values of fields that the state shows. Both of Terraform's plans have it.
func knownValues(prior record.Prior) additions.Values {
	return func(_ paths.Path, field string) *string {
		if was, has := prior.Additions[field]; has {
			return was.Value
		}
		if was, has := prior.ManagedState[field]; has {
			return &was
		}
		return nil
	}
}
