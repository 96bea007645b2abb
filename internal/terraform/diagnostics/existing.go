package diagnostics

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/ownership"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/arguments"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/run"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/ssa"
)

func alreadyExists(w Names, err *run.AlreadyExistsError) diag.Diagnostic {
	elsewhere := managedElsewhere(w, err.OfTerraform, err.Orphan)
	seen := "exists on the cluster and is not in this state, so it was not touched."
	if elsewhere != "" {
		seen = "exists on the cluster, and no " + w.Type + " in this state manages it, so it was not touched."
	}
	switch {
	case err.Since && err.Orphan:
		seen += " It was created after the plan, by the field manager of this resource: another run of this " +
			"configuration may have created it."
	case err.Since:
		seen += " Another client created it after the plan." + Given(strings.Join(err.Managers, ""),
			" Its field managers: "+QuoteAll(err.Managers)+".")
	case w.IsSet() && err.Owned:
		seen += " Its field manager is that of this configuration, and its values are others: another state, " +
			"workspace or checkout of the configuration may manage it."
	case err.Orphan:
		seen += " Nobody else owns any of its fields: an interrupted apply of this configuration may have created " +
			"it, or another state, workspace or checkout of it manages it. Or it is the one that this resource " +
			"replaces, with create_before_destroy, which has to be removed then."
	}
	if w.IsSet() {
		return diag.NewErrorDiagnostic("Object Already Exists", Paragraphs(err.Object.String()+" "+seen, elsewhere,
			Given(elsewhere, "Otherwise: ")+"To manage it here, set "+w.Of(arguments.AdoptExisting)+" = true, for "+
				"this object alone in a rule: the plan then shows who owns its fields now and what would change."))
	}
	return diag.NewErrorDiagnostic("Object Already Exists", Paragraphs(
		err.Object.String()+" "+seen, elsewhere,
		Given(elsewhere, "Otherwise: ")+"To manage it here, import it; the next plan then shows who owns its fields "+
			"now and what would change:",
		fmt.Sprintf("import {\n  to = %s.NAME\n  id = %q\n}", w.Type, importID(w, err.Object)),
		w.If(arguments.AdoptExisting, "Or set %s = true, and the apply adopts it.")))
}

// managedElsewhere returns a paragraph about an object that managers of Terraform resources own; "" if none does. If
// isOrphan is true, an apply of this resource may have created the object.
func managedElsewhere(w Names, managers []string, isOrphan bool) string {
	if len(managers) == 0 || isOrphan {
		return ""
	}
	ofSet := func(manager string) bool { return strings.HasPrefix(manager, `"k8sconnect-`) }
	seen := "Terraform may manage it already: its owners include " + strings.Join(managers, " and ") + ". If a "
	release := ""
	if slices.ContainsFunc(managers, ofSet) {
		release = w.If(arguments.OnDestroy, "\n\nA set gives up one object that leaves its manifests by a rule with "+
			`%s = "release".`)
	}
	if w.IsSet() { // Nothing moves into a set.
		return seen + "resource of this or another configuration manages the object, remove it from that state " +
			"first, without a destroy:\n\n" + forget("TYPE") + release
	}
	return seen + "kubernetes_... or kubectl_manifest of this configuration manages the object, do not import it: " +
		"the apply that destroys that resource deletes the object. Write a moved block instead:\n\n" +
		fmt.Sprintf("moved {\n  from = TYPE.NAME\n  to   = %s.NAME\n}", w.Type) +
		"\n\nIf another configuration manages it, remove it from that state first:\n\n" + forget("TYPE") + release
}

// forget returns the block that removes a resource of a type from the state, and leaves its object.
func forget(typeName string) string {
	return "removed {\n  from = " + typeName + ".NAME\n  lifecycle {\n    destroy = false\n  }\n}"
}

// MayBeManaged warns of the import or the adoption of an object whose managers are those of Terraform resources.
func MayBeManaged(w Names, id manifest.Identity, managers []string) diag.Diagnostic {
	return diag.NewWarningDiagnostic(w.About("Object May Be Managed Twice", id),
		id.String()+": "+managedElsewhere(w, managers, false))
}

// alreadyManaged returns the error about a second resource for one object, with help to find the first. Terraform
// itself prints the address of only one of them.
func alreadyManaged(w Names, err *run.AlreadyManagedError) diag.Diagnostic {
	seen := err.Object.String() + ": another resource in the state already manages this object."
	moves := fmt.Sprintf("moves in one apply, and no value changes:\n\n- Where it goes, set %s = true.\n- In the set "+
		"that it leaves, add this to rules:\n\n    { kinds = [%q], names = [%q], %s = \"release\" }\n\n  A resource "+
		"with one object gets a removed block.", w.Of(arguments.AdoptExisting), err.Object.Kind, err.Object.Name,
		w.Of(arguments.OnDestroy))
	// Terraform deposes what it replaces with create_before_destroy, and plans the end of that like any other.
	const deposed = "If `terraform show` has the object as deposed, a replacement with create_before_destroy has " +
		"failed, and a destroy would delete the object. Remove create_before_destroy, run `terraform state rm " +
		"ADDRESS`, and "
	next := fmt.Sprintf("This command prints the addresses of all resources with this ID, but no set:\n\n"+
		"  terraform state list -id='%s'\n\nIf the resource was renamed or moved, add this block:\n\n"+
		"moved {\n  from = %[2]s.OLD\n  to   = %[2]s.NEW\n}\n\nIf the resource has count and its objects have other "+
		"indexes now, give each one its new address, the last one first:\n\n"+
		"  terraform state mv '%[2]s.NAME[0]' '%[2]s.NAME[1]'\n\n%[3]s"+deposed+"import the object.\n\n"+
		"Otherwise remove one of the two.",
		strings.ReplaceAll(err.Object.ID(), "'", `'\''`), w.Type,
		Given(w.Of(arguments.AdoptExisting), "Into a set or out of one, an object "+moves+"\n\n"))
	if w.IsSet() {
		next = "Between two resources, an object " + moves + "\n\n" + deposed + "set " +
			w.Of(arguments.AdoptExisting) + " = true.\n\nOtherwise remove one of the two."
	}
	if err.New != nil {
		other := "another new resource in this configuration"
		if w.IsSet() {
			other = "another manifest of this set, or of a new resource in this configuration,"
		}
		seen = fmt.Sprintf("%s: %s already manages this object.%s", err.Object, other, traits(w, err))
		next = fmt.Sprintf("Search the configuration for %q, with all modules and all for_each, and remove one of the "+
			"two.", err.Object.Name)
		if w.IsSet() && err.Object.Namespace != "" {
			next += " A manifest without a namespace gets that of the connection."
		}
		if err.Object.IsDefinition() && w.IsSet() {
			next += " Of two releases of a chart in one cluster, one set has the definitions. For the other:\n\n" +
				"  " + w.Body + " = { for key, text in data.k8sconnect_chart.NAME.manifests :\n" +
				"    key => text if !startswith(key, \"apiextensions.k8s.io/\") }"
		}
	}
	return diag.NewErrorDiagnostic("Object Managed Twice", seen+"\n\n"+next)
}

// traits returns a sentence with the known arguments of the other resource; "" if none is known.
func traits(w Names, err *run.AlreadyManagedError) string {
	var known []string
	if manager := w.Of(arguments.FieldManager); manager != "" {
		known = append(known, fmt.Sprintf("%s = %q", manager, err.New.FieldManager))
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
// it was deleted. with is its namespace or its definition if the run has replaced that.
func StateOutdated(id, with manifest.Identity, err error) diag.Diagnostic {
	cause := "It was deleted, or made again, since the state was refreshed. Plan again: a new plan reads it, unless " +
		"it has -refresh=false."
	if with.Name != "" {
		cause = fmt.Sprintf("This run has replaced %s %s, and the API server has deleted the object with it. Plan and "+
			"apply again.\n\nA plan replaces both if depends_on names the resource of the %[1]s.", with.Kind, with.Name)
	}
	return diag.NewErrorDiagnostic("Object Changed Since the Plan", detail(Planned, id, seenIn(err), cause))
}

func nameInUse(id manifest.Identity) diag.Diagnostic {
	return diag.NewErrorDiagnostic("Name Already In Use", takenName(id))
}

// NameInUse warns of the error with which the create of an object will end.
func NameInUse(id manifest.Identity) diag.Diagnostic {
	return diag.NewWarningDiagnostic("Name Already In Use", takenName(id))
}

func takenName(id manifest.Identity) string {
	return fmt.Sprintf(
		"%s exists already, so it was not created, and the existing object was not touched.\n\nIf this is a "+
			"replacement, remove create_before_destroy from the lifecycle of this resource and of those that depend "+
			"on it: the old object has the name until it is deleted. With destroy = false, the state does not have it "+
			"any more: remove that, and import the object. Otherwise another resource of this state manages the "+
			"object, or another client has created it since the plan: the next plan tells which.", id)
}

// LeftToAdopter warns of an object that was not deleted, because another resource has taken it.
func (w Names) LeftToAdopter(id manifest.Identity) diag.Diagnostic {
	return diag.NewWarningDiagnostic(w.About("Object Left Alone", id), fmt.Sprintf(
		"%s was not deleted: a new resource of this apply has adopted it, because %s is true.\n\n"+
			"To replace an object, remove create_before_destroy.", id, w.Of(arguments.AdoptExisting)))
}

func unreplaceable(w Names, err *ssa.UnreplaceableError) diag.Diagnostic {
	if err.IsPart {
		return diag.NewErrorDiagnostic("Immutable Field", fmt.Sprintf(
			"%s: the API server does not allow these fields to be changed, and %s gives them other values:\n%s\n\n"+
				"Write the values that the object has, or remove the fields from %[2]s.",
			err.Object, w.Body, beforeAndAfter(err.Fields)))
	}
	return diag.NewErrorDiagnostic("Object Cannot Be Adopted", fmt.Sprintf(
		"%s exists on the cluster, and %s differs from it in fields that cannot be changed:\n%s\n\n"+
			"Set their live values in %[2]s, or import the object; the next plan then replaces it.",
		err.Object, w.Body, beforeAndAfter(err.Fields)))
}

// mayExist returns the error of a create that got no response. The resource is in the state, tainted.
func mayExist(operation Operation, err *cluster.OutcomeUnknownError) diag.Diagnostic {
	return diag.NewErrorDiagnostic("Object May Exist", detail(operation, err.Object,
		err.Last.Message+"; the server may have created it anyway, and the provider could not check that",
		"Apply again once the server answers. Until then the resource is in the state as tainted: the next apply "+
			"creates the object, or updates it in place if it exists."))
}

// MayRun returns the error about a Job that may have been started: the API server's response was lost. look is the
// command that shows the Job.
func MayRun(err *cluster.OutcomeUnknownError, look string) diag.Diagnostic {
	return diag.NewErrorDiagnostic("Object May Exist", detail(Created, err.Object,
		err.Last.Message+"; the server may have created it anyway, and the provider could not check that",
		"To look for it, run: "+look+"\nInvoke the action again only if the Job does not exist: each invocation "+
			"starts a new one."))
}

// mostTransfers is the number of fields that a warning of an adoption lists.
const mostTransfers = 30

// Adopted begins the summary of a warning by [Names.Adopts].
const Adopted = "Existing Object Adopted"

// Adopts warns of a plan that adopts an existing object, and shows which fields change owner. ofRelease is true if it
// is one of a release of Helm that is taken over.
func (w Names) Adopts(plan ssa.Plan, ofRelease bool) diag.Diagnostic {
	var text strings.Builder
	seen := map[bool]string{true: "exists and is not in this state", false: "leaves another resource of this plan"}
	fmt.Fprintf(&text, "%s %s. The apply adopts it, because ", plan.Object, seen[plan.Adoption.Giver == ""])
	switch {
	case plan.Adoption.Resumed != nil:
		text.WriteString("its values and its field manager are those of this configuration: an earlier apply may " +
			"have ended before the state had it, or another run has applied it at the same time. If another state, " +
			"workspace or checkout manages it, a destroy here deletes it.")
	case plan.Adoption.HandedOver:
		text.WriteString("an earlier apply of this resource ended before it could update the object.")
	case ofRelease:
		text.WriteString("it belongs to the Helm release in take_over_release.")
	default:
		text.WriteString(w.Of(arguments.AdoptExisting) + " is true.")
	}
	if len(plan.Adoption.Transfers) > 0 {
		text.WriteString(" " + cmp.Or(w.Shown.FieldOwnership, "The owners of fields") + " will change:\n")
	}
	text.WriteString(ListOf(plan.Adoption.Transfers, mostTransfers, func(t ownership.Change) string {
		was := cmp.Or(Given(t.Was, fmt.Sprintf("%q", t.Was)), "(none)")
		return fmt.Sprintf("%s: %s -> %q", t.Field, was, t.Becomes)
	}))
	if plan.Adoption.BySameManager {
		text.WriteString("\n\nThe field manager of this resource already owns fields of the object. If another " +
			"configuration manages the object under the same name, each apply of one removes the fields that the " +
			"other declares" + w.If(arguments.FieldManager, ": set another %s here") + ".")
	}
	if plan.Adoption.ByControllers {
		text.WriteString("\n\nA controller created this object. A destroy of this resource deletes it." +
			w.If(arguments.OnDestroy, ` To leave it on the cluster, set %s = "release".`))
	}
	return diag.NewWarningDiagnostic(w.About(Adopted, plan.Object), text.String())
}

// ImportedElsewhere returns the error of a plan for an object that was imported from another cluster than that of its
// resource.
func (w Names) ImportedElsewhere(id manifest.Identity) diag.Diagnostic {
	return diag.WithPath(path.Root(w.Cluster), diag.NewErrorDiagnostic("Imported From Another Cluster", fmt.Sprintf(
		"%s was imported with the provider's `cluster`. The `%s` of the resource points to another cluster, which has "+
			"another object of this name, or none. Nothing was changed.\n\nImport the object with a provider that "+
			"connects to the resource's cluster, for example a provider with an alias that both the import block and "+
			"the resource use. If you ran the command terraform import, run terraform state rm first.", id, w.Cluster)))
}

// SecretImported warns that an import has written secret data into the body. Its summary is general: the
// advice is the same for all Secrets.
func (w Names) SecretImported(id manifest.Identity) diag.Diagnostic {
	adopt := ""
	if w.WriteOnlyBody != "" {
		adopt = w.If(arguments.AdoptExisting, ", and adopt the Secret in a new resource with %s and "+w.WriteOnlyBody)
	}
	return diag.NewWarningDiagnostic("Secret Data In State", fmt.Sprintf(
		"%s: the import writes the data of the Secret into %s. The state then contains the data, and so do plans that "+
			"change %[2]s.\n\nTo keep the data out of the state, remove the import%[3]s.", id, w.Body, adopt))
}

// Unmovable returns the error about a moved block that names a resource whose state cannot be moved here. accepted
// lists the types that can be moved.
func (w Names) Unmovable(typeName, problem, accepted string) diag.Diagnostic {
	return diag.NewErrorDiagnostic("Unsupported Move", Paragraphs(
		fmt.Sprintf("%s cannot be moved to %s: %s.", typeName, w.Type, problem),
		fmt.Sprintf("%s accepts the resources of %s.", w.Type, accepted),
		"Remove the moved block, import the object, and let the other resource leave the state:", forget(typeName)))
}

// MovedUnread returns the error of a plan whose state comes from another resource, if no refresh has read the object
// since.
func MovedUnread(id manifest.Identity) diag.Diagnostic {
	return diag.NewErrorDiagnostic("Moved Without Refresh", id.String()+" comes from another resource with a moved "+
		"block. Without a refresh, the plan cannot tell what changes.\n\nPlan without -refresh=false.")
}

// MovedElsewhere returns the error of a resource with a connection to another cluster than that from which the moved
// object was read.
func (w Names) MovedElsewhere(id manifest.Identity) diag.Diagnostic {
	return diag.WithPath(path.Root(w.Cluster), diag.NewErrorDiagnostic("Moved From Another Cluster", fmt.Sprintf(
		"%s was read with the provider's `cluster` after the move. The `%s` of the resource points to another "+
			"cluster, which has another object of this name, or none. Nothing was changed.\n\n"+
			"Give the resource a provider that connects to its cluster, for example one with an alias.", id,
		w.Cluster)))
}

// MovedPaths warns of paths in a moved state that have no equivalent here.
func (w Names) MovedPaths(id manifest.Identity, untranslated []string) diag.Diagnostic {
	return diag.NewWarningDiagnostic("Untranslated Field Paths", fmt.Sprintf(
		"%s comes from another resource. The provider could not translate these paths of its state:\n%s\n\nThe new "+
			"state does not have them. Find the fields in %s after the apply, and add them to %s if other managers "+
			"set them.", id, Lines(untranslated), w.Shown.FieldOwnership, w.Of(arguments.IgnoreFields)))
}

// MovedKeptObject warns that a destroy now deletes an object that the resource it comes from would have left.
func (w Names) MovedKeptObject(id manifest.Identity) diag.Diagnostic {
	return diag.NewWarningDiagnostic("Destroy Would Delete", fmt.Sprintf(
		"%s comes from a resource with apply_only, whose destroy left the object. A destroy of this resource deletes "+
			"it, unless %s is \"release\".\n\nWrite %[2]s = \"release\", or take the resource out of the state later "+
			"with this block:\n\n%[3]s", id, w.Of(arguments.OnDestroy), forget(w.Type)))
}

// SecretMoved warns that a moved state does not contain the data of the Secret.
func (w Names) SecretMoved(id manifest.Identity) diag.Diagnostic {
	return diag.NewWarningDiagnostic("Secret Moved Without Data", fmt.Sprintf(
		"%s comes from another resource, without its data, so that the state does not contain them. They stay on the "+
			"cluster.\n\nTo manage the data, set them in %s. The state does not store it.", id, w.WriteOnlyBody))
}

// AssumedNamespace warns that an object is created in the default namespace. It appears once in a run, for the first
// object.
func (w Names) AssumedNamespace(id manifest.Identity) diag.Diagnostic {
	return diag.NewWarningDiagnostic("Namespace Not Named", fmt.Sprintf(
		"%[1]s: neither %[3]s nor the cluster connection names a namespace, so the apply creates the object in the "+
			"namespace %[2]q. Other objects without a namespace are created there too.\n\nSet metadata.namespace in "+
			"%[3]s%[4]s.", id, id.Namespace, w.Body, Given(w.Cluster, ", or `namespace` in `"+w.Cluster+"`")))
}

// NamespaceChange warns of a replacement that creates the object in another namespace.
func (w Names) NamespaceChange(from, to manifest.Identity) diag.Diagnostic {
	return diag.NewWarningDiagnostic(w.About("Namespace Change", from), fmt.Sprintf(
		"%s: %s names no namespace, and the cluster connection names %q, so the plan deletes the object in %q and "+
			"creates it in %[3]q.\n\nTo keep it where it is, set metadata.namespace: %[4]s in %[2]s.",
		from, w.Body, to.Namespace, from.Namespace))
}
