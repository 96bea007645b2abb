package changes

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/diag"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/arguments"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/prediction"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/ssa"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/diagnostics"
)

// Additions warns of fields that other managers have added to an object and that stay. now is the time from which the
// ages of their writes are computed.
func Additions(names diagnostics.Names, plan ssa.Plan, now time.Time) diag.Diagnostic {
	r := reportOf(names, plan, now)
	return diag.NewWarningDiagnostic(names.About("Fields Added by Others", plan.Object), diagnostics.Paragraphs(
		plan.Object.String()+": "+r.additions(), r.wayOutOfAdditions()))
}

// added returns the heading of the list of additions.
func added(body string) Heading {
	return Heading{Addition, "others have added [a field that is|%d fields that are] not in " + body + ":"}
}

// mostAdditions is the number of additions that are listed. The apply does nothing to them, and the state contains them
// all.
const mostAdditions = 20

// ranked returns additions in the order of a list, the most dangerous ones first.
func ranked(all []prediction.Addition) []prediction.Addition {
	return slices.SortedStableFunc(slices.Values(all), func(a, b prediction.Addition) int {
		return cmp.Compare(a.Rank(), b.Rank())
	})
}

// additions returns a paragraph about the fields that other managers have added, the most dangerous ones first.
func (r report) additions() string {
	all := ranked(r.plan.Additions.Fields)
	line := func(a prediction.Addition) string {
		return fmt.Sprintf("%s%s, owned by %s", a.Field, valueOf(a), diagnostics.Owners(a.Owners, r.now))
	}
	return added(r.names.Body).of(len(all)) + "\n" + diagnostics.ListOf(all, mostAdditions, line)
}

// valueOf returns the value of an addition in brief, after a colon; "" if it is not known.
func valueOf(addition prediction.Addition) string {
	if addition.Value == nil {
		return ""
	}
	return ": " + brief(*addition.Value, addition.Path[len(addition.Path)-1].FieldName == nil)
}

// longestInBrief bounds the characters of a value in brief.
const longestInBrief = 100

// brief returns the beginning of a value, and the image of a container instead. isItem is true for a list item.
func brief(text string, isItem bool) string {
	var item struct {
		Image           string
		SecurityContext struct{ Privileged bool }
	}
	if isItem && json.Unmarshal([]byte(text), &item) == nil && item.Image != "" {
		text = fmt.Sprintf("image %q", item.Image)
		if item.SecurityContext.Privileged {
			text += ", privileged"
		}
		return text
	}
	value := []rune(text)
	if len(value) > longestInBrief {
		value = append(value[:longestInBrief], '…')
	}
	return fmt.Sprintf("%q", string(value))
}

// wayOutOfAdditions describes how to accept the additions of other managers, and how to remove them.
func (r report) wayOutOfAdditions() string {
	if r.plan.Action == ssa.Replace {
		if !r.plan.Additions.AreRefused() {
			return lost
		}
		return diagnostics.Paragraphs(lost,
			r.names.If(arguments.OnAddition, `To replace the object anyway, set %s = "warn".`))
	}
	ignored, rest := slices.Clone(r.plan.Lines.Ignored), ""
	it := diagnostics.Number(len(r.plan.Additions.Fields), "it", "them")
	var listed []string
	for _, addition := range ranked(r.plan.Additions.Fields)[:min(len(r.plan.Additions.Fields), mostAdditions)] {
		listed = append(listed, addition.Field)
	}
	for _, addition := range r.plan.Additions.Fields { // The line is sorted by path.
		if field := addition.Field; slices.Contains(listed, field) && !slices.Contains(ignored, field) {
			ignored = append(ignored, field)
		}
	}
	if len(r.plan.Additions.Fields) > mostAdditions {
		rest = " (the next plan lists the rest)"
	}
	remove := r.names.If(arguments.OnAddition, "To remove "+it+`, set %s = "remove".`)
	if r.plan.Additions.AreKept() {
		remove = r.whyAdditionsStay()
	}
	accept := r.names.Adding("To accept "+it+rest, r.plan.Object, arguments.IgnoreFields, ignored)
	if accept != "" && !r.names.IsSet() && r.wayOutOfIgnoring() != "" {
		remove = diagnostics.Paragraphs("If you copy the other "+r.names.Of(arguments.IgnoreFields)+" line, too, join "+
			"both into one.", remove)
	}
	return diagnostics.Paragraphs(accept, remove)
}

// whyAdditionsStay returns a sentence for each reason for which additions stay although the configuration asks for
// their removal.
func (r report) whyAdditionsStay() string {
	fields := map[prediction.Reason][]string{}
	for _, addition := range r.plan.Additions.Fields[:min(len(r.plan.Additions.Fields), mostAdditions)] {
		if !slices.Contains(fields[addition.Stays], addition.Field) {
			fields[addition.Stays] = append(fields[addition.Stays], addition.Field)
		}
	}
	var sentences []string
	for _, why := range []struct {
		reason prediction.Reason
		text   string
	}{
		{prediction.OfController, "a controller owns a part, too"},
		{prediction.PartLeft, "the configuration leaves a part to others"},
		{prediction.SecretKey, "the key of the list item is secret, and is stored nowhere"},
	} {
		names, what := fields[why.reason], "it"
		if len(names) == 0 {
			continue
		}
		if len(fields) > 1 || len(names) > 1 {
			what = strings.Join(names, ", ")
		}
		sentences = append(sentences, "The apply does not remove "+what+", because "+why.text+".")
	}
	return strings.Join(sentences, "\n")
}

// refusedAdditions returns the paragraphs about additions if on_addition refuses them; "" otherwise.
func (r report) refusedAdditions() string {
	if !r.plan.Additions.AreRefused() {
		return ""
	}
	text := r.additions()
	return diagnostics.Paragraphs(strings.ToUpper(text[:1])+text[1:], r.wayOutOfAdditions())
}

// keepAdditions returns the line that keeps the additions that the apply would remove; "" without any.
func (r report) keepAdditions() string {
	ignored := slices.Clone(r.plan.Lines.Ignored)
	for _, change := range r.listed() {
		if r.isAddition(change) && !slices.Contains(ignored, change.With) {
			ignored = append(ignored, change.With)
		}
	}
	kept := len(ignored) - len(r.plan.Lines.Ignored)
	if kept == 0 {
		return ""
	}
	it := diagnostics.Number(kept, "it", "them")
	return r.names.Adding("To keep "+it+", ignore "+it, r.plan.Object, arguments.IgnoreFields, ignored)
}
