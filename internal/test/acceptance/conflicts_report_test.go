package acceptance_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/report"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/report/command"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/golden"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
)

// The report of a plan has every warning of its log, and each field that the plan takes once: those that it takes back,
// which the attributes show too, and those of an adoption, which only the log has.
func TestReportOfAPlan(t *testing.T) {
	w := story.New(t).HostedWorkspace()
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
	said := detailsOf(t, log)
	notes := 0
	for _, o := range got.Objects {
		for _, note := range o.Notes {
			notes++
			if !slices.Contains(said, note.Detail) {
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

// The report of a plan knows what it does not know: values that another resource has yet to compute, in a manifest as a
// text, as an object, and in a set, over fields that other managers own.
func TestReportOfValuesThatAreNotKnown(t *testing.T) {
	w := story.New(t).HostedWorkspace()
	write := func(colour, moved, more string) {
		object := func(name string) string {
			return `{ apiVersion = "v1", kind = "ConfigMap", metadata = { name = "` + name + `", namespace = "NS" }, data = { colour = terraform_data.colour.output } }`
		}
		w.Configure(w.Expand(`resource "k8sconnect_manifest" "text" {
  yaml_body = yamlencode(` + object("text") + `)
}
resource "k8sconnect_manifest" "object" {
  manifest = ` + object("object") + `
}
resource "k8sconnect_manifests" "set" {
  manifests = { one = yamlencode(` + object("one") + `), two = "{apiVersion: v1, kind: ConfigMap, metadata: {name: two, namespace: NS}}" }
}
resource "k8sconnect_manifest" "moved" {
  yaml_body = "{apiVersion: v1, kind: ConfigMap, metadata: {name: ` + moved + `, namespace: NS}}"
}
` + more + story.Later("colour", colour)))
	}
	write("red", "here", "")
	w.Do("apply", "-auto-approve")
	for _, name := range []string{"text", "object", "one"} {
		w.As("kubectl-edit").Patch("v1 ConfigMap "+name, `{"data":{"colour":"brown"}}`)
	}
	write("blue", "there", w.Expand(`resource "k8sconnect_patch" "note" {
  target    = { api_version = "v1", kind = "Namespace", name = "NS" }
  yaml_body = "metadata: {labels: {note: new}}"
}
resource "k8sconnect_wait" "two" {
  target = { api_version = "v1", kind = "ConfigMap", namespace = "NS", name = "two" }
}
`))
	log := w.Do("plan", "-json", "-out=saved")
	got, err := report.Of([]byte(w.Do("show", "-json", "saved")), []byte(log))
	story.Must(t, err)
	if gaps := strings.Join(got.Incomplete, "\n"); len(got.Incomplete) != 2 || !strings.Contains(gaps, "k8sconnect_manifest.text takes") || !strings.Contains(gaps, "k8sconnect_manifests.set takes") {
		t.Errorf("the gaps are %s", gaps)
	}
	if counts := fmt.Sprint(got.Counts); counts != "map[create:1 delete:1 no-op:2 take:2 update:4 wait:1]" {
		t.Errorf("the counts are %s", counts)
	}
	rule, err := report.ParseRule("take:kubectl-edit")
	story.Must(t, err)
	waits, err := report.ParseRule("wait:ConfigMap")
	story.Must(t, err)
	if failures := got.Check([]report.Rule{waits}); len(failures) != 1 || failures[0].Address != "k8sconnect_wait.two" {
		t.Errorf("waits are %v", failures)
	}
	if failures := got.Check([]report.Rule{rule}); len(failures) != 2 || failures[0].Address != "k8sconnect_manifest.object" || failures[1].Address != "k8sconnect_manifests.set" {
		t.Errorf("broken is %v", failures)
	}
}

// detailsOf returns the details of all diagnostics in a log.
func detailsOf(t *testing.T, log string) []string {
	t.Helper()
	var details []string
	for line := range strings.Lines(log) {
		var message struct{ Diagnostic struct{ Detail string } }
		story.Must(t, json.Unmarshal([]byte(line), &message))
		details = append(details, message.Diagnostic.Detail)
	}
	return details
}

// TestPlanOfAShop records a plan with one of each thing that a report is about. The tests of the page and of the
// policies read the record.
func TestPlanOfAShop(t *testing.T) {
	w := story.New(t).HostedWorkspace()
	configured := func(file string) string {
		content, err := os.ReadFile(filepath.Join("testdata", "conflicts", "shop", file))
		story.Must(t, err)
		return w.Expand(string(content))
	}
	w.Configure(configured("before.tf"))
	w.Do("apply", "-auto-approve")
	w.AwaitRollouts() // The deployment controller annotates a new Deployment.
	w.As("kube-controller-manager").Scale("apps/v1 Deployment web", 5)
	w.As("kubectl-set").StrategicPatch("apps/v1 Deployment web",
		`{"spec":{"template":{"spec":{"containers":[{"name":"web","env":[{"name":"LEVEL","value":"debug"}],"image":"nginx:1.28"}]}}}}`)
	w.As("kustomize-controller").Apply("apiVersion: v1\nkind: ConfigMap\nmetadata: {name: settings, namespace: NS}\ndata: {theme: dark}\n")
	w.As("kubectl-edit").Patch("v1 Secret login", `{"stringData":{"password":"battery-staple"}}`)
	w.As("kubectl-create").Create("apiVersion: v1\nkind: ConfigMap\nmetadata: {name: limits, namespace: NS}\ndata: {orders.per.minute: \"20\", carts: \"500\"}\n")
	w.As("kubectl-edit").Patch("v1 ConfigMap banner-summer", `{"data":{"text":"Sale"}}`)
	w.Configure(configured("after.tf"))
	log := w.Do("plan", "-json", "-out=saved")

	var plan struct {
		FormatVersion string           `json:"format_version"`
		Changes       []map[string]any `json:"resource_changes"`
	}
	story.Must(t, json.Unmarshal([]byte(w.Do("show", "-json", "saved")), &plan))
	for _, changed := range plan.Changes {
		change := changed["change"].(map[string]any)
		for _, side := range []string{"before", "after"} {
			attributes, _ := change[side].(map[string]any)
			maps.DeleteFunc(attributes, func(_ string, value any) bool { return value == nil })
			delete(change, side+"_identity") // Newer versions and OpenTofu write it.
		}
	}
	recorded, err := json.MarshalIndent(plan, "", " ")
	story.Must(t, err)
	var lines []string
	for line := range strings.Lines(log) {
		kept := strings.Contains(line, `"address":"k8sconnect_`) || strings.Contains(line, `"type":"planned_change"`) || strings.Contains(line, `"type":"change_summary"`)
		if kept {
			lines = append(lines, line)
		}
	}
	slices.Sort(lines)
	made, warnings, _ := strings.Cut(record(w, string(recorded)+"\n\x00"+strings.Join(lines, "")), "\x00")
	golden.Compare(t, "conflicts/shop/plan.json", made)
	golden.Compare(t, "conflicts/shop/plan.jsonl", warnings)
}

// ofOneRun matches what each run has another value of.
var ofOneRun = regexp.MustCompile(`[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}|hmac-sha256:[0-9a-f]+|"@timestamp":"[^"]*"|last write [0-9a-z]+ ago| at 20[-0-9T:]+Z`)

// asRecorded writes what OpenTofu and newer versions of Terraform print as the recorded version does.
var asRecorded = strings.NewReplacer("registry.opentofu.org", "registry.terraform.io", `"@module":"tofu.ui"`, `"@module":"terraform.ui"`,
	`,"forget":0`, "", `,"action_invocation":0,"action_fail":0`, "", ">", `\u003e`)

// record returns a text with the namespace shop, and with numbers for what each run has another value of.
func record(w *story.Workspace, text string) string {
	text = asRecorded.Replace(strings.ReplaceAll(text, w.Namespace, "shop"))
	seen := map[string]string{}
	return ofOneRun.ReplaceAllStringFunc(text, func(found string) string {
		switch {
		case strings.HasPrefix(found, `"@`):
			return `"@timestamp":""`
		case strings.HasPrefix(found, "last"):
			return "last write 1m ago"
		case strings.HasPrefix(found, " at"):
			return " at 2026-11-28T09:30:00Z"
		case strings.HasPrefix(found, "hmac"):
			if seen[found] == "" {
				seen[found] = fmt.Sprintf("hmac-sha256:%08x", len(seen)+1)
			}
			return seen[found]
		}
		return "00000000-0000-0000-0000-000000000000"
	})
}
