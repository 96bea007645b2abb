package wanted

import (
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/additions"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/ownership"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/paths"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/projection"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/arguments"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/record"
)

// Additions returns the fields that other managers have added to the object by the last read, without those that the
// manifest contains; nil for a part and a patch. A field that leaves the manifest is an addition if other managers own
// it, too.
func Additions(w Wanted) []additions.Addition {
	if w.IsPart || w.Patch != nil {
		return nil
	}
	snapshot := w.Prior.Snapshot
	claims := snapshot.Claims
	declared := projection.WithValues(w.Keys.Complete(w.Manifest.Object), claims.Fields())
	if w.Manifest.APIVersion == w.Prior.Object.APIVersion {
		claims = claims.WithOwn(w.FieldManager, claims.Own(w.FieldManager).Intersection(declared))
	} else { // The manifest may have other names for the fields of the claims.
		declared = declared.Union(paths.OrEmpty(snapshot.Fields.Declared))
	}
	return AdditionsBeside(w, claims, declared)
}

// AdditionsBeside returns the additions to an object with these claims of which the manifest contains the fields
// declared.
func AdditionsBeside(w Wanted, claims ownership.Claims, declared *paths.Set) []additions.Addition {
	found := record.AdditionsTo(claims, w.FieldManager, w.Left(), declared, w.Prior.Snapshot)
	renderer := w.LiveRenderer()
	for i, addition := range found {
		// Only a run that has read the object knows this key, and both of Terraform's plans have to agree.
		if len(renderer.RedactedPath(addition.Path)) < len(addition.Path) {
			found[i].Stays = additions.SecretKey
		}
	}
	return found
}

// removeAdditions adds to Remove what only people and their tools have added, if the configuration asks for that. It
// takes the fields from the snapshot: both of Terraform's plans have to remove the same.
func removeAdditions(w Wanted) Wanted {
	if w.OnAddition != arguments.RemoveAdditions {
		return w
	}
	var fields []paths.Path
	for _, addition := range Additions(w) {
		if addition.Stays == "" {
			fields = append(fields, addition.Path)
		}
	}
	w.Remove = append(w.Remove[:len(w.Remove):len(w.Remove)], paths.Covering(fields, w.Claims().Formatter())...)
	return w
}
