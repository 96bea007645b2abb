package wanted

import (
	"slices"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/record"
)

// step adds to what is wanted what follows from one argument and from what is known of the object.
type step func(Wanted) Wanted

// steps are taken in this order.
var steps = []step{
	// The first step, because all others compare the manifest with the object: the manifest gets stand-ins for the
	// values that are not known yet. They come from the state, in which list items that are secret are written out.
	standIn,
	// A snapshot contains digests instead of secret list items. From here on Prior contains those items that the
	// manifest contains, stand-ins too, and those that the live object contains, if this run has read it.
	unmask,
	// The manifest gets the pinned values, so that the steps below treat a pin as a declared field.
	pin,
	// It reads and changes only the managers to take over. Its place is before the claims are looked at.
	takeOverSource,
	// After the pins: if an ignored manager owns a pinned field, the pin ends.
	ignoreManagers,
	// The last step: what leaves a part is what no step above has put into the manifest.
	preserve,
}

// unmask gives Prior the list items of the manifest and of the live object instead of their digests.
func unmask(w Wanted) Wanted {
	w.Prior = w.Prior.Unmasked(w.Manifest.Object)
	if w.Prior.Live != nil {
		w.Prior = w.Prior.Seen(w.Prior.Live)
	}
	return w
}

// ignoreManagers leaves to the managers of IgnoreManagers what they own by the snapshot.
func ignoreManagers(w Wanted) Wanted {
	return w.Ignoring(w.Claims(), w.PreviousManager(), w.Prior.Snapshot.Values)
}

// ofPatch returns what is wanted by a patch that is not server-side apply. The object of prior, not the manifest, has
// the items that the snapshot contains as digests. No step applies: this patch claims nothing, and its plan predicts
// nothing.
func ofPatch(w Wanted, prior record.Prior) Wanted {
	w.Prior = prior.Seen(prior.Live)
	return w
}

// takeOverSource also takes over the managers under which the source of a moved state wrote, until our first apply. It
// does nothing if no managers are taken over.
func takeOverSource(w Wanted) Wanted {
	if w.Prior.Snapshot.Moved && len(w.TakeOver) > 0 {
		w.TakeOver = slices.Concat(w.TakeOver, w.Prior.Snapshot.MovedFrom)
	}
	return w
}
