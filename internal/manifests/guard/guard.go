// Package guard writes a ValidatingAdmissionPolicy that keeps other writers from the fields that some field managers
// own, and its bindings.
//
// The policy knows no kind, except for Jobs that the cluster deletes after they have finished. It compares the entries
// of these managers in managedFields before and after a write: the server has removed from them the fields that the
// write takes, for every kind, version and subresource. So a write that leaves the entries as they were has taken
// nothing.
//
// A write to the subresource scale is about an object without managedFields, so the policy finds those by their names.
package guard

import (
	"fmt"

	"sigs.k8s.io/yaml"
)

// Mode is the reaction to a write that the guard finds.
type Mode string

// The modes.
const (
	Deny  Mode = "deny"
	Warn  Mode = "warn"
	Audit Mode = "audit"
)

// Modes are all modes.
var Modes = []Mode{Warn, Deny, Audit}

// actions returns the validationActions of a binding.
func (m Mode) actions() []any {
	switch m {
	case Deny:
		return []any{"Deny"}
	case Warn:
		return []any{"Warn", "Audit"}
	default:
		return []any{"Audit"}
	}
}

// Options are what the guard covers. The lists are globs that Check has accepted.
type Options struct {
	// Name is the name of the policy and of its binding. The binding for deletions adds [DeletesSuffix].
	Name string
	Mode Mode
	// FieldManagers are the owners.
	FieldManagers []string
	// OwnerUsers and OwnerGroups are who may write as one of FieldManagers. If both are empty, everybody may.
	OwnerUsers, OwnerGroups []string
	// ExemptUsers and ExemptGroups may write everything.
	ExemptUsers, ExemptGroups []string
	// Kinds are kinds, or groups and kinds. Namespaces cover no cluster-scoped object. An empty list does not limit.
	Kinds, Namespaces []string
	// Scale contains the keys, group/kind/namespace/name, of the objects that other managers must not scale.
	Scale []string
	// Delete is the reaction to deletions by other clients; "" allows them.
	Delete Mode
	// Additions is true if other managers must not add fields, either. Mode is the reaction to that, too.
	Additions bool
	// Source is where the owners are configured, for messages.
	Source string
}

// DeletesSuffix ends the name of the binding for deletions.
const DeletesSuffix = "-deletes"

const api = "admissionregistration.k8s.io"

// Manifests returns the policy and its bindings as YAML, by keys like those of package documents.
func Manifests(o Options) (map[string]string, error) {
	manifests := map[string]string{}
	add := func(kind, name string, spec map[string]any) error {
		text, err := yaml.Marshal(map[string]any{
			"apiVersion": api + "/v1", "kind": kind, "metadata": map[string]any{"name": name}, "spec": spec,
		})
		manifests[fmt.Sprintf("%s/%s//%s", api, kind, name)] = string(text)
		return err
	}
	if err := add("ValidatingAdmissionPolicy", o.Name, o.policy()); err != nil {
		return nil, err
	}
	updates := map[string]any{"policyName": o.Name, "validationActions": o.Mode.actions()}
	// The modes may differ, and a binding has one list of actions for all operations.
	if o.Delete != "" {
		updates["matchResources"] = everything("UPDATE")
		deletes := map[string]any{
			"policyName": o.Name, "validationActions": o.Delete.actions(), "matchResources": everything("DELETE"),
		}
		if err := add("ValidatingAdmissionPolicyBinding", o.Name+DeletesSuffix, deletes); err != nil {
			return nil, err
		}
	}
	return manifests, add("ValidatingAdmissionPolicyBinding", o.Name, updates)
}

// everything returns constraints that match operations on every resource and subresource.
func everything(operations ...any) map[string]any {
	all := []any{"*"}
	return map[string]any{"resourceRules": []any{map[string]any{
		"apiGroups": all, "apiVersions": all, "operations": operations, "resources": []any{"*/*"},
	}}}
}

func (o Options) policy() map[string]any {
	operations := []any{"UPDATE"}
	if o.Delete != "" {
		operations = append(operations, "DELETE")
	}
	// An expression that fails, because an object costs too much for instance, must not open the guard. Where the guard
	// only tells, it must not close it.
	onFailure := "Ignore"
	if o.Mode == Deny || o.Delete == Deny {
		onFailure = "Fail"
	}
	return map[string]any{
		"failurePolicy":    onFailure,
		"matchConstraints": everything(operations...),
		"matchConditions":  o.conditions(),
		"variables":        o.variables(),
		"validations":      o.validations(),
	}
}

// conditions returns what a write must be for the guard to look at it. They are cheap, so what passes them costs
// little.
func (o Options) conditions() []any {
	condition := func(name, expression string) any { return map[string]any{"name": name, "expression": expression} }
	scaled := o.scaled()
	all := []any{
		condition("owned", "oldObject != null && has(oldObject.metadata) && (\n  "+
			"(has(oldObject.metadata.managedFields) &&\n"+
			"    oldObject.metadata.managedFields.exists(entry, "+o.isOurs()+"))"+or(scaled)+"\n)"),
		condition("by-others", "!("+o.isOwner()+")"),
		condition("not-by-kubernetes", "!("+user(controlPlaneUsers)+" ||\n  "+groups(controlPlaneGroups)+")"),
	}
	if exempt := isOneOf(o.ExemptUsers, o.ExemptGroups); exempt != "" {
		all = append(all, condition("not-exempt", "!("+exempt+")"))
	}
	if len(o.Kinds) > 0 {
		all = append(all, condition("kinds", `(request.kind.?group.orValue("") + "/" + request.kind.kind)`+
			".matches("+quote(kindsPattern(o.Kinds))+")"+or(scaled)))
	}
	if len(o.Namespaces) > 0 {
		all = append(all, condition("namespaces", "(has(oldObject.metadata.namespace) &&\n  "+
			"oldObject.metadata.namespace.matches("+quote(pattern(o.Namespaces))+"))"+or(scaled)))
	}
	return all
}

func or(expression string) string {
	if expression == "" {
		return ""
	}
	return " ||\n  " + expression
}

func (o Options) variables() []any {
	variable := func(name, expression string) any { return map[string]any{"name": name, "expression": expression} }
	entries := func(object string) string {
		return fmt.Sprintf("has(%[1]s.metadata.managedFields) ?\n"+
			"  %[1]s.metadata.managedFields.filter(entry, %[2]s) : []", object, o.isOurs())
	}
	all := []any{
		variable("before", entries("oldObject")),
		variable("after", `request.operation == "DELETE" ? [] : (`+entries("object")+")"),
		variable("owners", `variables.before.map(entry, "\"" + entry.manager + "\"").join(" and ")`),
		variable("writer", fmt.Sprintf(`%[1]s != "" ? "\"" + %[1]s + "\" (" + %[2]s + ")" : %[2]s`, manager, username)),
		variable("named", `oldObject.kind + " " + (has(oldObject.metadata.namespace) ? `+
			`oldObject.metadata.namespace + "/" : "") + oldObject.metadata.name`),
		variable("lost", lost()),
	}
	if o.Additions {
		all = append(all, variable("added", added()))
	}
	return all
}

// validations are evaluated for every operation that the policy is about.
func (o Options) validations() []any {
	validation := func(expression, message, fallback string) any {
		return map[string]any{
			"expression": expression, "messageExpression": message, "message": fallback, "reason": "Forbidden",
		}
	}
	place := "the configuration of the owner"
	if o.Source != "" {
		place = o.Source
	}
	orLeave := place + ", or leave %s to other managers there (ignore_fields)."
	const fallback = "the write changes fields that another field manager owns: "
	all := []any{validation(
		// Controllers remove finalizers from a terminating object, also those that the owner has applied.
		`request.operation == "DELETE" || has(oldObject.metadata.deletionTimestamp) || variables.before == `+
			`variables.after`,
		`variables.writer + " changes fields of " + variables.named + " that " + variables.owners + " owns: " + `+
			`variables.lost + `+quote(". Change them in "+fmt.Sprintf(orLeave, "them")),
		fallback+"see metadata.managedFields of the object",
	)}
	if o.Additions {
		all = append(all, validation(
			`request.operation == "DELETE" || has(oldObject.metadata.deletionTimestamp) || variables.added == ""`,
			`variables.writer + " adds to " + variables.named + ", of which " + variables.owners + " owns fields: " + `+
				shown("variables.added", "")+" + "+quote(". Declare them in "+place+"."),
			"the write adds fields to an object of another field manager: see metadata.managedFields of the object",
		))
	}
	if o.Delete != "" {
		all = append(all, validation(
			`request.operation != "DELETE" || has(oldObject.metadata.deletionTimestamp)`,
			`variables.writer + " deletes " + variables.named + ", of which " + variables.owners + `+
				quote(" owns fields. Remove it from "+place+"."),
			"another field manager owns fields of the object: see its metadata.managedFields",
		), validation(
			`request.operation == "DELETE" || has(oldObject.metadata.deletionTimestamp) || `+
				`!has(object.metadata.ownerReferences) ||`+
				"\n  object.metadata.ownerReferences.all(owner, has(oldObject.metadata.ownerReferences) &&\n"+
				"    oldObject.metadata.ownerReferences.exists(known, known.uid == owner.uid))",
			`variables.writer + " gives " + variables.named + " an owner, with which it would be deleted, and `+
				`" + variables.owners + `+
				quote(" owns fields of it. Set metadata.ownerReferences in "+place+"."),
			"the object would be deleted with its new owner; another field manager owns fields of it",
		), validation(
			// All kinds that have the field: Jobs of any group, of Volcano for instance, JobSet and RayJob.
			`request.operation == "DELETE" || has(oldObject.metadata.deletionTimestamp) || `+
				`!(request.kind.kind in ["Job", "JobSet", "RayJob"]) ||`+
				"\n  object.?spec.?ttlSecondsAfterFinished.orValue("+never+") >=\n"+
				"    oldObject.?spec.?ttlSecondsAfterFinished.orValue("+never+")",
			`variables.writer + " sets spec.ttlSecondsAfterFinished of " + variables.named + ", with which it would `+
				`be deleted, and " + variables.owners + `+quote(" owns fields of it. Set it in "+place+"."),
			"the object would be deleted after it has finished; another field manager owns fields of it",
		))
	}
	if scaled := o.scaled(); scaled != "" {
		all = append(all, validation("!("+scaled+") ||\n  object.?spec.?replicas == oldObject.?spec.?replicas",
			scales+quote(". Set spec.replicas in "+fmt.Sprintf(orLeave, "it")),
			"the number of replicas of this object is configured elsewhere"))
	}
	return all
}

// never is longer than any ttlSecondsAfterFinished, and stands for none.
const never = "2147483648"

// scales begins the message about a write to scale. Its object is a Scale, which has the name of the object.
const scales = `variables.writer + " sets the replicas of " + request.resource.resource + " " + ` +
	`oldObject.metadata.namespace + "/" + oldObject.metadata.name + `
