package wanted

import (
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/additions"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/paths"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/projection"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/arguments"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/record"
)

// Additions returns what others have added to the object, as the last read found it, without the fields that the
// manifest contains; nil for a part and a patch.
func Additions(w Wanted) []additions.Addition {
	if w.IsPart || w.Patch != nil {
		return nil
	}
	snapshot := w.Prior.Snapshot
	declared := paths.OrEmpty(snapshot.Fields.Declared).Union(projection.WithValues(w.Manifest.Object,
		snapshot.Claims.Fields()))
	return record.AdditionsTo(snapshot.Claims, w.FieldManager, w.Left(), declared, snapshot.Values)
}

// removeAdditions adds to Remove what only people and their tools have added, if the configuration asks for that. The
// fields are those of the snapshot, so that both of Terraform's plans remove the same.
func removeAdditions(w Wanted) Wanted {
	if w.OnAddition != arguments.RemoveAdditions {
		return w
	}
	var fields []paths.Path
	for _, addition := range Additions(w) {
		if addition.IsCertain() {
			fields = append(fields, addition.Path)
		}
	}
	w.Remove = append(w.Remove[:len(w.Remove):len(w.Remove)], paths.Covering(fields, w.Claims().Formatter())...)
	return w
}
