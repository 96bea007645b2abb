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
