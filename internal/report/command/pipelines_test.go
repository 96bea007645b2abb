package command_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/report/command"
)

// The test is the provider's program for the scripts that it runs.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == "report" {
		os.Exit(command.Run(os.Args[2:], os.Stdout, os.Stderr))
	}
	os.Exit(m.Run())
}

const (
	policies = "../../../policies/"
	shop     = "../../test/acceptance/testdata/conflicts/shop/"
)

// The rules ask what the policies ask. Of the recorded plan, both name the same fields and objects.
func TestShippedRules(t *testing.T) {
	t.Parallel()
	var out, errs strings.Builder
	code := command.Run([]string{shop + "plan.json", shop + "plan.jsonl", "--rules", policies + "k8sconnect.rules"}, &out, &errs)
	said := strings.Split(strings.TrimSpace(errs.String()), "\n")
	want := []string{"Deployment shop/web (apps/v1): spec.replicas", "PersistentVolumeClaim shop/orders (v1): delete"}
	if code != 2 || len(said) != len(want) || !strings.Contains(said[0], want[0]) || !strings.Contains(said[1], want[1]) {
		t.Errorf("exit code %d: %q", code, said)
	}
}

// refusal is the log of a plan that on_conflict = "fail" refuses.
const refusal = `{"@level":"info","type":"version"}
{"@level":"error","type":"diagnostic","diagnostic":{"severity":"error","summary":"Field Ownership Conflict","address":"k8sconnect_manifest.web",` +
	`"detail":"Deployment shop/web (apps/v1): nothing is applied.\n\nThe apply takes back a field that another owner changed:\n\n  spec.replicas: \"5\" -> \"3\", owned by \"hpa\" using apps/v1"}}
`

// The scripts of the pipelines report the plan, and fail because it breaks a rule, or because the plan fails. Terraform and gh are
// stubs.
func TestPipelines(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		pipeline string
		fails    bool
		reports  []string
	}{
		{"github", false, []string{"report.md", "report.html", "summary.md", "comment.md"}},
		{"github", true, []string{"report.md", "summary.md", "comment.md", "stdout"}},
		{"gitlab", false, []string{"report.html", "stdout"}},
		{"gitlab", true, []string{"stdout"}},
		{"atlantis", false, []string{"stdout"}},
		{"atlantis", true, []string{"stdout"}},
	} {
		t.Run(fmt.Sprintf("%s, fails %t", tt.pipeline, tt.fails), func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			write := func(name, content string) {
				file := filepath.Join(dir, name)
				if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(file, []byte(content), 0o700); err != nil {
					t.Fatal(err)
				}
			}
			read := func(file string) string {
				content, err := os.ReadFile(file)
				if err != nil {
					t.Fatal(err)
				}
				return string(content)
			}
			self, err := os.Executable()
			if err != nil {
				t.Fatal(err)
			}
			write(".terraform/providers/registry.terraform.io/k8sconnect/k8sconnect/0.1.0/linux_amd64/terraform-provider-k8sconnect_v0.1.0",
				"#!/bin/sh\nexec '"+self+"' \"$@\"\n")
			write("policies/k8sconnect.rules", "") // A pull request may drop the rules.
			write("base/policies/k8sconnect.rules", read(policies+"k8sconnect.rules"))
			write("bin/git", "#!/bin/sh\n[ $1 = show ] || exit 0\ncat \"base/${2#FETCH_HEAD:}\"\n")
			write("recorded.json", read(shop+"plan.json"))
			plan, wantCode, wantError := "cat recorded.jsonl", 2, "Rule broken: take:"
			if tt.fails {
				plan, wantCode, wantError = "cat recorded.jsonl; exit 1", 1, ""
				write("recorded.jsonl", refusal)
			} else {
				write("recorded.jsonl", read(shop+"plan.jsonl"))
			}
			write("bin/terraform", "#!/bin/sh\ncase $1 in\nplan) "+plan+" ;;\nshow) cat recorded.json ;;\nesac\n")
			write("bin/gh", "#!/bin/sh\nwhile [ $# -gt 1 ]; do shift; done\ncp \"$1\" comment.md\n")

			steps := scripts(t, read(policies+"pipelines/"+tt.pipeline+".yml"))
			script := exec.CommandContext(t.Context(), "bash", "-e", "-o", "pipefail", "-c", strings.Join(steps, "\n"))
			script.Dir = dir
			script.Env = append(os.Environ(), "PATH="+filepath.Join(dir, "bin")+":"+os.Getenv("PATH"), "GITHUB_STEP_SUMMARY=summary.md",
				"PULL_REQUEST=7", "PLANFILE=plan.bin", "SHOWFILE=show.json")
			var out, errs strings.Builder
			script.Stdout, script.Stderr = &out, &errs
			_ = script.Run()
			if code := script.ProcessState.ExitCode(); code != wantCode || !strings.Contains(errs.String(), wantError) {
				t.Fatalf("exit code %d: %s", code, errs.String())
			}
			write("stdout", out.String())
			for _, name := range tt.reports {
				if text := read(filepath.Join(dir, name)); !strings.Contains(text, "spec.replicas") || strings.Contains(text, "@level") {
					t.Errorf("%s: %.500s", name, text)
				}
			}
		})
	}
}

// scripts returns the shell commands of a pipeline, in their order.
func scripts(t *testing.T, text string) []string {
	t.Helper()
	var root yaml.Node
	if err := yaml.Unmarshal([]byte(text), &root); err != nil {
		t.Fatal(err)
	}
	var found []string
	var visit func(*yaml.Node)
	visit = func(node *yaml.Node) {
		for i, child := range node.Content {
			isKey := node.Kind == yaml.MappingNode && i%2 == 0
			if isKey && slices.Contains([]string{"run", "script", "command"}, child.Value) {
				switch value := node.Content[i+1]; value.Kind {
				case yaml.ScalarNode:
					found = append(found, value.Value)
				case yaml.SequenceNode:
					for _, line := range value.Content {
						found = append(found, line.Value)
					}
				}
			}
			visit(child)
		}
	}
	visit(&root)
	if len(found) == 0 {
		t.Fatal("the pipeline has no scripts")
	}
	return found
}
