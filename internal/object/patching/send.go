package patching

import (
	"context"
	"errors"
	"fmt"
	"maps"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/ownership"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/paths"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/projection"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/rendering"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/arguments"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/patches"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/record"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/ssa"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/wanted"
)

// PatchError reports that a patch does not fit its object.
type PatchError struct {
	Object manifest.Identity
	Cause  *patches.Error
	// Values is a sentence with the values of a test operation that failed; "" for any other fault.
	Values string
}

func (e *PatchError) Error() string { return e.Object.String() + ": " + e.Cause.Error() }

// Unwrap returns the cause.
func (e *PatchError) Unwrap() error { return e.Cause }

// apply is a patch of an object that was read, with its result.
type apply struct {
	wanted wanted.Wanted
	// result is the object after the patch as computed here, answer the server's response to the patch.
	result patches.Result
	answer cluster.Applied
	// left are the claims in the answer.
	left ownership.Claims
	// renderer and names show the values and paths of the object, before and after. live reads it before.
	renderer rendering.Renderer
	names    rendering.Formatter
	live     *projection.Reader
	// cannotLeave is true if the server refuses the object without the fields that leave the patch. They stay then.
	cannotLeave bool
}

func (a apply) kind() schema.GroupVersionKind {
	return schema.FromAPIVersionAndKind(a.wanted.Prior.Object.APIVersion, a.wanted.Prior.Object.Kind)
}

// targets returns the fields of the answer to which the patch gives values.
func (a apply) targets() *paths.Set {
	return a.wanted.Patch.Targets(a.answer.Object.Object, a.kind(), a.left.Fields())
}

// send patches the object of prior, as it was read: no request if the patch is in effect, and one PATCH otherwise. If
// another client has written since, it reads the object and sends the patch again. If the arguments refuse conflicts, a
// dry-run looks for them first on an object that the plan has not read.
func send(
	ctx context.Context, api cluster.Interface, args arguments.Arguments, prior record.Prior, dryRun bool,
) (a apply, err error) {
	isNews := prior.Live == nil
	switch {
	case isNews:
		prior, err = read(ctx, api, args, prior)
	case prior.PreviousManager(args.FieldManager) != args.FieldManager:
		prior, err = describe(args, prior, &unstructured.Unstructured{Object: prior.Live})
	}
	if err != nil {
		return a, err
	}
	err = cluster.Contend(ctx, prior.Object, func() (again bool, err error) {
		if isNews && !dryRun && args.OnConflict == arguments.Fail {
			err = refuseConflicts(ctx, api, args, prior)
		}
		if err == nil {
			a, err = sendOnce(ctx, api, args, prior, dryRun)
		}
		reason, refusal, sent := cluster.ReasonOf(err), err, prior
		if reason != cluster.ReasonConflict && (reason != cluster.ReasonInvalid || args.Patch.Type != patches.JSON) {
			return false, err
		}
		if prior, err = read(ctx, api, args, sent); err != nil {
			return false, err
		}
		// The server applies the operations before it compares the resourceVersion. Fields that other clients have
		// removed since make them invalid.
		if reason == cluster.ReasonInvalid && prior.Snapshot.ResourceVersion == sent.Snapshot.ResourceVersion {
			return false, refusal
		}
		prior, isNews = continuing(args, sent, prior), true
		return true, nil
	})
	return a, err
}

// refuseConflicts returns an *ssa.ConflictsError if the patch would take fields from other managers: one dry-run.
func refuseConflicts(ctx context.Context, api cluster.Interface, args arguments.Arguments, prior record.Prior) error {
	a, err := sendOnce(ctx, api, args, prior, true)
	if err == nil {
		_, err = a.report(ssa.Plan{Object: prior.Object})
	}
	return err
}

// continuing returns now, the object as it was read after an attempt to patch sent. If only the answer of that attempt
// was lost, some fields of now are ours since then. continuing records which of them had no value in sent, and the
// values that the rest had there.
func continuing(args arguments.Arguments, sent, now record.Prior) record.Prior {
	before := wanted.For(args, sent)
	sent, now = before.Prior, now.Unmasked(now.Live)
	taken := now.Snapshot.Claims.Own(args.FieldManager).Difference(sent.Snapshot.Claims.Own(args.FieldManager))
	now.Snapshot.Fields.Added = paths.OrEmpty(now.Snapshot.Fields.Added).Union(wanted.AddedBy(before.Arguments,
		before.Prior, taken))
	if values := wanted.ValuesBefore(before.Arguments, before.Prior, taken); len(values) > 0 {
		maps.Copy(values, now.Snapshot.Before)
		now.Snapshot.Before = values
	}
	return now
}

func sendOnce(
	ctx context.Context, api cluster.Interface, args arguments.Arguments, prior record.Prior, dryRun bool,
) (apply, error) {
	a := apply{wanted: wanted.For(args, prior)}
	prior = a.wanted.Prior
	result, err := args.Patch.Apply(prior.Live, a.kind())
	if err != nil {
		return a, a.patchError(err)
	}
	a.result, a.answer = result, cluster.Applied{
		Object: &unstructured.Unstructured{Object: prior.Live}, Outcome: cluster.Updated,
	}
	if !result.InEffect {
		a.answer, err = api.Update(ctx, prior.Object, cluster.Update{
			Type: args.Patch.Type.MediaType(), Body: result.Body, FieldManager: args.FieldManager,
			UID: prior.Snapshot.UID, ResourceVersion: prior.Snapshot.ResourceVersion, DryRun: dryRun,
		})
	}
	if err == nil && dryRun {
		err = a.patchError(args.Patch.FitsAnswer(a.answer.Object.Object, a.kind()))
	}
	if err != nil {
		return a, err
	}
	a.left, err = a.claimsOn(a.answer.Object, prior.Snapshot.Fields.Declared)
	renderer := a.wanted.LiveRenderer()
	a.renderer = renderer.Knowing(prior.Live).Knowing(a.answer.Object.Object)
	a.names = renderer.Names(a.wanted.Claims().Formatter(a.left.Fields()))
	a.live = projection.NewReader(prior.Live)
	return a, err
}

// claimsOn returns the claims on the object. declared are the fields that stay ours if they have left the patch.
func (a apply) claimsOn(object *unstructured.Unstructured, declared *paths.Set) (ownership.Claims, error) {
	object, err := renamed(object, a.wanted.Arguments, a.wanted.Prior)
	if err != nil {
		return nil, err
	}
	return record.ClaimsOnPatched(a.wanted.Prior.Object, object, a.wanted.FieldManager, *a.wanted.Patch, declared)
}

// patchError returns an error of package patches with the object that it concerns.
func (a apply) patchError(err error) error {
	cause, is := err.(*patches.Error) //nolint:errorlint // Package patches returns it as it is.
	if !is {
		return err
	}
	patchError := &PatchError{Object: a.wanted.Prior.Object, Cause: cause}
	var failed *patches.TestFailedError
	renderer := a.wanted.Renderer(a.wanted.Prior.Object, record.Snapshot{})
	switch {
	case !errors.As(err, &failed):
	case renderer.HasSecrets():
		patchError.Values = "The values are secret and not shown."
	case failed.Missing:
		patchError.Values = fmt.Sprintf("The patch expects %q there.", renderer.Text(nil, failed.Want))
	default:
		patchError.Values = fmt.Sprintf("The patch expects %q, and the object has %q.",
			renderer.Text(nil, failed.Want), renderer.Text(nil, failed.Found))
	}
	return patchError
}

// read returns prior with the object as it is now. It returns a *cluster.Error with ReasonConflict if the object was
// recreated since.
func read(
	ctx context.Context, api cluster.Interface, args arguments.Arguments, prior record.Prior,
) (record.Prior, error) {
	live, err := cluster.Get(ctx, api, prior.Object)
	if err != nil {
		return prior, err
	}
	if prior.Snapshot.Known() {
		if err := prior.CheckUID(live); err != nil {
			return prior, err
		}
	}
	return describe(args, prior, live)
}

// describe returns prior with a live object of it as it is once our claims have the field manager of the arguments.
func describe(args arguments.Arguments, prior record.Prior, live *unstructured.Unstructured) (record.Prior, error) {
	live, err := renamed(live, args, prior)
	if err != nil {
		return prior, err
	}
	carried := prior.Snapshot
	carried.Sensitive = paths.Texts(args.Sensitive)
	observed, err := record.Describe(live, record.Observation{
		ID: prior.Object, FieldManager: args.FieldManager, Fields: carried.Fields, Owners: prior.Owners,
		Carried: carried, IsPart: true, Patch: args.Patch,
	})
	prior.Snapshot, prior.Live = observed.Snapshot, observed.Live
	return prior, err
}

// renamed returns an object in which the claims of the field manager of our last apply have that of the arguments, as
// [rename] leaves it. live is not mutated.
func renamed(
	live *unstructured.Unstructured, args arguments.Arguments, prior record.Prior,
) (*unstructured.Unstructured, error) {
	previous := prior.PreviousManager(args.FieldManager)
	if previous == args.FieldManager {
		return live, nil
	}
	entries, err := ownership.Rewrite{
		Manager: args.FieldManager, PreviousManager: previous, Updates: true, Subresource: prior.Object.Subresource,
	}.Entries(live.GetManagedFields())
	if err != nil {
		return nil, record.Unreadable(prior.Object, err)
	}
	live = live.DeepCopy()
	live.SetManagedFields(entries)
	return live, nil
}
