package kube

import (
	"context"
	"crypto/tls"
	"errors"
	"net"
	"net/http"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/wait"
)

// How long a request is sent again after its first failure, within the operation's timeout.
const (
	// duringOutage is for a server that has answered this process before, and restarts perhaps.
	duringOutage = time.Minute
	// atFirst is for a server that has not answered yet.
	atFirst = 5 * time.Second
	// inTrouble is for answers that speak of trouble which may pass, and for those that cannot be read.
	inTrouble = 15 * time.Second
)

// repetition says whether a request may be sent again where nobody knows what became of it.
type repetition string

const (
	// repeatable requests leave the same behind when they are sent twice: reads, dry-runs, applies to an
	// object that exists, and what a uid or a resourceVersion guards.
	repeatable repetition = "repeatable"
	// once is for the apply that creates an object. It is sent again only after a failure that the server
	// cannot have acted on; see isUnclear.
	once repetition = "once"
)

// persistence sends requests again whose failure may pass. All requests of a client share one. What the
// server asks to be sent again, by a Retry-After, client-go has sent again before.
type persistence struct {
	answered atomic.Bool
}

// do calls attempt until it succeeds, or until its error, which it returns then, is not worth another
// attempt. attempt returns what client-go returned.
func (p *persistence) do(ctx context.Context, repeat repetition, attempt func() error) error {
	pause := wait.Backoff{Duration: 200 * time.Millisecond, Factor: 2, Jitter: 0.2, Steps: 1 << 20, Cap: 3 * time.Second}
	var failing time.Time
	for {
		err := attempt()
		var answer apierrors.APIStatus
		if err == nil || errors.As(err, &answer) {
			p.answered.Store(true)
		}
		if err == nil || ctx.Err() != nil || repeat == once && isUnclear(err) {
			return err
		}
		if failing.IsZero() {
			failing = time.Now()
		}
		next := pause.Step()
		if time.Since(failing)+next > p.patience(err) {
			return err
		}
		select {
		case <-ctx.Done():
			return err
		case <-time.After(next):
		}
	}
}

// patience is how long a request that fails with err is sent again; 0 for a failure that will not pass.
func (p *persistence) patience(err error) time.Duration {
	var answer apierrors.APIStatus
	var untrusted *tls.CertificateVerificationError
	var noTLS tls.RecordHeaderError
	switch {
	case errors.As(err, &answer):
		return patienceWith(answer.Status())
	case errors.As(err, &untrusted), errors.As(err, &noTLS):
		return 0
	case isTransport(err) && p.answered.Load():
		return duringOutage
	case isTransport(err):
		return atFirst
	default:
		return inTrouble
	}
}

// patienceWith is patience with an answer. A conflict about another object than the request's, the quota of
// the namespace for instance, is over with the next attempt.
func patienceWith(status metav1.Status) time.Duration {
	switch {
	case isMisfit(status):
		return 0
	case status.Code == http.StatusTooManyRequests, status.Code >= http.StatusInternalServerError:
		return inTrouble
	case status.Code == http.StatusConflict && status.Details != nil && status.Details.Kind == "resourcequotas":
		return inTrouble
	default:
		return 0
	}
}

// misfits are how the server begins to say that a body, or the live object, does not fit the schema of its
// kind. It has no reason for it, and answers as if it had failed itself.
var misfits = []string{"failed to create typed patch object", "failed to create typed live object", "failed to convert new object"}

func isMisfit(status metav1.Status) bool {
	begins := func(words string) bool { return strings.HasPrefix(status.Message, words) }
	return status.Code == http.StatusInternalServerError && slices.ContainsFunc(misfits, begins)
}

// isUnclear says whether the server may have acted on a request that failed with err.
func isUnclear(err error) bool {
	var answer apierrors.APIStatus
	if errors.As(err, &answer) {
		status := answer.Status()
		return status.Code >= http.StatusInternalServerError && !isMisfit(status)
	}
	var lookup *net.DNSError
	if errors.As(err, &lookup) {
		return false
	}
	var network *net.OpError
	return !errors.As(err, &network) || network.Op != "dial"
}
