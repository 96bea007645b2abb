package changes

import (
	"fmt"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/diag"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/ownership"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/arguments"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/engine"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/run"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/diagnostics"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/diagnostics/sets"
)

// Ending is how a part ends.
type Ending string

// The endings of a part.
const (
	Destroyed Ending = "after the destroy, this resource owns none of the object's fields"
	// Replaced: the apply then applies a new part, to this object or to another one.
	Replaced Ending = "the apply removes this patch first, as a destroy does, and then applies the new one"
)

// Departure is how an object stays on the cluster.
type Departure = sets.Departure

// The titles of the warning about an object that stays.
const (
	ObjectReleased   = "Object Released"
	ObjectHandedOver = "Object Handed Over"
)

// Left warns of a destroy that leaves an object on the cluster.
func Left(w diagnostics.Names, id manifest.Identity, how sets.Departure) diag.Diagnostic {
	summary := w.About(ObjectReleased, id)
	if how.Successor != "" {
		summary = w.About(ObjectHandedOver, id)
	}
	return diag.NewWarningDiagnostic(summary, diagnostics.Paragraphs(
		id.String()+" stays on the cluster with all its values. "+how.Counts(), how.Next(w)))
}

// EndedPart is a part of an object that a plan takes back.
type EndedPart struct {
	Object       manifest.Identity
	FieldManager string
	Fates        []ownership.Change
	// Stays is how the fields stay; nil if the end of the part changes values.
	Stays *sets.Departure
	// Refusal is why the API server does not accept the restored values; nil if it does, or was not asked.
	Refusal error
}

// TakenBack warns of a plan that takes back the part that the resource applied, and lists what happens to each field.
func TakenBack(w diagnostics.Names, how Ending, part EndedPart) diag.Diagnostic {
	counts, next, refused := "", "", ""
	if part.Refusal != nil {
		refused = fmt.Sprintf("The API server refuses the earlier values now: %s\n\nIf it still does when "+
			"this is applied, all fields keep their values. Change what it names first.", part.Refusal)
	}
	if part.Stays != nil {
		counts, next = part.Stays.Counts(), part.Stays.Next(w)
	}
	texts := []string{fmt.Sprintf("%s: %s. Its field manager is %q.", part.Object, how, part.FieldManager)}
	for i, fates := range byRow(endings, part.Fates) {
		if len(fates) > 0 {
			texts = append(texts, endings[i].list(fates))
		}
	}
	return diag.NewWarningDiagnostic(w.About("Patch Removed", part.Object),
		diagnostics.Paragraphs(append(texts, refused, counts, next)...))
}

// endings are the paragraphs about the fields of a part that ends. The first one that fits a field is about it.
var endings = []row{
	{Heading: removesAdded, fits: func(c ownership.Change) bool {
		return c.Was == "" && c.Why == "" && (c.What == ownership.Removing || c.What == ownership.Unclaimed)
	}},
	{Heading: removesWithThat, fits: both(what(ownership.Unclaimed), because("")), value: quotedIfRead, all: true},
	{Heading: refills, fits: because(ownership.Defaulted), all: true,
		value: func(c ownership.Change) string { return fmt.Sprintf("%q", c.Refilled) }},
	{Heading: restores, fits: what(ownership.Restoring), all: true,
		value: func(c ownership.Change) string { return c.Becomes }},
	{Heading: dropsWithThat, fits: func(c ownership.Change) bool { return c.Why == ownership.Dropped && !isKept(c) },
		value: quoted, all: true},
	{Heading: changesWithThat, fits: because(ownership.Dropped), value: fromTo, all: true},
	{Heading: keeps, fits: what(ownership.Leaving)},
}

// list returns the heading and a line for each field: all of them if no attribute shows the values.
func (w row) list(fields []ownership.Change) string {
	limit := diagnostics.Most
	if w.all {
		limit = len(fields)
	}
	return w.Text + "\n" + diagnostics.ListOf(fields, limit, func(field ownership.Change) string {
		line := field.Field
		if w.value != nil {
			line += diagnostics.Given(w.value(field), ": "+w.value(field))
		}
		if len(field.Owners) > 0 {
			line += ownedBy(field)
		}
		return line
	})
}

// ownedBy returns the owners of a field, without the age of their writes.
func ownedBy(c ownership.Change) string {
	return ", owned by " + diagnostics.Owners(c.Owners, time.Time{})
}

func quotedIfRead(c ownership.Change) string {
	if c.Was == engine.NotRead {
		return ""
	}
	return quoted(c)
}

// NotTakenBack warns of a destroy that leaves fields that it was to remove or restore, because the API server does not
// accept the object without what the resource added.
func NotTakenBack(w diagnostics.Names, id manifest.Identity, left []ownership.Change, refusal error) diag.Diagnostic {
	var kept []string
	for _, fate := range left {
		if fate.Was == "" {
			kept = append(kept, fate.Field)
		}
	}
	return diag.NewWarningDiagnostic(w.About("Fields Not Removed", id), diagnostics.Paragraphs(
		fmt.Sprintf("%s: the API server does not accept the object without what this resource added: %s", id, refusal),
		"These fields keep their values, and this resource no longer owns them:\n"+diagnostics.Lines(kept),
		"Remove them with kubectl, together with the fields that need them."))
}

// LeftToOthers warns of a destroy that leaves fields that its plan was to remove or restore, because other managers
// have come to own them since.
func LeftToOthers(w diagnostics.Names, id manifest.Identity, left []ownership.Change) diag.Diagnostic {
	line := func(field ownership.Change) string { return field.Field + ownedBy(field) }
	return diag.NewWarningDiagnostic(w.About("Fields Not Removed", id), diagnostics.Paragraphs(
		leaving.after(id)+"\n"+diagnostics.ListOf(left, diagnostics.Most, line),
		"If nobody needs them, remove them with kubectl."))
}

// LeftToPart warns of fields of a patch that were not taken back, because another one has been applied in its place.
func LeftToPart(w diagnostics.Names, id manifest.Identity) diag.Diagnostic {
	return diag.NewWarningDiagnostic(w.About("Object Left Alone", id), diagnostics.Paragraphs(
		id.String()+": a new resource of this apply has applied a patch under the same field manager, so the fields "+
			"that both apply were not removed. When that one is destroyed, those stay that this one had added.",
		"To replace a patch, remove create_before_destroy from its lifecycle, and from those of the resources that "+
			"depend on it.",
	))
}

// AddsItems warns of list items that an apply adds to an object: a typing error in a key would add one too.
func AddsItems(w diagnostics.Names, id manifest.Identity, items []ownership.Change) diag.Diagnostic {
	line := func(item ownership.Change) string {
		return item.Field + diagnostics.Given(item.With, "\n    The list has "+item.With)
	}
	return diag.NewWarningDiagnostic(w.About("List Item Added", id), diagnostics.Paragraphs(
		adding.after(id)+"\n"+diagnostics.ListOf(items, diagnostics.Most, line),
		"To change an item that exists, write its keys as the object has them."+
			w.If(arguments.RemoveFields, " To remove one, name it in %s.")))
}

// PatchGone warns that the object of a patch no longer exists. The patch then leaves the state.
func PatchGone(w diagnostics.Names, id manifest.Identity) diag.Diagnostic {
	return diag.NewWarningDiagnostic(w.About("Object Is Gone", id), fmt.Sprintf(
		"%s does not exist any more, and the patch is gone with it. The next apply waits for an object of this name, "+
			"and applies the patch to it.", id))
}

const patchesNew = "Without such a reference, the patch may come first, and the next apply repeats it."

// PartsLost warns of a replacement that drops what resources have applied to parts of the object.
func PartsLost(w diagnostics.Names, id manifest.Identity, parts []run.Share) diag.Diagnostic {
	return diag.NewWarningDiagnostic(w.About("Patched Object Replaced", id), fmt.Sprintf("The apply replaces the "+
		"object, and the new one lacks what other resources of this configuration have patched, with the field "+
		"managers %s.\n\nIf the target of a patch refers to this %s, or depends_on names it, the same apply patches "+
		"the new object. %s", diagnostics.ManagersOf(parts), w.Noun, patchesNew))
}

// PartsLeave warns of a deletion of an object of which resources that stay have applied parts.
func PartsLeave(w diagnostics.Names, id manifest.Identity, parts ...run.Share) diag.Diagnostic {
	return diag.NewWarningDiagnostic(w.About("Patched Object Deleted", id), fmt.Sprintf("The plan deletes the object, "+
		"and with it what patches of this configuration have changed, with the field managers %s.\n\nRemove these "+
		"patches, too. Otherwise their next apply waits for an object of this name, and fails if nobody creates one.",
		diagnostics.ManagersOf(parts)))
}

// ReplacedAlong warns of an object that is replaced because its namespace or its definition is.
func ReplacedAlong(w diagnostics.Names, id, with manifest.Identity) diag.Diagnostic {
	detail := fmt.Sprintf("The run replaces %s %s. The API server deletes the object with it, and the apply creates "+
		"it again.", with.Kind, with.Name)
	if with.IsNamespace() {
		return diag.NewWarningDiagnostic(w.About("Replaced With Its Namespace", id), detail)
	}
	return diag.NewWarningDiagnostic(w.About("Replaced With Its Definition", id), detail)
}

// PartAppliedAgain informs that the object of a part is replaced, and that the part is applied to the new one.
func PartAppliedAgain(w diagnostics.Names, id manifest.Identity) diag.Diagnostic {
	return diag.NewWarningDiagnostic(w.About("Patched Object Replaced", id), "The apply replaces the object, and "+
		"patches the new one. For that, the target of the patch has to refer to the resource that replaces the "+
		"object, or depends_on has to name it. "+patchesNew)
}
