// Package endings describes the deletion of an object that does not end, and the next step, from the causes that the
// object shows.
package endings

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
)

// Since returns a sentence about the time of a deletion, and the causes that block it.
func Since(e cluster.Ending) string {
	text := e.Object.String() + " was deleted at " + e.Since.UTC().Format(time.RFC3339) + " and still exists"
	if held := e.String(); held != "" {
		text += ": " + held
	}
	return text + "."
}

// Next returns the step that ends the deletion; "" if the object does not show what blocks it.
func Next(e cluster.Ending) string {
	switch {
	case len(e.Unavailable) > 0:
		lines := repairAPI
		for _, api := range e.Unavailable {
			lines += showAPI + api.Name
		}
		return lines
	case len(lost(e.Nodes)) > 0 && (e.Object.IsNamespace() || len(e.Finalizers) == 0):
		return "The API server removes a pod when its node says that its containers have stopped. Start the node " +
			"again. If it is off for good, delete the pods without it. Check that first: containers that still run " +
			"there would go on writing to their volumes, together with those that replace them.\n\n  " +
			strings.Join(lost(e.Nodes), "\n  ")
	case e.Object.IsNamespace() && slices.ContainsFunc(e.Conditions, isOfFinalizers):
		return "Repair the controllers of the finalizers that the conditions name, or remove these finalizers from " +
			"the objects in the namespace."
	case e.Object.IsNamespace() && len(e.Conditions) > 0:
		return "The conditions name what is left in the namespace. Resolve what keeps it there."
	case e.Object.IsNamespace():
		return "The cluster deletes the objects in the namespace first. If that takes longer than a minute, check " +
			"that kube-controller-manager runs."
	case e.Object.IsDefinition():
		return "The API server deletes the objects of the kind first. To see those that are left, run:\n\n  kubectl " +
			"get " + e.Object.Name + " --all-namespaces"
	case len(e.Finalizers) > 0:
		return "Repair the controller of " + these(e.Finalizers) + ", or remove the finalizer with kubectl edit."
	case e.Grace > 0:
		return "If it stays after its grace period, its node may be down. To delete it without the node, run:\n\n  " +
			e.Object.Kubectl("delete") + " --grace-period=0 --force"
	}
	return ""
}

const (
	repairAPI = "Repair the API server behind it, or delete the APIService if nothing uses it. It is registered as:\n"
	showAPI   = "\n  kubectl get apiservice "
)

// RepairAPI returns the next step after an error with [cluster.ReasonAPIUnavailable].
func RepairAPI(err error) string {
	if api, is := errors.AsType[cluster.UnavailableAPIError](err); is {
		return repairAPI + showAPI + api.Name
	}
	return "Repair the API server behind it."
}

// isOfFinalizers reports whether a condition of a namespace names finalizers of the objects in it.
func isOfFinalizers(condition string) bool {
	return strings.HasPrefix(condition, string(corev1.NamespaceFinalizersRemaining)+"=")
}

// lost returns the commands that delete the first pods of nodes that do not answer.
func lost(nodes []cluster.NodeOfPods) []string {
	var commands []string
	for _, node := range nodes {
		if pods, more := node.Named(); node.Problem != "" {
			command := "kubectl delete pod " + strings.Join(pods, " ") + " -n " + node.Namespace +
				" --grace-period=0 --force"
			if more > 0 {
				command += fmt.Sprintf("  # and %d more", more)
			}
			commands = append(commands, command)
		}
	}
	return commands
}

func these(finalizers []cluster.Finalizer) string {
	if len(finalizers) == 1 {
		return "the finalizer"
	}
	return "each finalizer"
}
