package cluster

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

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

// SortUnique sorts strings and drops those that are there twice.
func SortUnique(texts *[]string) {
	slices.Sort(*texts)
	*texts = slices.Compact(*texts)
}

// KindNotServedError has the details of ReasonKindNotServed.
type KindNotServedError struct {
	// Nearest are served kinds that look like the one asked for, "apps/v1 Deployment", best first.
	Nearest []string
	// ServedIn are the other API versions that serve the kind, the newest first.
	ServedIn []string
	// BuiltinGroup is true if no CustomResourceDefinition can add the kind to its group.
	BuiltinGroup bool
}

func (e *KindNotServedError) Error() string {
	if len(e.ServedIn) > 0 {
		return "the kind is served in " + strings.Join(e.ServedIn, ", ")
	}
	return "no version of the kind is served"
}

// servedIn returns the other API versions that serve a kind, by an error with ReasonKindNotServed.
func servedIn(err error) []string {
	if unserved, is := errors.AsType[*KindNotServedError](err); is {
		return unserved.ServedIn
	}
	return nil
}

// NamespaceNotFoundError has the details of ReasonNamespaceNotFound.
type NamespaceNotFoundError struct {
	// Nearest are namespaces that have a similar name, best first.
	Nearest []string
}

func (e *NamespaceNotFoundError) Error() string { return "the namespace does not exist" }

// NotYetAdmittedError has the details of ReasonNotYetAdmitted.
type NotYetAdmittedError struct {
	// Awaited is the object that the API server misses, "PriorityClass high" for instance, and Problem is the reason:
	// "does not exist".
	Awaited, Problem string
	// Missing is the object that does not exist; zero if none is missing.
	Missing manifest.Identity
	// ByController is true if a controller of the cluster does what is needed.
	ByController bool
	// IsTerminating is true if the definition of the kind is being deleted. Ending describes its end, or that of an
	// object of the same name; nil if it could not be read.
	IsTerminating bool
	Ending        *Ending
}

func (e *NotYetAdmittedError) Error() string { return e.Awaited + " " + e.Problem }

// InvalidError has the details of ReasonInvalid.
type InvalidError struct {
	// Causes are the fields concerned.
	Causes []metav1.StatusCause
	// Rules are the rules of the kind's CustomResourceDefinition that the object breaks, where the schema could be
	// read. RulesUnclear is true if the object may also break a rule about changes that is not known.
	Rules        []BrokenRule
	RulesUnclear bool
}

func (e *InvalidError) Error() string { return inFields("the object is invalid", e.Causes) }

// BrokenRule is a rule of a CustomResourceDefinition that an object breaks.
type BrokenRule struct {
	// Cause is the index of the cause that is about the rule.
	Cause int
	// Field is where the definition has the rule, "" for the object as a whole.
	Field string
	// Rule is its expression.
	Rule string
}

// FieldManagerConflictError has the details of ReasonFieldManagerConflict.
type FieldManagerConflictError struct {
	// Causes are the fields concerned, each with a manager that has another value.
	Causes []metav1.StatusCause
}

func (e *FieldManagerConflictError) Error() string {
	return inFields("other managers have other values", e.Causes)
}

// IsOnlyWith reports whether no other manager than these has another value.
func (e *FieldManagerConflictError) IsOnlyWith(managers ...string) bool {
	return !slices.ContainsFunc(e.Causes, func(cause metav1.StatusCause) bool {
		// A cause names the manager in its message only.
		isWith := func(name string) bool {
			return strings.HasPrefix(cause.Message, fmt.Sprintf("conflict with %q", name))
		}
		return cause.Type == metav1.CauseTypeFieldManagerConflict && !slices.ContainsFunc(managers, isWith)
	})
}

// CausesOf returns the fields that an error with ReasonInvalid or ReasonFieldManagerConflict is about.
func CausesOf(err error) []metav1.StatusCause {
	if invalid, is := errors.AsType[*InvalidError](err); is {
		return invalid.Causes
	}
	if conflict, is := errors.AsType[*FieldManagerConflictError](err); is {
		return conflict.Causes
	}
	return nil
}

func inFields(problem string, causes []metav1.StatusCause) string {
	fields := make([]string, len(causes))
	for i, cause := range causes {
		fields[i] = cause.Field
	}
	if len(fields) == 0 {
		return problem
	}
	return problem + ": " + strings.Join(fields, ", ")
}

// TooLargeError has the details of ReasonTooLarge.
type TooLargeError struct {
	// Bytes is the size of the body of an apply; 0 for other requests.
	Bytes int
}

func (e *TooLargeError) Error() string { return fmt.Sprintf("%d bytes are too large", e.Bytes) }

// WebhookUnreachableError has the details of ReasonWebhookUnreachable.
type WebhookUnreachableError struct {
	// Name is the one in the webhook's configuration.
	Name string
	// Address is "service NAMESPACE/NAME", or scheme and host of a URL; "" if the API server does not name it.
	Address string
}

func (e *WebhookUnreachableError) Error() string {
	return "the webhook " + e.Name + " cannot be reached"
}

// UnreachableError has the details of ReasonUnreachable.
type UnreachableError struct {
	// Server is the URL of the server that gave no answer, without a path.
	Server string
}

func (e *UnreachableError) Error() string { return "no answer from " + e.Server }

// MissingRightError contains the details of ReasonForbidden if no role lets the user send the request, regardless of
// the content of the object. A refusal by a policy, a quota or a webhook comes without details.
type MissingRightError struct {
	// Verb is the verb of the request, and Resource the one that it is about, with its API group and subresource:
	// "deployments.apps/status".
	Verb, Resource string
	// Namespace is the one in which the right is missing; "" for the whole cluster.
	Namespace string
}

func (e *MissingRightError) Error() string {
	return "the user may not " + e.Verb + " " + e.Resource + " " + e.Where()
}

// Where returns "in the namespace shop", or "at the cluster scope".
func (e *MissingRightError) Where() string {
	if e.Namespace == "" {
		return "at the cluster scope"
	}
	return "in the namespace " + e.Namespace
}

// Compare orders rights by resource, verb and namespace.
func (e *MissingRightError) Compare(other *MissingRightError) int {
	return cmp.Or(strings.Compare(e.Resource, other.Resource), strings.Compare(e.Verb, other.Verb),
		strings.Compare(e.Namespace, other.Namespace))
}

// MissingRightOf returns the right for lack of which a request was refused; nil for any other error.
func MissingRightOf(err error) *MissingRightError {
	missing, _ := errors.AsType[*MissingRightError](err)
	return missing
}

// SchemaMismatchError has the details of ReasonSchemaMismatch: a value that does not fit the schema of its kind.
type SchemaMismatchError struct {
	// Field is the path as the server writes it, without the leading dot; "" where the server names none, and
	// the schema could not tell.
	Field string
	// Problem is the server's description of the fault, "field not declared in schema" for instance, without the value.
	Problem string
	Of      MismatchSource
	// More are the other values that do not fit, in order of their fields.
	More []FieldProblem
	// Undeclared are all fields of the manifest that the schema lacks; none if the schema could not be read.
	Undeclared []UndeclaredField
}

func (e *SchemaMismatchError) Error() string { return e.Field + ": " + e.Problem }

// FieldProblem describes a fault in the value of a field.
type FieldProblem struct{ Field, Problem string }

// MismatchSource is the place of a value that does not fit.
type MismatchSource string

// The sources of a value.
const (
	// MismatchInManifest: in the manifest that was to be applied.
	MismatchInManifest MismatchSource = "Manifest"
	// MismatchInObject: on the cluster, from before the schema changed.
	MismatchInObject MismatchSource = "Object"
)

// UndeclaredField is a field that the schema of its kind does not have.
type UndeclaredField struct {
	Path string
	// Nearest are the paths of fields that may have been meant, best first.
	Nearest []string
}

// UnconvertibleError contains the details of ReasonUnconvertible. Every apply to the object fails as long as its
// managedFields contain an entry in this version, and every other write makes the server forget all owners.
type UnconvertibleError struct {
	// Version is the API version; "" if the server does not name it.
	Version string
	// IsOwn is true if it is the version of the last apply by the manager of the request.
	IsOwn bool
	// Problem is the server's reason: it does not serve the version, or a field does not fit the version's schema.
	Problem string
}

func (e *UnconvertibleError) Error() string { return e.Problem }
