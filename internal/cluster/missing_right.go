package cluster

import (
	"cmp"
	"errors"
	"strings"
)

// MissingRightError has the details of ReasonForbidden if the user may not send the request, whatever the object is: no
// role grants it. A refusal by a policy, a quota or a webhook has no details.
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
