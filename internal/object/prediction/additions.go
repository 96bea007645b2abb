package prediction

import (
	"slices"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/additions"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/ownership"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/paths"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/rendering"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/wanted"
)

// Addition is a field that other managers have added to an object, as a plan reports it.
type Addition = additions.Named

// Reason is why an addition is not removed, one of these.
type Reason = additions.Reason

// The reasons, as package additions describes them.
const (
	OfController = additions.OfController
	PartLeft     = additions.PartLeft
	SecretKey    = additions.SecretKey
)

// additionsAfter returns the additions of other managers to the object after the apply, when its claims are after. The
// values are those that the last read recorded. An addition is returned without a value if the apply removes a part of
// it, and if it is a list item or a map that leaves the configuration but stays because other managers own it, too.
func additionsAfter(in Inputs, after ownership.Claims, names rendering.Formatter) []Addition {
	w := in.Wanted
	if w.IsPart {
		return nil
	}
	found := wanted.AdditionsBeside(w, after, in.Applied)
	values, removes := knownValues(w), in.removes()
	all := additions.Name(found, names, func(path paths.Path, field string) *string {
		if ownership.Holds(removes, path) {
			return nil
		}
		return values(path, field)
	})
	if w.Manifest.APIVersion != w.Prior.Object.APIVersion {
		// The claims are about the fields of the version in the state.
		all = slices.DeleteFunc(all, func(a Addition) bool { return w.Prior.Additions[a.Field].Owners == nil })
	}
	return all
}

// Additions returns the fields that other managers have added, by the last read, to an object that needs no apply.
func Additions(w wanted.Wanted) []Addition {
	renderer := w.LiveRenderer()
	return additions.Name(wanted.Additions(w), renderer.Names(w.Claims().Formatter()), knownValues(w))
}

// knownValues returns the values of fields that the last read has noted, in the state or in its snapshot. Both of
// Terraform's plans have them. No value is known if it was noted with other secret fields than the configuration has.
func knownValues(w wanted.Wanted) additions.Values {
	prior := w.Prior
	if !slices.Equal(paths.Texts(w.Sensitive), prior.Snapshot.Sensitive) {
		return func(paths.Path, string) *string { return nil }
	}
	return func(path paths.Path, field string) *string {
		if was, has := prior.Additions[field]; has {
			return was.Value
		}
		if was, has := prior.Snapshot.Candidates[paths.ID(path)]; has {
			return &was
		}
		if was, has := prior.ManagedState[field]; has {
			return &was
		}
		return nil
	}
}
