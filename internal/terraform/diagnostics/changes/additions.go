package changes

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/diag"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/ownership"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/prediction"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/ssa"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/diagnostics"
)

// Additions warns of fields that others have added to an object and that stay. now is the time from which the ages of
// their writes are computed.
func Additions(names diagnostics.Names, plan ssa.Plan, now time.Time) diag.Diagnostic {
	r := reportOf(names, plan, now)
	return diag.NewWarningDiagnostic(names.About("Fields Added by Others", plan.Object), diagnostics.Paragraphs(
		plan.Object.String()+": "+r.additions(), r.wayOutOfAdditions()))
}

// added returns the heading of what others have added.
func added(body string) Heading {
	return Heading{Addition, "others have added [a field that is|%d fields that are] not in " + body + ":"}
}

// additions returns a paragraph about the fields that others have added, the most dangerous ones first.
func (r report) additions() string {
	all := slices.SortedStableFunc(slices.Values(r.plan.Additions), func(a, b prediction.Addition) int {
		return cmp.Compare(a.Rank(), b.Rank())
	})
	var text strings.Builder
	text.WriteString(added(r.names.Body).of(len(all)) + "\n")
	for _, addition := range all[:min(len(all), mostConflicts)] {
		fmt.Fprintf(&text, "\n  %s%s, owned by %s", addition.Field, valueOf(addition),
			diagnostics.Owners(addition.Owners, r.now))
	}
	if more := len(all) - mostConflicts; more > 0 {
		fmt.Fprintf(&text, "\n  and %d more", more)
	}
	return text.String()
}

// longestAddition bounds the characters of a value in a list of additions.
const longestAddition = 100

// valueOf returns the value of an addition, after a colon: the image of a container, and "" if it is not known.
func valueOf(addition prediction.Addition) string {
	if addition.Value == nil {
		return ""
	}
	var item struct {
		Image           string
		SecurityContext struct{ Privileged bool }
	}
	if json.Unmarshal([]byte(*addition.Value), &item) == nil && item.Image != "" {
		text := fmt.Sprintf(": image %q", item.Image)
		if item.SecurityContext.Privileged {
			text += ", privileged"
		}
		return text
	}
	value := []rune(*addition.Value)
	if len(value) > longestAddition {
		value = append(value[:longestAddition], '…')
	}
	return fmt.Sprintf(": %q", string(value))
}

// wayOutOfAdditions describes how to accept what others have added, and how to remove it.
func (r report) wayOutOfAdditions() string {
	ignored, it := slices.Clone(r.plan.Ignored), "it"
	for _, addition := range r.plan.Additions[:min(len(r.plan.Additions), mostConflicts)] {
		ignored = append(ignored, addition.Field)
	}
	if len(r.plan.Additions) > 1 {
		it = "them"
	}
	remove := diagnostics.Given(r.names.OnAddition, "To remove "+it+", set "+r.names.OnAddition+` = "remove".`)
	if r.plan.KeepsAdditions() {
		remove = "The apply does not remove " + it + ", because a controller owns a part, too."
	}
	return diagnostics.Paragraphs(r.names.Ignoring("To accept "+it, r.plan.Object, ignored), remove)
}

// refusedAdditions returns what others have added if on_addition refuses it; "" otherwise.
func (r report) refusedAdditions() string {
	if !r.plan.RefusesAdditions() {
		return ""
	}
	text := r.additions()
	return diagnostics.Paragraphs(strings.ToUpper(text[:1])+text[1:], r.wayOutOfAdditions())
}

// keepAdditions returns the line that keeps what the apply removes because others have added it.
func (r report) keepAdditions() string {
	ignored, it := slices.Clone(r.plan.Ignored), "it"
	for _, change := range r.listed() {
		if change.Why == ownership.Unwanted && !slices.Contains(ignored, change.With) {
			ignored = append(ignored, change.With)
		}
	}
	if len(ignored) > len(r.plan.Ignored)+1 {
		it = "them"
	}
	return r.names.Ignoring("To keep "+it+", ignore "+it, r.plan.Object, ignored)
}
