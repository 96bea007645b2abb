package diagnostics

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifest"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/projection"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/registry"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/ssa"
)

// Operation is what was being done to an object, as a sentence has it after "could not be".
type Operation string

// The operations on an object.
const (
	Planned Operation = "planned"
	Created Operation = "created"
	Read    Operation = "read"
	Updated Operation = "updated"
	Deleted Operation = "deleted"
	// ForceDeleted is deleted without finalizers.
	ForceDeleted Operation = "deleted by force"
	Imported     Operation = "imported"
)

// Error explains why an operation on an object failed.
func Error(operation Operation, id manifest.Identity, err error) diag.Diagnostic {
	var exists *registry.AlreadyExistsError
	if errors.As(err, &exists) {
		return alreadyExists(exists)
	}
	var inUse *ssa.NameInUseError
	if errors.As(err, &inUse) {
		return nameInUse(inUse.Object)
	}
	var unadoptable *ssa.UnadoptableError
	if errors.As(err, &unadoptable) {
		return cannotAdopt(unadoptable)
	}
	var unclear *cluster.OutcomeUnknownError
	if errors.As(err, &unclear) {
		return mayExist(operation, unclear)
	}
	var managed *registry.AlreadyManagedError
	if errors.As(err, &managed) {
		return alreadyManaged(managed)
	}
	var protected *ssa.ProtectedError
	if errors.As(err, &protected) {
		return Protected(protected.Object, Replacement)
	}
	var inseparable *ssa.NotIgnorableError
	if errors.As(err, &inseparable) {
		return cannotIgnore(id, inseparable)
	}
	var duplicate *ssa.DuplicateItemError
	if errors.As(err, &duplicate) {
		return duplicateItem(operation, duplicate)
	}
	var settling *registry.SettlingError
	if errors.As(err, &settling) {
		return stillMissing(operation, id, settling)
	}
	var failure *cluster.Error
	if errors.As(err, &failure) {
		return explain(operation, failure)
	}
	if errors.Is(err, context.DeadlineExceeded) {
		failure = &cluster.Error{Reason: cluster.ReasonTimeout, Object: id, Message: "the timeout ran out"}
		return explain(operation, failure)
	}
	return diag.NewErrorDiagnostic("Unexpected Error", detail(operation, id, err.Error(), "This is a bug in the provider. Please report it."))
}

func detail(operation Operation, id manifest.Identity, seen, next string) string {
	return fmt.Sprintf("%s could not be %s: %s.\n\n%s", id, operation, strings.TrimSuffix(strings.TrimSpace(seen), "."), next)
}

func cannotIgnore(id manifest.Identity, err *ssa.NotIgnorableError) diag.Diagnostic {
	reason := "is atomic: the API server gives it one owner as a whole"
	if err.Why == projection.ItemKey {
		reason = "is a list item, and the ignored field is part of its key"
	}
	return diag.NewErrorDiagnostic("Field Cannot Be Ignored Alone", fmt.Sprintf(
		"%s: ignore_fields contains %q, but %s %s.\n\nIgnore all of it instead:\n\n  ignore_fields = [%s]",
		id, err.Pattern, err.Whole, reason, hclString(err.Whole)))
}

// explanation is the general summary of a reason and the one next step.
type explanation struct {
	summary string
	next    string
}

var explanations = map[cluster.Reason]explanation{
	cluster.ReasonKindNotServed:        {"Kind Not Served", "Correct apiVersion and kind, or install the CustomResourceDefinition first."},
	cluster.ReasonNamespaceNotFound:    {"Namespace Not Found", "Create the namespace first, or correct metadata.namespace."},
	cluster.ReasonNamespaceTerminating: {"Namespace Terminating", "Wait until the namespace is gone and create it again."},
	cluster.ReasonNotFound:             {"Object Not Found", "Plan again: the object is gone, and the new plan creates it."},
	cluster.ReasonConflict:             {"Object Changed Since the Plan", "Plan again, and check what the new plan does to the object."},
	cluster.ReasonFieldManagerConflict: {"Field Ownership Conflict", `The conflict appeared after the plan, and on_conflict is "fail". Plan again, or leave the fields to their owners with ignore_fields.`},
	cluster.ReasonInvalid:              {"Invalid Object", "Correct the fields named above in yaml_body."},
	cluster.ReasonBadRequest:           {"Invalid Object", "Correct yaml_body."},
	cluster.ReasonForbidden:            {"Forbidden", "Grant the connection's user the verb in the message. Reads need get; plans and applies need patch and create; destroys need delete and watch."},
	cluster.ReasonUnauthorized:         {"Unauthorized", "Renew the credentials of the cluster connection. With exec or config_path, each run reads them again."},
	cluster.ReasonCredentials:          {"Credential Plugin Failed", "Run the plugin (exec.command of the cluster connection, with its args and env) by hand on the machine that runs Terraform."},
	cluster.ReasonUnreachable:          {"Cluster Unreachable", "Check the address in the cluster connection, and the network path to it."},
	cluster.ReasonTimeout:              {"Timeout", "Try again, or raise the timeouts of the resource."},
	cluster.ReasonDeletionBlocked:      {"Deletion Blocked", "Resolve what blocks the deletion, then destroy again. Or apply force_destroy = true first: it removes finalizers when the timeout runs out."},
	cluster.ReasonSchemaMismatch:       {"Value Does Not Fit Schema", "Correct yaml_body."},
	cluster.ReasonTooLarge:             {"Object Too Large", smaller},
	cluster.ReasonWebhookUnreachable:   {"Webhook Not Reachable", "Repair the admission webhook, or ask its owner."},
	cluster.ReasonServer:               {"API Server Error", "If the message names a field of yaml_body, correct it. Otherwise, try again."},
}

// nearestKinds names the kinds that may have been meant, and returns "" if no kind is similar.
func nearestKinds(err error) string {
	unserved, is := errors.AsType[*cluster.KindNotServedError](err)
	if !is || len(unserved.Nearest) == 0 {
		return ""
	}
	return "The nearest kinds that the cluster serves are " + strings.Join(unserved.Nearest, ", ") + ". "
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

func explain(operation Operation, err *cluster.Error) diag.Diagnostic {
	known := explanations[err.Reason]
	seen := err.Message
	for _, cause := range cluster.CausesOf(err) {
		if !strings.Contains(seen, cause.Message) {
			seen += fmt.Sprintf("\n  %s: %s", cause.Field, cause.Message)
		}
	}
	next := known.next
	if err.Reason == cluster.ReasonKindNotServed {
		next = nearestKinds(err) + next
	}
	if repair := untrusted(err); repair != "" {
		next = repair
	}
	if err.Reason == cluster.ReasonWebhookUnreachable {
		next = webhookAway(operation)
	} else if refused := admission(operation, err); refused != "" {
		next = refused
	}
	if invalid, is := errors.AsType[*cluster.InvalidError](err); is && len(invalid.Rules) > 0 {
		next = breaksRules(invalid.Rules)
	}
	if operation == Imported && err.Reason == cluster.ReasonNotFound {
		next = "Check apiVersion, kind, namespace and name in the import ID. An import uses the provider's `cluster`, not that of the resource."
	}
	if operation == ForceDeleted && err.Reason == cluster.ReasonDeletionBlocked {
		next = "Resolve what blocks the deletion, then destroy again: force_destroy does not remove this."
	}
	if operation == Imported && err.Reason == cluster.ReasonBadRequest {
		next = "Leave the namespace out of the import ID."
	}
	if fields := conflicting(err); len(fields) > 0 {
		next += "\n\n  ignore_fields = [" + quoteList(fields) + "]"
	}
	summary := known.summary
	if mismatch, is := errors.AsType[*cluster.SchemaMismatchError](err); is {
		seen, next = schemaMismatch(err.Object, mismatch)
		if len(mismatch.Undeclared) > 0 || mismatch.Problem == notDeclared {
			summary = "Unknown Field"
		}
	}
	if err.Reason == cluster.ReasonTooLarge {
		seen = oversized(err)
	}
	return diag.NewErrorDiagnostic(summary, detail(operation, err.Object, seen, next))
}
