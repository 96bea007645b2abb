package diagnostics

import (
	"cmp"
	"fmt"
	"strings"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/registry"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/ssa"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/diagnostics/changes"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/diagnostics/phrases"
)

func (w Words) alreadyExists(err *registry.AlreadyExistsError) diag.Diagnostic {
	seen := "exists on the cluster and is not in this state, so it was not touched."
	switch {
	case err.Since && err.Orphan:
		seen += " It was created after the plan, by the field manager of this resource: another run of this configuration may have created it."
	case err.Since:
		seen += " Another client created it after the plan." + phrases.Given(strings.Join(err.Managers, ""),
			" Its field managers: "+phrases.QuoteAll(err.Managers)+".")
	case err.Orphan:
		seen += " Nobody else owns any of its fields: an interrupted apply of this configuration may have created it."
	}
	return diag.NewErrorDiagnostic("Object Already Exists", phrases.Paragraphs(
		err.Object.String()+" "+seen,
		"To manage it here, import it; the next plan then shows who owns its fields now and what would change:",
		fmt.Sprintf("import {\n  to = %s.NAME\n  id = %q\n}", w.Type, w.ImportPrefix+err.Object.ID()),
		phrases.Given(w.AdoptExisting, "Or set "+w.AdoptExisting+" = true, and the apply adopts it.")))
}

// Unplanned returns the error about an object that another client created after the plan, and that an adoption would change. now is the
// time from which the ages of others' writes are counted.
func (w Words) Unplanned(err *ssa.UnplannedError, now time.Time) diag.Diagnostic {
	changed := ""
	if len(err.Plan.Changes) > 0 {
		changed = "To adopt it, " + changes.New(phrases.Names(w), err.Plan, now).Text()
	}
	return diag.NewErrorDiagnostic("Object Changed Since the Plan", phrases.Paragraphs(
		err.Plan.Object.String()+": another client created the object after the plan, so the plan does not show what its adoption changes. "+
			"It was not touched.", changed, "Plan again: the new plan shows it."))
}

// alreadyManaged returns the error about a second resource for one object, with help to find the first. Terraform
// itself prints the address of only one of them.
func (w Words) alreadyManaged(err *registry.AlreadyManagedError) diag.Diagnostic {
	seen := err.Object.String() + ": another resource in the state already manages this object."
	next := fmt.Sprintf("This command prints the address of that resource:\n\n  terraform state list -id='%s'\n\n"+
		"If the resource was renamed or moved, add this block:\n\n"+
		"moved {\n  from = %[2]s.OLD\n  to   = %[2]s.NEW\n}\n\n"+
		"Otherwise remove one of the two.", strings.ReplaceAll(err.Object.ID(), "'", `'\''`), w.Type)
	if err.New != nil {
		seen = fmt.Sprintf("%s: another new resource in this configuration already manages this object.%s", err.Object, w.traits(err))
		next = fmt.Sprintf("Search the configuration for %q, with all modules and all for_each, and remove one of the two.", err.Object.Name)
	}
	return diag.NewErrorDiagnostic("Object Managed Twice", seen+"\n\n"+next)
}

// traits returns a sentence with what is known about the other resource, and "" if nothing is known.
func (w Words) traits(err *registry.AlreadyManagedError) string {
	var known []string
	if w.FieldManager != "" {
		known = append(known, fmt.Sprintf("%s = %q", w.FieldManager, err.New.FieldManager))
	}
	switch from := err.New.Source; {
	case err.SameBody && from != "":
		known = append(known, fmt.Sprintf("the same %s, which comes from %q", w.Body, from))
	case err.SameBody:
		known = append(known, "the same "+w.Body)
	case from != "":
		known = append(known, fmt.Sprintf("a %s that comes from %q", w.Body, from))
	}
	if len(known) == 0 {
		return ""
	}
	return " It has " + strings.Join(known, " and ") + "."
}

// StateOutdated returns the error of a plan whose dry-run shows that the object is not the one in the state any more:
// it, or its namespace, was deleted.
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
func (w Words) LeftToAdopter(id manifest.Identity) diag.Diagnostic {
	return diag.NewWarningDiagnostic(about("Object Left Alone", id), fmt.Sprintf(
		"%s was not deleted: a new resource of this apply has adopted it, because %s is true.\n\n"+
			"To replace an object, remove create_before_destroy.", id, w.AdoptExisting))
}

func (w Words) cannotAdopt(err *ssa.UnadoptableError) diag.Diagnostic {
	return diag.NewErrorDiagnostic("Object Cannot Be Adopted", fmt.Sprintf(
		"%s exists on the cluster, and %s differs from it in fields that cannot be changed:\n%s\n\n"+
			"Write their live values into %[2]s, or import the object; the next plan then replaces it.",
		err.Object, w.Body, phrases.Lines(err.Immutable)))
}

// mayExist returns the error of a create that got no response. The resource is in the state, tainted.
func mayExist(operation Operation, err *cluster.OutcomeUnknownError) diag.Diagnostic {
	return diag.NewErrorDiagnostic("Object May Exist", detail(operation, err.Object,
		err.Last.Message+"; the server may have created it anyway, and the provider could not check that",
		"Apply again once the server answers. Until then the resource is in the state as tainted: the next apply creates the object, or "+
			"replaces it if it exists. To keep an object that exists, run terraform untaint first."))
}

// MayRun returns the error about a Job that may have been started: the API server's response was lost. look is the
// command that shows the Job.
func MayRun(err *cluster.OutcomeUnknownError, look string) diag.Diagnostic {
	return diag.NewErrorDiagnostic("Object May Exist", detail(Created, err.Object,
		err.Last.Message+"; the server may have created it anyway, and the provider could not check that",
		"To look for it, run: "+look+"\nInvoke the action again only if the Job does not exist: each invocation starts a new one."))
}

// mostTransfers is the number of fields that a warning of an adoption lists.
const mostTransfers = 30

// Adopts warns of a plan that adopts an existing object, and shows which fields change owner.
func (w Words) Adopts(plan ssa.Plan) diag.Diagnostic {
	var text strings.Builder
	fmt.Fprintf(&text, "%s exists and is not in this state. The apply adopts it, because %s is true.", plan.Object, w.AdoptExisting)
	if len(plan.Transfers) > 0 {
		text.WriteString(" " + cmp.Or(w.FieldOwnership, "The owners of fields") + " will change:\n")
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
			"under the same name, each apply of one removes the fields that the other declares" + phrases.Given(w.FieldManager, ": set another "+w.FieldManager+" here") + ".")
	}
	if plan.Adopted.ByControllers {
		text.WriteString("\n\nA controller created this object. A destroy of this resource deletes it." +
			phrases.Given(w.OnDestroy, " To leave it on the cluster, set "+w.OnDestroy+` = "release".`))
	}
	return diag.NewWarningDiagnostic(about("Existing Object Adopted", plan.Object), text.String())
}

// ImportedElsewhere returns the error of a plan for an object that was imported from another cluster than that of its
// resource.
func (w Words) ImportedElsewhere(id manifest.Identity) diag.Diagnostic {
	return diag.WithPath(path.Root(w.Cluster), diag.NewErrorDiagnostic("Imported From Another Cluster", fmt.Sprintf(
		"%s was imported with the provider's `cluster`. The `%s` of the resource points to another cluster, which has another object of "+
			"this name, or none. Nothing was changed.\n\n"+
			"Import the object with a provider that connects to the resource's cluster, for example a provider with an alias that both the "+
			"import block and the resource use. If you ran the command terraform import, run terraform state rm first.", id, w.Cluster)))
}

// SecretImported warns that an import has written secret data into the body. Its summary is general: the
// advice is the same for all Secrets.
func (w Words) SecretImported(id manifest.Identity) diag.Diagnostic {
	adopt := ""
	if w.AdoptExisting != "" && w.WriteOnlyBody != "" {
		adopt = fmt.Sprintf(", and adopt the Secret in a new resource with %s and %s", w.AdoptExisting, w.WriteOnlyBody)
	}
	return diag.NewWarningDiagnostic("Secret Data In State", fmt.Sprintf(
		"%s: the import writes the data of the Secret into %s. The state then contains the data, and so do plans that change %[2]s.\n\n"+
			"To keep the data out of the state, remove the import%[3]s.", id, w.Body, adopt))
}
