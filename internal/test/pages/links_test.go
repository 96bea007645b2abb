package pages_test

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/pages"
)

var (
	// link is a link to another page of the source tree or to a section.
	link = regexp.MustCompile(`\]\(([^):\s]+)\)`)
	// heading and anchor are what a link can lead to.
	heading = regexp.MustCompile(`(?m)^#+ (.*)$`)
	anchor  = regexp.MustCompile(`<a id="([^"]+)">`)
	// unlinked is what a heading's link leaves out.
	unlinked = regexp.MustCompile(`[^\pL\pN _-]`)
	// block is a fenced block, whose lines are neither links nor headings.
	block = regexp.MustCompile("(?ms)^\\s*```.*?^\\s*```$")
)

// Every link between pages leads to a file that exists, and to a section that the file has. The same link works on GitHub,
// which needs the file's full name, and in the registry, which shows only what is below docs/.
func TestPagesLinkToSections(t *testing.T) {
	t.Parallel()
	links := 0
	for _, page := range linking(t) {
		for _, match := range link.FindAllStringSubmatch(block.ReplaceAllString(pages.Read(t, page), ""), -1) {
			links++
			if fault := fault(t, page, match[1]); fault != "" {
				t.Errorf("%s links to %s, which %s", page, match[1], fault)
			}
		}
	}
	if links == 0 {
		t.Error("no page has a link")
	}
	t.Logf("%d links", links)
}

// A link without the ending, to a page or a section that does not exist, or out of the registry is found.
func TestWrongLinksAreFound(t *testing.T) {
	t.Parallel()
	page := filepath.Join(pages.Root, "docs", "guides", "patching.md")
	for target, wrong := range map[string]bool{
		"field-ownership.md":                 false,
		"field-ownership.md#forms-of-a-path": false,
		"../resources/patch.md#import":       false,
		"#leaving":                           false,
		"field-ownership":                    true,
		"ownership.md":                       true,
		"field-ownership.md#no-such":         true,
		"#no-such":                           true,
		"../../README.md":                    true,
	} {
		if got := fault(t, page, target); (got != "") != wrong {
			t.Errorf("a link to %s is wrong: %t, found: %q", target, wrong, got)
		}
	}
}

// linking returns the pages whose links are checked: all, those at the root of the source tree, and those of examples.
func linking(t *testing.T) []string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(pages.Root, "*.md"))
	if err != nil {
		t.Fatal(err)
	}
	files = slices.DeleteFunc(files, func(file string) bool { return filepath.Base(file) == "THIRD_PARTY_LICENSES.md" })
	files = append(files, pages.Files(t, filepath.Join(pages.Root, "examples"), ".md")...)
	return append(files, pages.Files(t, filepath.Join(pages.Root, "docs"), ".md")...)
}

// fault says what is wrong with a link, if anything is.
func fault(t *testing.T, page, target string) string {
	t.Helper()
	name, section, _ := strings.Cut(target, "#")
	file := page
	if name != "" {
		file = filepath.Join(filepath.Dir(page), name)
	}
	docs := filepath.Join(pages.Root, "docs") + string(filepath.Separator)
	switch _, err := os.Stat(file); {
	case err != nil:
		return "does not exist"
	case strings.HasPrefix(page, docs) && (!strings.HasPrefix(file, docs) || !strings.HasSuffix(file, ".md")):
		return "is no page of the registry"
	case section != "" && !sections(pages.Read(t, file))[section]:
		return "has no such section"
	}
	return ""
}

// sections returns the parts of a page that a link can lead to.
func sections(page string) map[string]bool {
	found := map[string]bool{}
	for _, match := range heading.FindAllStringSubmatch(block.ReplaceAllString(page, ""), -1) {
		found[strings.ReplaceAll(unlinked.ReplaceAllString(strings.ToLower(match[1]), ""), " ", "-")] = true
	}
	for _, match := range anchor.FindAllStringSubmatch(page, -1) {
		found[match[1]] = true
	}
	return found
}

// The page of the provider, which is the first one in the registry, links to every other page below docs/, and is the only one with the
// arguments of a connection.
func TestProviderPageLeadsToAll(t *testing.T) {
	t.Parallel()
	docs := filepath.Join(pages.Root, "docs")
	first := pages.Read(t, filepath.Join(docs, "index.md"))
	links := map[string]bool{}
	for _, match := range link.FindAllStringSubmatch(first, -1) {
		links[match[1]] = true
	}
	const connection = "### Nested Schema for `cluster`\n"
	if strings.Count(first, connection) != 1 {
		t.Error("docs/index.md lacks the arguments of a connection")
	}
	for _, page := range pages.Files(t, docs, ".md") {
		name, err := filepath.Rel(docs, page)
		if err != nil {
			t.Fatal(err)
		}
		if name == "index.md" {
			continue
		}
		if !links[filepath.ToSlash(name)] {
			t.Errorf("docs/index.md has no link to %s", name)
		}
		if strings.Contains(pages.Read(t, page), connection) {
			t.Errorf("docs/%s repeats the arguments of a connection", name)
		}
	}
}

// The README is what people read first: what needs more words has a page of its own.
func TestReadmeIsShort(t *testing.T) {
	t.Parallel()
	const most = 900
	if words := len(strings.Fields(pages.Read(t, filepath.Join(pages.Root, "README.md")))); words > most {
		t.Errorf("README.md has %d words, and may have %d", words, most)
	}
}
