package cluster

import (
	"cmp"
	"context"
	"fmt"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
)

// OtherClusterError reports that a connection leads to another cluster than the one that a state is about.
type OtherClusterError struct {
	// Remembered is the uid of the cluster of the state, Found that of the cluster that the connection leads to.
	Remembered, Found string
	// Server is the URL of the connection; "" if it is not known.
	Server string
}

func (e *OtherClusterError) Error() string {
	at := "the connection leads"
	if e.Server != "" {
		at = e.Server + " belongs"
	}
	return fmt.Sprintf("%s to another cluster than the state: its namespace kube-system has the uid %s, not %s", at,
		e.Found, e.Remembered)
}

// HiddenError reports that the cluster of a state was recognized before, but that the user may not read its uid now. So
// the provider cannot verify that the connection leads to the same cluster.
type HiddenError struct {
	// Remembered is the uid of the cluster of the state.
	Remembered string
}

func (e *HiddenError) Error() string {
	return "the state is about a cluster whose namespace kube-system has the uid " + e.Remembered +
		", and the user of the connection may not read that namespace"
}

// Unrecognizable is remembered instead of the uid of a cluster if the user may not read it.
const Unrecognizable = "-"

// Recognize returns the uid of the cluster to remember. If the user may not read it, Recognize returns remembered, or
// Unrecognizable if that is empty. If remembered is the uid of another cluster, the error is an *OtherClusterError.
// Other errors are about the object of the operation that asks. It sends what UID sends.
func Recognize(ctx context.Context, api Interface, object manifest.Identity, remembered string) (string, error) {
	found, err := api.UID(ctx, object)
	switch {
	case err != nil:
		return remembered, err
	case found == "":
		return cmp.Or(remembered, Unrecognizable), nil
	case remembered != "" && remembered != Unrecognizable && found != remembered:
		return found, &OtherClusterError{Remembered: remembered, Found: found}
	}
	return found, nil
}
