package kube

import (
	"errors"
	"testing"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
)

// failure returns the typed error in err's chain.
func failure(t *testing.T, err error) *cluster.Error {
	t.Helper()
	var failed *cluster.Error
	if !errors.As(err, &failed) {
		t.Fatalf("want a *cluster.Error, got %v", err)
	}
	return failed
}

func details[T error](t *testing.T, err error) T {
	t.Helper()
	found, is := errors.AsType[T](err)
	if !is {
		t.Fatalf("want details of the type %T, got %v", found, err)
	}
	return found
}

func mustReason(t *testing.T, err error, want cluster.Reason) {
	t.Helper()
	if got := cluster.ReasonOf(err); got != want {
		t.Fatalf("want reason %s, got %s: %v", want, got, err)
	}
}
