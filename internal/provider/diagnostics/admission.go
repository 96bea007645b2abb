package diagnostics

import (
	"slices"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
)

// admission returns the next step where something on the cluster refuses an object that its kind allows, "" where
// nothing of the kind does. The server's reasons do not tell: a quota is Forbidden as a missing role is, and a
// policy Invalid as a bad value is.
func admission(operation Operation, err *cluster.Error) string {
	ofField := func(cause metav1.StatusCause) bool { return cause.Field != "" }
	switch {
	case strings.Contains(err.Message, "failed calling webhook"):
		return "Repair the admission webhook, or ask its owner: the cluster lets no such object past while it does not answer as it should."
	case strings.Contains(err.Message, "exceeded quota"):
		return "Raise the quota of the namespace, or ask for less in yaml_body."
	case err.Reason == cluster.ReasonForbidden && !strings.Contains(err.Message, "User \""),
		err.Reason == cluster.ReasonInvalid && !slices.ContainsFunc(err.Causes, ofField),
		strings.Contains(err.Message, "denied the request"):
		if operation != Planned && operation != Created && operation != Updated {
			return "A rule of this cluster refuses that. Meet what the message names, or ask the rule's owner."
		}
		return "A rule of this cluster refuses the object. Change in yaml_body what the message names, or ask the rule's owner."
	default:
		return ""
	}
}

// breaksRules returns the next step where rules of a CustomResourceDefinition refuse an object.
func breaksRules(rules []cluster.BrokenRule) string {
	what, holds := "A rule of the CustomResourceDefinition refuses the object:", "the rule holds"
	if len(rules) > 1 {
		what, holds = "Rules of the CustomResourceDefinition refuse the object:", "the rules hold"
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
	text.WriteString("\n\nChange yaml_body so that " + holds + ", or ask the owner of the definition.")
	if compares {
		text.WriteString(" oldSelf is the object as it is: terraform apply -replace creates a new one instead.")
	}
	return text.String()
}

// webhookAway returns the next step where an admission webhook cannot be reached.
func webhookAway(operation Operation) string {
	const repair = "Repair the admission webhook, or ask its owner: the cluster lets no such object past while it does not answer."
	switch operation {
	case Deleted, ForceDeleted:
		return "The webhook also decides about deletions. Destroy again once it answers. If it is not to come back, delete its " +
			"configuration first (kubectl get validatingwebhookconfigurations,mutatingwebhookconfigurations), then destroy again. Where one " +
			"configuration has the webhook and what it decides about, depends_on destroys the webhook last."
	default:
		return repair
	}
}
