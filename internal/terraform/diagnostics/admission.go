package diagnostics

import (
	"cmp"
	"slices"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
)

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
