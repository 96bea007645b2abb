package kube

import (
	"errors"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/go-logr/logr/funcr"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/klog/v2"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster/kube/connect"
)

// Each repetition is a line with its reason, without what the server says and without the query of the URL.
func TestRepetitionsAreLogged(t *testing.T) {
	t.Parallel()
	unavailable := &apierrors.StatusError{ErrStatus: metav1.Status{
		Code: http.StatusServiceUnavailable, Reason: metav1.StatusReasonServiceUnavailable, Message: "hunter2",
	}}
	for want, failure := range map[string]error{
		"the server answered 503 ServiceUnavailable": unavailable,
		"connection reset by peer":                   &url.Error{Op: "Patch", URL: "https://server/?a=hunter2", Err: errors.New("connection reset by peer")},
	} {
		var logged []string
		log := funcr.New(func(_, line string) { logged = append(logged, line) }, funcr.Options{Verbosity: cluster.Steps})
		ctx, object := klog.NewContext(t.Context(), log), "Retry the request in " // Discovery is about no object.
		if errors.Is(failure, unavailable) {
			ctx, object = connect.Sending(ctx, "Secret a/b (v1)"), "Retry Secret a/b (v1) in "
		}
		failures := []error{failure, nil}
		err := (&retrier{}).do(ctx, idempotent, func() error {
			next := failures[0]
			failures = failures[1:]
			return next
		})
		text := strings.Join(logged, "\n")
		if err != nil || len(logged) != 1 || !strings.Contains(text, want) || !strings.Contains(text, object) ||
			strings.Contains(text, "hunter2") {
			t.Errorf("%v; logged %q, want %q", err, logged, want)
		}
	}
}
