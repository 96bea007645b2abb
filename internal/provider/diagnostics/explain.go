package diagnostics

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
)

func (w Words) explain(operation Operation, err *cluster.Error) diag.Diagnostic {
	summary, seen, next := explanations[err.Reason].summary, err.Message, w.nextStep(operation, err)
	for _, cause := range cluster.CausesOf(err) {
		if !strings.Contains(seen, cause.Message) {
			seen += fmt.Sprintf("\n  %s: %s", cause.Field, cause.Message)
		}
	}
	mismatch, unfit := errors.AsType[*cluster.SchemaMismatchError](err)
	switch {
	case unfit:
		seen, next = w.schemaMismatch(err.Object, mismatch)
	case err.Reason == cluster.ReasonTooLarge:
		seen = oversized(err)
	case err.Reason == cluster.ReasonNotFound && !w.creates():
		seen = "it does not exist"
	}
	if unfit && (len(mismatch.Undeclared) > 0 || mismatch.Problem == notDeclared) {
		summary = "Unknown Field"
	}
	return diag.NewErrorDiagnostic(summary, detail(operation, err.Object, seen, next))
}

// nextStep returns what to do about an error.
func (w Words) nextStep(operation Operation, err *cluster.Error) string {
	next := explanations[err.Reason].next(w)
	repair, refused := untrusted(err), w.admission(operation, err)
	invalid, isInvalid := errors.AsType[*cluster.InvalidError](err)
	switch {
	case operation == Imported && err.Reason == cluster.ReasonBadRequest:
		next = "Leave the namespace out of the import ID."
	case operation == ForceDeleted && err.Reason == cluster.ReasonDeletionBlocked:
		next = "Resolve what blocks the deletion, then destroy again: " + w.ForceDestroy + " does not remove this."
	case operation == Imported && err.Reason == cluster.ReasonNotFound:
		next = "Check apiVersion, kind, namespace and name in the import ID. An import uses the provider's `cluster`" +
			given(w.Cluster, ", not that of the resource") + "."
	case isInvalid && len(invalid.Rules) > 0:
		next = w.breaksRules(invalid.Rules)
	case err.Reason == cluster.ReasonWebhookUnreachable:
		next = webhookAway(operation)
	case refused != "":
		next = refused
	case repair != "":
		next = repair
	case err.Reason == cluster.ReasonKindNotServed:
		next = nearestKinds(err) + next
	}
	if fields := conflicting(err); len(fields) > 0 {
		return paragraphs(next, w.ignoreLine(fields))
	}
	return next
}

// conflicting returns the fields of a conflict, each once. It returns none for other reasons.
func conflicting(err error) []string {
	conflict, is := errors.AsType[*cluster.FieldManagerConflictError](err)
	if !is {
		return nil
	}
	var fields []string
	for _, cause := range conflict.Causes {
		if field := strings.TrimPrefix(cause.Field, "."); !slices.Contains(fields, field) {
			fields = append(fields, field)
		}
	}
	return fields
}
