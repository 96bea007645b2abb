package diagnostics

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
)

const storedSummary = "Stored Credentials Refused"

// NotRefreshed warns that a refresh could not use the connection in the state. Its summary is general: a token
// that comes from a data source expires for all objects at once.
func (w Names) NotRefreshed(id manifest.Identity, err error) diag.Diagnostic {
	renewed := "the plan reads the object with them, and its warnings show what has changed"
	if w.Body == "" {
		renewed = "the apply waits for the object with them"
	}
	return diag.NewWarningDiagnostic("Object Not Refreshed", fmt.Sprintf(
		"%s could not be read with the `%s` in its state: %s.\n\nThe state stays as it was. If the configuration has "+
			"new credentials in `%[2]s`, %[4]s.",
		id, w.Cluster, seenIn(err), renewed))
}

// OfStored adds a paragraph to the error of a read with the connection in the state, if that connection may be what is
// wrong.
func OfStored(w Names, failed diag.Diagnostic, err error) diag.Diagnostic {
	switch cluster.ReasonOf(err) {
	case cluster.ReasonUnreachable, cluster.ReasonRedirected, cluster.ReasonTimeout, cluster.ReasonWrongAnswer:
		return diag.NewErrorDiagnostic(explanations[cluster.ReasonOf(err)].summary, Paragraphs(failed.Detail(),
			"The refresh uses the `"+w.Cluster+"` in the state. If the configuration has another one, apply it once "+
				"with -refresh=false, also before a destroy."))
	default:
		return failed
	}
}

// SameCredentials returns the error of a plan with the connection that the refresh could not use.
func (w Names) SameCredentials(id manifest.Identity) diag.Diagnostic {
	return diag.WithPath(path.Root(w.Cluster), diag.NewErrorDiagnostic(storedSummary, detail(Planned, id,
		"its `"+w.Cluster+"` is the same as in the state, and the object could not be read with that",
		"Set new credentials in `"+w.Cluster+"`. Before a destroy, apply them first.")))
}

// StaleDestroy returns the error of a planned deletion with the connection that the refresh could not use.
func (w Names) StaleDestroy(id manifest.Identity) diag.Diagnostic {
	return storedRefused(w, id, "the object could not be read with that")
}

// StaleDelete returns the error of a deletion that failed because the server refused the credentials in the state.
func (w Names) StaleDelete(id manifest.Identity, err error) diag.Diagnostic {
	return storedRefused(w, id, seenIn(err))
}

func storedRefused(w Names, id manifest.Identity, seen string) diag.Diagnostic {
	return diag.NewErrorDiagnostic(
		storedSummary,
		detail(Deleted, id, "a deletion uses the `"+w.Cluster+"` in the state, and "+seen,
			"First apply the resource with new credentials in its `"+w.Cluster+"`, then destroy it. If the cluster no "+
				"longer exists, remove the resource from the state with terraform state rm."),
	)
}

// seenIn returns what happened according to an error, without the object and without a next step.
func seenIn(err error) string {
	text := err.Error()
	if failure, is := errors.AsType[*cluster.Error](err); is {
		text = failure.Message
	}
	seen, _, _ := strings.Cut(text, "\n\n")
	return strings.TrimSuffix(seen, ".")
}

const (
	notRedirected = "Set the URL of the API server itself in the cluster connection (host, or server of a " +
		"kubeconfig). If it is that URL, something on the way answers instead of the API server, a login page for " +
		"example."
	otherServer = "Check that the URL in the cluster connection is that of the API server, and what answers there: " +
		"a proxy, or an aggregated API server."
)

// tooLarge reports whether the provider did not read an answer to its end.
func tooLarge(err error) bool {
	_, is := errors.AsType[*cluster.AnswerTooLargeError](err)
	return is
}

// repairConnection returns the next step if a server cannot be reached with the settings of the connection, and "" for
// other errors.
func repairConnection(err error) string {
	proxy, refused := errors.AsType[*cluster.ProxyError](err)
	protocol, mixed := errors.AsType[*cluster.ProtocolError](err)
	_, wrong := errors.AsType[*cluster.WrongAnswerError](err)
	_, throttled := errors.AsType[*cluster.ThrottledError](err)
	switch {
	case throttled:
		return "Raise qps in the provider block, or do less at a time with -parallelism."
	case refused:
		return "Check proxy_url of the cluster connection (proxy-url of a kubeconfig) and the variables HTTPS_PROXY " +
			"and NO_PROXY, or ask who runs the proxy " +
			proxy.Proxy + " to let it connect to the API server."
	case mixed && protocol.UsesTLS:
		return "Write https:// in the URL of the cluster connection (host, or server of a kubeconfig)."
	case mixed:
		return "Correct the port in the URL of the cluster connection (host, or server of a kubeconfig). Only if the " +
			"API server has no TLS, write http://: then credentials are not sent."
	case tooLarge(err):
		return "Check what makes the object so large, and that the URL in the cluster connection is that of the API " +
			"server."
	case wrong:
		return otherServer
	default:
		return untrusted(err)
	}
}

// AlsoUnreachable returns a short error for an operation on an unreachable cluster. An earlier error has
// explained in full that the cluster is unreachable.
func AlsoUnreachable(operation Operation, id manifest.Identity, err *cluster.UnreachableError) diag.Diagnostic {
	return diag.NewErrorDiagnostic(explanations[cluster.ReasonUnreachable].summary, fmt.Sprintf(
		"%s could not be %s: no answer from %s.\n\nSee the first error about this server.", id, operation, err.Server))
}

const elsewhereSummary = "Not the Cluster of the State"

// elsewhere returns the error about an operation on another cluster than that of the state.
func elsewhere(operation Operation, id manifest.Identity, err *cluster.OtherClusterError) diag.Diagnostic {
	at := "at " + err.Server
	if err.Server == "" {
		at = "on the cluster of the connection"
	}
	return diag.NewErrorDiagnostic(elsewhereSummary, Paragraphs(
		fmt.Sprintf("%s could not be %s: its state is about another cluster. In the cluster of the state, the "+
			"namespace kube-system has the uid %s; %s, it has the uid %s. Nothing was changed.",
			id, operation, err.Remembered, at, err.Found),
		"Check where the connection leads: perhaps the current context of a kubeconfig has changed.",
		"If you built the cluster again, set accept_new_cluster = true in its connection, apply, and remove the line: "+
			"the apply creates the objects that the new cluster lacks."))
}

// unrecognized returns the error about an object that is missing on a cluster that may not be the cluster of the state.
// The provider does not treat the object as gone.
func unrecognized(operation Operation, id manifest.Identity, err *cluster.HiddenError) diag.Diagnostic {
	return diag.NewErrorDiagnostic("Cluster Not Recognized", detail(operation, id,
		"it does not exist on the cluster of the connection, and the provider cannot tell whether that is the cluster "+
			"of the state: "+err.Error(),
		"Check where the connection leads: perhaps the current context of a kubeconfig has changed. If it is the "+
			"right cluster, allow the user to get the namespace kube-system, or set accept_new_cluster = true in the "+
			"connection."))
}

// AlsoElsewhere returns a short error for an operation on a cluster that is not the cluster of the state. An earlier
// error has explained that in full.
func AlsoElsewhere(operation Operation, id manifest.Identity, err *cluster.OtherClusterError) diag.Diagnostic {
	return diag.NewErrorDiagnostic(elsewhereSummary, fmt.Sprintf("%s could not be %s: %s.\n\nSee the first error "+
		"about this cluster.", id, operation, err))
}

// admission returns the next step if a webhook, a quota or a policy refuses an object that fits its kind, and ""
// otherwise. The server's reasons do not distinguish these causes: for a quota the reason is Forbidden, as for a
// missing role, and for a policy it is Invalid, as for a bad value.
func admission(w Names, operation Operation, err *cluster.Error) string {
	ofField := func(cause metav1.StatusCause) bool { return cause.Field != "" }
	switch {
	case strings.Contains(err.Said(), "failed calling webhook"):
		return "Repair the admission webhook, or ask its owner. The cluster rejects such objects until the webhook " +
			"answers correctly."
	case strings.Contains(err.Said(), "exceeded quota"):
		return "Raise the quota of the namespace, or request less" + inBody(w) + "."
	case strings.Contains(err.Said(), "attempting to grant RBAC permissions") &&
		!strings.Contains(err.Said(), "denied "):
		return "A user can grant only what the user may do. Give the connection's user these permissions, too, or " +
			"the verb escalate on the role (for a binding, the verb bind on the role that it names)."
	case err.Reason == cluster.ReasonForbidden && !strings.Contains(err.Said(), "User \""),
		err.Reason == cluster.ReasonInvalid && !slices.ContainsFunc(cluster.CausesOf(err), ofField),
		strings.Contains(err.Said(), "denied the request"), strings.Contains(err.Said(), "denied request: "):
		if w.Body == "" || operation != Planned && operation != Created && operation != Updated {
			return "A policy of this cluster refuses this. Correct what the message names, or ask the policy's owner."
		}
		return "A policy of this cluster refuses the object. In " + w.Body +
			", change what the message names, or ask the policy's owner."
	default:
		return ""
	}
}

// breaksRules returns the next step if rules of a CustomResourceDefinition refuse an object.
func breaksRules(w Names, id manifest.Identity, rules []cluster.BrokenRule) string {
	what, them := "The object breaks a validation rule of its CustomResourceDefinition:", "the rule"
	if len(rules) > 1 {
		what, them = "The object breaks validation rules of its CustomResourceDefinition:", "the rules"
	}
	var text strings.Builder
	text.WriteString(what + "\n")
	compares := false
	for _, rule := range rules {
		text.WriteString("\n  ")
		if rule.Field != "" {
			text.WriteString(rule.Field + ": ")
		}
		text.WriteString(rule.Rule)
		compares = compares || strings.Contains(rule.Rule, "oldSelf")
	}
	text.WriteString("\n\nChange " + cmp.Or(w.Body, "the object") + " to follow " + them + ", or ask the owner of " +
		"the definition.")
	if compares {
		text.WriteString(" oldSelf is the object on the cluster.")
	}
	if compares && creates(w) {
		text.WriteString(" " + Recreate(w, id))
	}
	if compares && creates(w) && !w.IsSet() {
		text.WriteString(" The option -replace tries the change first.")
	}
	return text.String()
}

// webhookAway returns the next step if an admission webhook cannot be reached.
func webhookAway(operation Operation) string {
	const repair = "Repair the admission webhook, or ask its owner. The cluster rejects such objects until the " +
		"webhook answers."
	switch operation {
	case Deleted, ForceDeleted:
		return "The webhook also checks deletions. Destroy again once it answers. If it will not come back, delete " +
			"its configuration first (kubectl get validatingwebhookconfigurations,mutatingwebhookconfigurations), " +
			"then destroy again. If one Terraform configuration has both the webhook and the objects that it checks, " +
			"add depends_on, so that the webhook is destroyed last."
	default:
		return repair
	}
}
