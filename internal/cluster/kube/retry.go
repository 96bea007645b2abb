package kube

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"sync"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster/kube/connect"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster/kube/statuses"
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
	// betweenProbes is how often a server is tried again that has been silent for longer than duringOutage or atFirst.
	// All requests in between fail at once: the objects of one cluster must not hold up those of other clusters.
	betweenProbes = 10 * time.Second
	// longestPause is the longest pause between two attempts.
	longestPause = 3 * time.Second
)

// repetition reports whether a request may be sent again if its outcome is unknown.
type repetition string

const (
	// idempotent requests have the same result when they are sent twice: reads, dry-runs, applies to an object that
	// exists, and requests that a uid or a resourceVersion guards.
	idempotent repetition = "idempotent"
	// notIdempotent is for the apply that creates an object. It is sent again only after a failure that the server
	// cannot have acted on; see [isOutcomeUnknown].
	notIdempotent repetition = "once"
)

// retrier sends requests again whose failure may be temporary. All requests of a client share one. If the server asks
// for a repetition by a Retry-After, client-go has already repeated the request ten times, unless it is a create.
type retrier struct {
	mu       sync.Mutex
	answered bool
	// silent is the time since which requests have got no answer; zero while they get one.
	silent time.Time
	// probed is when the silent server was last tried. silence is the error of the latest request that cannot have
	// reached it; nil without one.
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
	pauses := cluster.AfterFailure(longestPause)
	for {
		err := attempt()
		if failing.IsZero() {
			failing = time.Now()
		}
		end := p.end(ctx, err, began, failing)
		if err == nil || ctx.Err() != nil || repeat == notIdempotent && isOutcomeUnknown(err) {
			return err
		}
		asked, _ := apierrors.SuggestsClientDelay(err)
		pause := max(pauses.Step(), time.Duration(asked)*time.Second)
		if time.Now().Add(pause).After(end) {
			return err
		}
		cluster.Log(ctx).V(cluster.Steps).Info(fmt.Sprintf("Retry %s in %dms: %s",
			cmp.Or(connect.SendingOf(ctx), "the request"), pause.Milliseconds(), reasonForLog(err)))
		if !cluster.Pause(ctx, pause) {
			return err // Of the last attempt, which tells more than that the operation has ended.
		}
	}
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
	switch {
	case wraps[*connect.PluginError](err), wraps[*cluster.ThrottledError](err):
		// A time that has passed: the request would fail again, and the failure does not show whether the server
		// answers.
		return failing
	case answered:
		p.answered, p.silent, p.silence = true, time.Time{}, nil
	case isTransport(err) && ctx.Err() == nil:
		if p.silent.IsZero() {
			p.silent = began
		}
		// Requests that are not sent at all get silence as their error, so it must not be an error with an unknown
		// outcome.
		if p.probed = time.Now(); !isOutcomeUnknown(err) && !isLasting(err) {
			p.silence = err
		}
	}
	switch {
	case err == nil || refused || isLasting(err):
		return failing
	case answered:
		deadline, limited := ctx.Deadline()
		if _, asks := apierrors.SuggestsClientDelay(err); limited && asks && apierrors.IsTooManyRequests(err) {
			return deadline // The server has not acted on the request, and says when it will.
		}
		// All objects that wait for one webhook share one wait.
		if webhook := statuses.WebhookOf(answer.Status()); webhook != nil {
			failing = p.webhookFailed(webhook.Name)
		}
		return failing.Add(patienceWith(answer.Status()))
	case !isTransport(err):
		return failing.Add(inTrouble)
	default:
		return p.silent.Add(p.patience())
	}
}

// patienceWith returns how long a request that gets this answer is sent again. A conflict about another object than
// the request's, the quota of the namespace for instance, usually passes with the next attempt.
func patienceWith(status metav1.Status) time.Duration {
	switch {
	case statuses.IsJudged(status):
		return 0
	case status.Code == http.StatusTooManyRequests, status.Code >= http.StatusInternalServerError:
		return inTrouble
	case status.Code == http.StatusConflict && status.Details != nil && status.Details.Kind == "resourcequotas":
		return inTrouble
	default:
		return 0
	}
}

// forgetWebhook is how long after its last failure a webhook counts as one that has not failed before.
const forgetWebhook = 30 * time.Second

// webhookFailure has the times of the first and of the last failed call of a webhook.
type webhookFailure struct{ first, last time.Time }

// webhookFailed notes that a webhook could not be reached, and returns since when. The caller holds p.mu.
func (p *retrier) webhookFailed(name string) time.Time {
	now := time.Now()
	failing, known := p.webhooks[name]
	if !known || now.Sub(failing.last) > forgetWebhook {
		failing.first = now
	}
	failing.last = now
	if p.webhooks == nil {
		p.webhooks = map[string]webhookFailure{}
	}
	p.webhooks[name] = failing
	return failing.first
}
