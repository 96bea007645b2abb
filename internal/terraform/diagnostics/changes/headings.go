package changes

import (
	"slices"
	"strings"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/diagnostics"
)

// Effect is what an apply does to the fields of one paragraph.
type Effect string

// The effects.
const (
	Take       Effect = "take"
	Remove     Effect = "remove"
	SetBack    Effect = "set-back"
	Change     Effect = "change"
	Release    Effect = "release"
	Stay       Effect = "stay"
	Undeclared Effect = "undeclared"
	Share      Effect = "share"
	Restore    Effect = "restore"
	Add        Effect = "add"
)

// Heading is the first line of a paragraph that lists fields. One is for one field. Many is for several, with %d for
// their number; it is "" if One is for any number.
type Heading struct {
	Effect    Effect
	One, Many string
}

// The headings of conflicts.
var (
	taking = Heading{Take, "The apply takes a field from another owner and changes its value:",
		"The apply takes %d fields from other owners and changes their values:"}
	takingEquivalent = Heading{Take, "The apply takes a field from another owner with an equivalent value:",
		"The apply takes %d fields from other owners with equivalent values:"}
	takingBack = Heading{Take, "The apply takes back a field that another owner changed:",
		"The apply takes back %d fields that other owners changed:"}
	takingOrRemoving = Heading{Effect: Take,
		Many: "The apply takes %d fields from other owners, and changes or removes their values:"}
	removing = Heading{Remove, "The apply removes a field of another owner:",
		"The apply removes %d fields of other owners:"}
)

// The headings of a part that ends.
var (
	removesAdded    = Heading{Effect: Remove, One: "It removes what this resource added:"}
	removesWithThat = Heading{Effect: Remove, One: "It also removes these values, which nobody owns:"}
	refills         = Heading{Effect: Stay, One: "The API server keeps these values, or sets them again:"}
	dropsWithThat   = Heading{Effect: Remove, One: "The API server removes these values with that:"}
	changesWithThat = Heading{Effect: Change, One: "The API server changes these values with that:"}
	restores        = Heading{Effect: Restore, One: "It restores the earlier values of these fields:"}
	keeps           = Heading{Effect: Stay, One: "It keeps the values of these fields:"}
	leaving         = Heading{Effect: Stay, One: "Other managers have come to own fields of this resource since the " +
		"plan. The destroy leaves them, with the values that they have now:"}
	adding = Heading{Effect: Add, One: "The apply adds list items that the object does not have:"}
)

// after returns a heading as it follows the name of an object.
func (h Heading) after(id manifest.Identity) string {
	return id.String() + ": " + strings.ToLower(h.One[:1]) + h.One[1:]
}

// sections returns the sections of a report that follow the conflicts.
func sections(names diagnostics.Names) []reportSection {
	return slices.Concat(changedUnseen(names), removedUnseen(names), setBack(names), staying(names), shared())
}

// Headings returns all headings of paragraphs that list fields. attribute stands in them for the names that a resource
// gives its attributes.
func Headings(attribute string) []Heading {
	all := []Heading{
		taking, takingEquivalent, takingBack, takingOrRemoving, removing, removesAdded, removesWithThat, refills,
		restores,
		dropsWithThat, changesWithThat, keeps, leaving, adding, added(attribute),
	}
	for _, managedState := range []string{attribute, ""} {
		names := diagnostics.Names{Body: attribute, RemoveFields: attribute, ManagedState: managedState}
		for _, section := range sections(names) {
			all = append(all, Heading{section.effect, section.one, section.many})
		}
	}
	return all
}
