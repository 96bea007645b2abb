package main

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

var (
	// excerpt is the directive of a template that shows an example without the blocks that every configuration
	// begins with: terraform, and a provider without arguments.
	excerpt = regexp.MustCompile(`{{excerpt "([^"]+)"}}`)
	// included is the directive of a template that shows a file as it is.
	included = regexp.MustCompile(`{{include "([^"]+)"}}`)
	// preamble is one of these blocks, with the comment above it.
	preamble = regexp.MustCompile(`(?ms)\A(#[^\n]*\n)*(terraform \{\n.*?^\}|provider "k8sconnect" \{\})\n+`)
)

// expandExcerpts copies the templates below root to the folder to, with the code in place of each directive excerpt.
func expandExcerpts(root, to string) error {
	from := filepath.Join(root, "templates")
	return filepath.WalkDir(from, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name, err := filepath.Rel(from, path)
		if err != nil {
			return err
		}
		if entry.IsDir() {
			return os.MkdirAll(filepath.Join(to, name), 0o700)
		}
		content, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		expanded, err := expand(root, string(content))
		if err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
		return os.WriteFile(filepath.Join(to, name), []byte(expanded), 0o600)
	})
}

func expand(root, template string) (expanded string, err error) {
	expanded = excerpt.ReplaceAllStringFunc(template, func(directive string) string {
		example := excerpt.FindStringSubmatch(directive)[1]
		code, failed := os.ReadFile(filepath.Join(root, example))
		if failed != nil {
			err = failed
		}
		// A template would take braces in the code for directives of its own.
		shown := strings.ReplaceAll(withoutPreamble(string(code)), "{{", "{{`{{`}}")
		return fmt.Sprintf("```terraform\n%s\n```", shown)
	})
	expanded = included.ReplaceAllStringFunc(expanded, func(directive string) string {
		text, failed := os.ReadFile(filepath.Join(root, included.FindStringSubmatch(directive)[1]))
		if failed != nil {
			err = failed
		}
		return strings.TrimSpace(string(text))
	})
	return expanded, err
}

func withoutPreamble(code string) string {
	for {
		block := preamble.FindString(code)
		if block == "" {
			return strings.TrimSpace(code)
		}
		code = code[len(block):]
	}
}
