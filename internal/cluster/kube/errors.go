package kube

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strings"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster/kube/connect"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster/kube/failures"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster/kube/statuses"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster/refusals"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
)

// errorOf translates what client-go returned for a request about id; nil for nil. ctx is the request's: only whether it
// has ended tells the operation's timeout from a timeout of the network.
func errorOf(ctx context.Context, id manifest.Identity, err error) *cluster.Error {
	if err == nil {
		return nil
	}
	var already *cluster.Error
	if errors.As(err, &already) {
		return already
	}
	var answer apierrors.APIStatus
	if errors.As(err, &answer) {
		return answerError(ctx, id, answer.Status(), err)
	}
	failed := &cluster.Error{Object: id, Cause: err, OutcomeUnknown: failures.IsOutcomeUnknown(err)}
	server := serverOf(err)
	var plugin *connect.PluginError
	switch {
	// Before the cases of ctx: a plugin that takes too long lets the deadline pass, and the error has to name the
	// plugin.
	case errors.As(err, &plugin):
		failed.Reason = cluster.ReasonCredentials
		failed.Message = plugin.Error()
	case refuseAnswer(failed, err):
	case errors.Is(ctx.Err(), context.DeadlineExceeded):
		failed.Reason = cluster.ReasonTimeout
		failed.Message = "no answer from " + server + " before the operation's timeout ran out"
	case ctx.Err() != nil:
		failed.Reason = cluster.ReasonTimeout
		failed.Message = "the operation was cancelled before " + server + " answered"
	case failures.IsTransport(err):
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

// refuseAnswer completes the error about an answer that the connection did not accept, and reports whether err is one.
func refuseAnswer(failed *cluster.Error, err error) bool {
	var redirect *cluster.RedirectError
	var busy *cluster.BusyError
	var tooLarge *cluster.AnswerTooLargeError
	var wrong *cluster.WrongAnswerError
	switch {
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
		Reason:         statuses.ReasonOf(id, status, err),
		Object:         id,
		Message:        cluster.Printable(ctx, status.Message),
		OutcomeUnknown: failures.IsOutcomeUnknown(err),
		Cause:          err,
	}
	failed.Details = statuses.DetailsOf(failed.Reason, id, status)
	if cluster.HasSecrets(ctx, id) {
		hideWords(ctx, failed, status)
		return failed
	}
	if failed.Reason == cluster.ReasonUnauthorized {
		failed.Message = unaccepted + ": " + failed.Message
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

const unaccepted = "the server did not accept the credentials"

// hideWords makes an error about an object with secret values show no words of the answer.
func hideWords(ctx context.Context, failed *cluster.Error, status metav1.Status) {
	shown := func(field string, unknown bool) string { return cluster.ShownField(ctx, field, unknown) }
	failed.Words = failed.Message
	if statuses.Speaker(status) != "" {
		ofOthers(failed, status)
	}
	statuses.HideValues(failed.Details, shown)
	switch failed.Reason {
	case cluster.ReasonUnauthorized:
		failed.Message = unaccepted
	case cluster.ReasonNotFound:
		failed.Message = "it does not exist"
	case cluster.ReasonConflict:
		failed.Message = "it has changed meanwhile (" + string(status.Reason) + ")"
	case cluster.ReasonFieldManagerConflict:
		failed.Message = conflictsIn(failed)
	case cluster.ReasonKindNotServed, cluster.ReasonNamespaceNotFound, cluster.ReasonNamespaceTerminating,
		cluster.ReasonNotYetAdmitted, cluster.ReasonSchemaMismatch, cluster.ReasonUnconvertible, cluster.ReasonWebhookUnreachable:
		failed.Message = failed.Details.Error()
	case cluster.ReasonTooLarge:
		failed.Message = "the API server or its storage does not take it"
	default:
		if missing := refusals.MissingRight(failed.Words); missing != nil {
			failed.Message = missing.Error()
			return
		}
		failed.Message = statuses.Summary(status, shown) + ". " + notShown(ctx, failed.Object)
	}
}

// ofOthers drops the details of a refusal by a policy or a webhook: it can have written each of them.
func ofOthers(failed *cluster.Error, status metav1.Status) {
	switch {
	case failed.Reason == cluster.ReasonWebhookUnreachable: // It has written nothing.
	case failed.Reason == cluster.ReasonInvalid:
		failed.Details = &cluster.InvalidError{}
	case status.Code >= http.StatusInternalServerError:
		failed.Reason, failed.Details = cluster.ReasonServer, nil
	default:
		failed.Reason, failed.Details = cluster.ReasonForbidden, nil
	}
}

// conflictsIn returns the fields of a conflict with the managers that own them: the API server alone writes its causes.
func conflictsIn(failed *cluster.Error) string {
	var parts []string
	for _, cause := range cluster.CausesOf(failed) {
		parts = append(parts, strings.TrimPrefix(cause.Field, ".")+" ("+cause.Message+")")
	}
	return "other managers own fields of it: " + strings.Join(parts, ", ")
}

// notShown returns the sentence about a message that is not shown, with a command that shows it.
func notShown(ctx context.Context, id manifest.Identity) string {
	const text = "Its message is not shown, because the object has secret values. To see it, run "
	object := strings.ToLower(id.Kind) + " " + id.Name
	if id.Namespace != "" {
		object += " -n " + id.Namespace
	}
	switch ctx.Value(methodKey{}) {
	case http.MethodPatch:
		return text + "kubectl apply --server-side --dry-run=server -f FILE"
	case http.MethodDelete:
		return text + "kubectl delete --dry-run=server " + object
	default:
		return text + "kubectl get " + object
	}
}

// methodKey is the key of the method of a request in its context.
type methodKey struct{}

// shownWarnings returns what may be shown of the warnings in the answer to a write.
func shownWarnings(ctx context.Context, id manifest.Identity, warnings []string) []string {
	var shown []string
	for _, warning := range warnings {
		text := cluster.Printable(ctx, warning)
		if cluster.HasSecrets(ctx, id) {
			summary, whole := statuses.WarningSummary(warning)
			if text = summary; !whole {
				text += "\n\n" + notShown(context.WithValue(ctx, methodKey{}, http.MethodPatch), id)
			}
		}
		if !slices.Contains(shown, text) {
			shown = append(shown, text)
		}
	}
	return shown
}

// serverOf names the server that a request went to, without the path and the query of the request.
func serverOf(err error) string {
	var urlErr *url.Error
	if errors.As(err, &urlErr) {
		if u, parseErr := url.Parse(urlErr.URL); parseErr == nil && u.Host != "" {
			return u.Scheme + "://" + u.Host
		}
	}
	return "the API server"
}

// innermost returns the error inside a *url.Error, which repeats the whole request line.
func innermost(err error) error {
	var urlErr *url.Error
	if errors.As(err, &urlErr) {
		return urlErr.Err
	}
	return err
}
