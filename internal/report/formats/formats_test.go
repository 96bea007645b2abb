package formats_test

import (
	"encoding/json"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/report"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/report/formats"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/diagnostics/changes"
)

// shop returns the report of the recorded plan, and the rules that it breaks.
func shop(t *testing.T) (report.Report, []report.Failure) {
	t.Helper()
	const recorded = "../../test/acceptance/testdata/conflicts/shop/"
	plan, err := os.ReadFile(recorded + "plan.json")
	if err != nil {
		t.Fatal(err)
	}
	log, err := os.ReadFile(recorded + "plan.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	made, err := report.Of(plan, log)
	if err != nil {
		t.Fatal(err)
	}
	rules, err := report.ParseRules("take:kube-controller-manager\ndelete")
	if err != nil {
		t.Fatal(err)
	}
	return made, made.Check(rules)
}

// internal/test/sarif compares SARIF with its schema.
func TestSARIF(t *testing.T) {
	t.Parallel()
	made, failures := shop(t)
	var out strings.Builder
	if err := formats.SARIF(&out, made, failures); err != nil {
		t.Fatal(err)
	}
	var parsed struct {
		Runs []struct {
			Results []struct {
				RuleID    string
				Locations []struct {
					PhysicalLocation *struct {
						ArtifactLocation struct{ URI string }
						Region           struct{ StartLine int }
					}
				}
			}
		}
	}
	if err := json.Unmarshal([]byte(out.String()), &parsed); err != nil {
		t.Fatal(err)
	}
	results, lines := parsed.Runs[0].Results, 0
	for _, result := range results {
		if at := result.Locations[0].PhysicalLocation; at != nil && at.ArtifactLocation.URI == "main.tf" && at.Region.StartLine > 0 {
			lines++
		}
	}
	if lines < 8 {
		t.Errorf("%d results have a line: %s", lines, out.String())
	}
	if len(results) < 10 || results[0].RuleID != "rule" {
		t.Errorf("%d results: %s", len(results), out.String())
	}
}

// Objects to which nothing dangerous happens come last: those with changes of the configuration, and the others in a line
// for each action and resource.
func TestHarmlessObjects(t *testing.T) {
	t.Parallel()
	object := func(action, kind, name string, fields ...report.Field) report.Object {
		return report.Object{Kind: kind, Name: name, APIVersion: "v1", Action: action, Address: "a[" + name + "]", Fields: fields}
	}
	made := report.Report{Objects: []report.Object{
		object(report.Delete, "PersistentVolumeClaim", "gone"),
		object(report.Update, "ConfigMap", "one", report.Field{Path: "data.a", Effect: changes.Take, Ignore: `ignore_fields = ["data.a"]`},
			report.Field{Path: "data.b", Effect: changes.Take, Ignore: `ignore_fields = ["data.b"]`}),
		object(report.Update, "ConfigMap", "edited", report.Field{Path: "data.a", Effect: changes.Set}),
	}, Counts: map[string]int{"take": 2}}
	for i := range 300 {
		made.Objects = append(made.Objects, object(report.Create, "ConfigMap", strconv.Itoa(i)))
	}
	for name, test := range map[string]struct {
		write formats.Write
		want  []string
	}{
		"text": {formats.Text, []string{
			"\nPersistentVolumeClaim gone (v1): delete (a[gone])\n",
			"  to leave them to their owners:\n    ignore_fields = [\"data.a\", \"data.b\"]\n",
			"\nConfigMap edited (v1): update (a[edited])\n  sets: data.a\n",
			"\ncreate (a): ConfigMap 0 (v1), ConfigMap 1 (v1), ",
		}},
		"markdown": {formats.Markdown, []string{
			"\n| PersistentVolumeClaim gone (v1) | **delete** | `a[gone]` |\n",
			"\nTo leave them to their owners: `ignore_fields = [\"data.a\", \"data.b\"]`\n",
			"\n<details><summary>301 objects without a loss for other managers</summary>\n", "\n- **sets** `data.a`\n",
			"\ncreate, `a`, 300 objects: ConfigMap 0 (v1), ", "\n</details>\n",
		}},
	} {
		var out strings.Builder
		if err := test.write(&out, made, nil); err != nil {
			t.Fatal(err)
		}
		rest := out.String()
		for _, want := range test.want {
			_, after, has := strings.Cut(rest, want)
			if !has {
				t.Fatalf("%s: %q does not follow:\n%s", name, want, out.String())
			}
			rest = after
		}
		if n := strings.Count(out.String(), "\n"); n > 100 {
			t.Errorf("%s: %d lines", name, n)
		}
	}
}

// A warning that announces a list is shown with it.
func TestRemarksAreWhole(t *testing.T) {
	t.Parallel()
	made := report.Report{Objects: []report.Object{{Kind: "ConfigMap", Name: "one", APIVersion: "v1", Action: report.Adopt, Notes: []report.Note{{
		Severity: "warning", Summary: "Existing Object Adopted: ConfigMap one (v1)", Detail: "The owners change:\n\n  data: \"a\" -> \"b\"\n  data.x: \"a\" -> \"b\"\n\nMore.",
	}}}}}
	var out strings.Builder
	const want = "  warning: Existing Object Adopted. The owners change: data: \"a\" -> \"b\"; data.x: \"a\" -> \"b\"\n"
	if err := formats.Text(&out, made, nil); err != nil || !strings.Contains(out.String(), want) {
		t.Errorf("%v:\n%s", err, out.String())
	}
}

// The circumstances of a field follow its value, or else its path.
func TestFates(t *testing.T) {
	t.Parallel()
	was := "5"
	for want, field := range map[string]report.Field{
		"  takes from others: a: \"5\", if its value changes\n": {Path: "a", Effect: changes.Take, Was: &was, Fate: ", if its value changes"},
		"  takes from others: a: if its value changes\n":        {Path: "a", Effect: changes.Take, Fate: ", if its value changes"},
	} {
		var out strings.Builder
		made := report.Report{Objects: []report.Object{{Kind: "ConfigMap", Name: "one", Action: report.Update, Fields: []report.Field{field}}}}
		if err := formats.Text(&out, made, nil); err != nil || !strings.Contains(out.String(), want) {
			t.Errorf("%v: want %s, got %s", err, want, out.String())
		}
	}
}

// Views of pipelines hide notes, so an error of the plan has its own level.
func TestSARIFHasTheLevelOfAMessage(t *testing.T) {
	t.Parallel()
	var out strings.Builder
	note := report.Note{Severity: "error", Summary: "Unknown Field", Detail: "spec.a"}
	if err := formats.SARIF(&out, report.Report{Notes: []report.Note{note}}, nil); err != nil {
		t.Fatal(err)
	}
	if want := `"level": "error"`; !strings.Contains(out.String(), want) {
		t.Errorf("%s is not in\n%s", want, out.String())
	}
}

// What others say mentions nobody, refers to nothing and links to nothing in a comment.
func TestMarkdownIsDefused(t *testing.T) {
	t.Parallel()
	var out strings.Builder
	note := report.Note{Severity: "warning", Summary: "By @octocat", Detail: "see #1 and https://example.com"}
	if err := formats.Markdown(&out, report.Report{Notes: []report.Note{note}}, nil); err != nil {
		t.Fatal(err)
	}
	for _, live := range []string{"@octocat", "#1", "https://", "&#"} {
		if strings.Contains(out.String(), live) {
			t.Errorf("%q is live in:\n%s", live, out.String())
		}
	}
}

// A long list that a conflict is about is told by the entries that differ.
func TestLongListOfAConflict(t *testing.T) {
	t.Parallel()
	rules := func(n int) string {
		list := make([]any, n)
		for i := range list {
			list[i] = map[string]any{"apiGroups": []any{"apps"}, "resources": []any{"a", "b", "c"}, "verbs": []any{"get", "list", "n" + strconv.Itoa(i)}}
		}
		text, _ := json.Marshal(list)
		return string(text)
	}
	conflict := map[string]any{"effect": "take-back", "before": rules(21), "after": rules(20), "owners": map[string]any{"kubectl-patch": "tool: Update"}}
	plan, err := json.Marshal(map[string]any{"format_version": "1.2", "resource_changes": []any{map[string]any{
		"address": "k8sconnect_manifest.role", "mode": "managed", "type": "k8sconnect_manifest", "change": map[string]any{
			"actions": []any{"update"}, "before": map[string]any{"id": "apiVersion=rbac.authorization.k8s.io/v1,kind=ClusterRole,name=r"},
			"after": map[string]any{"conflicts": map[string]any{"rules": conflict}},
		},
	}}})
	if err != nil {
		t.Fatal(err)
	}
	made, err := report.Of(plan, nil)
	if err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	if err := formats.Text(&out, made, nil); err != nil {
		t.Fatal(err)
	}
	const want = `rules: changes in part ([20]: {"apiGroups":["apps"],"resources":["a","b","c"],"verbs":["get","list","n20"]} -> (none)), owned by "kubectl-patch"`
	if !strings.Contains(out.String(), want) {
		t.Errorf("want %s, got\n%s", want, out.String())
	}
}
