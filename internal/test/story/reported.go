package story

import (
	"encoding/json"
	"fmt"
	"html"
	"strings"
	"testing"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/report"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/report/formats"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/report/page"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/diagnostics/reader"
)

// writers are the forms of a report.
var writers = map[string]formats.Write{
	"text": formats.Text, "markdown": formats.Markdown, "json": formats.JSON, "sarif": formats.SARIF,
	"html": page.HTML,
}

// checkReports asserts that a report has each warning of the story's plans once, in every form, and no other.
func (r *Recorder) checkReports(t *testing.T) {
	t.Helper()
	for _, warning := range r.ofPlans {
		summary, detail, _ := strings.Cut(warning, "\n")
		message := reader.Read(summary, detail)
		if message.Summary() != summary || message.Detail() != detail {
			t.Errorf("read back as %s:\n%s\n---\n%s", message.Summary(), message.Detail(), warning)
		}
		made, err := reportOf(summary, detail)
		if err != nil {
			t.Errorf("no report of %s: %v", warning, err)
			continue
		}
		notes := made.Notes
		fields := 0
		for _, o := range made.Objects {
			notes = append(notes, o.Notes...)
			fields += len(o.Fields)
		}
		want := strings.Count(detail, ", owned by ")
		if len(notes) != 1 || notes[0].Detail != detail || fields < want && !mentions(message) {
			t.Errorf("a report with %d notes and %d of %d fields of others:\n%s", len(notes), fields, want, warning)
		}
		for name, write := range writers {
			var out strings.Builder
			Must(t, write(&out, made, nil))
			checkForm(t, name, out.String(), made)
		}
	}
}

// mentions reports whether a warning contains sentences about owners instead of a list of fields.
func mentions(message reader.Message) bool {
	for _, block := range message.Blocks {
		if strings.Contains(block.Text, ", owned by ") && !strings.HasPrefix(block.Text, "  ") {
			return true
		}
	}
	return false
}

// reportOf returns the report of a plan that changes one resource, with one warning about it.
func reportOf(summary, detail string) (report.Report, error) {
	const address = "k8sconnect_manifest.test"
	plan := `{"format_version":"1.2","resource_changes":[{"address":"` + address + `","mode":"managed",` +
		`"type":"k8sconnect_manifest","change":{"actions":["update"],"before":{},"after":{},"after_unknown":{}}}]}`
	said, err := json.Marshal(map[string]any{"type": "diagnostic", "diagnostic": map[string]string{
		"severity": "warning", "summary": summary, "detail": detail, "address": address,
	}})
	if err != nil {
		return report.Report{}, err
	}
	log := string(said) + "\n" + `{"type":"planned_change","change":{"resource":{"addr":"` + address + `"}}}` + "\n" +
		`{"type":"change_summary"}` + "\n"
	return report.Of([]byte(plan), []byte(log))
}

// checkForm asserts that a form of a report has every field, and the summary of every other warning.
func checkForm(t *testing.T, name, out string, made report.Report) {
	t.Helper()
	plain := out
	switch name {
	case "html", "json", "sarif":
		plain = strings.NewReplacer(`\u003c`, "<", `\u003e`, ">", `\u0026`, "&", `\"`, `"`, `\\`, `\`).Replace(out)
	case "markdown":
		plain = html.UnescapeString(strings.NewReplacer(`\\`, `\`, "\\`", "`", `\*`, "*", `\_`, "_", `\[`, "[",
			`\#`, "#", `\|`, "|").Replace(out))
	}
	for _, o := range made.Objects {
		for _, field := range o.Fields {
			if !strings.Contains(plain, field.Path) {
				t.Errorf("the form %s lacks %s:\n%s", name, field.Path, out)
			}
		}
		for _, note := range o.Remarks() {
			if title, _, _ := strings.Cut(note.Summary, ": "); !strings.Contains(plain, title) {
				t.Errorf("the form %s lacks %q:\n%s", name, title, out)
			}
		}
		if name == "text" {
			want := len(o.Fields) + len(o.Remarks()) + len(o.Unlisted)
			if o.Ignore() != "" {
				want += 2
			}
			if strings.Count(out, "\n  ") != want {
				t.Errorf("%d lines about an object, want %d:\n%s", strings.Count(out, "\n  "), want, out)
			}
		}
	}
	for _, note := range made.Notes {
		if !strings.Contains(plain, note.Summary) {
			t.Errorf("the form %s lacks %q: %s", name, note.Summary, fmt.Sprint(out))
		}
	}
}
