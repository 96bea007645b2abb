package diagnostics

import (
	"slices"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/ssa"
)

// admission is the next step where something on the cluster refuses an object that its kind allows, "" where
// nothing of the kind does. The server's reasons do not tell: a quota is Forbidden as a missing role is, and a
// policy Invalid as a bad value is.
func admission(operation Operation, err *ssa.Error) string {
	ofField := func(cause metav1.StatusCause) bool { return cause.Field != "" }
	switch {
	case strings.Contains(err.Message, "failed calling webhook"):
		return "Repair the admission webhook, or ask its owner: the cluster lets no such object past while it does not answer."
	case strings.Contains(err.Message, "exceeded quota"):
		return "Raise the quota of the namespace, or ask for less in yaml_body."
	case err.Reason == ssa.ReasonForbidden && !strings.Contains(err.Message, "User \""),
		err.Reason == ssa.ReasonInvalid && !slices.ContainsFunc(err.Causes, ofField),
		strings.Contains(err.Message, "denied the request"):
		if operation != Planned && operation != Created && operation != Updated {
			return "A rule of this cluster refuses that. Meet what the message names, or ask the rule's owner."
		}
		return "A rule of this cluster refuses the object. Change in yaml_body what the message names, or ask the rule's owner."
	default:
		return ""
	}
}
