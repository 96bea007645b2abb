package pages

import (
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

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
