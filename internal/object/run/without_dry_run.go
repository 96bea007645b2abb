package run

import (
	"context"
	"slices"
	"sync"
	"time"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
)

// WithoutDryRun are the objects that a run plans without a dry-run, because its user may not write them. It is safe for
// concurrent use, and the zero value is empty.
type WithoutDryRun struct {
	mu      sync.Mutex
	objects map[At]bool
	rights  []*cluster.MissingRightError
	// reported is how many objects were reported; isReporting is true while an operation waits to report more.
	reported    int
	isReporting bool
}

// Note notes an object, and the rights that are missing.
func (w *WithoutDryRun) Note(api cluster.Interface, id manifest.Identity, rights []*cluster.MissingRightError) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.objects == nil {
		w.objects = map[At]bool{}
	}
	w.objects[At{API: api, Object: id}] = true
	for _, right := range rights {
		isSame := func(other *cluster.MissingRightError) bool { return *other == *right }
		if !slices.ContainsFunc(w.rights, isSame) {
			w.rights = append(w.rights, right)
		}
	}
}

// begin reports whether objects are to be reported, and no other operation does that.
func (w *WithoutDryRun) begin() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.isReporting || len(w.objects) == w.reported {
		return false
	}
	w.isReporting = true
	return true
}

// end returns the number of objects so far, and the rights that they lack, in order.
func (w *WithoutDryRun) end() (objects int, rights []*cluster.MissingRightError) {
	w.mu.Lock()
	defer w.mu.Unlock()
	// This report has the objects that were noted during its wait, too.
	w.isReporting, w.reported = false, len(w.objects)
	rights = slices.Clone(w.rights)
	slices.SortFunc(rights, (*cluster.MissingRightError).Compare)
	return w.reported, rights
}

// AwaitWithoutDryRun returns how many objects the run has planned without a dry-run so far, and the rights that are
// missing, in order. So that one operation reports all of them, it waits until nothing moves in the run for half a
// second. It returns 0 if there is nothing to report, or if another operation reports it.
func (r *Run) AwaitWithoutDryRun(ctx context.Context) (objects int, rights []*cluster.MissingRightError) {
	if !r.WithoutDryRun.begin() {
		return 0, nil
	}
	r.awaitQuiet(ctx, quietInPlan, never)
	return r.WithoutDryRun.end()
}

func never() bool { return false }

// awaitQuiet waits until holds returns true. It returns earlier if no operation of the run begins or ends for a time.
func (r *Run) awaitQuiet(ctx context.Context, still time.Duration, holds func() bool) {
	// isQuiet compares operations with waits. Without an entry of its own, this operation would keep the run busy.
	queued := r.Waits.enter(false)
	defer r.Waits.leave(queued, false)
	for !holds() && !r.Waits.isQuiet(still) {
		select {
		case <-ctx.Done():
			return
		case <-queued.giveWay:
			return
		case <-time.After(quietInPlan / 20):
		}
	}
}
