package run

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/clustertest"
)

func TestSettling(t *testing.T) {
	t.Parallel()
	builtin := clustertest.Failing(cluster.ReasonKindNotServed)
	builtin.Details = &cluster.KindNotServedError{BuiltinGroup: true}
	tests := map[string]struct {
		err      error
		forgiven bool
	}{
		"no error":                          {nil, true},
		"a namespace that is still to come": {clustertest.Failing(cluster.ReasonNamespaceNotFound), true},
		"a namespace that is still to go":   {clustertest.Failing(cluster.ReasonNamespaceTerminating), true},
		"a kind that is still to come":      {clustertest.Failing(cluster.ReasonKindNotServed), true},
		"an API that is not up yet":         {clustertest.Failing(cluster.ReasonAPIUnavailable), true},
		"a reference that is still to come": {clustertest.Failing(cluster.ReasonNotYetAdmitted), true},
		"a webhook that is not up yet":      {clustertest.Failing(cluster.ReasonWebhookUnreachable), true},
		"a kind that no definition can add": {builtin, false},
		"an object that is missing":         {clustertest.Failing(cluster.ReasonNotFound), false},
		"an object that is refused":         {clustertest.Failing(cluster.ReasonInvalid), false},
		"a server that cannot be reached":   {clustertest.Failing(cluster.ReasonUnreachable), false},
		"an error of another type":          {errors.New("x"), false},
		"a wrapped namespace still to come": {
			&StillMissingError{Last: clustertest.Failing(cluster.ReasonNamespaceNotFound)},
			true,
		},
		"an object that exists already":      {&AlreadyExistsError{Object: clustertest.ConfigMap}, false},
		"a context that ended before it all": {context.Canceled, false},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := NotReady(tt.err)
			if tt.forgiven && got != nil || !tt.forgiven && !errors.Is(got, tt.err) {
				t.Errorf("%v", got)
			}
		})
	}
}

func TestAwaitSettled(t *testing.T) {
	t.Parallel()
	missing := clustertest.Failing(cluster.ReasonNamespaceNotFound)
	tests := map[string]struct {
		// answers are the errors of one try after the other; the last one is repeated.
		answers []error
		timeout time.Duration
		want    error
		// try is called at least tries times, and fewer than never times.
		tries, never int
		// waits is true if the result is a *StillMissingError around want.
		waits bool
	}{
		"success needs one try": {answers: []error{nil}, timeout: time.Minute, tries: 1, never: 2},
		"a fault is not tried again": {
			answers: []error{clustertest.Failing(cluster.ReasonInvalid)},
			timeout: time.Minute,
			want:    clustertest.Failing(cluster.ReasonInvalid),
			tries:   1,
			never:   2,
		},
		"what comes into being is waited for": {
			answers: []error{missing, missing, nil},
			timeout: time.Minute,
			tries:   3,
			never:   4,
		},
		"a fault ends the wait": {
			answers: []error{missing, clustertest.Failing(cluster.ReasonForbidden)},
			timeout: time.Minute,
			want:    clustertest.Failing(cluster.ReasonForbidden),
			tries:   2,
			never:   3,
		},
		"the wait ends with its timeout": {
			answers: []error{missing},
			timeout: 5 * time.Minute,
			want:    missing,
			tries:   80,
			never:   200,
			waits:   true,
		},
		"no wait is left after the first try": {
			answers: []error{missing},
			timeout: time.Nanosecond,
			want:    missing,
			tries:   1,
			never:   2,
			waits:   true,
		},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				ctx, cancel := context.WithTimeout(t.Context(), tt.timeout)
				defer cancel()
				tries := 0
				err := AwaitSettled(ctx, nil, func() error {
					tries++
					return tt.answers[min(tries, len(tt.answers))-1]
				})
				if tries < tt.tries || tries >= tt.never {
					t.Errorf("%d tries, want %d and fewer than %d", tries, tt.tries, tt.never)
				}
				assertWait(t, err, tt.want, tt.waits, tt.timeout)
			})
		})
	}
}

func assertWait(t *testing.T, err, want error, waits bool, timeout time.Duration) {
	t.Helper()
	if want == nil {
		if err != nil {
			t.Error(err)
		}
		return
	}
	var waited *StillMissingError
	if errors.As(err, &waited) != waits || cluster.ReasonOf(err) != cluster.ReasonOf(want) {
		t.Errorf("error %#v, want %v", err, want)
	}
	if waits && waited.Waited != timeout {
		t.Errorf("waited %s of %s", waited.Waited, timeout)
	}
}

// TestAwaitSettledNamesWhatItWaitedFor holds that a try which the timeout cuts short does not hide what the server said before.
func TestAwaitSettledNamesWhatItWaitedFor(t *testing.T) {
	t.Parallel()
	ends := map[string]func(context.Context) error{
		"the context's error": func(ctx context.Context) error { return ctx.Err() },
		"a typed timeout":     func(context.Context) error { return clustertest.Failing(cluster.ReasonTimeout) },
	}
	for name, end := range ends {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
				defer cancel()
				first := true
				err := AwaitSettled(ctx, nil, func() error {
					if first {
						first = false
						return clustertest.Failing(cluster.ReasonNamespaceNotFound)
					}
					<-ctx.Done()
					return end(ctx)
				})
				const want = "ConfigMap shop/web (v1): the server said NamespaceNotFound; waited 10s for it"
				if err == nil || err.Error() != want {
					t.Errorf("error %v, want %s", err, want)
				}
			})
		})
	}
}
