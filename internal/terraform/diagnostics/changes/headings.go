package changes

import (
	"fmt"
	"regexp"
	"strings"
	"sync"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/arguments"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/diagnostics"
)

// Effect is the effect of an apply on the fields of one paragraph.
type Effect string

// The effects.
const (
	Take     Effect = "take"
	Remove   Effect = "remove"
	SetBack  Effect = "set-back"
	Change   Effect = "change"
	Release  Effect = "release"
	Stay     Effect = "stay"
	Addition Effect = "addition"
	Share    Effect = "share"
	Restore  Effect = "restore"
	Add      Effect = "add"
	// Set and Unset are about fields that no other manager owns.
	Set   Effect = "set"
	Unset Effect = "unset"
)

// Heading is the first line of a paragraph that lists fields. Of [a|b] in Text, a is for one field and b for several,
// and %d is their number.
type Heading struct {
	Effect Effect
	Text   string
}

var alternatives = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\[([^][|]*)\|([^][|]*)]`) })

// One returns the heading of one field.
func (h Heading) One() string { return alternatives().ReplaceAllString(h.Text, "$1") }

// Many returns the heading of several fields, with %d for their number.
func (h Heading) Many() string { return alternatives().ReplaceAllString(h.Text, "$2") }

// of returns the heading of n fields.
func (h Heading) of(n int) string {
	if n == 1 {
		return h.One()
	}
	return strings.Replace(h.Many(), "%d", fmt.Sprint(n), 1)
}

// after returns a heading of one field as it follows the name of an object.
func (h Heading) after(id manifest.Identity) string {
	return id.String() + ": " + strings.ToLower(h.One()[:1]) + h.One()[1:]
}

// The headings of conflicts.
var (
	taking = Heading{Take, "The apply takes [a field from another owner and changes its value|%d fields from other " +
		"owners and changes their values]:"}
	takingEquivalent = Heading{Take, "The apply takes [a field from another owner with an equivalent value|%d fields " +
		"from other owners with equivalent values]:"}
	takingBack = Heading{Take, "The apply takes back [a field that another owner|%d fields that other " +
		"owners] changed:"}
	takingOrRemoving = Heading{Take, "The apply takes %d fields from other owners, and changes or removes " +
		"their values:"}
	removing = Heading{Remove, "The apply removes [a field of another owner|%d fields of other owners]:"}
)

// The headings of a part that ends.
var (
	removesAdded    = Heading{Remove, "It removes what this resource added:"}
	removesWithThat = Heading{Remove, "It also removes these values, which nobody owns:"}
	refills         = Heading{Stay, "The API server keeps these values, or sets them again:"}
	restores        = Heading{Restore, "It restores the earlier values of these fields:"}
	dropsWithThat   = Heading{Remove, "The API server removes these values with that:"}
	changesWithThat = Heading{Change, "The API server changes these values with that:"}
	keeps           = Heading{Stay, "It keeps the values of these fields:"}
	leaving         = Heading{Stay, "Other managers have come to own fields of this resource since the plan. The " +
		"destroy leaves them, with the values that they have now:"}
	adding = Heading{Add, "The apply adds list items that the object does not have:"}
)

// Headings returns all headings of paragraphs that list fields. attribute stands in them for the names that a resource
// gives its attributes.
func Headings(attribute string) []Heading {
	all := []Heading{
		taking, takingEquivalent, takingBack, takingOrRemoving, removing, removesAdded, removesWithThat, refills,
		restores, dropsWithThat, changesWithThat, keeps, leaving, adding, added(attribute),
	}
	for _, managedState := range []string{attribute, ""} {
		names := diagnostics.Names{
			Arguments: diagnostics.Arguments{arguments.RemoveFields: attribute},
			Sent:      diagnostics.Sent{Body: attribute}, Shown: diagnostics.Shown{ManagedState: managedState},
		}
		for _, each := range rows(names) {
			all = append(all, each.Heading)
		}
	}
	return all
}
