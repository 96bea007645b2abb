package patching

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster/retry"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/ownership"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/paths"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/intents"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/patches"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/record"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/ssa"
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

// attempt is a patch of an object that was read, with its result.
type attempt struct {
	intent intents.Intent
	prior  record.Prior
	// result is what the patch makes of the object, answer what the server makes of it.
	result patches.Result
	answer cluster.Applied
	// claims are the claims on the object before the patch, left those in the answer.
	claims, left ownership.Claims
}

func (a attempt) kind() schema.GroupVersionKind {
	return schema.FromAPIVersionAndKind(a.prior.Object.APIVersion, a.prior.Object.Kind)
}

// targets returns the fields to which the patch gives values, as the answer has them.
func (a attempt) targets() *paths.Set {
	return a.intent.Patch.Targets(a.answer.Object.Object, a.kind(), a.left.Fields())
}

// longestPause is the longest time between two attempts to write an object that other clients write too.
const longestPause = 200 * time.Millisecond

// send patches the object of prior, as it was read: no request if the patch is in effect, and one PATCH otherwise. If
// another client has written since, it reads the object and sends the patch again. If the intent refuses conflicts, a
// dry-run looks for them first on an object that the plan has not seen.
func send(ctx context.Context, api cluster.Interface, intent intents.Intent, prior record.Prior, dryRun bool) (a attempt, err error) {
	isNews := prior.Live == nil
	if isNews {
		if prior, err = read(ctx, api, intent, prior); err != nil {
			return a, err
		}
	}
	ended := retry.Do(ctx, retry.AfterConflict(longestPause), func(time.Duration) (again bool) {
		if isNews && !dryRun && intent.OnConflict == intents.Fail {
			err = refuseConflicts(ctx, api, intent, prior)
		}
		if err == nil {
			a, err = sendOnce(ctx, api, intent, prior, dryRun)
		}
		reason, refusal, sent := cluster.ReasonOf(err), err, prior
		if reason != cluster.ReasonConflict && (reason != cluster.ReasonInvalid || intent.Patch.Type != patches.JSON) {
			return false
		}
		if prior, err = read(ctx, api, intent, sent); err != nil {
			return false
		}
		// The server applies the operations before it compares the resourceVersion. Fields that other clients have
		// removed since make them invalid.
		if reason == cluster.ReasonInvalid && prior.Snapshot.ResourceVersion == sent.Snapshot.ResourceVersion {
			err = refusal
			return false
		}
		prior, isNews = continuing(intent, sent, prior), true
		return true
	})
	if ended != nil {
		err = &cluster.Error{Reason: cluster.ReasonTimeout, Object: prior.Object, Message: "others kept writing to the object", Cause: ended}
	}
	return a, err
}

// refuseConflicts returns an *ssa.ConflictsError if the patch would take fields from other managers: one dry-run.
func refuseConflicts(ctx context.Context, api cluster.Interface, intent intents.Intent, prior record.Prior) error {
	a, err := sendOnce(ctx, api, intent, prior, true)
	if err == nil {
		_, err = a.report(ssa.Plan{Object: prior.Object})
	}
	return err
}

// continuing returns now, the object as it was read after an attempt to patch sent. If only the answer of that attempt
// was lost, some fields of now are ours since then. continuing records which of them had no value in sent, and the
// values that the rest had there.
func continuing(intent intents.Intent, sent, now record.Prior) record.Prior {
	sent, now = sent.Unmasked(sent.Live), now.Unmasked(now.Live)
	taken := now.Snapshot.Claims.Own(intent.FieldManager).Difference(sent.Snapshot.Claims.Own(intent.FieldManager))
	now.Snapshot.Fields.Added = paths.OrEmpty(now.Snapshot.Fields.Added).Union(intent.AddedBy(sent, taken))
	if before := intent.ValuesBefore(sent, taken); len(before) > 0 {
		maps.Copy(before, now.Snapshot.Before)
		now.Snapshot.Before = before
	}
	return now
}

func sendOnce(ctx context.Context, api cluster.Interface, intent intents.Intent, prior record.Prior, dryRun bool) (attempt, error) {
	prior = prior.Unmasked(prior.Live)
	a := attempt{intent: intent, prior: prior, claims: prior.Snapshot.Claims}
	result, err := intent.Patch.Apply(prior.Live, a.kind())
	if err != nil {
		return a, a.patchError(err)
	}
	a.result, a.answer = result, cluster.Applied{Object: &unstructured.Unstructured{Object: prior.Live}, Outcome: cluster.Updated}
	if !result.InEffect {
		a.answer, err = api.Update(ctx, prior.Object, cluster.Update{
			Type: intent.Patch.Type.MediaType(), Body: result.Body, FieldManager: intent.FieldManager,
			UID: prior.Snapshot.UID, ResourceVersion: prior.Snapshot.ResourceVersion, DryRun: dryRun,
		})
	}
	if err != nil {
		return a, err
	}
	a.left, err = record.ClaimsOf(prior.Object, a.answer.Object)
	a.left = a.left.AsApplied(intent.FieldManager)
	return a, err
}

// patchError returns an error of package patches with the object that it concerns.
func (a attempt) patchError(err error) error {
	cause, is := err.(*patches.Error) //nolint:errorlint // Package patches returns it as it is.
	if !is {
		return err
	}
	patchError := &PatchError{Object: a.prior.Object, Cause: cause}
	var failed *patches.TestFailedError
	renderer := a.intent.Renderer(a.prior.Object, record.Snapshot{})
	switch {
	case !errors.As(err, &failed):
	case renderer.HasSecrets():
		patchError.Values = "The values are secret and not shown."
	case failed.Missing:
		patchError.Values = fmt.Sprintf("The patch expects %q there.", renderer.Text(nil, failed.Want))
	default:
		patchError.Values = fmt.Sprintf("The patch expects %q, and the object has %q.", renderer.Text(nil, failed.Want), renderer.Text(nil, failed.Found))
	}
	return patchError
}

// read returns prior with the object as it is now. It returns a *cluster.Error with ReasonConflict if the object was
// recreated since.
func read(ctx context.Context, api cluster.Interface, intent intents.Intent, prior record.Prior) (record.Prior, error) {
	live, err := cluster.Get(ctx, api, prior.Object)
	if err != nil {
		return prior, err
	}
	if prior.Snapshot.Known() {
		if err := prior.CheckUID(live); err != nil {
			return prior, err
		}
	}
	carried := prior.Snapshot
	carried.Sensitive = record.Texts(intent.Sensitive)
	observed, err := record.Describe(live, record.Observation{
		ID: prior.Object, FieldManager: intent.FieldManager, Fields: carried.Fields, Shown: prior.View, Carried: carried, IsPart: true, Patch: intent.Patch,
	})
	prior.Snapshot, prior.Live = observed.Snapshot, observed.Live
	return prior, err
}
