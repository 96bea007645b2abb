package refusals

import (
	"regexp"
	"strings"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
)

// unauthorized is the message of apiserver/pkg/endpoints/handlers/responsewriters, ForbiddenStatusError. What a
// policy or a webhook says comes after words of its own, and cannot begin like this. An authorizer may add a reason
// at the end.
var unauthorized = regexp.MustCompile(`^\S+(?: "[^"]*")? is forbidden: User "[^"]*" cannot (\w+) ` +
	`resource "([^"/]*)(/[^"]*)?" in API group "([^"]*)" (?:in the namespace "([^"]*)"|at the cluster scope)`)

// MissingRight returns the right that the user lacks by the message with which the API server forbids a request. It
// returns nil if the message is not that of an authorizer.
func MissingRight(message string) *cluster.MissingRightError {
	groups := unauthorized.FindStringSubmatch(message)
	if groups == nil {
		return nil
	}
	resource := strings.TrimSuffix(groups[2]+"."+groups[4], ".") + groups[3]
	return &cluster.MissingRightError{Verb: groups[1], Resource: resource, Namespace: groups[5]}
}
