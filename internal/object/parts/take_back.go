package parts

import (
	"context"
	"encoding/json"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/ownership"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/paths"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/projection"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/intents"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/record"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/ssa"
)

// Fate describes what happens to a field of a part that is taken back.
type Fate struct {
	Field string
	// Removed is true if the field is removed. Restored is the value that it gets back. Without either, it keeps its
	// value.
	Removed  bool
	Restored string
}

// FatesOf returns what taking back a part does to each of its fields, in order of their paths. releases is true if
// every value stays.
func FatesOf(prior record.Prior, releases bool) []Fate {
	snapshot := prior.Snapshot
	own, others := snapshot.Claims.Own(prior.Settings.FieldManager), snapshot.Claims.Others(prior.Settings.FieldManager).Fields()
	names := snapshot.Renderer().Names(snapshot.Claims.Formatter())
	var fates []Fate
	paths.Walk(own.Leaves(), func(path paths.Path, _ bool) {
		if paths.IsKeyField(path) {
			return
		}
		fate := Fate{Field: names.Format(path)}
		if !releases && !ownership.Holds(others, path) {
			fate.Removed = paths.OrEmpty(snapshot.Fields.Added).Has(path)
			fate.Restored = string(snapshot.Before[paths.ID(path)])
		}
		fates = append(fates, fate)
	})
	return fates
}

// TakeBack takes a part back from the object of prior, whose snapshot is of the last read: fields that we added and no
// other manager owns are removed, fields to restore get their values from before, and everything else keeps its value.
// It costs a GET and a PATCH, and a GET and a PATCH more if values that were there before us stay, or are restored.
func TakeBack(ctx context.Context, api cluster.Interface, intent intents.Intent, prior record.Prior) error {
	live, err := cluster.Get(ctx, api, prior.Object)
	if err != nil {
		return err
	}
	if err := prior.CheckUID(live); err != nil {
		return err
	}
	if before := prior.Snapshot.Before; len(before) > 0 {
		live, err = record.RewriteAndEdit(ctx, api, prior.Object, live, record.Rewriting{
			Claims: func(ownership.Claims) ownership.Rewrite { return ownership.Rewrite{Manager: intent.FieldManager} },
			Edits: func(live map[string]any, claims ownership.Claims) []cluster.Edit {
				ours := claims.Own(intent.FieldManager).Leaves().Difference(claims.Others(intent.FieldManager).Fields())
				return Restoring(live, ours, before)
			},
		})
	}
	if err == nil {
		live, err = record.RewriteClaims(ctx, api, prior.Object, live, func(claims ownership.Claims) ownership.Rewrite {
			// The PATCH that restored values left an update entry under our name. Its claims end here.
			updated := ownership.Rewrite{Manager: intent.FieldManager, TakeOver: []string{intent.FieldManager}}
			updated.Declared = claims.Fields()
			return updated
		})
	}
	if err != nil {
		return err
	}
	now, err := record.Describe(live, record.Observation{
		ID: prior.Object, FieldManager: intent.FieldManager, Fields: prior.Snapshot.Fields, Shown: prior.View, Carried: prior.Snapshot, IsPart: true,
	})
	if err != nil {
		return err
	}
	prior.Snapshot, prior.View, prior.Live = now.Snapshot, now.View, now.Live
	if prior.Snapshot.Claims.Own(intent.FieldManager).Empty() {
		return nil
	}
	_, _, err = ssa.UpdateObject(ctx, api, intent, prior, ssa.Plan{Object: prior.Object})
	return err
}

// Restoring returns the edits that give the fields of ours, which only we own, their values in before, by paths.ID.
func Restoring(live map[string]any, ours *paths.Set, before map[string]json.RawMessage) []cluster.Edit {
	var edits []cluster.Edit
	paths.Walk(projection.WithValues(live, ours), func(path paths.Path, _ bool) {
		pointer, has := projection.Pointer(live, path)
		if value, known := before[paths.ID(path)]; known && has {
			edits = append(edits, cluster.Edit{Pointer: pointer, Value: value})
		}
	})
	return edits
}
