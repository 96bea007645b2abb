package diagnostics

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/diagnostics/phrases"
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
	switch {
	case unfit && (len(mismatch.Undeclared) > 0 || mismatch.Problem == notDeclared):
		summary = "Unknown Field"
	case operation == Listed && err.Reason == cluster.ReasonBadRequest:
		summary = "Invalid Selector"
	}
	return diag.NewErrorDiagnostic(summary, detail(operation, err.Object, seen, next))
}

// nextStep describes what to do about an error.
func (w Words) nextStep(operation Operation, err *cluster.Error) string {
	next := explanations[err.Reason].next(w)
	repair, refused := repairConnection(err), w.admission(operation, err)
	invalid, isInvalid := errors.AsType[*cluster.InvalidError](err)
	switch {
	case operation == Listed && tooLarge(err):
		next = "List fewer objects: narrow the selectors."
	case operation == Listed && err.Reason == cluster.ReasonBadRequest:
		next = "Correct the field selector: every kind has metadata.name and metadata.namespace, and few other fields."
	case operation == Listed && err.Reason == cluster.ReasonForbidden:
		next = "Grant the connection's user the verb list on the resource in the message."
	case operation == Followed && err.Reason == cluster.ReasonForbidden:
		next = "Grant the connection's user the verbs get and watch for the object."
	case operation == Followed && err.Reason == cluster.ReasonKindNotServed && !w.creates():
		next = nearestKinds(err) + "Correct " + w.Target + "."
	case operation == Imported && err.Reason == cluster.ReasonBadRequest:
		next = "Leave the namespace out of the import ID."
	case operation == ForceDeleted && err.Reason == cluster.ReasonDeletionBlocked:
		next = "Resolve what blocks the deletion, then destroy again: " + w.ForceDestroy + " does not remove this."
	case operation == Imported && err.Reason == cluster.ReasonNotFound:
		next = "Check apiVersion, kind, namespace and name in the import ID. An import uses the provider's `cluster`" +
			phrases.Given(w.Cluster, ", not that of the resource") + "."
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
		return phrases.Paragraphs(next, w.ignoreLine(fields))
	}
	return next
}

// conflicting returns the fields of a conflict, each once. It returns no fields for other reasons.
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

// explanation is the summary and the next step for one reason.
type explanation struct {
	summary string
	next    func(Words) string
}

var explanations = map[cluster.Reason]explanation{
	cluster.ReasonKindNotServed:        {"Kind Not Served", always("Correct apiVersion and kind, or install the CustomResourceDefinition first.")},
	cluster.ReasonNamespaceNotFound:    {"Namespace Not Found", always("Create the namespace first, or correct metadata.namespace.")},
	cluster.ReasonNamespaceTerminating: {"Namespace Terminating", always("Wait until the namespace is gone and create it again.")},
	cluster.ReasonNotFound:             {"Object Not Found", Words.find},
	cluster.ReasonConflict:             {"Object Changed Since the Plan", always("Plan again, and check what the new plan does to the object.")},
	cluster.ReasonFieldManagerConflict: {"Field Ownership Conflict", Words.yield},
	cluster.ReasonInvalid:              {"Invalid Object", func(w Words) string { return "Correct the fields named above" + w.inBody() + "." }},
	cluster.ReasonBadRequest:           {"Invalid Object", Words.correct},
	cluster.ReasonForbidden:            {"Forbidden", always("Grant the connection's user the verb in the message. Reads need get; plans and applies need patch and create; destroys need delete and watch.")},
	cluster.ReasonUnauthorized:         {"Unauthorized", always("Renew the credentials of the cluster connection. With exec, token_file or config_path, each run reads them again.")},
	cluster.ReasonCredentials:          {"Credential Plugin Failed", always("Run the plugin (exec.command of the cluster connection, with its args and env) by hand on the machine that runs Terraform.")},
	cluster.ReasonExpired:              {"List Expired", always("Try again, or list fewer objects: the API server keeps the pages of a list for a few minutes only.")},
	cluster.ReasonUnreachable:          {"Cluster Unreachable", always("Check the address in the cluster connection, and the network path to it.")},
	cluster.ReasonTimeout:              {"Timeout", Words.tryAgain},
	cluster.ReasonDeletionBlocked:      {"Deletion Blocked", Words.unblock},
	cluster.ReasonSchemaMismatch:       {"Value Does Not Fit Schema", Words.correct},
	cluster.ReasonTooLarge:             {"Object Too Large", always(smaller)},
	cluster.ReasonWebhookUnreachable:   {"Webhook Not Reachable", always("Repair the admission webhook, or ask its owner.")},
	cluster.ReasonRedirected:           {"Redirect Refused", always(notRedirected)},
	cluster.ReasonBusy:                 {"API Server Busy", Words.waitLonger},
	cluster.ReasonWrongAnswer:          {"Unexpected Answer", always(otherServer)},
	cluster.ReasonServer: {"API Server Error", func(w Words) string {
		if w.Body == "" {
			return "Try again."
		}
		return "If the message names a field of " + w.Body + ", correct it. Otherwise, try again."
	}},
}

// actionNoun is the Noun of an action, which has no depends_on.
const actionNoun = "action"

// always returns a next step that names no attribute.
func always(next string) func(Words) string { return func(Words) string { return next } }

func (w Words) find() string {
	if w.creates() {
		return "Plan again: the object is gone, and the new plan creates it."
	}
	create := "name the resource that creates it in depends_on of this " + w.Noun
	switch {
	case w.OpensInPlan:
		create = "create it in an earlier apply"
	case w.Noun == actionNoun:
		create = "invoke the action after the object was created"
	}
	if w.Optional != "" {
		return "Correct " + w.Target + ", " + create + ", or set " + w.Optional + " = true."
	}
	return "Correct " + w.Target + ", or " + create + "."
}

func (w Words) yield() string {
	return "The conflict appeared after the plan" + phrases.Given(w.OnConflict, ", and "+w.OnConflict+` is "fail"`) + ". Plan again" +
		phrases.Given(w.IgnoreFields, ", or leave the fields to their owners with "+w.IgnoreFields) + "."
}

func (w Words) correct() string {
	if w.Body == "" {
		return "Correct what the message names."
	}
	return "Correct " + w.Body + "."
}

func (w Words) tryAgain() string {
	switch {
	case w.Timeouts != "":
		return "Try again, or raise the " + w.Timeouts + " of the " + w.Noun + "."
	case w.FixedTimeout != 0:
		return "Try again; the cluster had " + w.FixedTimeout.String() + " to answer."
	default:
		return "Try again."
	}
}

func (w Words) waitLonger() string {
	return "Try again later" + phrases.Given(w.Timeouts, ", or raise the "+w.Timeouts+" of the "+w.Noun) + "."
}

func (w Words) unblock() string {
	return "Resolve what blocks the deletion, then destroy again." +
		phrases.Given(w.ForceDestroy, " Or apply "+w.ForceDestroy+" = true first: it removes finalizers when the timeout runs out.")
}

// nearestKinds names the kinds that may have been meant, and returns "" if no kind is similar.
func nearestKinds(err error) string {
	unserved, is := errors.AsType[*cluster.KindNotServedError](err)
	if !is || len(unserved.Nearest) == 0 {
		return ""
	}
	return "The nearest kinds that the cluster serves are " + strings.Join(unserved.Nearest, ", ") + ". "
}
