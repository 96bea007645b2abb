package conflicts_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/report"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/report/command"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
)

// The report of a plan has every warning of its log, and each field that the plan takes once: those that it takes back,
// which the attributes show too, and those of an adoption, which only the log has.
func TestReportOfAPlan(t *testing.T) {
	w := story.New(t).Workspace()
	resource := func(name, arguments string) string {
		body := strings.Replace(w.Expand(story.ConfigMap), "name: web", "name: "+name, 1)
		return "resource \"k8sconnect_manifest\" \"" + name + "\" {\n  yaml_body = <<-YAML\n" + body + "\nYAML\n" + arguments + "}\n"
	}
	w.Configure(resource("settings", ""))
	w.Do("apply", "-auto-approve")
	w.As("kubectl-edit").Patch("v1 ConfigMap settings", `{"data":{"colour":"brown"}}`)
	w.As("kubectl-create").Apply(strings.Replace(story.ConfigMap, "name: web", "name: old", 1))
	w.As("kubectl-edit").Patch("v1 ConfigMap old", `{"data":{"colour":"brown"}}`)
	w.Configure(resource("settings", ""), resource("old", "  adopt_existing = true\n"))

	log := w.Do("plan", "-json", "-out=saved")
	plan := filepath.Join(w.Dir, "plan.json")
	story.Must(t, os.WriteFile(plan, []byte(w.Do("show", "-json", "saved")), 0o600))
	lines := filepath.Join(w.Dir, "plan.jsonl")
	story.Must(t, os.WriteFile(lines, []byte(log), 0o600))

	var out, errs strings.Builder
	if code := command.Run([]string{"--format=json", "--fail-on=take:kubectl-edit", plan, lines}, &out, &errs); code != 2 {
		t.Fatalf("exit code %d: %s\n%s", code, errs.String(), log)
	}
	var got report.Report
	story.Must(t, json.Unmarshal([]byte(out.String()), &got))
	if got.Counts["take"] != 2 || len(got.Incomplete) != 0 {
		t.Errorf("got %s\nof %s", out.String(), log)
	}
	notes := 0
	for _, o := range got.Objects {
		for _, note := range o.Notes {
			notes++
			if text, _ := json.Marshal(note.Detail); !strings.Contains(log, string(text[1:len(text)-1])) {
				t.Errorf("invented: %s", note.Detail)
			}
		}
	}
	if want := strings.Count(log, `"address":"k8sconnect_`); want == 0 || notes != want {
		t.Errorf("%d of %d warnings about objects", notes, want)
	}
	if want := strings.Count(log, `"diagnostic":{`); notes+len(got.Notes) != want {
		t.Errorf("%d of %d warnings", notes+len(got.Notes), want)
	}
}
