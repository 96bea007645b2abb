package diagnostics

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/arguments"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/diagnostics/endings"
)

func explain(w Names, operation Operation, err *cluster.Error) diag.Diagnostic {
	summary, next := explanations[err.Reason].summary, nextStep(w, operation, err)
	mismatch, unfit := errors.AsType[*cluster.SchemaMismatchError](err)
	switch {
	case unfit && isUnknownField(mismatch):
		summary = "Unknown Field"
	case operation == Listed && err.Reason == cluster.ReasonBadRequest:
		summary = "Invalid Selector"
	}
	if unfit {
		_, next = schemaMismatch(w, err.Object, mismatch)
	}
	return diag.NewErrorDiagnostic(summary, detail(operation, err.Object, seenOf(w, err), next))
}

// seenOf returns the API server's description of an error.
func seenOf(w Names, err *cluster.Error) string {
	if mismatch, unfit := errors.AsType[*cluster.SchemaMismatchError](err); unfit {
		seen, _ := schemaMismatch(w, err.Object, mismatch)
		return seen
	}
	switch {
	case err.Reason == cluster.ReasonTooLarge:
		return oversized(err)
	case err.Reason == cluster.ReasonNotFound && !creates(w):
		return "it does not exist"
	}
	seen := err.Message
	for _, cause := range cluster.CausesOf(err) {
		if err.Words == "" && !strings.Contains(seen, cause.Message) {
			seen += fmt.Sprintf("\n  %s: %s", cause.Field, cause.Message)
		}
	}
	return seen
}

// nextStep describes what to do about an error.
func nextStep(w Names, operation Operation, err *cluster.Error) string {
	next := explanations[err.Reason].next(w)
	repair, refused, inUse := repairConnection(err), admission(w, operation, err), allocated(err, inBody(w))
	invalid, isInvalid := errors.AsType[*cluster.InvalidError](err)
	busy, isBusy := errors.AsType[*cluster.BusyError](err)
	switch {
	case isBusy && busy.Left == 0:
		next = "Try again later."
	case operation == Listed && tooLarge(err):
		next = "List fewer objects: narrow the selectors."
	case operation == Listed && err.Reason == cluster.ReasonBadRequest:
		next = "Correct the field selector: every kind has metadata.name and metadata.namespace, and few other fields."
	case operation == Listed && err.Reason == cluster.ReasonForbidden:
		next = "Grant the connection's user the verb list on the resource in the message."
	case operation == Followed && err.Reason == cluster.ReasonForbidden:
		next = "Grant the connection's user the verbs get and watch for the object."
	case operation == Followed && err.Reason == cluster.ReasonKindNotServed && !creates(w):
		next = NearestKinds(err) + "Correct " + w.Target + "."
	case operation == Imported && err.Reason == cluster.ReasonBadRequest:
		next = "Leave the namespace out of the import."
	case err.Reason == cluster.ReasonDeletionBlocked:
		next = endings.Blocked(err, w.Body, w.Of(arguments.ForceDestroy), operation == ForceDeleted)
	case err.Reason == cluster.ReasonNamespaceTerminating:
		next = endings.UntilGone(err)
	case operation == Imported && err.Reason == cluster.ReasonNotFound:
		next = "Check the API version, kind, namespace and name in the import. " +
			"An import uses the provider's `cluster`" + Given(w.Cluster, ", not that of the resource") + "."
	case isInvalid && len(invalid.Rules) > 0:
		next = breaksRules(w, err.Object, invalid.Rules)
	case isInvalid && inUse != "":
		next = inUse
	case isInvalid && isOfStatus(err):
		next = "The fields named above are in the status, which " + cmp.Or(w.Body, "this "+w.Noun) + " does not set. " +
			"Do first what the message asks for, then correct them on the object, and plan again:\n\n  " +
			err.Object.Kubectl("edit") +
			" --subresource=" + manifest.Status
	case isInvalid && w.Type == patchType && lacksPartOfItem(invalid):
		next = correctFields(w) + " " + asKeyed
	case isInvalid && refused == "" && !slices.Contains(sendsBody, operation):
		next = "Correct the fields named above on the object:\n\n  " + err.Object.Kubectl("edit")
	case err.Reason == cluster.ReasonWebhookUnreachable:
		next = webhookAway(operation)
	case refused != "":
		next = refused
	case repair != "":
		next = repair
	case err.Reason == cluster.ReasonServer:
		next = cmp.Or(afterFailure(err, w.Body, waitLonger(w)), otherServer)
	case err.Reason == cluster.ReasonKindNotServed:
		next = NearestKinds(err) + cmp.Or(unserved(err), next)
	case err.Reason == cluster.ReasonAPIUnavailable:
		next = endings.RepairAPI(err)
	case err.Reason == cluster.ReasonUnconvertible:
		next += "\n\n  " + err.Object.Kubectl("patch") + " --type=json \\\n    " +
			`-p '[{"op": "replace", "path": "/metadata/managedFields", "value": [{}]}]'` + "\n\nThen apply again."
	}
	if fields := conflicting(err); len(fields) > 0 {
		return Paragraphs(next, w.Line(arguments.IgnoreFields, fields))
	}
	return Paragraphs(next, otherWay(w, operation, err))
}

// otherWay returns a paragraph with the other way to plan, or to apply, after a failure; "" without one.
func otherWay(w Names, operation Operation, err *cluster.Error) string {
	right := cluster.MissingRightOf(err)
	answer, isAnswer := err.Cause.(apierrors.APIStatus)
	isAway := creates(w) && (err.Reason == cluster.ReasonAPIUnavailable ||
		conversionFails.MatchString(err.Said()) || isAnswer && behind(err.Object, answer) != "")
	switch {
	case isAway && operation == Read:
		return "If this configuration repairs that, apply it without a refresh:\n\n  terraform apply -refresh=false"
	case isAway && operation == Planned:
		return "If this configuration repairs that, leave the object out, or as it is, until the repair is applied."
	case right != nil && operation == Planned && right.Verb != "get" && right.Verb != "impersonate" &&
		w.PlanWithoutDryRun != "":
		return "Or plan with credentials that may only read. Such a plan shows less, and its warning says what. Set " +
			"in the provider block:\n\n  " + w.PlanWithoutDryRun + " = \"if_forbidden\""
	case w.Reads.KnownInApply != "" && cluster.IsGone(err):
		return "If this configuration creates it: Terraform reads it in the plan as long as all arguments are known " +
			"then, whatever they refer to. To have it read in the apply, let one depend on what only the apply " +
			"knows:\n\n  name = " + w.Reads.KnownInApply + " != \"\" ? " + HCLString(err.Object.Name) + " : null"
	}
	return ""
}

// sendsBody are the operations that send what the user has written.
var sendsBody = []Operation{Planned, Created, Updated, Patched}

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
	next    func(Names) string
}

var explanations = map[cluster.Reason]explanation{
	cluster.ReasonKindNotServed: {"Kind Not Served", always("Correct apiVersion and kind, or install the " +
		"CustomResourceDefinition first.")},
	cluster.ReasonAPIUnavailable: {"API Not Available", always("")},
	cluster.ReasonKindNotManageable: {"Kind Cannot Be Managed",
		always("Remove it from the configuration. Send such an object with kubectl create, or read it with kubectl " +
			"get.")},
	cluster.ReasonNamespaceNotFound: {"Namespace Not Found", always("Create the namespace first, or correct " +
		"metadata.namespace.")},
	cluster.ReasonNamespaceTerminating: {"Namespace Terminating", always(endings.CreateAgain)},
	cluster.ReasonNotFound:             {"Object Not Found", find},
	cluster.ReasonConflict: {"Object Changed Since the Plan", always("Plan again, and check what the " +
		"new plan does to the object.")},
	cluster.ReasonFieldManagerConflict: {"Field Ownership Conflict", yield},
	cluster.ReasonInvalid:              {"Invalid Object", correctFields},
	cluster.ReasonBadRequest:           {"Invalid Object", correct},
	cluster.ReasonForbidden: {"Forbidden", always("Grant the connection's user the verb in the message. " +
		"Reads need get; plans and applies need patch and create; destroys need delete and watch.")},
	cluster.ReasonNotYetAdmitted: {"Dependency Not Ready",
		always("Create what the message names, or correct its name in the manifest.")},
	cluster.ReasonUnauthorized: {"Unauthorized", always("Renew the credentials of the cluster connection. " +
		"With exec, token_file or config_path, each run reads them again.")},
	cluster.ReasonCredentials: {"Credential Plugin Failed", always("Run the plugin (exec.command of the " +
		"cluster connection, with its args and env) by hand on the machine that runs Terraform.")},
	cluster.ReasonExpired: {"List Expired", always("Try again, or list fewer objects: the API server " +
		"keeps the pages of a list for a few minutes only.")},
	cluster.ReasonUnreachable:     {"Cluster Unreachable", reach},
	cluster.ReasonTimeout:         {"Timeout", tryAgain},
	cluster.ReasonDeletionBlocked: {"Deletion Blocked", always("")},
	cluster.ReasonSchemaMismatch:  {"Value Does Not Fit Schema", correct},
	cluster.ReasonUnconvertible: {"Object Cannot Be Converted", always("The managedFields of the object name an API " +
		"version to which the server cannot convert it. Clear them, which changes no value, and makes the server " +
		"forget all owners:")},
	cluster.ReasonTooLarge: {"Object Too Large", always(smaller)},
	cluster.ReasonWebhookUnreachable: {"Webhook Not Reachable", always("Repair the admission webhook, or ask its " +
		"owner.")},
	cluster.ReasonRedirected:  {"Redirect Refused", always(notRedirected)},
	cluster.ReasonBusy:        {"API Server Busy", waitLonger},
	cluster.ReasonWrongAnswer: {"Unexpected Answer", always(otherServer)},
	cluster.ReasonServer:      {"API Server Error", always("")},
}

// actionNoun is the Noun of an action, which has no depends_on.
const actionNoun = "action"

// patchType is the resource that applies parts of objects that other clients have created.
const patchType = "k8sconnect_patch"

// asKeyed is said if a list item of a patch is not complete: it may be meant for one that has another key.
const asKeyed = "A patch adds a list item whose key the object does not have; to change one, write its key as the " +
	"object has it."

// lacksPartOfItem reports whether a refusal asks for a field of a list item.
func lacksPartOfItem(invalid *cluster.InvalidError) bool {
	return slices.ContainsFunc(invalid.Causes, func(cause metav1.StatusCause) bool {
		return cause.Type == metav1.CauseTypeFieldValueRequired && strings.Contains(cause.Field, "[")
	})
}

// always returns a next step that names no attribute.
func always(next string) func(Names) string { return func(Names) string { return next } }

func find(w Names) string {
	if creates(w) {
		return "Plan again: the object is gone, and the new plan creates it."
	}
	create := "name the resource that creates it in depends_on of this " + w.Noun
	switch {
	case w.Reads.KnownInApply != "":
		create = "create it in an earlier apply"
	case w.Noun == actionNoun:
		create = "invoke the action after the object was created"
	}
	if w.Reads.Optional != "" {
		return "Correct " + w.Target + ", " + create + ", or set " + w.Reads.Optional + " = true."
	}
	return "Correct " + w.Target + ", or " + create + "."
}

func reach(w Names) string {
	if w.Scope.Cluster == "" {
		return "Check the address in the cluster connection, and the network path to it."
	}
	return fmt.Sprintf("Check the address in clusters[%q] of the provider, and the network path to it. To plan and "+
		"apply the resources of other clusters meanwhile, name them with -target.", w.Scope.Cluster)
}

func yield(w Names) string {
	return "The conflict appeared after the plan" +
		w.If(arguments.OnConflict, `, and %s is "fail"`) + by(w.ByRule(arguments.OnConflict, "")) + ". Plan again" +
		w.If(arguments.IgnoreFields, ", or leave the fields to their owners with %s") + "."
}

// by returns a rule as the one that sets an argument; "" without one.
func by(rule string) string { return Given(rule, " by "+rule) }

func correctFields(w Names) string {
	if w.IsPatch {
		return "Correct " + w.Body + ", so that the fields named above are valid after it."
	}
	return "Correct the fields named above" + inBody(w) + "."
}

func correct(w Names) string {
	if w.Body == "" {
		return "Correct what the message names."
	}
	return "Correct " + w.Body + "."
}

func tryAgain(w Names) string {
	switch {
	case w.Timeouts.Block != "":
		return "Try again, or raise the " + w.Timeouts.Block + " of the " + w.Noun + "."
	case w.Timeouts.Fixed != 0:
		return "Try again; the cluster had " + w.Timeouts.Fixed.String() + " to answer."
	default:
		return "Try again."
	}
}

func waitLonger(w Names) string {
	return "Try again later" + Given(w.Timeouts.Block, ", or raise the "+w.Timeouts.Block+" of the "+w.Noun) + "."
}

// NearestKinds names the kinds that may have been meant, and returns "" if no kind is similar.
func NearestKinds(err error) string {
	unserved, is := errors.AsType[*cluster.KindNotServedError](err)
	if !is || len(unserved.Nearest) == 0 {
		return ""
	}
	return servedInstead(unserved.Nearest) + " "
}

// servedInstead returns a sentence with the kinds that may have been meant.
func servedInstead(kinds []string) string {
	return Number(len(kinds), "The nearest kind that the cluster serves is ",
		"The nearest kinds that the cluster serves are ") + strings.Join(kinds, ", ") + "."
}
