// Package invalid makes the diagnostics about mistakes of the user: in values, manifests, field paths, import IDs, and
// the connection to a cluster. Begin with [Value], for one attribute, and [Combination], for attributes that contradict
// each other.
//
// They need no object and no answer of a cluster. Events on a cluster are in package diagnostics.
package invalid

import (
	"fmt"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/diagnostics"
)

const (
	combinationSummary = "Invalid Attribute Combination"
	valueSummary       = "Invalid Attribute Value"
)

// Value returns the error about the value of one attribute. problem is a sentence, followed by advice.
func Value(at path.Path, problem string) diag.Diagnostic {
	return diag.NewAttributeErrorDiagnostic(at, valueSummary, problem)
}

// Values returns the error about values of several attributes, of which none is more wrong than the others.
func Values(problem string) diag.Diagnostic { return diag.NewErrorDiagnostic(valueSummary, problem) }

// Combination returns the error about attributes that contradict each other, or of which one needs another.
func Combination(at path.Path, problem string) diag.Diagnostic {
	return diag.NewAttributeErrorDiagnostic(at, combinationSummary, problem)
}

// OwnSuccessor returns the error about a handover to the field manager that owns the fields already.
func OwnSuccessor(at path.Path) diag.Diagnostic {
	return Value(at, at.String()+" is the field manager of this resource itself, which owns the fields already.\n\n"+
		"Write the field manager of the tool that applies the object next.")
}

// Missing returns the error about attributes of which none, or not exactly one, is set.
func Missing(problem string) diag.Diagnostic {
	return diag.NewErrorDiagnostic(combinationSummary, problem)
}

// RestoreOfSecrets returns the error about a patch that would store secret values for its destroy. rule is the rule of
// the provider block that makes them secret; "" without one.
func RestoreOfSecrets(rule string) diag.Diagnostic {
	return Value(path.Root("on_destroy"), "on_destroy = \"restore\" would store the values from before the patch in "+
		"the state, and values of this patch are secret"+diagnostics.Given(rule, " by sensitive_fields of "+rule)+
		".\n\nUse \"remove\" or \"release\".")
}

// RulesUnknown returns the error about rules of the provider block that are known only during the apply.
func RulesUnknown(attribute string) diag.Diagnostic {
	return Value(path.Root(attribute), attribute+" has a value that is known only after the apply, so no plan can say "+
		"which fields it leaves to others, and which objects it protects.\n\nWrite values that are known in the plan: "+
		"constants, variables, or attributes of resources that exist already.")
}

// Wait returns the error about an argument that describes no wait.
func Wait(at path.Path, problem string) diag.Diagnostic {
	return diag.NewAttributeErrorDiagnostic(at, "Invalid Wait", problem)
}

// Namespace returns the error about a namespace.
func Namespace(problem string) diag.Diagnostic {
	return diag.NewAttributeErrorDiagnostic(path.Root("namespace"), "Invalid Namespace", problem)
}

// UnknownKind returns the error about a kind without an API version that the cluster serves in several groups, or in
// none that answers. unanswered are the API versions of the others.
func UnknownKind(kind string, groups, unanswered []string, problem string) diag.Diagnostic {
	next := "Correct the kind, or install its CustomResourceDefinition first."
	switch {
	case len(groups) > 0:
		next = "Write one of them with its version: \"" + strings.Join(groups, " "+kind+"\" or \"") + " " + kind + "\"."
	case len(unanswered) > 0:
		next = "Correct the kind, or repair the API server that does not answer:\n"
		for _, of := range unanswered {
			group, version, _ := strings.Cut(of, "/")
			next += "\n  kubectl get apiservice " + version + "." + group
		}
	}
	return diag.NewAttributeErrorDiagnostic(path.Root("kinds"), "Kind Not Served", "kinds: "+problem+".\n\n"+next)
}

// OwnManager returns the error of an action that would end the claims of the provider's own resources.
func OwnManager(manager string) diag.Diagnostic {
	return diag.NewAttributeErrorDiagnostic(path.Root("managers"), "Own Field Manager", fmt.Sprintf(
		"managers contains %q, the field manager of this provider. Its resources own their fields under that name, "+
			"and their next apply would take them again.\n\nRemove it from managers. To give up an object without a "+
			"change of its values, destroy its resource with on_destroy = \"release\".", manager))
}

// ClusterScoped returns the error about a namespace for cluster-scoped objects.
func ClusterScoped(operation diagnostics.Operation, id manifest.Identity) diag.Diagnostic {
	return Namespace(id.String() + " could not be " + string(operation) + ": " + id.Kind +
		" is cluster-scoped.\n\nRemove namespace.")
}

const importSummary = "Invalid Import ID"

// ImportID returns the error about an import ID that cannot be used.
func ImportID(id string, fault *manifest.Error) diag.Diagnostic {
	seen := "The import ID " + id + " cannot be used: " + fault.Problem
	if id == "" {
		seen = "The import ID is empty"
	}
	return diag.NewErrorDiagnostic(importSummary, seen+".\n\n"+fault.Suggestion)
}

// ImportIDWithoutManager returns the error about an import of a patch whose ID names no manager.
func ImportIDWithoutManager(id string) diag.Diagnostic {
	given := fmt.Sprintf("The import ID %q", id)
	if id == "" {
		given = "An `identity`"
	}
	return diag.NewErrorDiagnostic(importSummary, given+" names no manager.\n\nImport by `id`: write the "+
		"import ID of the object and the manager whose fields become the patch: "+
		"apiVersion=apps/v1,kind=Deployment,namespace=default,name=web,manager=helm. field_ownership lists the "+
		"managers of an object.")
}

// ID returns the error about the attribute id of a state.
func ID(err error) diag.Diagnostic { return diag.NewErrorDiagnostic(importSummary, err.Error()) }

// Identity returns the error about the identity in an import block.
func Identity(id manifest.Identity, problem string) diag.Diagnostic {
	return diag.NewErrorDiagnostic("Invalid Identity",
		"The identity of "+id.String()+" cannot be used: "+problem+".\n\nWrite api_version, kind, namespace and name "+
			"as in the manifest, without namespace for a cluster-scoped kind.")
}
