package refusals

import (
	"regexp"
	"strings"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
)

// unauthorized is the message of apiserver/pkg/endpoints/handlers/responsewriters, ForbiddenStatusError. The message of
// a policy or a webhook comes after other words of the server, and cannot begin like this. An authorizer may add a
// reason at the end.
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

// denied matches the words with which the API server introduces the message of an admission policy or a webhook.
var denied = regexp.MustCompile(`(?:policy ['"][^'"]*['"].*|admission webhook "[^"]*") denied (?:the )?request: |` +
	`ValidatingAdmissionPolicy '[^']*'.* denied request: `)

// IsOfPolicy reports whether an admission policy or a webhook has refused a request, by the server's message.
func IsOfPolicy(message string) bool { return denied.MatchString(message) }

// passing are the refusals of admission plugins that end without a change of the object: something that it refers to is
// still being created, or a controller is still busy. An exceeded quota is not one of them: nothing here frees a part
// of it. Groups are the names in the message.
var passing = []struct {
	message *regexp.Regexp
	awaited func(namespace string, groups []string) cluster.NotYetAdmittedError
}{
	// plugin/pkg/admission/serviceaccount. A controller creates "default" in each namespace.
	{refused(`error looking up service account (\S+)/(\S+): .*not found`),
		func(_ string, groups []string) cluster.NotYetAdmittedError {
			account := manifest.Identity{
				APIVersion: "v1", Kind: "ServiceAccount", Namespace: groups[1], Name: groups[2],
			}
			return cluster.NotYetAdmittedError{
				Awaited: "ServiceAccount " + groups[1] + "/" + groups[2], Problem: "does not exist",
				Missing: account, ByController: account.Name == "default",
			}
		}},
	// plugin/pkg/admission/serviceaccount and limitranger, as while etcd has no leader.
	{refused(`(?:error looking up service account |unable to .* at this time because there was an error )`),
		func(string, []string) cluster.NotYetAdmittedError {
			return cluster.NotYetAdmittedError{
				Awaited: "the API server", Problem: "could not read what one of its admission plugins needs",
				ByController: true,
			}
		}},
	// plugin/pkg/admission/priority.
	{refused(`no PriorityClass with name (\S+) was found`),
		func(_ string, groups []string) cluster.NotYetAdmittedError {
			return cluster.NotYetAdmittedError{
				Awaited: "PriorityClass " + groups[1], Problem: "does not exist",
				Missing: manifest.Identity{APIVersion: "scheduling.k8s.io/v1", Kind: "PriorityClass", Name: groups[1]},
			}
		}},
	// plugin/pkg/admission/runtimeclass.
	{refused(`pod rejected: RuntimeClass "([^"]+)" not found`),
		func(_ string, groups []string) cluster.NotYetAdmittedError {
			return cluster.NotYetAdmittedError{
				Awaited: "RuntimeClass " + groups[1], Problem: "does not exist",
				Missing: manifest.Identity{APIVersion: "node.k8s.io/v1", Kind: "RuntimeClass", Name: groups[1]},
			}
		}},
	// apiserver/pkg/admission/plugin/resourcequota: the quota is new.
	{refused(`status unknown for quota: ([^,\s]+), `),
		func(namespace string, groups []string) cluster.NotYetAdmittedError {
			return cluster.NotYetAdmittedError{
				Awaited:      "ResourceQuota " + namespace + "/" + groups[1],
				Problem:      "has no status: the controller manager has not counted the objects of the namespace",
				ByController: true,
			}
		}},
	// apiextensions-apiserver/pkg/apiserver, forbidCreateAdmission.
	{refused(`create not allowed while custom resource definition is terminating\b`),
		func(string, []string) cluster.NotYetAdmittedError {
			return cluster.NotYetAdmittedError{
				Awaited: "the CustomResourceDefinition of its kind", Problem: "is being deleted", IsTerminating: true,
			}
		}},
	// pkg/registry/core/service/ipallocator: a ServiceCIDR is new, or the server is.
	{regexp.MustCompile(`^Service "[^"]*" is invalid: .*: allocator not ready$`),
		func(string, []string) cluster.NotYetAdmittedError {
			return cluster.NotYetAdmittedError{
				Awaited: "the API server", Problem: "is not ready to allocate addresses of Services",
				ByController: true,
			}
		}},
	// apiserver/pkg/admission/handler.go, WaitForReady.
	{refused(`not yet ready to handle request\b`), func(string, []string) cluster.NotYetAdmittedError {
		return cluster.NotYetAdmittedError{
			Awaited: "the API server", Problem: "has just started: one of its admission plugins is not ready",
			ByController: true,
		}
	}},
}

// forbidden is how the API server begins the message of a refusal by an admission plugin. The plugin may not know the
// name of the object yet.
const forbidden = `\S+(?: "[^"]*")? is forbidden: `

var anyForbidden = regexp.MustCompile(forbidden)

// refused returns a pattern for the message of a refusal by an admission plugin of the API server.
func refused(reason string) *regexp.Regexp { return regexp.MustCompile(`^` + forbidden + reason) }

// Quoted returns the message of a refusal from where the API server's words begin: the events and conditions of
// controllers have words of theirs before, and perhaps several refusals. It returns all of a message without one.
func Quoted(message string) string {
	at := anyForbidden.FindStringIndex(message)
	if at == nil {
		return message
	}
	return message[at[0]:]
}

// Passing returns what the API server waits for by the message with which it refuses an object in a namespace. It
// returns nil if no wait helps.
func Passing(message, namespace string) *cluster.NotYetAdmittedError {
	for _, known := range passing {
		if groups := known.message.FindStringSubmatch(message); groups != nil {
			awaited := known.awaited(namespace, groups)
			return &awaited
		}
	}
	return nil
}
