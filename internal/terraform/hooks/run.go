package hooks

import (
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"strconv"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/chart"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/deletion"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/readiness"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/run"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/waiting"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/diagnostics"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/diagnostics/unready"
)

// mark is the annotation with the name of the operation for which a hook runs.
const mark = "k8sconnect.io/hook-of"

// logLines is how many lines of its log an error shows of a hook that has failed.
const logLines = 20

// run creates a hook, unless an earlier run of the operation has, and waits until it has ended well. It waits for a
// namespace or a kind that the set has just created. The result has no uid if the hook is not on the cluster.
func (o *Operation) run(
	ctx context.Context, api cluster.Interface, event string, hook chart.Hook,
) (run started, diags diag.Diagnostics) {
	run.Hook = hook
	var live *unstructured.Unstructured
	err := o.awaitSettled(ctx, func() (err error) {
		if run.id, err = cluster.Locate(ctx, api, hook.Identity); err == nil {
			live, err = o.found(ctx, api, event, run)
		}
		if err == nil && live == nil {
			live, err = o.create(ctx, api, event, run)
		}
		return err
	})
	if exists, is := errors.AsType[*existsError](err); is {
		return run, diag.Diagnostics{unready.HookExists(event, run.id, exists.isHook)}
	}
	if run.isLost = o.does == "delete" && isLost(err); run.isLost {
		return run, nil
	}
	if err != nil {
		return run, diag.Diagnostics{unready.OfHook(event, run.id, o.explain(diagnostics.Created, run.id, err))}
	}
	run.uid = string(live.GetUID())
	return run, o.await(ctx, api, event, run, live)
}

// existsError reports that an object with the name of a hook exists.
type existsError struct {
	// isHook is true if it is a hook itself, which its policies leave there.
	isHook bool
}

func (*existsError) Error() string { return "the object of the hook exists" }

// markOf returns the value of the annotation: the name of the operation, and a digest of the event and the hook.
func (o *Operation) markOf(event string, hook chart.Hook) string {
	digest := fnv.New64a()
	_, _ = fmt.Fprintln(digest, event, hook.Text)
	return o.id + "-" + strconv.FormatUint(digest.Sum64(), 36)
}

// found returns the object of a hook that an earlier run of the operation has created and that has not failed. It
// deletes any other one.
func (o *Operation) found(
	ctx context.Context, api cluster.Interface, event string, run started,
) (*unstructured.Unstructured, error) {
	live, err := api.Get(ctx, run.id)
	switch {
	case cluster.IsGone(err):
		return nil, nil
	case err != nil:
		return nil, err
	case live.GetAnnotations()[mark] == o.markOf(event, run.Hook) && live.GetDeletionTimestamp() == nil &&
		!readiness.Of(live, true).Final:
		return live, nil
	}
	_, isHook := live.GetAnnotations()["helm.sh/hook"]
	if !isHook || !run.HasPolicy("before-hook-creation") {
		return nil, &existsError{isHook}
	}
	return nil, deleteAndAwait(ctx, api, run.id, string(live.GetUID()))
}

// deleteAndAwait deletes an object and waits until it is gone.
func deleteAndAwait(ctx context.Context, api cluster.Interface, id manifest.Identity, uid string) error {
	ctx, cancel := context.WithTimeout(ctx, waiting.Limit(nil))
	defer cancel()
	_, err := deletion.Delete(ctx, api, id, cluster.Removal{UID: uid, Propagation: cluster.Background})
	return err
}

// await waits until a Job or a Pod has ended. Other objects need not be waited for.
func (o *Operation) await(
	ctx context.Context, api cluster.Interface, event string, run started, live *unstructured.Unstructured,
) diag.Diagnostics {
	if !chart.Ends(run.id) {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, waiting.LimitOfRun(live))
	defer cancel()
	goal := waiting.Goal{Judge: ended, LogLines: logLines}
	awaited, err := waiting.Await(ctx, api, run.id, live, goal)
	notReady, isNotReady := errors.AsType[*waiting.NotReadyError](err)
	switch {
	case err == nil:
		return nil
	case isNotReady:
		return diag.Diagnostics{unready.HookFailed(event, notReady, run.HasPolicy("hook-failed"))}
	case cluster.IsGone(err):
		return diag.Diagnostics{unready.HookGone(event, awaited.Object)}
	}
	return diag.Diagnostics{o.explain(diagnostics.Followed, run.id, err)}
}

// ended judges a Job or a Pod. A Pod that runs is ready, and has not ended.
func ended(live *unstructured.Unstructured, hasStatus bool) readiness.Status {
	status := readiness.Of(live, hasStatus)
	phase, _, _ := unstructured.NestedString(live.Object, "status", "phase")
	if live.GetKind() == "Pod" && status.State == readiness.Ready && phase != "Succeeded" {
		status.State, status.Message = readiness.InProgress, "The pod runs."
	}
	return status
}

// remove deletes the object of a hook, as one of its policies asks.
func (o *Operation) remove(ctx context.Context, api cluster.Interface, run started) diag.Diagnostics {
	if err := deleteAndAwait(ctx, api, run.id, run.uid); err != nil {
		return diag.Diagnostics{o.explain(diagnostics.Deleted, run.id, err)}
	}
	return nil
}

func (o *Operation) manager() string { return o.now.FieldManager.ValueString() }

// explain returns the diagnostic about a request that has failed.
func (o *Operation) explain(of diagnostics.Operation, id manifest.Identity, err error) diag.Diagnostic {
	return o.Provider.Explain(o.Names, of, id, err)
}

// unmark takes the name of their operation from hooks that stay on the cluster, and they run again if the chart is
// installed again.
func (o *Operation) unmark(ctx context.Context, api cluster.Interface, hooks []chart.Hook) diag.Diagnostics {
	var diags diag.Diagnostics
	for _, hook := range hooks {
		id, err := cluster.Locate(ctx, api, hook.Identity)
		if err == nil {
			// The controller of Jobs may write in between.
			_ = cluster.Retry(ctx, cluster.AfterConflict(time.Second), func(time.Duration) bool {
				err = o.unmarkOne(ctx, api, id)
				return cluster.ReasonOf(err) == cluster.ReasonConflict
			})
		}
		if err != nil && !cluster.IsGone(err) {
			diags.Append(o.explain(diagnostics.Updated, hook.Identity, err))
		}
	}
	return diags
}

func (o *Operation) unmarkOne(ctx context.Context, api cluster.Interface, id manifest.Identity) error {
	live, err := api.Get(ctx, id)
	if err != nil || live.GetAnnotations()[mark] == "" {
		return err
	}
	_, err = api.Patch(ctx, id, cluster.Patch{
		FieldManager: o.manager(), ResourceVersion: live.GetResourceVersion(),
		Edits: []cluster.Edit{{Pointer: []string{"metadata", "annotations", mark}, Remove: true}},
	})
	return err
}

// createTimeout is how long the create of a hook waits for its namespace or its kind if the configuration sets no
// timeout.
const createTimeout = 2 * time.Minute

// create creates the object of a hook.
func (o *Operation) create(
	ctx context.Context, api cluster.Interface, event string, run started,
) (*unstructured.Unstructured, error) {
	body := &unstructured.Unstructured{Object: manifest.Identified(run.Object, run.id)}
	body = body.DeepCopy()
	annotations := body.GetAnnotations()
	annotations[mark] = o.markOf(event, run.Hook)
	body.SetAnnotations(annotations)
	applied, err := cluster.Create(ctx, api, run.id, body.Object, o.manager())
	if _, isTaken := errors.AsType[*cluster.TakenError](err); isTaken {
		return nil, &existsError{}
	}
	return applied.Object, err
}

// awaitSettled repeats a create until its namespace and its kind are there, which a destroy does not wait for.
func (o *Operation) awaitSettled(ctx context.Context, create func() error) error {
	if o.plan == nil {
		return create()
	}
	configured := o.plan.Timeouts.Create
	if o.state != nil {
		configured = o.plan.Timeouts.Update
	}
	timeout, _ := configured(ctx, createTimeout) // The apply of each object reports an invalid one.
	patient, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	waits := &o.Provider.Run().Waits
	defer waits.Begin(ctx)()
	return run.AwaitSettled(patient, waits, create)
}

// isLost reports whether an object cannot be created because its namespace or its kind is gone.
func isLost(err error) bool {
	switch cluster.ReasonOf(err) {
	case cluster.ReasonNamespaceNotFound, cluster.ReasonNamespaceTerminating, cluster.ReasonKindNotServed:
		return true
	}
	return false
}
