package diagnostics

import (
	"fmt"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifest"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/ssa"
)

func alreadyExists(err *ssa.AlreadyExistsError) diag.Diagnostic {
	seen := "exists on the cluster and is not in this state, so it was not touched."
	if err.Orphan {
		seen += " Nobody else owns any of its fields: an apply of this configuration that was cut short may have created it."
	}
	return diag.NewErrorDiagnostic("Object Already Exists", fmt.Sprintf(
		"%s %s\n\n"+
			"To manage it here, import it; the next plan then shows who owns its fields now and what would change:\n\n"+
			"import {\n  to = k8sconnect_manifest.NAME\n  id = %q\n}\n\n"+
			"Or set adopt_existing = true, and the apply takes it.", err.Object, seen, err.Object.ID()))
}

func standsInTheWay(id manifest.Identity) diag.Diagnostic {
	return diag.NewErrorDiagnostic("Object In The Way", fmt.Sprintf(
		"%s is the object that a resource of this state stands for, and no second one can have its name.\n\n"+
			"Where this is a replacement, remove create_before_destroy from the resource's lifecycle; otherwise remove one of the two resources.", id))
}

// LeftToAdopter warns of an object that was not deleted, because another resource has taken it.
func LeftToAdopter(id manifest.Identity) diag.Diagnostic {
	return diag.NewWarningDiagnostic(about("Object Left Alone", id), fmt.Sprintf(
		"%s was not deleted: a new resource of this apply has taken it, because adopt_existing is true.\n\n"+
			"To replace an object, leave create_before_destroy out.", id))
}

func cannotAdopt(err *ssa.UnadoptableError) diag.Diagnostic {
	return diag.NewErrorDiagnostic("Object Cannot Be Adopted", fmt.Sprintf(
		"%s exists on the cluster, and yaml_body differs from it in fields that cannot be changed: %s.\n\n"+
			"Write their live values into yaml_body, or import the object, which a change of them then replaces.",
		err.Object, strings.Join(err.Immutable, ", ")))
}

// mayExist is a create whose answer was lost. The resource is in the state, tainted.
func mayExist(operation Operation, err *ssa.UnclearError) diag.Diagnostic {
	return diag.NewErrorDiagnostic("Object May Exist", detail(operation, err.Object,
		err.Last.Message+"; the server may have created it all the same, and could not be asked",
		"Apply again once the server answers. The object is in the state until then, as tainted: what was created is replaced (terraform untaint keeps it), and what was not is created."))
}

// mostTransfers is how many fields a warning of an adoption lists.
const mostTransfers = 30

// Adopts warns of a plan that takes an object which exists, and shows which fields get another owner.
func Adopts(plan ssa.Plan) diag.Diagnostic {
	var text strings.Builder
	fmt.Fprintf(&text, "%s exists and is not in this state; the apply takes it, because adopt_existing is true.", plan.Object)
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
	return diag.NewWarningDiagnostic(about("Existing Object Adopted", plan.Object), text.String())
}

// SecretImported warns that an import has written secret data into yaml_body.
func SecretImported(id manifest.Identity) diag.Diagnostic {
	return diag.NewWarningDiagnostic(about("Secret Data In State", id), fmt.Sprintf(
		"%s: the import writes a manifest with the data of the Secret into yaml_body, and with it into the state and into plans that change it.\n\n"+
			"To keep the data out of the state, remove the import, and let a new resource take the Secret with adopt_existing and yaml_body_wo.", id))
}
