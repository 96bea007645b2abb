package hooks

import (
	"context"
	"errors"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/run"
)

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
