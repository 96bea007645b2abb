package architecture

import (
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.yaml.in/yaml/v3"
)

// SUPPORT.md says which versions are tested how often. The workflows, the GNUmakefile and the modules that pin servers and CLIs say
// the same.
func TestSupportIsWhatRuns(t *testing.T) {
	t.Parallel()
	page := readText(t, "../../../SUPPORT.md")
	var said []string
	for _, line := range strings.Split(page, "\n") {
		if regexp.MustCompile(`^\| (Kubernetes|Terraform|OpenTofu) `).MatchString(line) {
			said = append(said, line)
		}
	}
	if diff := cmp.Diff(supported(t), said); diff != "" {
		t.Errorf("the table (-what runs +SUPPORT.md):\n%s", diff)
	}
	everything := readText(t, "../../../.ci/run")
	for _, name := range []string{"ci.yml", "nightly.yml", "matrix.yml", "release.yml"} {
		everything += readText(t, filepath.Join(workflowsDir, name))
	}
	_, byHand, _ := strings.Cut(page, "\nBy hand")
	byHand, _, _ = strings.Cut(byHand, "\n## ")
	commands := regexp.MustCompile("`(make [a-z-]+)`").FindAllStringSubmatch(byHand, -1)
	if len(commands) == 0 {
		t.Error("SUPPORT.md does not say what is run by hand")
	}
	for _, command := range commands {
		if regexp.MustCompile(command[1] + `\b`).MatchString(everything) {
			t.Errorf("SUPPORT.md says that %s is run by hand, and a workflow runs it", command[1])
		}
	}
}

// supported returns the rows of the table.
func supported(t *testing.T) []string {
	t.Helper()
	change, night := runs(t, "ci.yml", ".ci/run"), runs(t, "nightly.yml", "make test-all")
	for _, event := range []string{"push", "pull_request"} {
		if child(child(change, "on"), event) == nil {
			t.Errorf("ci.yml does not run on %s", event)
		}
	}
	matrix := runs(t, "matrix.yml", "make test")
	for often, workflow := range map[string]*yaml.Node{`^\d+ \d+ \* \* \*$`: night, `^\d+ \d+ \* \* \d$`: matrix} {
		if cron := scalars(child(child(workflow, "on"), "schedule")); len(cron) != 2 || !regexp.MustCompile(often).MatchString(cron[1]) {
			t.Errorf("the schedule %q is not %s", cron, often)
		}
	}
	script := readText(t, "../../../.ci/run")
	often := map[string][]string{
		"change": strings.Fields(only(t, script, `(?m)^parts='(.*)'$`)),
		"night":  strings.Fields(only(t, readText(t, "../../../GNUmakefile"), `(?m)^PARTS +\?= (.*)$`)),
	}
	if strings.HasSuffix(script, "\nmake test\n") {
		often["change"] = append(often["change"], "test")
	}
	clis := readText(t, "../testcluster/cli.go")
	newest, pins := only(t, clis, `newestTerraform += "terraform-(.*)"`), pinned(t)
	pins["default Terraform"] = only(t, clis, `usualTerraform += "terraform-(.*)"`)
	var rows []string
	for _, product := range []string{"Kubernetes", "Terraform", "OpenTofu"} {
		for _, version := range scalars(at(matrix, "jobs", strings.ToLower(product), "strategy", "matrix", strings.ToLower(product))) {
			row := fmt.Sprintf("| %s %s | %s |", product, version, pins[product+" "+version])
			for _, when := range []string{"change", "night"} {
				row += " " + extent(often[when], product, pins["default "+product] == version, version == newest) + " |"
			}
			rows = append(rows, strings.ReplaceAll(row+" all |", "  ", " "))
		}
	}
	return rows
}

// extent returns how much of the tests runs with a version, if these parts run. isUsual is true of a version that make test has,
// isNewest of the Terraform of make test-terraform.
func extent(parts []string, product string, isUsual, isNewest bool) string {
	has := func(part string) bool { return slices.Contains(parts, part) }
	switch {
	case product == "OpenTofu":
		if isUsual && has("tofu") {
			return "all"
		}
	case isUsual && has("test"):
		return "all"
	case product == "Terraform" && isNewest && has("terraform"):
		return "what needs it"
	case product == "Kubernetes" && has("schemas"):
		return "its schemas"
	}
	return ""
}

// pinned returns the versions that nested modules pin, by product and minor version, and those that tests have without a variable.
func pinned(t *testing.T) map[string]string {
	t.Helper()
	pins := map[string]string{}
	for pattern, module := range map[string]string{
		"kubernetes*": "k8s.io/kubernetes", "terraform-*": "github.com/hashicorp/terraform", "opentofu": "github.com/opentofu/opentofu",
	} {
		files, err := filepath.Glob(filepath.Join("../testcluster/servers", pattern, "go.mod"))
		if err != nil || len(files) == 0 {
			t.Fatalf("no module is %s: %v", pattern, err)
		}
		for _, file := range files {
			version := only(t, readText(t, file), `(?m)^\s*(?:require )?`+regexp.QuoteMeta(module)+` v(\S+)`)
			product := map[byte]string{'k': "Kubernetes", 't': "Terraform", 'o': "OpenTofu"}[pattern[0]]
			minor := version[:strings.LastIndex(version, ".")]
			pins[product+" "+minor] = version
			if folder := filepath.Base(filepath.Dir(file)); folder == "kubernetes" || folder == "opentofu" {
				pins["default "+product] = minor
			}
		}
	}
	return pins
}

// runs returns a workflow that runs a command.
func runs(t *testing.T, name, command string) *yaml.Node {
	t.Helper()
	var root yaml.Node
	if err := yaml.Unmarshal([]byte(readText(t, filepath.Join(workflowsDir, name))), &root); err != nil {
		t.Fatal(err)
	}
	found := false
	visit(root.Content[0], func(key string, value *yaml.Node) {
		found = found || key == "run" && (value.Value == command || strings.HasSuffix(value.Value, " "+command))
	})
	if !found {
		t.Errorf("%s does not run %s", name, command)
	}
	return root.Content[0]
}

// at returns the node at a path of keys.
func at(node *yaml.Node, keys ...string) *yaml.Node {
	for _, key := range keys {
		node = child(node, key)
	}
	return node
}

// only returns the part of a text that a pattern catches.
func only(t *testing.T, text, pattern string) string {
	t.Helper()
	found := regexp.MustCompile(pattern).FindStringSubmatch(text)
	if found == nil {
		t.Fatalf("nothing matches %s", pattern)
	}
	return found[1]
}
