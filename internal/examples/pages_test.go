package examples_test

import (
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// fenced is a block of Terraform code on a page.
var fenced = regexp.MustCompile("(?ms)^```(?:terraform|hcl|tf)\n(.*?)^```$")

// Every block of Terraform code on a page is part of an example, so that the test of the examples covers
// what readers copy.
func TestPagesShowExamples(t *testing.T) {
	t.Parallel()
	var examples []string
	for _, file := range filesBelow(t, filepath.Join(root, "examples"), ".tf") {
		examples = append(examples, unindented(read(t, file)))
	}
	pages := append(filesBelow(t, filepath.Join(root, "docs"), ".md"), filepath.Join(root, "README.md"))
	blocks := 0
	for _, page := range pages {
		for _, match := range fenced.FindAllStringSubmatch(read(t, page), -1) {
			blocks++
			if !isPart(unindented(match[1]), examples) {
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

// unindented is text without the space around its lines, so that a page can quote an inner block.
func unindented(text string) string {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	for i, line := range lines {
		lines[i] = strings.TrimSpace(line)
	}
	return strings.Join(lines, "\n")
}
