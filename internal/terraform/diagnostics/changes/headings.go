package changes

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/hashicorp/terraform-plugin-framework/diag"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/ownership"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/paths"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/arguments"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/rules"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/ssa"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/wanted"
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
	return diagnostics.Number(n, h.One(), h.Many())
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

// byRules returns the rules that set an argument, after " by "; "" without any.
func byRules(labels []string) string {
	named := slices.DeleteFunc(labels, func(label string) bool { return label == "" })
	slices.Sort(named)
	if named = slices.Compact(named); len(named) == 0 {
		return ""
	}
	last := named[len(named)-1]
	_, source, _ := strings.Cut(last, " ") // "of the provider block", which is written once.
	for i, label := range named[:len(named)-1] {
		named[i] = strings.TrimSuffix(label, " "+source)
	}
	return " by " + strings.Join(named, " and ")
}

// leftByRules returns a sentence about the rules that leave fields to other managers; "" if none does.
func (r report) leftByRules(fields []ownership.Change) string {
	var ignored, owned []string
	for _, change := range fields {
		if rule := r.names.ByRule(arguments.IgnoreFields, change.Field); rule != "" {
			ignored = append(ignored, rule)
			continue
		}
		for _, owner := range change.Owners {
			owned = append(owned, r.names.ByRule(arguments.IgnoreManagers, owner.Name))
		}
	}
	by := byRules(slices.Concat(ignored, owned))
	return diagnostics.Given(by, diagnostics.Number(len(fields), "It is", "They are")+" left to others"+by+".")
}

// UnservedKinds warns of globs of rules that match no kind of a cluster. cluster is its name; "" if it has none.
func UnservedKinds(kinds []rules.UnmatchedKind, cluster string) diag.Diagnostic {
	where := "The cluster"
	if cluster != "" {
		where = "The cluster " + diagnostics.HCLString(cluster)
	}
	line := func(kind rules.UnmatchedKind) string { return kind.Rule + ": " + diagnostics.HCLString(kind.Glob) }
	return diag.NewWarningDiagnostic("Kind of Rule Not Served", where+" serves no kind that these patterns in kinds "+
		"match:\n"+diagnostics.ListOf(kinds, diagnostics.Most, line)+
		"\n\nCorrect them; kinds are written as in a manifest, Deployment or "+
		"apps/Deployment. If this run creates the CustomResourceDefinition, nothing is to be done. If only other "+
		"clusters have the kind, name those in clusters of the rule.")
}

// UnmatchedInRules returns what a plan cannot match without the paths that rules add, and a warning about each of them
// that is similar to a path of the object: a rule may be about several kinds, of which some lack the field. isNews
// reports whether the run has not warned of a path yet.
func UnmatchedInRules(
	plan ssa.Plan, added rules.Added, isNews func(argument, text string) bool,
) (wanted.Unmatched, diag.Diagnostics) {
	var diags diag.Diagnostics
	own := func(argument string, patterns []wanted.UnmatchedPattern) []wanted.UnmatchedPattern {
		var kept []wanted.UnmatchedPattern
		for _, pattern := range patterns {
			rule, meant := added.Adds(argument, pattern.Text), meantBy(pattern)
			switch {
			case rule == "":
				kept = append(kept, pattern)
			case len(meant) > 0 && isNews(argument, pattern.Text):
				diags.Append(diag.NewWarningDiagnostic("Field of Rule Not Found", fmt.Sprintf(
					"%s: %s has %s, which matches no field of %s. Did you mean %s?\n\nCorrect the path in the rule. "+
						"If it is meant for other objects, limit the rule to their kinds.", rule, argument,
					diagnostics.HCLString(pattern.Text), plan.Object,
					diagnostics.Alternatives(diagnostics.HCLStrings(meant)))))
			}
		}
		return kept
	}
	plan.Unmatched.Ignored = own(arguments.IgnoreFields, plan.Unmatched.Ignored)
	plan.Unmatched.Sensitive = own(arguments.SensitiveFields, plan.Unmatched.Sensitive)
	return plan.Unmatched, diags
}

// meantBy returns the paths of an object that differ from a pattern in a few letters, or in the path language.
func meantBy(pattern wanted.UnmatchedPattern) []string {
	if pattern.Translated != "" {
		return []string{pattern.Translated}
	}
	return slices.DeleteFunc(slices.Clone(pattern.Nearest), func(other string) bool {
		distance := paths.Distance(strings.ToLower(pattern.Text), strings.ToLower(other))
		return !paths.IsSimilar(pattern.Text, distance)
	})
}
