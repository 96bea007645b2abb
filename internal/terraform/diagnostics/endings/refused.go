package endings

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
)

// CreateAgain is the next step once a namespace or a definition is gone.
const CreateAgain = "When it is gone, create it again, and apply."

// Blocked returns what to do about a deletion that did not end in time. force is the argument that removes finalizers,
// "" without one; forced is true if it is set. body is the attribute with the manifest, "" without one.
func Blocked(err error, body, force string, forced bool) string {
	details, known := errors.AsType[*cluster.DeletionBlockedError](err)
	if !known {
		return "Resolve what blocks the deletion, then destroy again."
	}
	next, again := Next(details.Ending), "Then destroy again."
	if own := details.Own(); len(own) > 0 {
		where := "metadata.finalizers"
		if body != "" {
			where += " in " + body
		}
		next = fmt.Sprintf("This resource itself sets %s. If no controller removes it when the object is deleted, "+
			"remove it from %s and apply.", strings.Join(own, ", "), where)
	}
	if next == "" {
		again = "Resolve what blocks the deletion, then destroy again."
	}
	removable := slices.ContainsFunc(details.Ending.Finalizers, func(f cluster.Finalizer) bool { return f.IsRemovable })
	switch {
	case force != "" && forced:
		again += " " + force + " does not remove this."
	case force != "" && removable:
		again += " Or apply " + force + " = true first: it removes finalizers when the timeout runs out."
	}
	return strings.TrimPrefix(next+"\n\n"+again, "\n\n")
}

// Of returns what a refusal knows about the end of a namespace or a definition; nil if it knows nothing.
func Of(err error) *cluster.Ending {
	if refused, is := errors.AsType[*cluster.NamespaceTerminatingError](err); is {
		return refused.Ending
	}
	if refused, is := errors.AsType[*cluster.NotYetAdmittedError](err); is {
		return refused.Ending
	}
	return nil
}

// IsOfDefinition reports whether an object was refused because the definition of its kind is being deleted.
func IsOfDefinition(err error) bool {
	refused, is := errors.AsType[*cluster.NotYetAdmittedError](err)
	return is && refused.IsTerminating
}

// Seen returns a refusal, followed by the causes that block the end of the namespace or the definition.
func Seen(refusal string, err error) string {
	if ending := Of(err); ending != nil {
		return refusal + ". " + Since(*ending)
	}
	return refusal
}

// UntilGone returns what to do about an object whose namespace or definition is being deleted.
func UntilGone(err error) string {
	ending := Of(err)
	if ending == nil {
		return CreateAgain
	}
	return Next(*ending) + "\n\n" + CreateAgain
}

// Awaited returns the warning about an object for which an apply waits until what contains it is gone and exists again.
func Awaited(id manifest.Identity, what string, err error, timeout string) string {
	seen, next := "is being deleted.", ""
	if ending := Of(err); ending != nil {
		seen, next = "is being deleted. "+Since(*ending), Next(*ending)+"\n\n"
	}
	return fmt.Sprintf("%s: the API server creates no such object while the %s %s\n\n%sThe apply waits up to %s until "+
		"the %[2]s is gone and exists again. If this configuration creates it, name that resource in depends_on.",
		id, what, seen, next, timeout)
}
