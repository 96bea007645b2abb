package diagnostics

import (
	"fmt"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifest"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/registry"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/ssa"
)

func alreadyExists(err *registry.AlreadyExistsError) diag.Diagnostic {
	seen := "exists on the cluster and is not in this state, so it was not touched."
	if err.Orphan {
		seen += " Nobody else owns any of its fields: an interrupted apply of this configuration may have created it."
	}
	return diag.NewErrorDiagnostic("Object Already Exists", fmt.Sprintf(
		"%s %s\n\n"+
			"To manage it here, import it; the next plan then shows who owns its fields now and what would change:\n\n"+
			"import {\n  to = k8sconnect_manifest.NAME\n  id = %q\n}\n\n"+
			"Or set adopt_existing = true, and the apply adopts it.", err.Object, seen, err.Object.ID()))
}

// alreadyManaged helps to find the other of two resources for one object. Terraform prints the address of one of them.
func alreadyManaged(err *registry.AlreadyManagedError) diag.Diagnostic {
	seen := err.Object.String() + ": another resource in the state already manages this object."
	next := fmt.Sprintf("This command prints its address:\n\n  terraform state list -id='%s'\n\n"+
		"If the resource was renamed or moved, add this block:\n\n"+
		"moved {\n  from = k8sconnect_manifest.OLD\n  to   = k8sconnect_manifest.NEW\n}\n\n"+
		"Otherwise remove one of the two.", strings.ReplaceAll(err.Object.ID(), "'", `'\''`))
	if err.New != nil {
		seen = fmt.Sprintf("%s: another new resource in this configuration already manages this object. It has field_manager = %q%s.",
			err.Object, err.New.FieldManager, bodyOf(err))
		next = fmt.Sprintf("Search the configuration for %q, with all modules and all for_each, and remove one of the two.", err.Object.Name)
	}
	return diag.NewErrorDiagnostic("Object Managed Twice", seen+"\n\n"+next)
}

// bodyOf returns what is known about the manifest of the other resource, and "" if nothing is.
func bodyOf(err *registry.AlreadyManagedError) string {
	switch from := err.New.Source; {
	case err.SameBody && from != "":
		return fmt.Sprintf(" and the same yaml_body, which comes from %q", from)
	case err.SameBody:
		return " and the same yaml_body"
	case from != "":
		return fmt.Sprintf(" and a yaml_body that comes from %q", from)
	default:
		return ""
	}
}

// StateOutdated refuses a plan whose dry-run shows that the object is not the one in the state any more: it, or
// its namespace, was deleted.
func StateOutdated(id manifest.Identity, err error) diag.Diagnostic {
	return diag.NewErrorDiagnostic("Object Changed Since the Plan", detail(Planned, id, seenIn(err),
		"The state is out of date. Plan again without -refresh=false: only a refresh sees what happened to the object."))
}

func nameInUse(id manifest.Identity) diag.Diagnostic {
	return diag.NewErrorDiagnostic("Name Already In Use", fmt.Sprintf(
		"%s: another resource in this state already manages this object.\n\n"+
			"If this is a replacement, remove create_before_destroy from the resource's lifecycle. Otherwise, remove one of the two resources.", id))
}

// LeftToAdopter warns of an object that was not deleted, because another resource has taken it.
func LeftToAdopter(id manifest.Identity) diag.Diagnostic {
	return diag.NewWarningDiagnostic(about("Object Left Alone", id), fmt.Sprintf(
		"%s was not deleted: a new resource of this apply has taken it, because adopt_existing is true.\n\n"+
			"To replace an object, remove create_before_destroy.", id))
}

func cannotAdopt(err *ssa.UnadoptableError) diag.Diagnostic {
	return diag.NewErrorDiagnostic("Object Cannot Be Adopted", fmt.Sprintf(
		"%s exists on the cluster, and yaml_body differs from it in fields that cannot be changed:\n%s\n\n"+
			"Write their live values into yaml_body, or import the object; the next plan then replaces it.",
		err.Object, lines(err.Immutable)))
}

// mayExist returns the error of a create whose response was lost. The resource is in the state, tainted.
func mayExist(operation Operation, err *cluster.OutcomeUnknownError) diag.Diagnostic {
	return diag.NewErrorDiagnostic("Object May Exist", detail(operation, err.Object,
		err.Last.Message+"; the server may have created it anyway, and the provider could not check that",
		"Apply again once the server answers. Until then the resource is in the state as tainted: the next apply creates the object, or "+
			"replaces it if it exists. To keep an object that exists, run terraform untaint first."))
}

// mostTransfers is how many fields a warning of an adoption lists.
const mostTransfers = 30

// Adopts warns of a plan that adopts an existing object, and shows which fields change owner.
func Adopts(plan ssa.Plan) diag.Diagnostic {
	var text strings.Builder
	fmt.Fprintf(&text, "%s exists and is not in this state. The apply adopts it, because adopt_existing is true.", plan.Object)
	if len(plan.Transfers) > 0 {
		text.WriteString(" field_ownership will change:\n")
	}
	for i, transfer := range plan.Transfers {
		if i == mostTransfers {
			fmt.Fprintf(&text, "\n  and %d more", len(plan.Transfers)-i)
			break
		}
		from := "(none)"
		if transfer.From != "" {
			from = fmt.Sprintf("%q", transfer.From)
		}
		fmt.Fprintf(&text, "\n  %s: %s -> %q", transfer.Field, from, transfer.To)
	}
	if plan.Adopted.BySameManager {
		text.WriteString("\n\nThe field manager of this resource already owns fields of the object. If another configuration manages the object " +
			"under the same name, each apply of one removes what the other declares: set another field_manager here.")
	}
	if plan.Adopted.ByControllers {
		text.WriteString("\n\nA controller created this object. A destroy of this resource deletes it. To leave it on the cluster, " +
			"set on_destroy = \"release\".")
	}
	return diag.NewWarningDiagnostic(about("Existing Object Adopted", plan.Object), text.String())
}

// ImportedElsewhere refuses to plan an object that was imported from another cluster than its resource names.
func ImportedElsewhere(id manifest.Identity) diag.Diagnostic {
	return diag.WithPath(path.Root("cluster"), diag.NewErrorDiagnostic("Imported From Another Cluster", fmt.Sprintf(
		"%s was imported with the provider's `cluster`. The `cluster` of the resource points to another cluster, which has another object of "+
			"this name, or none. Nothing was changed.\n\n"+
			"Import the object with a provider that connects to the resource's cluster, for example a provider with an alias that both the "+
			"import block and the resource use. If you ran the command terraform import, run terraform state rm first.", id)))
}

// SecretImported warns that an import has written secret data into yaml_body. Its summary is general: the
// advice is the same for all Secrets.
func SecretImported(id manifest.Identity) diag.Diagnostic {
	return diag.NewWarningDiagnostic("Secret Data In State", fmt.Sprintf(
		"%s: the import writes the data of the Secret into yaml_body. The state contains it then, and so do plans that change yaml_body.\n\n"+
			"To keep the data out of the state, remove the import, and adopt the Secret in a new resource with adopt_existing and yaml_body_wo.", id))
}
