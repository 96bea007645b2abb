package pages_test

import (
	"fmt"
	"maps"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/pages"
)

// fenced is a block of Terraform code on a page.
var fenced = regexp.MustCompile("(?ms)^```(?:terraform|hcl|tf)\n(.*?)^```$")

// Every block of Terraform code on a page is part of an example, so that the test of the examples covers
// what readers copy.
func TestPagesShowExamples(t *testing.T) {
	t.Parallel()
	var shown []string
	for _, suffix := range []string{".tf", ".hcl"} {
		for _, file := range pages.Files(t, filepath.Join(pages.Root, "examples"), suffix) {
			shown = append(shown, unindented(pages.Read(t, file)))
		}
	}
	blocks := 0
	for _, page := range pages.All(t) {
		for _, match := range fenced.FindAllStringSubmatch(pages.Read(t, page), -1) {
			blocks++
			if !isPart(unindented(match[1]), shown) {
				t.Errorf("%s shows code that no example has:\n%s", page, match[1])
			}
		}
	}
	if blocks == 0 {
		t.Error("no page shows any code")
	}
}

func isPart(block string, examples []string) bool {
	for _, example := range examples {
		if strings.Contains("\n"+example+"\n", "\n"+block+"\n") {
			return true
		}
	}
	return false
}

// unindented returns text without the space around its lines, so that a page can quote an inner block.
func unindented(text string) string {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	for i, line := range lines {
		lines[i] = strings.TrimSpace(line)
	}
	return strings.Join(lines, "\n")
}

// examples is the folder of the tests that print plans.
const examples = "../examples"

// Every plan and message on a page is one that package examples compares, and each of those is on a page.
func TestPagesShowPlans(t *testing.T) {
	t.Parallel()
	sources := ""
	for _, file := range pages.Files(t, examples, "_test.go") {
		sources += pages.Read(t, file)
	}
	unused := map[string]string{}
	for _, file := range pages.Files(t, filepath.Join(examples, "testdata", "plans"), ".txt") {
		unused[pages.Read(t, file)] = file
		name := strings.TrimSuffix(filepath.Base(file), ".txt")
		if !slices.ContainsFunc([]string{"shows", "showsBody", "showsChosen", "showsWarnings", "showsOutput", "showsEnd", "showsNothing"}, func(how string) bool {
			call := fmt.Sprintf("%s(%q", how, name)
			return strings.Contains(sources, call+", ") || strings.Contains(sources, call+")")
		}) {
			t.Errorf("no test prints %s", file)
		}
	}
	known := maps.Clone(unused)
	for _, page := range pages.All(t) {
		for _, match := range text.FindAllStringSubmatch(pages.Read(t, page), -1) {
			delete(unused, match[1])
			if pages.Begins.MatchString(match[1]) && known[match[1]] == "" {
				t.Errorf("%s shows what no test printed:\n%s", page, match[1])
			}
		}
	}
	for _, file := range unused {
		t.Errorf("no page shows %s", file)
	}
}

// text is a block of plain text on a page.
var text = regexp.MustCompile("(?ms)^```text\n(.*?)^```$")

// Whoever reads in an emergency how to end a guard finds one command, which works with and without the second binding.
func TestEmergencyCommand(t *testing.T) {
	t.Parallel()
	const command = "`kubectl delete validatingadmissionpolicybinding k8sconnect-guard k8sconnect-guard-deletes --ignore-not-found`"
	for _, page := range []string{"guides/guard.md", "functions/guard.md"} {
		text := pages.Read(t, filepath.Join(pages.Root, "docs", page))
		if all := strings.Count(text, "`kubectl delete"); all != 1 || !strings.Contains(text, command) {
			t.Errorf("%s has %d commands, want %s", page, all, command)
		}
	}
}
