package refusals

import (
	"fmt"
	"math"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/paths"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/projection"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
)

// CutNumbers returns the refusal that the server leaves out: of whole numbers that it cuts to the size of their field:
// Kubernetes 1.36 stores replicas: 4294967296 as replicas: 0.
func CutNumbers(id manifest.Identity, body, result map[string]any, applied *paths.Set) error {
	var cut error
	formatter := paths.NewFormatter(applied)
	wanted, made := projection.NewReader(body), projection.NewReader(result)
	paths.Walk(applied.Leaves(), func(path paths.Path, _ bool) {
		written, _ := wanted.Lookup(path)
		stored, _ := made.Lookup(path)
		if cut != nil || !isCut(written, stored) {
			return
		}
		field := formatter.Format(path)
		message := fmt.Sprintf("%s: the number %v is too large; the API server would store %v", field, written, stored)
		cut = &cluster.Error{
			Reason: cluster.ReasonInvalid, Object: id, Message: message,
			Details: &cluster.InvalidError{
				Causes: []metav1.StatusCause{{Type: metav1.CauseTypeFieldValueInvalid, Field: field, Message: message}},
			},
		}
	})
	return cut
}

func isCut(written, stored any) bool {
	now, isWhole := stored.(int64)
	if !isWhole {
		return false
	}
	switch written := written.(type) {
	case int64:
		//nolint:gosec // the cut is what is looked for
		return written != now && (written > math.MaxInt32 || written < math.MinInt32) && int64(int32(written)) == now
	case float64:
		return math.Abs(written) >= math.MaxInt64
	default:
		return false
	}
}
