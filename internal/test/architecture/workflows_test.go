package architecture

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.yaml.in/yaml/v3"
)

const workflowsDir = "../../../.github/workflows"

func TestWorkflows(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob(filepath.Join(workflowsDir, "*"))
	if err != nil || len(files) == 0 {
		t.Fatalf("there are no workflows: %v", err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, problem := range workflowProblems(text) {
			t.Errorf("%s: %s", filepath.Base(file), problem)
		}
	}
}

func TestWorkflowProblems(t *testing.T) {
	t.Parallel()
	const head = "on: push\npermissions:\n  contents: read\n"
	const pinned = "actions/checkout@3d3c42e5aac5ba805825da76410c181273ba90b1 # v7.0.1"
	step := func(line string) string { return head + "jobs:\n  a:\n    steps:\n      - " + line + "\n" }
	tests := map[string]struct{ text, want string }{
		"a commit with its version":    {step("uses: " + pinned), ""},
		"a variable of the matrix":     {step("run: make test\n        env: {A: \"${{ matrix.a }}\"}"), ""},
		"a tag":                        {step("uses: actions/checkout@v7"), "actions/checkout@v7 is no commit with its version behind it"},
		"a commit without its version": {step("uses: actions/checkout@3d3c42e5aac5ba805825da76410c181273ba90b1"), "actions/checkout@3d3c42e5aac5ba805825da76410c181273ba90b1 is no commit with its version behind it"},
		"a branch in the comment":      {step("uses: actions/checkout@3d3c42e5aac5ba805825da76410c181273ba90b1 # main"), "actions/checkout@3d3c42e5aac5ba805825da76410c181273ba90b1 is no commit with its version behind it"},
		"a reusable workflow of others": {head + "jobs:\n  a:\n    uses: x/y/.github/workflows/z.yml@main\n",
			"x/y/.github/workflows/z.yml@main is no commit with its version behind it"},
		"no permissions":                 {"on: push\njobs: {}\n", "the permissions at the top are not contents: read"},
		"more permissions":               {"on: push\npermissions: write-all\njobs: {}\n", "the permissions at the top are not contents: read"},
		"one permission more":            {head + "  packages: write\njobs: {}\n", "the permissions at the top are not contents: read"},
		"a job with all permissions":     {head + "jobs:\n  a: {permissions: write-all}\n", "the job a has write-all"},
		"pull_request_target":            {strings.Replace(head, "push", "pull_request_target", 1) + "jobs: {}\n", "it runs on pull_request_target"},
		"pull_request_target in a list":  {strings.Replace(head, "push", "[push, pull_request_target]", 1) + "jobs: {}\n", "it runs on pull_request_target"},
		"pull_request_target in a map":   {strings.Replace(head, "push", "{pull_request_target: {}}", 1) + "jobs: {}\n", "it runs on pull_request_target"},
		"workflow_run":                   {strings.Replace(head, "push", "workflow_run", 1) + "jobs: {}\n", "it runs on workflow_run"},
		"the title of an event in a run": {step("run: echo ${{ github.event.issue.title }}"), "a run has an expression: echo ${{ github.event.issue.title }}"},
		"a branch in a run":              {step("run: echo ${{ github.head_ref }}"), "a run has an expression: echo ${{ github.head_ref }}"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(test.want, strings.Join(workflowProblems([]byte(test.text)), "; ")); diff != "" {
				t.Errorf("problems (-want +got):\n%s", diff)
			}
		})
	}
}

var (
	commitPinned   = regexp.MustCompile(`@[0-9a-f]{40}$`)
	versionComment = regexp.MustCompile(`^# v\d+\.\d+\.\d+$`)
	// untrusted are the events that run with the repository's secrets on what other people have written.
	untrusted = []string{"pull_request_target", "workflow_run"}
)

// workflowProblems returns a sentence for each part of a workflow that lets others in.
func workflowProblems(text []byte) []string {
	var root yaml.Node
	if err := yaml.Unmarshal(text, &root); err != nil || len(root.Content) == 0 {
		return []string{fmt.Sprintf("it is no YAML: %v", err)}
	}
	workflow := root.Content[0]
	var found []string
	for _, event := range scalars(child(workflow, "on")) {
		if slices.Contains(untrusted, event) {
			found = append(found, "it runs on "+event)
		}
	}
	if at := child(workflow, "permissions"); at == nil || !slices.Equal(scalars(at), []string{"contents", "read"}) {
		found = append(found, "the permissions at the top are not contents: read")
	}
	visit(workflow, func(key string, value *yaml.Node) {
		switch {
		case key == "uses" && (!commitPinned.MatchString(value.Value) || !versionComment.MatchString(value.LineComment)):
			found = append(found, value.Value+" is no commit with its version behind it")
		case key == "run" && strings.Contains(value.Value, "${{"):
			found = append(found, "a run has an expression: "+value.Value)
		}
	})
	if jobs := child(workflow, "jobs"); jobs != nil {
		for i := 0; i+1 < len(jobs.Content); i += 2 {
			if at := child(jobs.Content[i+1], "permissions"); at != nil && at.Kind == yaml.ScalarNode && at.Value != "read-all" {
				found = append(found, "the job "+jobs.Content[i].Value+" has "+at.Value)
			}
		}
	}
	return found
}

// child returns the value of a key; nil without one.
func child(node *yaml.Node, key string) *yaml.Node {
	if node == nil || node.Kind != yaml.MappingNode {
		return nil
	}
	for i := 0; i+1 < len(node.Content); i += 2 {
		if node.Content[i].Value == key {
			return node.Content[i+1]
		}
	}
	return nil
}

// scalars returns the texts at and below a node, keys included.
func scalars(node *yaml.Node) []string {
	if node == nil {
		return nil
	}
	if node.Kind == yaml.ScalarNode {
		return []string{node.Value}
	}
	var all []string
	for _, below := range node.Content {
		all = append(all, scalars(below)...)
	}
	return all
}

// visit calls a function with each key below a node and its value.
func visit(node *yaml.Node, see func(key string, value *yaml.Node)) {
	for i, below := range node.Content {
		if node.Kind == yaml.MappingNode && i%2 == 1 {
			see(node.Content[i-1].Value, below)
		}
		visit(below, see)
	}
}

// The page of the provider says with which versions it is tested. The matrix runs those, and the GNUmakefile has the same of Kubernetes.
func TestMatrixIsWhatThePageSays(t *testing.T) {
	t.Parallel()
	page, matrix, makefile := readText(t, "../../../docs/index.md"), readText(t, filepath.Join(workflowsDir, "matrix.yml")), readText(t, "../../../GNUmakefile")
	for job, product := range map[string]string{"kubernetes": "Kubernetes", "terraform": "Terraform", "opentofu": "OpenTofu"} {
		row := regexp.MustCompile(`(?m)^\| ` + product + ` \| [^|]+ \| ([^|]+) \|$`).FindStringSubmatch(page)
		if row == nil {
			t.Fatalf("docs/index.md has no row of %s", product)
		}
		said := regexp.MustCompile(`\d+\.\d+`).FindAllString(row[1], -1)
		var run yaml.Node
		if err := yaml.Unmarshal([]byte(matrix), &run); err != nil {
			t.Fatal(err)
		}
		at := run.Content[0]
		for _, key := range []string{"jobs", job, "strategy", "matrix", job} {
			at = child(at, key)
		}
		if diff := cmp.Diff(said, scalars(at)); diff != "" {
			t.Errorf("versions of %s (-docs/index.md +matrix.yml):\n%s", product, diff)
		}
		if job == "kubernetes" && !strings.Contains(makefile, "\nKUBERNETES ?= "+strings.Join(said, " ")+"\n") {
			t.Errorf("KUBERNETES in the GNUmakefile is not %s", said)
		}
	}
}

func readText(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
