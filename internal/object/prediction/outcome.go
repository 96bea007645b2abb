package prediction

import (
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/ownership"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/paths"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/projection"
)

// Outcome returns the object after the apply. A dry-run under another name removes nothing. Outcome then removes the
// fields that leave our claim, and the maps and items that are removed with them. It removes excess list items and
// forgotten fields in any case. If the dry-run was of a new object, the live one gets the fields of ours.
func (in Inputs) Outcome() map[string]any {
	removed := in.removes()
	if in.PrunesNothing {
		removed = removed.Union(in.pruned())
	} else if removed.Empty() {
		return in.Result
	}
	base := in.Result
	if in.IsOfNewObject {
		base = in.Wanted.Prior.Live
	}
	object, _ := projection.Strip(runtime.DeepCopyJSON(base), removed).(map[string]any)
	if in.IsOfNewObject && base != nil {
		object = projection.Graft(object, in.Result, in.Applied)
	}
	return object
}

// pruned returns the outermost fields that the apply prunes. Parts of a field that is atomic in the version of the
// apply are not pruned, but replaced.
func (in Inputs) pruned() *paths.Set {
	before, own := in.Rewrite.Claims(in.Wanted.Claims()), in.Wanted.FieldManager
	staying := in.Applied.Union(before.Others(own).Fields()).Union(in.Wanted.Prior.KeptFields(in.Rewrite))
	whole := in.NonEmpty()
	return paths.Filter(ownership.OutermostLeaving(before.Own(own), staying), func(path paths.Path) bool {
		for length := 1; length < len(path); length++ {
			if above := path[:length]; whole.Has(above) && !ownership.HasParts(whole, above) {
				return false
			}
		}
		return true
	})
}
