package faults

import (
	"errors"
	"strings"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
)

// Unserved returns what to do about a kind that is missing from a group that no CustomResourceDefinition can add
// to; "" for other kinds.
func Unserved(err *cluster.Error) string {
	const correct = "Correct apiVersion and kind"
	unserved, is := errors.AsType[*cluster.KindNotServedError](err)
	switch {
	case !is || !unserved.BuiltinGroup:
		return ""
	case strings.HasPrefix(err.Object.Kind, "ValidatingAdmissionPolicy"):
		return correct + ", or upgrade the cluster: Kubernetes has the kind since 1.30."
	case len(unserved.Nearest) > 0:
		return correct + "."
	}
	return correct + ", or upgrade the cluster: a newer Kubernetes may have the kind."
}
