package prediction

import (
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/paths"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/projection"
)

// Outcome returns the object after the apply. A dry-run under another name removes nothing, so Outcome removes the
// fields that leave our claim, and the maps and items that are removed with them. It removes excess list items in any
// case.
func (in Prediction) Outcome() map[string]any {
	leaving := paths.OrEmpty(in.Removes)
	if in.Asked.IsUnderAnotherName {
		leaving = leaving.Union(in.leaving())
	} else if leaving.Empty() {
		return in.Result
	}
	base := in.Result
	if in.Asked.IsOfNewObject {
		base = in.Prior.Live
	}
	object, _ := projection.Strip(runtime.DeepCopyJSON(base), leaving).(map[string]any)
	return object
}

// leaving returns the outermost fields that the apply removes. With a field of ours that leaves the body, server-side
// apply removes each map around it of which no manager holds a part, and all of an item that only we hold.
func (in Prediction) leaving() *paths.Set {
	before, own := in.Rewrite.Claims(in.Claims), in.Intent.FieldManager
	staying := in.Applied.Union(before.Others(own).Fields()).Union(in.Prior.KeptFields(in.Rewrite))
	leaving := paths.NewSet()
	var visit func(ours, staying *paths.Set, at paths.Path)
	visit = func(ours, staying *paths.Set, at paths.Path) {
		for _, part := range paths.Parts(ours) {
			path, below := paths.Below(at, part.Element), paths.Children(staying, part.Element)
			isField := part.Element.FieldName != nil
			if paths.Has(staying, part.Element) || isField && below != nil || !isField && !part.IsMember {
				visit(part.Below, below, path)
				continue
			}
			leaving.Insert(path)
		}
	}
	visit(before.Own(own), staying, nil)
	return leaving
}
