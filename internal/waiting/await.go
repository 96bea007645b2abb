package waiting

import (
	"context"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifest"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/readiness"
)

// Judge says how far an object has come. hasStatus says that its kind has a status subresource.
type Judge func(object *unstructured.Unstructured, hasStatus bool) readiness.Status

// NotReadyError is an object that is not ready, and for which nobody waits any longer.
type NotReadyError struct {
	Object manifest.Identity
	// Status is what the object said last. It is Failed where waiting was hopeless, and InProgress where the time was over.
	Status readiness.Status
	// Waited is how long the wait took.
	Waited time.Duration
	Explanation
}

func (e *NotReadyError) Error() string {
	return e.Object.String() + " is not ready: " + e.Status.Message
}

// Awaited is the end of a wait.
type Awaited struct {
	// Live is the object as it was seen last.
	Live *unstructured.Unstructured
	// Refusal is why the server did not let us watch the object; nil where it did.
	Refusal *cluster.Error
}

// Await follows an object until judge calls it ready: no request where it is ready as it was given, and one WATCH otherwise. It is
// a *NotReadyError where the object has failed, or ctx ends; three LISTs explain it.
func Await(ctx context.Context, api cluster.Interface, id manifest.Identity, live *unstructured.Unstructured, judge Judge) (Awaited, error) {
	began, end := time.Now(), Awaited{Live: live}
	kind, err := api.Kind(ctx, id.APIVersion, id.Kind)
	if err != nil {
		return end, err
	}
	status := judge(live, kind.HasStatus)
	if status.State == readiness.InProgress {
		var followed cluster.Followed
		followed, err = api.Follow(ctx, live, func(now *unstructured.Unstructured) bool {
			end.Live, status = now, judge(now, kind.HasStatus)
			return status.State != readiness.InProgress
		})
		end.Refusal = followed.Refusal
	}
	if status.State == readiness.Ready || err != nil && cluster.ReasonOf(err) != cluster.ReasonTimeout {
		return end, err
	}
	return end, &NotReadyError{Object: id, Status: status, Waited: time.Since(began), Explanation: explain(ctx, api, end.Live)}
}

// Limit returns how long to wait for an object whose configuration does not say: as long as a Deployment gives its rollout, and
// a minute more, or ten minutes.
func Limit(live *unstructured.Unstructured) time.Duration {
	seconds, has, err := unstructured.NestedInt64(live.Object, "spec", "progressDeadlineSeconds")
	if live.GetKind() == "Deployment" && has && err == nil {
		return time.Duration(seconds)*time.Second + time.Minute
	}
	return 10 * time.Minute
}
