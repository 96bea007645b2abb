package kube

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strings"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster/kube/connect"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster/kube/statuses"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
)

// errorOf translates what client-go returned for a request about id; nil for nil. ctx is the request's: only whether it
// has ended tells the operation's timeout from a timeout of the network.
func errorOf(ctx context.Context, id manifest.Identity, err error) *cluster.Error {
	if err == nil {
		return nil
	}
	if already, ok := errors.AsType[*cluster.Error](err); ok {
		return already
	}
	var answer apierrors.APIStatus
	if errors.As(err, &answer) {
		return answerError(ctx, id, answer.Status(), err)
	}
	failed := &cluster.Error{Object: id, Cause: err, OutcomeUnknown: isOutcomeUnknown(err)}
	server := serverOf(err)
	var plugin *connect.PluginError
	switch {
	// Before the cases of ctx: a plugin that takes too long lets the deadline pass, and the error has to name the
	// plugin.
	case errors.As(err, &plugin):
		failed.Reason = cluster.ReasonCredentials
		failed.Message = plugin.Error()
	case refuseAnswer(failed, err):
	// A request that never reached the server, or whose connection broke, keeps its cause.
	case errors.Is(ctx.Err(), context.DeadlineExceeded) &&
		(!isTransport(err) || failed.OutcomeUnknown && errors.Is(err, context.DeadlineExceeded)):
		failed.Reason = cluster.ReasonTimeout
		failed.Message = "no answer from " + server + " before the operation's timeout ran out"
	case errors.Is(ctx.Err(), context.Canceled):
		failed.Reason = cluster.ReasonTimeout
		failed.Message = "the operation was cancelled before " + server + " answered"
	case isTransport(err):
		failed.Reason, failed.Details = cluster.ReasonUnreachable, &cluster.UnreachableError{Server: server}
		failed.Message = "no answer from " + server + ": " + innermost(err).Error()
		if errors.Is(err, http.ErrSchemeMismatch) {
			protocol := &cluster.ProtocolError{}
			failed.Message, failed.Cause = "no answer from "+server+": "+protocol.Error(), errors.Join(protocol, err)
		}
	default:
		// The message of a decoding error can quote the answer, and the answer can be a Secret.
		failed.Reason = cluster.ReasonServer
		failed.Message = "the answer of " + server + " could not be read; it may not be a Kubernetes API server"
	}
	return failed
}

// refuseAnswer completes the error about a request that the connection did not send, or about an answer that it did not
// accept, and reports whether err is one.
func refuseAnswer(failed *cluster.Error, err error) bool {
	var redirect *cluster.RedirectError
	var busy *cluster.BusyError
	var tooLarge *cluster.AnswerTooLargeError
	var wrong *cluster.WrongAnswerError
	var throttled *cluster.ThrottledError
	switch {
	case errors.As(err, &throttled):
		failed.Reason, failed.Details = cluster.ReasonTimeout, throttled
	case errors.As(err, &redirect):
		failed.Reason, failed.Details = cluster.ReasonRedirected, redirect
	case errors.As(err, &busy):
		failed.Reason, failed.Details = cluster.ReasonBusy, busy
	case errors.As(err, &tooLarge):
		failed.Reason, failed.Details = cluster.ReasonWrongAnswer, tooLarge
	case errors.As(err, &wrong):
		failed.Reason, failed.Details = cluster.ReasonServer, wrong
	default:
		return false
	}
	failed.Message = failed.Details.Error()
	return true
}

// answerError returns an answer of the API server that is not a success. Of an object with secret values, it is shown
// without the words of the answer.
func answerError(ctx context.Context, id manifest.Identity, status metav1.Status, err error) *cluster.Error {
	status = statuses.Cut(status)
	failed := &cluster.Error{
		Reason: statuses.ReasonOf(id, status, err), Object: id, Message: cluster.Printable(ctx, status.Message),
		OutcomeUnknown: isOutcomeUnknown(err), Cause: err,
	}
	failed.Details = statuses.DetailsOf(failed.Reason, id, status)
	if hidden := words(ctx, id); hidden != nil {
		hidden.Hide(failed, status)
		return failed
	}
	if failed.Reason == cluster.ReasonUnauthorized {
		failed.Message = "the server did not accept the credentials: " + failed.Message
	}
	if invalid, is := errors.AsType[*cluster.InvalidError](failed.Details); is {
		for i := range invalid.Causes {
			invalid.Causes[i].Message = cluster.Printable(ctx, invalid.Causes[i].Message)
		}
	}
	if failed.Reason == cluster.ReasonUnconvertible {
		failed.Message = failed.Details.Error()
	}
	return failed
}

// methodKey is the key of the method of a request in its context.
type methodKey struct{}

// commandKey is the key of the command that does the same as a request, if its method does not tell that.
type commandKey struct{}

// words returns the rules for showing the words of an answer about an object with secret values; nil for other objects.
func words(ctx context.Context, id manifest.Identity) *statuses.Words {
	if !cluster.HasSecrets(ctx, id) {
		return nil
	}
	method, _ := ctx.Value(methodKey{}).(string)
	command, _ := ctx.Value(commandKey{}).(string)
	return &statuses.Words{
		Of: id, Method: method, Command: command,
		Field:      func(field string, unknown bool) string { return cluster.ShownField(ctx, field, unknown) },
		OwnedField: func(field string) string { return cluster.ShownOwnedField(ctx, field) },
	}
}

// shownWarnings returns what may be shown of the warnings in the answer to a write.
func shownWarnings(ctx context.Context, id manifest.Identity, warnings []string) []string {
	if len(warnings) == 0 {
		return nil
	}
	var shown []string
	hidden := words(context.WithValue(ctx, methodKey{}, http.MethodPatch), id)
	for _, warning := range warnings {
		text := cluster.Printable(ctx, warning)
		if hidden != nil {
			text = hidden.Warning(warning)
		}
		if !slices.Contains(shown, text) {
			shown = append(shown, text)
		}
	}
	return shown
}

// wraps reports whether an error, or one that it wraps, is of a type.
func wraps[E error](err error) bool {
	_, is := errors.AsType[E](err)
	return is
}

// isTransport reports whether err happened on the way to the server rather than in its answer.
func isTransport(err error) bool {
	return wraps[*url.Error](err) || wraps[net.Error](err)
}

// reasonForLog returns why a request failed, for the log. It has nothing of the server's message, which may quote
// values.
func reasonForLog(err error) string {
	var answer apierrors.APIStatus
	if errors.As(err, &answer) {
		return fmt.Sprintf("the server answered %d %s", answer.Status().Code, answer.Status().Reason)
	}
	if !isTransport(err) {
		return "the answer cannot be read"
	}
	return innermost(err).Error()
}

// isHandshake reports whether the server accepted the connection but did not answer the TLS handshake. No request was
// sent then. The error has no type.
func isHandshake(err error) bool {
	return strings.HasSuffix(err.Error(), "net/http: TLS handshake timeout")
}

// isLasting reports whether a failure on the way to the server stays: the server is not the one that the connection
// expects, one of the two does not use TLS, or a proxy refuses to connect.
func isLasting(err error) bool {
	if proxy, ok := errors.AsType[*cluster.ProxyError](err); ok {
		return proxy.Code < http.StatusInternalServerError && proxy.Code != http.StatusTooManyRequests
	}
	return wraps[*tls.CertificateVerificationError](err) || wraps[tls.RecordHeaderError](err) ||
		wraps[*cluster.ProtocolError](err) || errors.Is(err, http.ErrSchemeMismatch)
}

// isRefusedAnswer reports whether the connection refused the server's answer, which would be the same the next time.
func isRefusedAnswer(err error) bool {
	return wraps[*cluster.RedirectError](err) || wraps[*cluster.BusyError](err) ||
		wraps[*cluster.AnswerTooLargeError](err)
}

// isOutcomeUnknown reports whether the server may have acted on a request that failed with err.
func isOutcomeUnknown(err error) bool {
	var answer apierrors.APIStatus
	if errors.As(err, &answer) {
		status := answer.Status()
		// Admission comes before anything is stored.
		return status.Code >= http.StatusInternalServerError && !statuses.IsJudged(status) &&
			statuses.WebhookOf(status) == nil
	}
	if wraps[*cluster.ThrottledError](err) || wraps[*net.DNSError](err) || wraps[*connect.PluginError](err) ||
		wraps[*cluster.RedirectError](err) || wraps[*cluster.ProxyError](err) || isLasting(err) ||
		isHandshake(err) {
		return false
	}
	if busy, is := errors.AsType[*cluster.BusyError](err); is {
		// The server answers 429 before it acts on a request.
		return busy.Status >= http.StatusInternalServerError
	}
	network, is := errors.AsType[*net.OpError](err)
	return !is || network.Op != "dial" && network.Op != "proxyconnect" && network.Op != "socks connect"
}

// serverOf names the server that a request went to, without the path and the query of the request.
func serverOf(err error) string {
	if sent, is := errors.AsType[*url.Error](err); is {
		if u, err := url.Parse(sent.URL); err == nil && u.Host != "" {
			return connect.HostOf(u)
		}
	}
	return "the API server"
}

// innermost returns the error inside of a *url.Error, which repeats the whole request line with its query.
func innermost(err error) error {
	if sent, is := errors.AsType[*url.Error](err); is {
		return sent.Err
	}
	return err
}
