package main

import (
	"os"
	"path/filepath"
	"testing"
)

// An excerpt leaves out only what every configuration begins with.
func TestExcerpts(t *testing.T) {
	t.Parallel()
	const (
		terraform = "terraform {\n  required_providers {}\n}\n\n"
		resource  = "# Kept.\nresource \"a\" \"b\" {\n  value = \"{{.Name}}\"\n}\n"
		shown     = "```terraform\n# Kept.\nresource \"a\" \"b\" {\n  value = \"{{`{{`}}.Name}}\"\n}\n```"
		provider  = "provider \"k8sconnect\" {\n  qps = 5\n}"
	)
	for name, test := range map[string]struct{ code, want string }{
		"both blocks":               {terraform + "# From the environment.\nprovider \"k8sconnect\" {}\n\n" + resource, shown},
		"no block":                  {resource, shown},
		"a provider with arguments": {terraform + provider + "\n", "```terraform\n" + provider + "\n```"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			root := t.TempDir()
			if err := os.WriteFile(filepath.Join(root, "main.tf"), []byte(test.code), 0o600); err != nil {
				t.Fatal(err)
			}
			got, err := expand(root, `{{excerpt "main.tf"}}`)
			if err != nil || got != test.want {
				t.Errorf("got %q, %v", got, err)
			}
		})
	}
	for _, directive := range []string{`{{excerpt "missing.tf"}}`, `{{include "missing.md"}}`} {
		if _, err := expand(t.TempDir(), directive); err == nil {
			t.Errorf("%s of a file that does not exist is no error", directive)
		}
	}
}

// A file that is included appears as it is.
func TestIncludes(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	if err := os.WriteFile(filepath.Join(root, "tables.md"), []byte("| a |\n|---|\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if got, err := expand(root, `Before: {{include "tables.md"}}.`); err != nil || got != "Before: | a |\n|---|." {
		t.Errorf("got %q, %v", got, err)
	}
}
