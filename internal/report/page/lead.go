package page

import (
	"fmt"
	"slices"
	"strings"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/report"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/diagnostics"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/diagnostics/changes"
)

// part is a part of the sentence at the top of a page. After is the string between it and the part before it.
type part struct {
	After string `json:"after,omitempty"`
	Text  string `json:"text"`
	// To is the view that it links to: the state of the page.
	To    map[string]string `json:"to,omitempty"`
	Alarm bool              `json:"alarm,omitempty"`
}

// dangers are the words of the sentence for one field and for several.
var dangers = []struct {
	effect    changes.Effect
	one, many string
}{
	{changes.Take, "a field is taken from others", "%d fields are taken from others"},
	{changes.Remove, "a field is removed", "%d fields are removed"},
	{changes.SetBack, "a value is set back", "%d values are set back"},
	{changes.Change, "a value that is not declared changes", "%d values that are not declared change"},
	{changes.Restore, "a value is restored", "%d values are restored"},
}

// leadOf returns the sentence that the page of a plan opens on: what is taken, removed and deleted.
func leadOf(objects []object, r report.Report) []part {
	var lead []part
	add := func(p part) {
		if len(lead) > 0 && p.After == "" {
			p.After = "; "
		}
		lead = append(lead, p)
	}
	if n := r.Counts[report.Refused]; n > 0 {
		at := slices.IndexFunc(objects, func(o object) bool { return o.Action == report.Refused })
		text := diagnostics.Number(n, "an object is why the plan fails", "%d objects are why the plan fails")
		add(part{Text: text, Alarm: true, To: map[string]string{"object": objects[at].ID}})
	}
	for _, danger := range dangers {
		found := fieldsWith(objects, danger.effect, func(report.Field) bool { return true })
		if n := r.Counts[string(danger.effect)]; n == 1 && danger.effect == changes.Take && found.scaled() {
			add(part{Text: "a field is taken from an autoscaler", To: found.view(danger.effect), Alarm: true})
			continue
		} else if n > 0 {
			isAlarm := danger.effect == changes.Take || danger.effect == changes.Remove
			text := diagnostics.Number(n, danger.one, danger.many)
			add(part{Text: text, To: found.view(danger.effect), Alarm: isAlarm})
		}
		if danger.effect != changes.Take {
			continue
		}
		scaled := fieldsWith(objects, danger.effect, scales)
		if n := len(scaled); n > 0 {
			text := diagnostics.Number(n, "one of them from an autoscaler", "%d of them from autoscalers")
			add(part{After: ", ", Text: text, To: scaled.view(""), Alarm: true})
		}
	}
	for _, p := range deletions(objects) {
		add(p)
	}
	if len(lead)+len(r.Incomplete) == 0 && r.Runs() == "" {
		lead = []part{{Text: "No manager loses a field, and no object is deleted"}}
	}
	if len(lead) > 0 {
		lead[0].Text = strings.ToUpper(lead[0].Text[:1]) + lead[0].Text[1:]
	}
	return lead
}

type fields []struct {
	object object
	field  report.Field
}

func fieldsWith(objects []object, effect changes.Effect, fits func(report.Field) bool) fields {
	var found fields
	for _, o := range objects {
		for _, f := range o.Fields {
			if f.Effect == effect && fits(f) {
				found = append(found, struct {
					object object
					field  report.Field
				}{o, f})
			}
		}
	}
	return found
}

func (f fields) scaled() bool { return len(f) > 0 && scales(f[0].field) }

// view returns the view of the first field, among the objects with its effect if there are several.
func (f fields) view(effect changes.Effect) map[string]string {
	if len(f) == 0 {
		return map[string]string{"change": string(effect)}
	}
	to := map[string]string{"object": f[0].object.ID, "field": f[0].field.Path}
	if effect != "" && f[len(f)-1].object.ID != f[0].object.ID {
		to["change"] = string(effect)
	}
	return to
}

// scales reports whether an autoscaler owns a field: one by its name, or the HorizontalPodAutoscaler, which writes by
// the subresource scale.
func scales(f report.Field) bool {
	for _, owner := range f.Owners {
		name := strings.ToLower(owner.Name)
		isHorizontal := owner.Name == "kube-controller-manager" && owner.Subresource == "scale"
		if isHorizontal || strings.Contains(name, "autoscaler") || strings.HasPrefix(name, "vpa-") ||
			strings.HasPrefix(name, "keda") {
			return true
		}
	}
	return false
}

// deletions returns what is deleted: kinds with data or objects in them by name, and all others together.
func deletions(objects []object) []part {
	var found []part
	grave := 0
	for _, action := range []string{report.Delete, report.Replace} {
		var rest []object
		kinds := map[string][]object{}
		var order []string
		for _, o := range objects {
			switch {
			case o.Action != action:
			case !o.Grave:
				rest = append(rest, o)
			default:
				if kinds[o.Kind] == nil {
					order = append(order, o.Kind)
				}
				kinds[o.Kind] = append(kinds[o.Kind], o)
			}
		}
		end := "deleted"
		if action == report.Replace {
			end += " and created again"
		}
		to := func(of []object) map[string]string {
			view := map[string]string{"object": of[0].ID}
			if len(of) > 1 {
				view["change"] = action
			}
			return view
		}
		for _, kind := range order {
			of := kinds[kind]
			text := diagnostics.Number(len(of), "a "+kind+" is "+end, "%d "+kind+"s are "+end)
			found = append(found, part{Text: text, To: to(of), Alarm: true})
			grave += len(of)
		}
		if len(rest) > 0 {
			one, many := "an object is "+end, "%d objects are "+end
			if grave > 0 {
				one, many = "another object is "+end, "%d other objects are "+end
			}
			found = append(found, part{Text: diagnostics.Number(len(rest), one, many), To: to(rest)})
		}
	}
	return found
}

// done are what happens to objects and fields, after their number.
var done = []struct{ what, is string }{
	{report.Refused, "refused"}, {report.Delete, "deleted"}, {report.Replace, "deleted and created again"},
	{report.Adopt, "adopted"}, {report.Create, "created"}, {report.Update, "updated"},
	{report.ReleaseIt, "not managed any more"},
}

// summary returns the numbers of objects, and the gaps of a report.
func summary(r report.Report) string {
	var parts []string
	for _, of := range done {
		if n := r.Counts[of.what]; n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, of.is))
		}
	}
	var texts []string
	switch {
	case len(parts) > 0:
		texts = append(texts, "Objects: "+strings.Join(parts, ", ")+".")
	case !r.Failed && r.Runs() == "":
		texts = append(texts, "No object changes.")
	}
	if n := r.Counts["wait"]; n > 0 {
		texts = append(texts, diagnostics.Number(n, "The apply waits for one.", "The apply waits for %d."))
	}
	if n := r.OtherResources; n > 0 {
		texts = append(texts, diagnostics.Number(n,
			"One resource of another provider changes; this page does not read it.",
			"%d resources of other providers change; this page does not read them."))
	}
	if runs := r.Runs(); runs != "" {
		texts = append(texts, runs)
	}
	return strings.Join(append(texts, r.Incomplete...), " ")
}
