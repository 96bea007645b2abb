package removals

import (
	"context"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/paths"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/projection"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/prediction"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/record"
)

// Try asks the server whether it accepts the object without the fields that the apply removes. It sends one dry-run, of
// a merge patch, if the plan's own dry-run removed none or not all of these fields. It returns the server's refusal. It
// sends nothing if the plan tried the body as a new object and this run has not read the live one.
func Try(ctx context.Context, api cluster.Interface, in prediction.Prediction) error {
	base, outcome := in.Result, in.Outcome()
	if in.Asked.IsOfNewObject {
		base, outcome = in.Prior.Live, projection.Graft(outcome, in.Body, in.Applied)
	}
	if !in.Asked.IsUnderAnotherName && in.Removes.Empty() || base == nil {
		return nil
	}
	// The uid guards against an object that was recreated.
	unsent := record.ServerFields(in.Prior.Object).Difference(paths.NewSet(paths.Path{paths.Field("metadata"), paths.Field("uid")}))
	before, _ := projection.Strip(base, unsent).(map[string]any)
	after, _ := projection.Strip(outcome, unsent).(map[string]any)
	if len(projection.Differences(before, after, in.Known().Union(in.Applied))) == 0 {
		return nil
	}
	return api.TryMerge(ctx, in.Prior.Object, in.Asked.Manager, mergePatch(before, after))
}

// mergePatch returns the merge patch that sets all of after in an object, and removes the fields that only before has.
func mergePatch(before, after map[string]any) map[string]any {
	patch := make(map[string]any, len(after))
	for name, value := range after {
		inner, isMap := value.(map[string]any)
		was, wasMap := before[name].(map[string]any)
		if isMap && wasMap {
			value = mergePatch(was, inner)
		}
		patch[name] = value
	}
	for name := range before {
		if _, stays := after[name]; !stays {
			patch[name] = nil
		}
	}
	return patch
}
