package ssa

import (
	"context"
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifest"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/ownership"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/paths"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/projection"
)

// Observed is an object as the computed attributes show it.
type Observed struct {
	Object       manifest.Identity
	UID          string
	View         ownership.View
	ManagedState map[string]string
	Snapshot     Snapshot
	// Deleting is when somebody deleted the object, which its finalizers hold; nil where nobody has.
	Deleting   *metav1.Time
	Finalizers []string
	// Live is the object itself.
	Live map[string]any
}

// Prior is what the state and private state hold of an object.
type Prior struct {
	Object       manifest.Identity
	View         ownership.View
	ManagedState map[string]string
	Snapshot     Snapshot
	// Settings are the arguments of the last apply, or of the import.
	Settings Settings
	// Live is the object as this run has read it, for what a plan says in words; nil where it has not.
	Live map[string]any
}

// Observe reads the object: one GET. An object that is gone, or whose kind is, is an error that IsGone, and
// so is one that others created where ours was not seen to be created.
func Observe(ctx context.Context, cluster Cluster, fieldManager string, prior Prior) (Observed, error) {
	live, err := get(ctx, cluster, prior.Object)
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
	return observe(live, observation{
		object:       prior.Object,
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
	object manifest.Identity
	// fieldManager is ours; "" where it is not known yet who will manage the object, after an import.
	fieldManager string
	fields       knownFields
	shown        ownership.View
	// carried is the snapshot of the reading before: what is known of the last apply is carried over, and
	// set again by readings of what was applied. What it says of secrets counts for the reading itself.
	carried Snapshot
}

func observe(live *unstructured.Unstructured, o observation) (Observed, error) {
	entries := live.GetManagedFields()
	claims, err := claimsIn(o.object, entries)
	if err != nil {
		return Observed{}, err
	}
	renderer := keyed(rendererOf(o.object, o.carried.Sensitive, o.carried.WriteOnly, o.carried.DigestKey))
	fields := o.fields.in(live.Object, renderer)
	formatter := claims.Formatter(fields.declared)
	shown := fields.declared.Difference(withoutEmpty(fields.empty, claims, o.fieldManager))
	state := renderer.State(live.Object, shown, formatter)

	managers, err := compactManagers(entries, claims)
	if err != nil {
		return Observed{}, unreadable(o.object, err)
	}
	leaves := claims.Others(o.fieldManager).Fields().Leaves()
	prints := renderer.Fingerprints(live.Object, leaves.Union(claims.Inner()))
	observed := Observed{
		Object:       o.object,
		UID:          string(live.GetUID()),
		View:         claims.CoOwners(renderer.Names(formatter)).Flatten(o.shown),
		ManagedState: state,
		Deleting:     live.GetDeletionTimestamp(),
		Finalizers:   live.GetFinalizers(),
		Live:         live.Object,
		Snapshot: Snapshot{
			Object:            o.object,
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
		return Observed{}, unreadable(o.object, err)
	}
	return observed, nil
}

// observeApplied reads an object that we just applied: what we own of it now, and are not about to
// release, is what we declare. answer is what the apply was answered with, live the object after claims were
// rewritten.
func observeApplied(live, answer *unstructured.Unstructured, intent Intent, id manifest.Identity, prior Prior) (Observed, error) {
	claims, err := claimsOf(id, live)
	if err != nil {
		return Observed{}, err
	}
	if len(intent.IgnoreManagers) > 0 {
		others := claims.Others(intent.FieldManager).Fields().Leaves()
		values := intent.renderer(id, prior.Snapshot.DigestKey).Fingerprints(live.Object, others)
		intent = intent.withIgnoredManagers(claims, intent.FieldManager, values)
	}
	own := claims.Own(intent.FieldManager)
	ignored, _ := projection.Covered(own, intent.ignored(), intent.Manifest.Object)
	declared := own.Difference(ignored)
	answered, err := claimsOf(id, answer)
	if err != nil {
		return Observed{}, err
	}
	kept, err := intent.keptBy(answered, prior.Snapshot, declared)
	if err != nil {
		return Observed{}, unreadable(id, err)
	}
	carried := prior.Snapshot
	carried.Sensitive, carried.WriteOnly = texts(intent.Sensitive), intent.WriteOnly.Fields
	observed, err := observe(live, observation{
		object:       id,
		fieldManager: intent.FieldManager,
		fields:       knownFields{declared: declared, empty: emptyIn(intent.Manifest.Object, declared), kept: kept},
		shown:        prior.View,
		carried:      carried,
	})
	observed.Snapshot.IgnoredByManager = intent.leftTexts()
	observed.Snapshot.AppliedState = observed.Snapshot.LiveState
	return observed, err
}

// claimsOf returns the claims on a live object, without those on its status. An entry that cannot be read is an *Error.
func claimsOf(id manifest.Identity, live *unstructured.Unstructured) (ownership.Claims, error) {
	return claimsIn(id, live.GetManagedFields())
}

// claims returns those that the last read saw.
func (p Prior) claims() (ownership.Claims, error) { return claimsIn(p.Object, p.Snapshot.Managers) }

func claimsIn(id manifest.Identity, entries []metav1.ManagedFieldsEntry) (ownership.Claims, error) {
	claims, err := ownership.Parse(entries)
	if err != nil {
		return nil, unreadable(id, err)
	}
	return claims, nil
}

func unreadable(id manifest.Identity, err error) *Error {
	return &Error{Reason: ReasonServer, Object: id, Message: "the object's managedFields cannot be read: " + err.Error(), Cause: err}
}
