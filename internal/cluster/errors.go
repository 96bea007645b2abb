package cluster

import (
	"errors"
	"slices"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifest"
)

// Reason is why an operation failed, in the words that callers act on.
type Reason string

// The reasons. Those that the API server has a name for keep it (metav1.StatusReason).
const (
	// ReasonKindNotServed: discovery does not have the kind. A Get and a Delete say so only where discovery
	// was asked again; see IsGone.
	ReasonKindNotServed Reason = "KindNotServed"
	// ReasonNamespaceNotFound: the object's namespace does not exist.
	ReasonNamespaceNotFound Reason = "NamespaceNotFound"
	// ReasonNamespaceTerminating: the object's namespace is being deleted.
	ReasonNamespaceTerminating Reason = "NamespaceTerminating"
	// ReasonNotFound: the object does not exist.
	ReasonNotFound Reason = "NotFound"
	// ReasonConflict: the object has changed, or its uid is not the one in the request.
	ReasonConflict Reason = "Conflict"
	// ReasonFieldManagerConflict: an apply without force met fields of other managers; see Causes.
	ReasonFieldManagerConflict Reason = "FieldManagerConflict"
	// ReasonInvalid: the server's validation refused the object; see Causes.
	ReasonInvalid Reason = "Invalid"
	// ReasonBadRequest: the server could not decode the object (an unknown or duplicate field).
	ReasonBadRequest Reason = "BadRequest"
	// ReasonForbidden: RBAC or an admission plugin refused the request.
	ReasonForbidden Reason = "Forbidden"
	// ReasonUnauthorized: the server did not accept the credentials.
	ReasonUnauthorized Reason = "Unauthorized"
	// ReasonCredentials: the connection's credential plugin gave no credentials; nothing was sent.
	ReasonCredentials Reason = "Credentials"
	// ReasonUnreachable: no answer came from the server.
	ReasonUnreachable Reason = "Unreachable"
	// ReasonTimeout: the operation's timeout ran out.
	ReasonTimeout Reason = "Timeout"
	// ReasonDeletionBlocked: the server accepted a deletion, and something held the object until the timeout ran out.
	ReasonDeletionBlocked Reason = "DeletionBlocked"
	// ReasonSchemaMismatch: a value does not fit the schema of the kind; see SchemaMismatch and Undeclared.
	ReasonSchemaMismatch Reason = "SchemaMismatch"
	// ReasonTooLarge: the object is larger than the server or its storage takes; see Bytes.
	ReasonTooLarge Reason = "TooLarge"
	// ReasonWebhookUnreachable: the API server could not reach an admission webhook; see Webhook.
	ReasonWebhookUnreachable Reason = "WebhookUnreachable"
	// ReasonServer: any other answer of the server.
	ReasonServer Reason = "Server"
)

// Error is a failed operation on one object.
type Error struct {
	Reason Reason
	// Object is the object that the operation was about.
	Object manifest.Identity
	// Message is what the server said, or the client library where no server answered.
	Message string
	// Causes are the fields concerned, for ReasonInvalid and ReasonFieldManagerConflict.
	Causes []metav1.StatusCause
	// Nearest are served kinds that look like the one asked for, "apps/v1 Deployment", best first;
	// for ReasonKindNotServed. For ReasonNamespaceNotFound they are namespaces.
	Nearest []string
	// ServedIn are the other API versions that serve the kind, the newest first; for ReasonKindNotServed.
	ServedIn []string
	// BuiltinGroup says that no CustomResourceDefinition can add the kind to its group; for
	// ReasonKindNotServed.
	BuiltinGroup bool
	// OutcomeUnknown says that the server may have executed the request: the response was lost, or reports a temporary
	// problem.
	OutcomeUnknown bool
	// SchemaMismatch is the one value that the server names; for ReasonSchemaMismatch.
	SchemaMismatch *SchemaMismatch
	// Undeclared are all fields of the manifest that the schema does not have; for ReasonSchemaMismatch, where the
	// schema could be read.
	Undeclared []UndeclaredField
	// Rules are the rules of the kind's CustomResourceDefinition that the object breaks; for ReasonInvalid, where
	// the schema could be read.
	Rules []BrokenRule
	// Webhook is the one that could not be reached; for ReasonWebhookUnreachable.
	Webhook *Webhook
	// Bytes is the size of what an apply sent; 0 for other requests.
	Bytes int
	// Server is the URL of the server that gave no answer, without a path; "" for other reasons than
	// ReasonUnreachable.
	Server string
	// RetryAfter is the server's Retry-After, zero where it sent none.
	RetryAfter time.Duration
	// Cause is the client library's error; nil where the provider found the fault itself.
	Cause error
}

// Webhook is an admission webhook.
type Webhook struct {
	// Name is the one in its configuration.
	Name string
	// Address is "service NAMESPACE/NAME", or scheme and host of a URL; "" where the API server does not say.
	Address string
}

func (e *Error) Error() string { return e.Object.String() + ": " + e.Message }

// Unwrap gives the client library's error.
func (e *Error) Unwrap() error { return e.Cause }

// ReasonOf returns the reason of the first *Error in err's chain, "" without one.
func ReasonOf(err error) Reason {
	var e *Error
	if errors.As(err, &e) {
		return e.Reason
	}
	return ""
}

// IsGone reports whether the error of a Get or a Delete means that the object does not exist: it is not there,
// or no version of its kind is served any more, because its CustomResourceDefinition was deleted and took
// its objects along.
func IsGone(err error) bool {
	var e *Error
	if !errors.As(err, &e) {
		return false
	}
	return e.Reason == ReasonNotFound || e.Reason == ReasonKindNotServed && len(e.ServedIn) == 0
}

// LacksCredentials reports whether an operation failed for lack of credentials that the server accepts.
func LacksCredentials(err error) bool {
	reason := ReasonOf(err)
	return reason == ReasonUnauthorized || reason == ReasonCredentials
}

// SortUnique sorts texts and drops those that are there twice.
func SortUnique(texts *[]string) {
	slices.Sort(*texts)
	*texts = slices.Compact(*texts)
}
