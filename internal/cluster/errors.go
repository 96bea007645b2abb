package cluster

import (
	"cmp"
	"errors"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
)

// Reason is why an operation failed, in the words that callers act on.
type Reason string

// The reasons. Those that the API server has a name for keep it (metav1.StatusReason).
const (
	// ReasonKindNotServed: discovery does not list the kind. A Get, a Patch and a Delete return this only after a new
	// load of discovery; see IsGone and KindNotServedError.
	ReasonKindNotServed Reason = "KindNotServed"
	// ReasonKindNotManageable: the server stores no objects of the kind, or no client may change them.
	ReasonKindNotManageable Reason = "KindNotManageable"
	// ReasonAPIUnavailable: the API server behind the kind's APIService does not answer; see [UnavailableAPIError].
	ReasonAPIUnavailable Reason = "APIUnavailable"
	// ReasonNamespaceNotFound: the object's namespace does not exist; see [NamespaceNotFoundError].
	ReasonNamespaceNotFound Reason = "NamespaceNotFound"
	// ReasonNamespaceTerminating: the object's namespace is being deleted.
	ReasonNamespaceTerminating Reason = "NamespaceTerminating"
	// ReasonNotFound: the object does not exist.
	ReasonNotFound Reason = "NotFound"
	// ReasonConflict: the object has changed, or its uid is not the one in the request.
	ReasonConflict Reason = "Conflict"
	// ReasonExpired: the server does not hold the list any more that a page continues.
	ReasonExpired Reason = "Expired"
	// ReasonFieldManagerConflict: an apply without force met fields of other managers; see [FieldManagerConflictError].
	ReasonFieldManagerConflict Reason = "FieldManagerConflict"
	// ReasonInvalid: the server's validation refused the object; see [InvalidError].
	ReasonInvalid Reason = "Invalid"
	// ReasonBadRequest: the server could not decode the object (an unknown or duplicate field).
	ReasonBadRequest Reason = "BadRequest"
	// ReasonForbidden: RBAC or an admission plugin refused the request; see [MissingRightError].
	ReasonForbidden Reason = "Forbidden"
	// ReasonNotYetAdmitted: an admission plugin refused the request because it lacks something that may still appear;
	// see [NotYetAdmittedError].
	ReasonNotYetAdmitted Reason = "NotYetAdmitted"
	// ReasonUnauthorized: the server did not accept the credentials.
	ReasonUnauthorized Reason = "Unauthorized"
	// ReasonCredentials: the connection's credential plugin gave no credentials; nothing was sent.
	ReasonCredentials Reason = "Credentials"
	// ReasonUnreachable: no answer came from the server; see [UnreachableError].
	ReasonUnreachable Reason = "Unreachable"
	// ReasonTimeout: the operation's timeout ran out.
	ReasonTimeout Reason = "Timeout"
	// ReasonDeletionBlocked: the server accepted a deletion, and something held the object until the timeout ran out.
	ReasonDeletionBlocked Reason = "DeletionBlocked"
	// ReasonSchemaMismatch: a value does not fit the schema of the kind; see [SchemaMismatchError].
	ReasonSchemaMismatch Reason = "SchemaMismatch"
	// ReasonUnconvertible: the server cannot convert the object to the API version of an entry of its managedFields;
	// see [UnconvertibleError].
	ReasonUnconvertible Reason = "Unconvertible"
	// ReasonTooLarge: the object is larger than the server or its storage takes; see [TooLargeError].
	ReasonTooLarge Reason = "TooLarge"
	// ReasonWebhookUnreachable: the API server could not reach an admission webhook; see [WebhookUnreachableError].
	ReasonWebhookUnreachable Reason = "WebhookUnreachable"
	// ReasonRedirected: the server answered with a redirect; see [RedirectError].
	ReasonRedirected Reason = "Redirected"
	// ReasonBusy: the server asks to wait for longer than the operation may take; see [BusyError].
	ReasonBusy Reason = "Busy"
	// ReasonWrongAnswer: the answer is not the requested object, or it is too large; see WrongAnswerError and
	// AnswerTooLargeError.
	ReasonWrongAnswer Reason = "WrongAnswer"
	// ReasonServer: any other answer of the server.
	ReasonServer Reason = "Server"
)

// Error is a failed operation on one object.
type Error struct {
	Reason Reason
	// Object is the object that the operation was about.
	Object manifest.Identity
	// Message is the message of the server, or of the client library if no server answered. Of an object with secret
	// values it is a summary without the server's words.
	Message string
	// Words are the server's words then, which must not be shown; "" if they are the Message.
	Words string
	// OutcomeUnknown is true if the server may have executed the request: the response was lost, or reports a temporary
	// problem.
	OutcomeUnknown bool
	// Details are the data about the Reason, in the type that the comment of the Reason names; nil for other reasons.
	// errors.As finds it.
	Details error
	// Cause is the client library's error; nil if the provider found the fault itself.
	Cause error
}

func (e *Error) Error() string { return e.Object.String() + ": " + e.Message }

// Unwrap returns the details and the client library's error.
func (e *Error) Unwrap() []error { return []error{e.Details, e.Cause} }

// Said returns the server's words, to compare them. They must not be shown.
func (e *Error) Said() string { return cmp.Or(e.Words, e.Message) }

// ReasonOf returns the reason of the first *Error in err's chain, "" without one.
func ReasonOf(err error) Reason {
	if e, ok := errors.AsType[*Error](err); ok {
		return e.Reason
	}
	return ""
}

// IsRefusal reports whether an error is a judgement of the server, or of a webhook, about a body.
func IsRefusal(err error) bool {
	switch ReasonOf(err) {
	case ReasonInvalid, ReasonBadRequest, ReasonForbidden, ReasonSchemaMismatch, ReasonTooLarge:
		return MissingRightOf(err) == nil
	}
	return false
}

// IsGone reports whether the error of a Get, a Patch or a Delete means that the object does not exist: it is not there,
// or no version of its kind is served any more, because its CustomResourceDefinition was deleted and took
// its objects along.
func IsGone(err error) bool {
	reason := ReasonOf(err)
	return reason == ReasonNotFound || reason == ReasonKindNotServed && len(servedIn(err)) == 0
}

// LacksCredentials reports whether an operation failed for lack of credentials that the server accepts.
func LacksCredentials(err error) bool {
	reason := ReasonOf(err)
	return reason == ReasonUnauthorized || reason == ReasonCredentials
}
