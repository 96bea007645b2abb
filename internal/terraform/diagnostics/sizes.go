package diagnostics

import (
	"cmp"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/projection"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/arguments"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/ssa"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/wanted"
)

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
	if len(list.Undeclared) > 0 {
		text += " Undeclared entries:\n"
	}
	for n, entry := range list.Undeclared {
		if n == Most {
			text += fmt.Sprintf("\n  and %d more", len(list.Undeclared)-Most)
			break
		}
		text += "\n  " + entry.Field + ": owned by " + cmp.Or(Owners(entry.Owners, now), "nobody")
	}
	return text + "\n\nRaise max, or remove entries with the tool that manages them."
}

// refusedLists returns the error about lists that are too short, or that cannot be counted, and false for other errors.
func refusedLists(w Names, err error) (diag.Diagnostic, bool) {
	refused, is := errors.AsType[*ssa.ListsError](err)
	if !is {
		return nil, false
	}
	var parts []string
	summary := "List Too Short"
	for _, list := range refused.Lists {
		if list.Form != projection.Associative {
			summary = "Invalid List Length"
		}
		parts = append(parts, refusedList(w, list))
	}
	return diag.NewAttributeErrorDiagnostic(path.Root(w.Of(arguments.ListLengths)), summary,
		refused.Object.String()+": "+Paragraphs(parts...)), true
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
