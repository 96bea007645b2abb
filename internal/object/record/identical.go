package record

import (
	"context"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
)

// Sameness reports whether two connections lead to the same object.
type Sameness string

// The results of Identical.
const (
	SameObject    Sameness = "SameObject"
	AnotherObject Sameness = "AnotherObject"
)

// Identical reports whether cluster has the object of prior: one GET. If the object is missing or has
// another uid, the connection leads to another object, on another cluster.
func Identical(ctx context.Context, api cluster.Interface, prior Prior) (Sameness, error) {
	live, err := cluster.Get(ctx, api, prior.Object)
	switch {
	case cluster.IsGone(err):
		return AnotherObject, nil
	case err != nil:
		return "", err
	case string(live.GetUID()) == prior.Snapshot.UID:
		return SameObject, nil
	default:
		return AnotherObject, nil
	}
}
