package diagnostics

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/diag"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifest"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/registry"
)

// stillMissing explains a wait that ended too early.
func stillMissing(operation Operation, id manifest.Identity, err *registry.SettlingError) diag.Diagnostic {
	next := "Create it first: name the resource that creates it in depends_on, or raise timeouts.create."
	seen := err.Error()
	var last *cluster.Error
	if errors.As(err.Last, &last) {
		id, seen = last.Object, fmt.Sprintf("%s; waited %s for it", last.Message, err.Waited.Round(time.Second))
		next = nearest(last) + next
	}
	summary := "Dependency Still Missing"
	switch reason := cluster.ReasonOf(err); {
	case err.End == registry.GaveWay:
		return diag.NewErrorDiagnostic(summary, detail(operation, id, seen, gaveWay))
	case reason == cluster.ReasonNamespaceTerminating:
		summary, next = explanations[reason].summary, explanations[reason].next
	case reason == cluster.ReasonWebhookUnreachable:
		summary, next = explanations[reason].summary, webhookAway(operation)+" If this configuration installs the webhook, name that "+
			"resource in depends_on, or raise the timeouts of this one."
	}
	return diag.NewErrorDiagnostic(summary, detail(operation, id, seen, next))
}

const gaveWay = "All operations that Terraform ran at the same time were waiting, so the provider ended the wait early: what they wait for " +
	"may be queued behind them. Apply again. To need only one apply, create the namespace, definition or webhook in a separate " +
	"resource block and name that block in depends_on here, or set -parallelism above the number of objects."

// nearest names what the user may have meant, and returns "" if nothing is similar.
func nearest(err error) string {
	if missing, is := errors.AsType[*cluster.NamespaceNotFoundError](err); is && len(missing.Nearest) > 0 {
		return fmt.Sprintf("The nearest namespaces that exist are %s. ", strings.Join(missing.Nearest, ", "))
	}
	return nearestKinds(err)
}
