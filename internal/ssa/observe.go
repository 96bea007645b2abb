package ssa

import (
	"context"
	"slices"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifest"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/ownership"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/paths"
)

// Observe reads the object: one GET. An object that is gone, or whose kind is, is an error that IsGone, and
// so is one that others created where ours was not seen to be created.
func Observe(ctx context.Context, api Interface, fieldManager string, prior Prior) (Observed, error) {
	live, err := get(ctx, api, prior.Object)
	if err != nil {
		return Observed{}, err
	}
	if prior.Snapshot.OutcomeUnknown {
		if err := requireOurs(prior.Object, live, fieldManager); err != nil {
			return Observed{}, err
		}
	}
	carried := prior.Snapshot
	fields, err := carried.fields()
	if !carried.Known() {
		claims, unreadable := claimsOf(prior.Object, live)
		if unreadable != nil {
			return Observed{}, unreadable
		}
		fields.declared, err = asData(prior.Object, claims.Own(fieldManager)), nil
		carried.AppliedState = lostState
		carried.Sensitive = prior.Settings.doubtful(live.Object)
	}
	if err != nil {
		return Observed{}, unreadable(prior.Object, err)
	}
	return describe(live, observation{
		id:           prior.Object,
		fieldManager: fieldManager,
		fields:       fields,
		shown:        prior.View,
		carried:      carried,
	})
}

// lostState is the AppliedState of an object whose snapshot is lost, which Terraform does to it when the
// provider is killed during an apply. It equals no digest, so that the next plan applies again.
const lostState = "lost"

// doubtful returns the patterns of what may be secret where the snapshot is lost, and with it what was write-only:
// anything in that case.
func (s Settings) doubtful(live map[string]any) []string {
	sensitive := slices.Clone(s.Sensitive)
	if s.WriteOnlyVersion == "" {
		return sensitive
	}
	for name := range live {
		sensitive = append(sensitive, paths.Format(paths.Path{paths.Field(name)}))
	}
	slices.Sort(sensitive)
	return sensitive
}

// observation is what a reading of a live object depends on besides the object.
type observation struct {
	id manifest.Identity
	// fieldManager is ours; "" where it is not known yet who will manage the object, after an import.
	fieldManager string
	fields       knownFields
	shown        ownership.View
	// carried is the snapshot of the reading before: what is known of the last apply is carried over, and
	// set again by readings of what was applied. What it says of secrets counts for the reading itself.
	carried Snapshot
}

func describe(live *unstructured.Unstructured, o observation) (Observed, error) {
	entries := live.GetManagedFields()
	claims, err := claimsIn(o.id, entries)
	if err != nil {
		return Observed{}, err
	}
	renderer := keyed(rendererOf(o.id, o.carried.Sensitive, o.carried.WriteOnly, o.carried.DigestKey))
	fields := o.fields.in(live.Object, renderer)
	formatter := claims.Formatter(fields.declared)
	shown := fields.declared.Difference(withoutEmpty(fields.empty, claims, o.fieldManager))
	state := renderer.State(live.Object, shown, formatter)

	managers, err := compactManagers(entries, claims)
	if err != nil {
		return Observed{}, unreadable(o.id, err)
	}
	leaves := claims.Others(o.fieldManager).Fields().Leaves()
	prints := renderer.Fingerprints(live.Object, leaves.Union(claims.Inner()))
	observed := Observed{
		Object:       o.id,
		UID:          string(live.GetUID()),
		View:         claims.CoOwners(renderer.Names(formatter)).Flatten(o.shown),
		ManagedState: state,
		Deleting:     live.GetDeletionTimestamp(),
		Finalizers:   live.GetFinalizers(),
		Live:         live.Object,
		Snapshot: Snapshot{
			Object:            o.id,
			UID:               string(live.GetUID()),
			Managers:          managers,
			ResourceVersion:   live.GetResourceVersion(),
			Values:            prints,
			Kinds:             kindsOf(live.Object, leaves, prints),
			LiveState:         digestOf(renderer.Fingerprints(live.Object, shown.Leaves())),
			AppliedState:      o.carried.AppliedState,
			IgnoredByManager:  o.carried.IgnoredByManager,
			RepeatedConflicts: o.carried.RepeatedConflicts,
			Sensitive:         o.carried.Sensitive,
			WriteOnly:         o.carried.WriteOnly,
			DigestKey:         renderer.DigestKey,
		},
	}
	if err := observed.Snapshot.remember(fields, renderer); err != nil {
		return Observed{}, unreadable(o.id, err)
	}
	return observed, nil
}
