package cluster

import (
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
	// Awaited is what the API server misses, and Problem what is the matter with it: "PriorityClass high", "does not
	// exist".
	Awaited, Problem string
	// Missing is the object that does not exist; zero if none is missing.
	Missing manifest.Identity
	// ByController is true if a controller of the cluster does what is needed.
	ByController bool
	// IsTerminating is true if the definition of the kind is being deleted. Ending is what it says about that; nil if
	// it could not be read.
	IsTerminating bool
	Ending        *Ending
}

func (e *NotYetAdmittedError) Error() string { return e.Awaited + " " + e.Problem }

// InvalidError has the details of ReasonInvalid.
type InvalidError struct {
	// Causes are the fields concerned.
	Causes []metav1.StatusCause
	// Rules are the rules of the kind's CustomResourceDefinition that the object breaks, where the schema could be
	// read.
	Rules []BrokenRule
}

func (e *InvalidError) Error() string { return inFields("the object is invalid", e.Causes) }

// BrokenRule is a rule of a CustomResourceDefinition that an object breaks.
type BrokenRule struct {
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

// IsOnlyWith reports whether no other manager than this one has another value.
func (e *FieldManagerConflictError) IsOnlyWith(manager string) bool {
	return !slices.ContainsFunc(e.Causes, func(cause metav1.StatusCause) bool {
		// A cause names the manager in its message only.
		return cause.Type == metav1.CauseTypeFieldManagerConflict &&
			!strings.HasPrefix(cause.Message, fmt.Sprintf("conflict with %q", manager))
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
	// Bytes is the size of what an apply sent; 0 for other requests.
	Bytes int
}

func (e *TooLargeError) Error() string { return fmt.Sprintf("%d bytes are too large", e.Bytes) }

// WebhookUnreachableError has the details of ReasonWebhookUnreachable.
type WebhookUnreachableError struct {
	// Name is the one in the webhook's configuration.
	Name string
	// Address is "service NAMESPACE/NAME", or scheme and host of a URL; "" where the API server does not say.
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
