package record

import (
	"fmt"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifest"
)

// Recreated returns the *Error, with ReasonConflict, of an object that has another uid than when it was planned.
func Recreated(id manifest.Identity, uid string, live *unstructured.Unstructured) *cluster.Error {
	return &cluster.Error{
		Reason:  cluster.ReasonConflict,
		Object:  id,
		Message: fmt.Sprintf("the object was deleted and created again since the plan: its uid was %s and is now %s", uid, live.GetUID()),
	}
}
