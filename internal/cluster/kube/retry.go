package kube

import (
	"context"
	"crypto/tls"
	"errors"
	"net"
	"net/http"
	"strings"
	"sync"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster/kube/connect"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster/retry"
)

// How long requests are sent again, within the operation's timeout.
const (
	// duringOutage is for a server that has answered this process before, and may be restarting. It counts from the
	// first of all requests that got no answer. After it, requests are not repeated.
	duringOutage = 2 * time.Minute
	// atFirst is the same for a server that has not answered yet.
	atFirst = 5 * time.Second
	// inTrouble limits the retries after answers that report a temporary problem, or that cannot be read. It counts
	// from the request's first failure.
	inTrouble = 15 * time.Second
	// betweenProbes is how often a server is tried again that has been silent for longer than duringOutage or atFirst. All requests
	// in between fail at once, so that the objects of one cluster do not hold up those of others.
	betweenProbes = 10 * time.Second
	// longestPause is the longest pause between two attempts.
	longestPause = 3 * time.Second
)

// repetition says whether a request may be sent again if its outcome is unknown.
type repetition string

const (
	// idempotent requests have the same result when they are sent twice: reads, dry-runs, applies to an object that
	// exists, and requests that a uid or a resourceVersion guards.
	idempotent repetition = "idempotent"
	// notIdempotent is for the apply that creates an object. It is sent again only after a failure that the server
	// cannot have acted on; see isOutcomeUnknown.
	notIdempotent repetition = "once"
)

// retrier sends requests again whose failure may be temporary. All requests of a client share one. If the server asks
// for a repetition by a Retry-After, client-go has already repeated the request.
type retrier struct {
	mu       sync.Mutex
	answered bool
	// silent is the time since which requests have got no answer; zero while they get one.
	silent time.Time
	// probed is when the silent server was last tried. silence is the error of the latest such request that cannot have reached the
	// server; nil without one.
	probed  time.Time
	silence error
	// webhooks are the webhooks that could not be reached, by name.
	webhooks map[string]webhookFailure
}

// do calls attempt until it succeeds, or until its error is not worth another attempt, and returns that error. attempt
// returns what client-go returned.
func (p *retrier) do(ctx context.Context, repeat repetition, attempt func() error) error {
	var failing time.Time
	if err := p.stillSilent(); err != nil {
		return err
	}
	began := time.Now()
	var err error
	// An operation that ends during a pause fails with the error of its last attempt.
	_ = retry.Do(ctx, retry.AfterFailure(longestPause), func(pause time.Duration) (again bool) {
		err = attempt()
		if failing.IsZero() {
			failing = time.Now()
		}
		end := p.end(ctx, err, began, failing)
		if err == nil || ctx.Err() != nil || repeat == notIdempotent && isOutcomeUnknown(err) {
			return false
		}
		return !time.Now().Add(pause).After(end)
	})
	return err
}

// stillSilent returns the error of an earlier request, if the server is not to be tried again yet.
func (p *retrier) stillSilent() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.silent.IsZero() || p.silence == nil || time.Now().Before(p.silent.Add(p.patience())) {
		return nil
	}
	if time.Since(p.probed) < betweenProbes {
		return p.silence
	}
	p.probed = time.Now()
	return nil
}

// patience returns how long requests that get no answer are sent again.
func (p *retrier) patience() time.Duration {
	if p.answered {
		return duringOutage
	}
	return atFirst
}

// end returns until when a request is sent again. It began at began, failed first at failing, and has now failed with
// err.
func (p *retrier) end(ctx context.Context, err error, began, failing time.Time) time.Time {
	p.mu.Lock()
	defer p.mu.Unlock()
	var answer apierrors.APIStatus
	refused := isRefusedAnswer(err)
	answered := err == nil || refused || errors.As(err, &answer)
	var plugin *connect.PluginError
	switch {
	case errors.As(err, &plugin):
		return failing
	case answered:
		p.answered, p.silent, p.silence = true, time.Time{}, nil
	case isTransport(err) && ctx.Err() == nil:
		if p.silent.IsZero() {
			p.silent = began
		}
		if p.probed = time.Now(); !isOutcomeUnknown(err) && !isLasting(err) {
			p.silence = err
		}
	}
	switch {
	case err == nil || refused || isLasting(err):
		return failing
	case answered:
		// All objects that wait for one webhook share one wait.
		if webhook := webhookOf(answer.Status()); webhook != nil {
			failing = p.webhookFailed(webhook.Name)
		}
		return failing.Add(patienceWith(answer.Status()))
	case !isTransport(err):
		return failing.Add(inTrouble)
	default:
		return p.silent.Add(p.patience())
	}
}

// patienceWith returns how long a request that gets such an answer is sent again. A conflict about another object than
// the request's, the quota of the namespace for instance, usually passes with the next attempt.
func patienceWith(status metav1.Status) time.Duration {
	switch {
	case schemaMismatchOf(status) != nil, isTooLarge(status):
		return 0
	case status.Code == http.StatusTooManyRequests, status.Code >= http.StatusInternalServerError:
		return inTrouble
	case status.Code == http.StatusConflict && status.Details != nil && status.Details.Kind == "resourcequotas":
		return inTrouble
	default:
		return 0
	}
}

// isHandshake reports whether the server took the connection and then did not answer the TLS handshake, so that nothing was sent. The
// error has no type.
func isHandshake(err error) bool {
	return strings.HasSuffix(err.Error(), "net/http: TLS handshake timeout")
}

// isLasting reports whether a failure on the way to the server stays: the server is not the one that the connection expects, one of
// the two does not use TLS, or a proxy refuses to connect.
func isLasting(err error) bool {
	var untrusted *tls.CertificateVerificationError
	var noTLS tls.RecordHeaderError
	var protocol *cluster.ProtocolError
	var proxy *cluster.ProxyError
	if errors.As(err, &proxy) {
		return proxy.Code < http.StatusInternalServerError && proxy.Code != http.StatusTooManyRequests
	}
	return errors.As(err, &untrusted) || errors.As(err, &noTLS) || errors.As(err, &protocol) || errors.Is(err, http.ErrSchemeMismatch)
}

// isRefusedAnswer reports whether the connection refused the server's answer, which would be the same the next time.
func isRefusedAnswer(err error) bool {
	var redirect *cluster.RedirectError
	var busy *cluster.BusyError
	var tooLarge *cluster.AnswerTooLargeError
	return errors.As(err, &redirect) || errors.As(err, &busy) || errors.As(err, &tooLarge)
}

// isOutcomeUnknown reports whether the server may have acted on a request that failed with err.
func isOutcomeUnknown(err error) bool {
	var answer apierrors.APIStatus
	if errors.As(err, &answer) {
		status := answer.Status()
		// Admission comes before anything is stored.
		return status.Code >= http.StatusInternalServerError && schemaMismatchOf(status) == nil && !isTooLarge(status) && webhookOf(status) == nil
	}
	var lookup *net.DNSError
	var plugin *connect.PluginError
	var redirect *cluster.RedirectError
	var proxy *cluster.ProxyError
	if errors.As(err, &lookup) || errors.As(err, &plugin) || errors.As(err, &redirect) || errors.As(err, &proxy) || isLasting(err) || isHandshake(err) {
		return false
	}
	if busy, is := errors.AsType[*cluster.BusyError](err); is {
		return busy.Status >= http.StatusInternalServerError
	}
	var network *net.OpError
	return !errors.As(err, &network) || network.Op != "dial" && network.Op != "proxyconnect" && network.Op != "socks connect"
}
