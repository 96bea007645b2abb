package formats_test

import (
	"encoding/json"
	"encoding/xml"
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

// Objects about which there is nothing more to say are a list, in the order of the report.
func TestObjectsInALine(t *testing.T) {
	t.Parallel()
	object := func(name string, fields ...report.Field) report.Object {
		return report.Object{Kind: "ConfigMap", Name: name, APIVersion: "v1", Action: report.Update, Address: "a." + name, Fields: fields}
	}
	made := report.Report{Objects: []report.Object{
		object("one", report.Field{Path: "data.a", Effect: changes.Share}), object("two"), object("three"),
	}}
	for name, test := range map[string]struct {
		write formats.Write
		want  string
	}{
		"text": {formats.Text, "  shares: data.a\n\nConfigMap two (v1): update (a.two)\nConfigMap three (v1): update (a.three)\n"},
		"markdown": {
			formats.Markdown,
			"- **shares** `data.a`\n\n### Objects\n\n- ConfigMap two (v1): update, `a.two`\n- ConfigMap three (v1): update, `a.three`\n",
		},
	} {
		var out strings.Builder
		if err := test.write(&out, made, nil); err != nil || !strings.HasSuffix(out.String(), test.want) {
			t.Errorf("%s (%v):\n%s", name, err, out.String())
		}
	}
}

// JUnit has no schema of its own. What readers go by are the counts and the names.
func TestJUnit(t *testing.T) {
	t.Parallel()
	made, failures := shop(t)
	var out strings.Builder
	if err := formats.JUnit(&out, made, failures); err != nil {
		t.Fatal(err)
	}
	var suite struct {
		XMLName  xml.Name `xml:"testsuite"`
		Name     string   `xml:"name,attr"`
		Tests    int      `xml:"tests,attr"`
		Failures int      `xml:"failures,attr"`
		Cases    []struct {
			Name    string `xml:"name,attr"`
			Class   string `xml:"classname,attr"`
			Failure *struct {
				Message string `xml:"message,attr"`
			} `xml:"failure"`
		} `xml:"testcase"`
	}
	if err := xml.Unmarshal([]byte(out.String()), &suite); err != nil {
		t.Fatal(err)
	}
	failed, names := 0, map[string]bool{}
	for _, test := range suite.Cases {
		if test.Failure != nil {
			failed++
		}
		if test.Name == "" || test.Class == "" || names[test.Class+test.Name] {
			t.Errorf("a test without a name of its own: %+v", test)
		}
		names[test.Class+test.Name] = true
	}
	if suite.Name == "" || suite.Tests != len(suite.Cases) || suite.Failures != failed || failed != len(failures) || failed == 0 {
		t.Errorf("%d tests, %d failures: %s", len(suite.Cases), failed, out.String())
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
