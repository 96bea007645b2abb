// Package pages reads what the source tree shows to readers: the pages, the examples and the plans. Its tests compare
// them with each other and with the code.
//
// The pages are README.md and all files below docs/.
//
//   - Each block of Terraform code on a page is part of an example.
//   - Each plan on a page is one that package examples prints, and each plan that it prints is on a page.
//   - Each error and each warning has a section in the troubleshooting guide, and no other section exists.
//   - Each link leads to a file and a section that exist.
package pages

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// Root is the path of the source tree from a folder of internal/test.
const Root = "../../.."

// Begins matches the first line that a reader of a plan needs: of a resource that changes, else of a message.
var Begins = regexp.MustCompile(`(?m)^(  # k8sconnect_(?:manifests?|patch)\.|(Error|Warning): )`)

// All returns the paths of the pages: the generated ones, and the README.
func All(t testing.TB) []string {
	t.Helper()
	return append(Files(t, filepath.Join(Root, "docs"), ".md"), filepath.Join(Root, "README.md"))
}

// Files returns the paths of the files below dir whose names end in suffix.
func Files(t testing.TB, dir, suffix string) []string {
	t.Helper()
	var files []string
	err := filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err == nil && !entry.IsDir() && strings.HasSuffix(path, suffix) {
			files = append(files, path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// Read returns the content of a file.
func Read(t testing.TB, path string) string {
	t.Helper()
	content, err := os.ReadFile(path) //nolint:gosec // A test names the file.
	if err != nil {
		t.Fatal(err)
	}
	return string(content)
}
