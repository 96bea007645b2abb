package kube

import (
	"context"
	"errors"
	"net"
	"net/url"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster/kube/connect"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster/kube/statuses"
)

var (
	refused = &url.Error{
		Op:  "Get",
		URL: "https://h",
		Err: &net.OpError{Op: "dial", Net: "tcp", Err: errors.New("connection refused")},
	}
	reset = &url.Error{
		Op:  "Patch",
		URL: "https://h",
		Err: &net.OpError{Op: "read", Net: "tcp", Err: errors.New("connection reset by peer")},
	}
	broken     = status(500, "", "etcdserver: request timed out", nil)
	errGarbled = errors.New("unexpected end of JSON input")
	mismatch   = status(
		500,
		"",
		"failed to create typed patch object (shop/web; apps/v1, Kind=Deployment): .spec.replica: field not declared in schema",
		nil,
	)
)

// Requests are sent again for as long as their failure may be temporary, and no longer.
func TestPersistence(t *testing.T) {
	t.Parallel()
	quota := status(
		409,
		metav1.StatusReasonConflict,
		"please apply your changes",
		&metav1.StatusDetails{Kind: "resourcequotas"},
	)
	moved := status(
		409,
		metav1.StatusReasonConflict,
		"the object has been modified",
		&metav1.StatusDetails{Kind: "deployments"},
	)
	resource := schema.GroupResource{Resource: "deployments"}
	for name, tc := range map[string]struct {
		err    error
		before string // what the server had answered before
		repeat repetition
		// within and beyond bound the time that was spent on the request.
		beyond, within time.Duration
	}{
		"nobody listens, and never did":             {refused, "", idempotent, 2 * time.Second, atFirst},
		"nobody listens any more":                   {refused, "something", idempotent, 110 * time.Second, duringOutage},
		"nobody listens to a create":                {refused, "something", notIdempotent, 110 * time.Second, duringOutage},
		"the connection broke":                      {reset, "something", idempotent, 110 * time.Second, duringOutage},
		"the connection of a create broke":          {reset, "something", notIdempotent, -1, 0},
		"the server is in trouble":                  {broken, "", idempotent, 10 * time.Second, inTrouble},
		"the server is in trouble during a create":  {broken, "", notIdempotent, -1, 0},
		"the answer cannot be read":                 {errGarbled, "", idempotent, 10 * time.Second, inTrouble},
		"the answer to a create cannot be read":     {errGarbled, "", notIdempotent, -1, 0},
		"the server is busy":                        {apierrors.NewTooManyRequests("slow down", 0), "", notIdempotent, 10 * time.Second, inTrouble},
		"others take from the quota":                {quota, "", notIdempotent, 10 * time.Second, inTrouble},
		"the object moved on":                       {moved, "", idempotent, -1, 0},
		"a field is not in the schema":              {mismatch, "", idempotent, -1, 0},
		"the server's validation refuses":           {status(422, metav1.StatusReasonInvalid, "is invalid", nil), "", idempotent, -1, 0},
		"a field is unknown":                        {apierrors.NewBadRequest("unknown field"), "", idempotent, -1, 0},
		"RBAC refuses":                              {apierrors.NewForbidden(resource, "web", errors.New("no")), "", idempotent, -1, 0},
		"the credentials are not accepted":          {apierrors.NewUnauthorized("no"), "", idempotent, -1, 0},
		"a plugin gives no credentials":             {&url.Error{Op: "Get", URL: "https://h", Err: &connect.PluginError{}}, "something", notIdempotent, -1, 0},
		"the object is missing":                     {apierrors.NewNotFound(resource, "web"), "", idempotent, -1, 0},
		"the object is too large for etcd":          {status(500, "", "etcdserver: request is too large", nil), "", idempotent, -1, 0},
		"the object is too large":                   {apierrors.NewRequestEntityTooLargeError("too large"), "", idempotent, -1, 0},
		"the answer is of another time of the past": {apierrors.NewResourceExpired("gone"), "", idempotent, -1, 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				p, attempts, began := &retrier{}, 0, time.Now()
				p.answered = tc.before != ""
				err := p.do(t.Context(), tc.repeat, func() error { attempts++; return tc.err })
				if spent := time.Since(began); !errors.Is(err, tc.err) || spent <= tc.beyond || spent > tc.within {
					t.Errorf("%d attempts in %s ended with %v", attempts, spent, err)
				}
				if (tc.within == 0) != (attempts == 1) {
					t.Errorf("%d attempts", attempts)
				}
			})
		})
	}
}

// Success, or the end of the operation, ends the attempts.
func TestPersistenceEnds(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		p, attempts := &retrier{}, 0
		err := p.do(t.Context(), idempotent, func() error {
			if attempts++; attempts < 4 {
				return refused
			}
			return nil
		})
		if err != nil || attempts != 4 || !p.answered {
			t.Errorf("%d attempts ended with %v", attempts, err)
		}
		ctx, cancel := context.WithTimeout(t.Context(), 2*time.Second)
		defer cancel()
		began := time.Now()
		err = p.do(ctx, idempotent, func() error { return refused })
		if spent := time.Since(began); !errors.Is(err, refused) || spent != 2*time.Second {
			t.Errorf("after the operation's end: %v in %s", err, spent)
		}
	})
}

// A busy server is asked again when it says so, until the operation ends.
func TestPersistenceWithABusyServer(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
		defer cancel()
		busy, attempts, began := apierrors.NewTooManyRequests("slow down", 25), 0, time.Now()
		err := (&retrier{}).do(ctx, notIdempotent, func() error { attempts++; return busy })
		if spent := time.Since(began); !errors.Is(err, busy) || attempts > 5 || spent != 100*time.Second || ctx.Err() != nil {
			t.Errorf("%d attempts in %s ended with %v", attempts, spent, err)
		}
	})
}

// All requests share one outage: later requests do not begin to wait again.
func TestPersistenceSharesAnOutage(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		p := &retrier{}
		_ = p.do(t.Context(), idempotent, func() error { return nil })
		fail := func() time.Duration {
			began := time.Now()
			_ = p.do(t.Context(), idempotent, func() error { return refused })
			return time.Since(began)
		}
		if first, second := fail(), fail(); first < 110*time.Second || second > 10*time.Second {
			t.Errorf("the first waited %s, the second %s", first, second)
		}
		_ = p.do(t.Context(), idempotent, func() error { return broken })
		if again := fail(); again < 110*time.Second {
			t.Errorf("after an answer, the next outage was waited for %s", again)
		}
	})
}

// A server that stays silent is tried from time to time, by one request. The others fail at once, until it answers.
func TestPersistenceWithASilentServer(t *testing.T) {
	t.Parallel()
	for name, refused := range map[string]error{
		"it refuses connections":        refused,
		"it does not end the handshake": &url.Error{Op: "Get", URL: "https://h", Err: errors.New("net/http: TLS handshake timeout")},
		"nobody knows its name":         &url.Error{Op: "Get", URL: "https://h", Err: &net.OpError{Op: "dial", Err: &net.DNSError{UnwrapErr: context.DeadlineExceeded, IsTimeout: true}}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			staysSilent(t, refused)
		})
	}
}

func staysSilent(t *testing.T, refused error) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		p, attempts := &retrier{}, 0
		dial := func() error {
			attempts++
			time.Sleep(8 * time.Second)
			return refused
		}
		if err := p.do(t.Context(), idempotent, dial); !errors.Is(err, refused) || attempts != 1 {
			t.Fatalf("the first request: %d attempts, %v", attempts, err)
		}
		began := time.Now()
		for range 100 {
			if err := p.do(t.Context(), notIdempotent, dial); !errors.Is(err, refused) {
				t.Fatal(err)
			}
		}
		if attempts != 1 || time.Since(began) > 0 {
			t.Errorf("100 requests to a silent server: %d attempts in %s", attempts-1, time.Since(began))
		}
		time.Sleep(betweenProbes)
		_ = p.do(t.Context(), idempotent, dial)
		_ = p.do(t.Context(), idempotent, dial)
		if attempts != 2 {
			t.Errorf("%d attempts, want one more after %s", attempts, betweenProbes)
		}
		time.Sleep(betweenProbes)
		if err := p.do(t.Context(), idempotent, func() error { return nil }); err != nil {
			t.Errorf("the server is back, and a request ended with %v", err)
		}
		if _ = p.do(t.Context(), idempotent, dial); attempts < 4 {
			t.Errorf("after an answer, %d attempts", attempts)
		}
	})
}

func TestWebhookOf(t *testing.T) {
	t.Parallel()
	const failed = `Internal error occurred: failed calling webhook "policy.example.com": `
	for name, tt := range map[string]struct {
		err  error
		want *cluster.WebhookUnreachableError
	}{
		"a service that does not exist": {
			status(500, "InternalError", failed+`failed to call webhook: Post "https://webhook.cert-manager.svc:443/validate?timeout=30s": service "webhook" not found`, nil),
			&cluster.WebhookUnreachableError{Name: "policy.example.com", Address: "service cert-manager/webhook"},
		},
		"an address where nobody listens": {
			status(500, "InternalError", failed+`failed to call webhook: Post "https://127.0.0.1:1/validate?timeout=10s": dial tcp 127.0.0.1:1: connect: connection refused`, nil),
			&cluster.WebhookUnreachableError{Name: "policy.example.com", Address: "https://127.0.0.1:1"},
		},
		"an answer of something before it": {
			status(500, "InternalError", failed+`failed to call webhook: the server is currently unable to handle the request`, nil),
			&cluster.WebhookUnreachableError{Name: "policy.example.com"},
		},
		"an answer that is wrong": {
			status(500, "InternalError", failed+`expected webhook response of admission.k8s.io/v1, Kind=AdmissionReview, got /, Kind=`, nil), nil,
		},
		"a refusal that speaks of it": {apierrors.NewBadRequest(failed + "failed to call webhook: x"), nil},
		"another failure":             {broken, nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			answer, _ := tt.err.(apierrors.APIStatus)
			if diff := cmp.Diff(tt.want, statuses.WebhookOf(answer.Status())); diff != "" {
				t.Errorf("webhook (-want +got):\n%s", diff)
			}
			if tt.want != nil && isOutcomeUnknown(tt.err) {
				t.Error("admission fails before anything is stored")
			}
		})
	}
}
