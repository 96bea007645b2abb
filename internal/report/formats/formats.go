// Package formats writes a report for people and for programs.
package formats

import (
	"encoding/json"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/report"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/diagnostics"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/diagnostics/changes"
)

// Write writes a report in one form.
type Write func(io.Writer, report.Report, []report.Failure) error

// mostMarkdown is under the limit of comments of pull requests.
const mostMarkdown = 60_000

// words are what people read of an effect.
var words = map[changes.Effect]string{
	changes.Take: "takes from others", changes.Remove: "removes", changes.SetBack: "sets back",
	changes.Change: "changes undeclared values", changes.Restore: "restores", changes.Release: "gives up",
	changes.Stay: "leaves on the object", changes.Addition: "leaves to their owners", changes.Add: "adds list items",
	changes.Share: "shares", changes.Set: "sets", changes.Unset: "removes its own",
}

// Word returns what people read of an effect.
func Word(effect changes.Effect) string { return words[effect] }

// JSON writes the report as JSON, with the broken rules.
func JSON(w io.Writer, r report.Report, failures []report.Failure) error {
	encoder := json.NewEncoder(w)
	encoder.SetIndent("", "  ")
	encoder.SetEscapeHTML(false)
	return encoder.Encode(struct {
		report.Report
		Failures []report.Failure `json:"failures,omitempty"`
	}{r, failures})
}

// Text writes the report for a terminal.
func Text(w io.Writer, r report.Report, failures []report.Failure) error {
	text := Summary(r) + "\n"
	for _, failure := range failures {
		text += "\nRule broken: " + failure.Rule + "\n  " + failure.What + "\n"
	}
	all := sorted(r)
	if len(all.lost) > 0 {
		text += "\n"
	}
	for _, o := range all.lost {
		text += o.ID() + ": " + doing(o) + " (" + o.Address + ")\n"
	}
	for _, o := range append(all.decisions, all.edited...) {
		text += "\n" + o.ID() + ": " + doing(o) + " (" + o.Address + ")\n"
		for _, of := range below(o) {
			text += "  " + of.what + of.text + "\n"
		}
		if ignore := o.Ignore(); ignore != "" {
			text += "  to leave " + theirs(o) + ":\n    " + ignore + "\n"
		}
	}
	if len(all.groups) > 0 {
		text += "\n"
	}
	for _, g := range all.groups {
		text += g.doing + " (" + g.address + "): " + strings.Join(g.objects, ", ") + "\n"
	}
	for _, note := range r.Notes {
		text += "\n" + note.Summary + "\n" + note.Detail + "\n"
	}
	_, err := io.WriteString(w, text)
	return err
}

// Markdown writes the report for a comment. It writes at most 60,000 characters, and reports how much was cut.
func Markdown(w io.Writer, r report.Report, failures []report.Failure) error {
	var out strings.Builder
	out.WriteString("## Plan: owners and objects\n\n" + escape(Summary(r)) + "\n")
	size := len([]rune(out.String()))
	cut := 0
	add := func(part string) {
		const reserve = 200
		n := len([]rune(part))
		// Once a part does not fit, all that follow are cut, too: the most dangerous parts come first.
		if cut > 0 || size+n > mostMarkdown-reserve {
			cut++
			return
		}
		size += n
		out.WriteString(part)
	}
	for _, failure := range failures {
		add("\n- **Rule broken:** " + code(failure.Rule) + ": " + escape(failure.What))
	}
	if len(failures) > 0 {
		add("\n")
	}
	all := sorted(r)
	if len(all.lost) > 0 {
		add("\n| object | what happens | resource |\n|---|---|---|\n")
	}
	for _, o := range all.lost {
		does := doing(o)
		if o.LosesData() {
			does = "**" + does + "**"
		}
		add("| " + escape(o.ID()) + " | " + does + " | " + code(o.Address) + " |\n")
	}
	for _, o := range all.decisions {
		addBlock(o, add)
	}
	if n := all.harmless(); n > 0 {
		add(fmt.Sprintf("\n<details><summary>%s without a loss for other managers</summary>\n", objects(n)))
		for _, o := range all.edited {
			addBlock(o, add)
		}
		for _, g := range all.groups {
			add("\n" + g.doing + ", " + code(g.address) + ", " + objects(len(g.objects)) + ": " +
				escape(strings.Join(g.objects, ", ")) + "\n")
		}
		out.WriteString("\n</details>\n")
	}
	for _, note := range r.Notes {
		add("\n**" + escape(note.Summary) + "**\n\n" + escape(note.Detail) + "\n")
	}
	if cut > 0 {
		fmt.Fprintf(&out, "\n\nCut: %d more lines, the least dangerous ones. Use `--format json` or `html` for all.\n",
			cut)
	}
	_, err := io.WriteString(w, out.String())
	return err
}

// Summary returns the numbers of a report in a few sentences.
func Summary(r report.Report) string {
	var parts []string
	for _, action := range []string{
		report.Refused, report.Delete, report.Replace, report.Adopt, report.Create, report.Update, report.ReleaseIt,
	} {
		if n := r.Counts[action]; n > 0 {
			parts = append(parts, fmt.Sprintf("%s %d", action, n))
		}
	}
	text := "Objects: " + strings.Join(parts, ", ") + "."
	switch {
	case len(parts) == 0 && (r.Failed || r.Runs() != ""):
		text = ""
	case len(parts) == 0:
		text = "No object changes."
	}
	parts = nil
	for _, effect := range report.Effects() {
		if n := r.Counts[string(effect)]; n > 0 {
			parts = append(parts, fmt.Sprintf("%s %d", Word(effect), n))
		}
	}
	if len(parts) > 0 {
		text += " Fields: " + strings.Join(parts, ", ") + "."
	}
	if r.Counts[string(changes.Take)]+r.Counts[string(changes.Remove)]+len(r.Incomplete) == 0 && r.Runs() == "" {
		text += " No manager loses a field."
	}
	if r.Counts["wait"] > 0 {
		text += fmt.Sprintf(" Waits for %d.", r.Counts["wait"])
	}
	if r.OtherResources > 0 {
		text += fmt.Sprintf(" %d resources of other providers change; this report does not read them.",
			r.OtherResources)
	}
	if runs := r.Runs(); runs != "" {
		text += " " + runs
	}
	return strings.TrimSpace(strings.Join(append([]string{text}, r.Incomplete...), " "))
}

// addBlock adds an object with the changes of its fields, in Markdown.
func addBlock(o report.Object, add func(string)) {
	add("\n### " + escape(o.ID()) + "\n\n" + doing(o) + ", " + code(o.Address) + "\n\n")
	for _, of := range below(o) {
		text := escape(of.text)
		if of.isField {
			text = code(of.text)
		}
		add("- **" + strings.TrimSuffix(of.what, ": ") + "** " + text + "\n")
	}
	if ignore := o.Ignore(); ignore != "" {
		add("\nTo leave " + theirs(o) + ": " + code(ignore) + "\n")
	}
}

// theirs returns "it to its owner" or "them to their owners", for the fields of an object that can be left.
func theirs(o report.Object) string {
	n := 0
	for _, field := range o.Fields {
		if field.Ignore != "" {
			n++
		}
	}
	return diagnostics.Number(n, "it to its owner", "them to their owners")
}

// about is a line about an object: a change, and the field or object that it concerns.
type about struct {
	what, text string
	isField    bool
}

func below(o report.Object) []about {
	var lines []about
	for _, field := range o.Fields {
		lines = append(lines, about{Word(field.Effect) + ": ", line(field), true})
	}
	for _, unlisted := range unlistedOf(o) {
		lines = append(lines, about{"", unlisted, false})
	}
	for _, note := range o.Remarks() {
		lines = append(lines, about{note.Severity + ": ", remark(note), false})
	}
	return lines
}

// objects returns "1 object" or "n objects".
func objects(n int) string { return diagnostics.Number(n, "1 object", "%d objects") }

// doing returns what happens to an object as a whole.
func doing(o report.Object) string {
	switch {
	case o.Waits && o.Action == report.NoOp:
		return "waits"
	case o.Waits:
		return o.Action + ", then waits"
	}
	return o.Action
}

func unlistedOf(o report.Object) []string {
	var lines []string
	for _, effect := range report.Effects() {
		if n := o.Unlisted[effect]; n > 0 {
			lines = append(lines, fmt.Sprintf("%s: %d more fields, which the plan only counts", Word(effect), n))
		}
	}
	return lines
}

// remark returns a warning in one line: its title, the first paragraph of its detail, and the list that this paragraph
// introduces.
func remark(note report.Note) string {
	title, _, _ := strings.Cut(note.Summary, ": ")
	first, rest, _ := strings.Cut(note.Detail, "\n\n")
	text := strings.Join(strings.Fields(first), " ")
	if strings.HasSuffix(text, ":") {
		listed, _, _ := strings.Cut(rest, "\n\n")
		lines := strings.Split(listed, "\n")
		for i := range lines {
			lines[i] = strings.TrimSpace(lines[i])
		}
		text += " " + strings.Join(lines, "; ")
	}
	return title + ". " + text
}

// mostParts is how many parts of a long value a line has.
const mostParts = 3

// line returns a field with its values and owners.
func line(f report.Field) string {
	text := f.Path
	switch {
	case f.Effect == changes.Share && f.Becomes != nil:
		text += fmt.Sprintf(": %q", *f.Becomes)
	case f.Was != nil && f.Becomes != nil:
		text += fmt.Sprintf(": %q -> %q", *f.Was, *f.Becomes)
	case f.Was != nil:
		text += fmt.Sprintf(": %q", *f.Was)
	case f.Becomes != nil:
		text += fmt.Sprintf(": -> %q", *f.Becomes)
	}
	if f.Fate != "" {
		fate := f.Fate
		if f.Was == nil {
			fate = ": " + strings.TrimPrefix(fate, ", ")
		}
		text += fate
	}
	if parts := f.Parts(); len(parts) > 0 {
		more := ""
		if len(parts) > mostParts {
			parts, more = parts[:mostParts], fmt.Sprintf("; and %d more", len(parts)-mostParts)
		}
		text = strings.Replace(text, "(see below)", "("+strings.Join(parts, "; ")+more+")", 1)
	}
	return text + f.OwnedBy()
}

// code returns text as code of Markdown, with a fence that is longer than every row of backticks in it.
func code(text string) string {
	text = strings.NewReplacer("\n", " ", "\r", " ").Replace(text)
	fence := "`"
	for strings.Contains(text, fence) {
		fence += "`"
	}
	if len(fence) > 1 {
		return fence + " " + text + " " + fence
	}
	return fence + text + fence
}

var escaper = strings.NewReplacer("\\", "\\\\", "`", "\\`", "*", "\\*", "_", "\\_", "[", "\\[", "<", "&lt;",
	"@", "@\u200b", "#", "#\u200b", "://", ":\u200b//", "|", "\\|")

func escape(text string) string { return escaper.Replace(text) }

// sorts are the objects to which something happens.
type sorts struct {
	// lost are those that make the plan fail, or are deleted or replaced, without more to report. decisions are those
	// of which another manager loses something, or with a warning of another kind.
	lost, decisions []report.Object
	// edited are those of which only fields of ours change, and groups the others by action and resource.
	edited []report.Object
	groups []group
}

// group are objects of which only the action on the whole object is to report, in the words of doing. address is that
// of their resource, without the key of its instance.
type group struct {
	doing, address string
	objects        []string
}

// harmless returns the number of edited and grouped objects.
func (s sorts) harmless() int {
	n := len(s.edited)
	for _, g := range s.groups {
		n += len(g.objects)
	}
	return n
}

var index = regexp.MustCompile(`\[[^\]]*\]$`)

func sorted(r report.Report) sorts {
	var all sorts
	for _, o := range shown(r) {
		isLost := o.Action == report.Delete || o.Action == report.Replace || o.Action == report.Refused
		decides := func(f report.Field) bool { return !slices.Contains(own, f.Effect) }
		switch {
		case len(unlistedOf(o))+len(o.Remarks()) > 0 || slices.ContainsFunc(o.Fields, decides):
			all.decisions = append(all.decisions, o)
		case isLost:
			all.lost = append(all.lost, o)
		case len(o.Fields) > 0:
			all.edited = append(all.edited, o)
		default:
			all.add(group{doing(o), index.ReplaceAllString(o.Address, ""), []string{o.ID()}})
		}
	}
	return all
}

// own are the effects with which no other manager loses anything.
var own = []changes.Effect{changes.Set, changes.Unset, changes.Share}

func (s *sorts) add(one group) {
	at := slices.IndexFunc(s.groups, func(g group) bool { return g.doing == one.doing && g.address == one.address })
	if at < 0 {
		s.groups = append(s.groups, one)
		return
	}
	s.groups[at].objects = append(s.groups[at].objects, one.objects...)
}

// shown returns the objects to which something happens.
func shown(r report.Report) []report.Object {
	return slices.DeleteFunc(slices.Clone(r.Objects), func(o report.Object) bool {
		return o.Action == report.NoOp && !o.Waits && len(o.Fields)+len(o.Notes)+len(o.Unlisted) == 0
	})
}
