package engine

import (
	"cmp"
	"context"
	"slices"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/ownership"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/paths"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/projection"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/record"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/wanted"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/withdrawal"
)

// TryEnd returns fates, together with the fields that the server removes or changes by itself when a part is taken
// back: the node ports of a Service whose type is restored, for instance. It notes in fates which values the server
// sets again, as it copies serviceAccount to serviceAccountName. It costs one dry-run if values are removed or restored
// on which other values may depend, and a GET before it if this run has not read the object. If other clients write to
// it meanwhile, it costs at most three more of each. refusal is why the server does not accept that; nil if it does,
// and after any other failure, which the destroy reports.
func TryEnd(
	ctx context.Context, api cluster.Interface, prior record.Prior, fates []ownership.Change,
) (tried []ownership.Change, refusal error) {
	if !slices.ContainsFunc(fates, mayDrop) {
		return fates, nil
	}
	prior, after, err := tryWithdrawal(ctx, api, prior)
	switch {
	case cluster.ReasonOf(err) == cluster.ReasonInvalid:
		return fates, err
	case after == nil || err != nil:
		return fates, nil //nolint:nilerr // The destroy reports it.
	}
	w, told := wanted.For(prior.Arguments, prior), record.ServerFields(prior.Object)
	now, renderer := projection.NewReader(after.Object), w.LiveRenderer().Knowing(prior.Live).Knowing(after.Object)
	for i, fate := range fates {
		if fate.What == ownership.Leaving {
			continue
		}
		told.Insert(fate.Path)
		value, presence := now.Lookup(fate.Path)
		if fate.What != ownership.Restoring && presence == projection.Present {
			fates[i].Why, fates[i].Refilled = ownership.Defaulted, renderer.Text(fate.Path, value)
		}
	}
	claims := prior.Snapshot.Claims
	names := renderer.Names(claims.Formatter(told))
	for _, difference := range projection.Differences(prior.Live, after.Object, claims.Fields().Union(told)) {
		path := difference.Path
		if paths.Touches(told, path) {
			continue
		}
		fate := ownership.Change{
			Field: names.Format(path), What: ownership.Unclaimed, Why: ownership.Dropped,
			Becomes: ownership.RemovedValue,
			Was:     renderer.Text(path, difference.Before), Owners: claims.Others(w.FieldManager).HoldersWithin(path),
		}
		if difference.Presence == projection.Present {
			fate.Becomes = cmp.Or(renderer.Text(path, difference.After), ownership.RemovedValue)
		}
		fates = append(fates, fate)
	}
	return fates, nil
}

// mostReads is how often the object is read for a dry-run that other clients outrun. A controller that answers a change
// writes a few times.
const mostReads = 3

// tryWithdrawal returns the object as the server would leave it, and prior with the live object that this was tried on.
func tryWithdrawal(
	ctx context.Context, api cluster.Interface, prior record.Prior,
) (record.Prior, *unstructured.Unstructured, error) {
	for reads := 0; ; reads++ {
		if prior.Live != nil {
			after, err := withdrawal.Try(ctx, api, prior)
			if cluster.ReasonOf(err) != cluster.ReasonConflict || reads == mostReads {
				return prior, after, err
			}
		}
		live, err := prior.Read(ctx, api)
		if err != nil {
			return prior, nil, err
		}
		prior.Live = live.Object
	}
}

// mayDrop reports whether a value leaves or is restored on which others may depend. Labels, annotations and the data of
// a ConfigMap do not depend on each other.
func mayDrop(fate ownership.Change) bool {
	around := *fate.Path[0].FieldName
	return fate.What != ownership.Leaving && around != "metadata" && around != "data" && around != "binaryData"
}
