// Package pages reads what the source tree shows to readers: the pages, the examples and the plans. Its tests compare
// them with each other and with the code.
//
// The pages are README.md and all files below docs/.
//
//   - Each block of Terraform code on a page is part of an example.
//   - Each plan on a page is one that package examples prints, and each plan that it prints is on a page.
//   - Each error and each warning has a section in the troubleshooting guide, and no other section exists.
//   - Each link leads to a file and a section that exist.
//   - README.md is short.
//   - The provider's page leads to all others, and it alone has the arguments of a connection.
package pages

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
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

// Permission is a line of the table about permissions on the page of the provider.
type Permission struct {
	// Operation is what a user does.
	Operation string
	// Verbs are those on the resource of the object.
	Verbs []string
	// Others are the verbs on other resources.
	Others map[string][]string
}

var (
	permission = regexp.MustCompile(`(?m)^\| (.+?) \| (.+?) \|(.*)\|$`)
	onOthers   = regexp.MustCompile("((?:`[a-z]+`(?:, | and )?)+) on ((?:`[a-z]+`(?:, | and )?)+)")
	inCode     = regexp.MustCompile("`([a-z]+)`")
	// verbs are those of the API.
	verbs = []string{"get", "list", "watch", "create", "patch", "update", "delete"}
)

// Permissions returns the table about permissions on the page of the provider. root is the path of the source tree.
func Permissions(t testing.TB, root string) []Permission {
	t.Helper()
	_, section, _ := strings.Cut(Read(t, filepath.Join(root, "docs", "index.md")), "\n## Permissions\n")
	section, _, _ = strings.Cut(section, "\n## ")
	var all []Permission
	for _, row := range permission.FindAllStringSubmatch(section, -1) {
		if row[1] == "Operation" || strings.HasPrefix(row[1], "--") {
			continue
		}
		one := Permission{Operation: row[1], Others: map[string][]string{}}
		for _, code := range inCode.FindAllStringSubmatch(row[2], -1) {
			if slices.Contains(verbs, code[1]) {
				one.Verbs = append(one.Verbs, code[1])
			}
		}
		for _, part := range onOthers.FindAllStringSubmatch(row[3], -1) {
			for _, resource := range inCode.FindAllStringSubmatch(part[2], -1) {
				for _, verb := range inCode.FindAllStringSubmatch(part[1], -1) {
					one.Others[resource[1]] = append(one.Others[resource[1]], verb[1])
				}
			}
		}
		all = append(all, one)
	}
	if len(all) < 10 || !strings.Contains(section, "`get` on the namespace `kube-system`") {
		t.Fatalf("docs/index.md has %d permissions", len(all))
	}
	return all
}
