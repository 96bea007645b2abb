package diagnostics

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/projection"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/rendering"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/arguments"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/ssa"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/wanted"
)

// Most is the number of fields that a paragraph lists if it asks for no decision.
const Most = 10

// Paragraphs joins the strings that are not empty as paragraphs.
func Paragraphs(texts ...string) string {
	return strings.Join(slices.DeleteFunc(texts, func(text string) bool { return text == "" }), "\n\n")
}

// Lines returns a list of fields or objects, each on a line of its own. It only counts those after the first ten.
func Lines(fields []string) string { return FirstLines(fields, Most) }

// AllLines returns a list with all of its items.
func AllLines(items []string) string { return FirstLines(items, len(items)) }

// FirstLines returns a list of which it only counts the items after the first most.
func FirstLines(items []string, most int) string {
	return ListOf(items, most, func(item string) string { return item })
}

// ListOf returns what [FirstLines] does, of the lines of items.
func ListOf[T any](items []T, most int, line func(T) string) string {
	var text strings.Builder
	for i, item := range items {
		if i == most {
			fmt.Fprintf(&text, "\n  and %d more", len(items)-most)
			break
		}
		text.WriteString("\n  " + line(item))
	}
	return text.String()
}

// Of returns a warning or an error.
func Of(severity diag.Severity, summary, detail string) diag.Diagnostic {
	if severity == diag.SeverityWarning {
		return diag.NewWarningDiagnostic(summary, detail)
	}
	return diag.NewErrorDiagnostic(summary, detail)
}

// HCLString returns a string quoted as in HCL.
func HCLString(text string) string {
	escaped := strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`, "${", "$${", "%{", "%%{").Replace(text)
	return `"` + escaped + `"`
}

// QuoteAll returns quoted strings, with "and" between them.
func QuoteAll(texts []string) string { return strings.Join(HCLStrings(texts), " and ") }

// QuoteList returns the content of an HCL list, without its brackets.
func QuoteList(texts []string) string { return strings.Join(HCLStrings(texts), ", ") }

// HCLStrings returns strings quoted as in HCL.
func HCLStrings(texts []string) []string {
	quoted := make([]string, len(texts))
	for i, text := range texts {
		quoted[i] = HCLString(text)
	}
	return quoted
}

// Alternatives returns "a", "a or b", "a, b or c".
func Alternatives(texts []string) string {
	last := len(texts) - 1
	if last == 0 {
		return texts[0]
	}
	return strings.Join(texts[:last], ", ") + " or " + texts[last]
}

// Number returns one if n is 1, and many otherwise, with n for each %d.
func Number(n int, one, many string) string {
	if n == 1 {
		return one
	}
	return strings.Replace(many, "%d", strconv.Itoa(n), 1)
}

// Entries returns a number of entries in words: "1 entry", "2 entries".
func Entries(n int) string { return Number(n, "1 entry", "%d entries") }

// Given returns text if attribute is not "", and "" otherwise.
func Given(attribute, text string) string {
	if attribute == "" {
		return ""
	}
	return text
}

// Scrub returns diags without secret values of 8 bytes and more, and as they may be printed.
func Scrub(diags diag.Diagnostics, secrets ...rendering.Secrets) diag.Diagnostics {
	var clean diag.Diagnostics
	for _, d := range diags {
		summary, detail := d.Summary(), d.Detail()
		for _, s := range secrets {
			summary, detail = s.ScrubLong(summary), s.ScrubLong(detail)
		}
		clean.Append(like(d, manifest.Printable(summary), manifest.Printable(detail)))
	}
	return clean
}

// like returns a diagnostic with the severity and the attribute path of d.
func like(d diag.Diagnostic, summary, detail string) diag.Diagnostic {
	if summary == d.Summary() && detail == d.Detail() {
		return d
	}
	rewritten := Of(d.Severity(), summary, detail)
	if placed, is := d.(diag.DiagnosticWithPath); is {
		return diag.WithPath(placed.Path(), rewritten)
	}
	return rewritten
}

// Operation is the operation on an object, in words that follow "could not be".
type Operation string

// The operations on an object.
const (
	Planned Operation = "planned"
	// Applied is [Planned] for a plan that has waited: only that of an apply does.
	Applied Operation = "applied"
	Created Operation = "created"
	Read    Operation = "read"
	// Patched is [Created] for a resource that applies a part to an object of another client.
	Patched Operation = "patched"
	Listed  Operation = "listed"
	Updated Operation = "updated"
	Deleted Operation = "deleted"
	// ForceDeleted is a deletion that removes the object's finalizers.
	ForceDeleted Operation = "deleted by force"
	Imported     Operation = "imported"
	// TakenBack is the destroy of a part: the resource gives up the fields that it applied.
	TakenBack Operation = "released"
	// SetBack is the undo of an update.
	SetBack Operation = "set back"
	// Followed is a wait for an object.
	Followed Operation = "watched"
	// Restarted and Disowned are operations of actions.
	Restarted Operation = "restarted"
	Disowned  Operation = "disowned"
)

// detail returns the detail of a failed operation: the object, what was seen, and the next step.
func detail(operation Operation, id manifest.Identity, seen, next string) string {
	seen = strings.TrimSuffix(strings.TrimSpace(seen), ".")
	return fmt.Sprintf("%s could not be %s: %s.\n\n%s", id, operation, seen, next)
}

// Recreate returns how to delete an object and create a new one; "" if the resource does not create it. A taint of a
// set would delete all of its objects.
func Recreate(w Names, id manifest.Identity) string {
	const lead = "To delete the object and create a new one, run "
	switch {
	case w.IsSet():
		return lead + "this command, then apply:\n\n  " + id.Kubectl("delete")
	case creates(w):
		return lead + "terraform taint with the address of the " + w.Noun + ", then apply."
	}
	return ""
}

// About adds the object to a warning's summary, and the field manager and the cluster of the resource if they are not
// the provider's own. Terraform folds warnings with the same summary into the first one and a count, which would hide
// the warnings about all other objects, and those of other resources about the same object. The summary of warnings
// that are the same for every object, and ask for one decision, is general.
func (w Names) About(summary string, id manifest.Identity) string {
	var beside []string
	if w.Scope.Cluster != "" {
		beside = append(beside, fmt.Sprintf("cluster %q", w.Scope.Cluster))
	}
	if w.Scope.Manager != "" {
		beside = append(beside, fmt.Sprintf("field manager %q", w.Scope.Manager))
	}
	if len(beside) == 0 {
		return summary + ": " + id.String()
	}
	return fmt.Sprintf("%s: %s (%s)", summary, id, strings.Join(beside, ", "))
}

// common adds to a warning's summary something that many objects share. So Terraform folds their warnings.
func common(summary, what string) string {
	return summary + ": " + what
}

// ListsTooLong returns the warning about lists with more entries than list_lengths allows, and whether there are any.
func (w Names) ListsTooLong(plan ssa.Plan, now time.Time) (diag.Diagnostic, bool) {
	var parts []string
	for _, list := range plan.Items.Counted {
		if list.Excess() > 0 {
			parts = append(parts, tooLong(w, list, now))
		}
	}
	if len(parts) == 0 {
		return nil, false
	}
	detail := plan.Object.String() + ": " + Paragraphs(parts...)
	return diag.NewWarningDiagnostic(w.About("List Too Long", plan.Object), detail), true
}

func tooLong(w Names, list wanted.CountedList, now time.Time) string {
	text := fmt.Sprintf("%s has %s, and %s allows %d.", list.Field, Entries(list.Length), w.Of(arguments.ListLengths),
		list.Max)
	entries := ListOf(list.Undeclared, Most, func(entry wanted.Entry) string {
		return entry.Field + ": owned by " + cmp.Or(Owners(entry.Owners, now), "nobody")
	})
	text += Given(entries, " Undeclared entries:\n"+entries)
	return text + "\n\nRaise max, or remove entries with the tool that manages them."
}

// refusedLists returns the error about lists that are too short, or that cannot be counted.
func refusedLists(w Names, refused *ssa.ListsError) diag.Diagnostic {
	var parts []string
	summary := "List Too Short"
	for _, list := range refused.Lists {
		if list.Form != projection.Associative {
			summary = "Invalid List Length"
		}
		parts = append(parts, refusedList(w, list))
	}
	return diag.NewAttributeErrorDiagnostic(path.Root(w.Of(arguments.ListLengths)), summary,
		refused.Object.String()+": "+Paragraphs(parts...))
}

func refusedList(w Names, list wanted.CountedList) string {
	switch list.Form {
	case projection.AtomicList:
		return list.Field + " is an atomic list: the list as a whole has owners, and its entries have " +
			"none.\n\nRemove it from " + w.Of(arguments.ListLengths) + "." +
			w.If(arguments.IgnoreFields, " To leave the list to others, add it to %s.")
	case projection.NoList:
		return list.Field + " is not a list.\n\nCorrect the path in " + w.Of(arguments.ListLengths) + "."
	}
	text := fmt.Sprintf("%s has %s, and %s asks for %d or more. It lacks %d",
		list.Field, Entries(list.Length), w.Of(arguments.ListLengths), list.Min, list.Lacks())
	if len(list.Gone) > 0 {
		text += ". Pinned entries that are gone:\n\n  " + strings.Join(list.Gone, "\n  ")
	} else {
		text += "."
	}
	return text + "\n\nAdd the entries with the tool that manages them, or lower min."
}

// etcdLimit is the size in bytes of the largest request that etcd takes by default.
const etcdLimit = 3 << 19

const smaller = "Split the object, or store large content elsewhere and refer to it. By default, etcd stores " +
	"objects of up to 1.5 MiB, managedFields included."

// Large warns of an object that is larger than etcd's default limit: the dry-run accepts it, because it does not
// reach etcd, and the apply may fail. It returns false for smaller objects.
func Large(w Names, id manifest.Identity, bytes int) (diag.Diagnostic, bool) {
	return diag.NewWarningDiagnostic(w.About("Object May Be Too Large", id), fmt.Sprintf(
		"%s: the manifest has %s, and only the apply shows whether the cluster can store it.\n\n%s",
		id, sizeOf(bytes), smaller)), bytes > etcdLimit
}

// oversized returns the sentence about an object that is too large.
func oversized(err *cluster.Error) string {
	large, is := errors.AsType[*cluster.TooLargeError](err)
	if !is || large.Bytes == 0 {
		return err.Message
	}
	return fmt.Sprintf("the manifest has %s, which is too large for the cluster: %s", sizeOf(large.Bytes),
		err.Message)
}
