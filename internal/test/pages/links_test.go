package pages_test

import (
	"os"
	"path/filepath"
	"regexp"
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
)

// Every link between pages leads to a file that exists, and to a section that the file has.
func TestPagesLinkToSections(t *testing.T) {
	t.Parallel()
	links := 0
	for _, page := range pages.All(t) {
		for _, match := range link.FindAllStringSubmatch(pages.Read(t, page), -1) {
			links++
			target, section, _ := strings.Cut(match[1], "#")
			file := page
			if target != "" {
				file = linked(filepath.Join(filepath.Dir(page), target))
			}
			switch _, err := os.Stat(file); {
			case err != nil:
				t.Errorf("%s links to %s, which does not exist", page, match[1])
			case section != "" && !sections(pages.Read(t, file))[section]:
				t.Errorf("%s links to %s, which has no such section", page, match[1])
			}
		}
	}
	if links == 0 {
		t.Error("no page has a link")
	}
}

// linked returns the file of a link. Generated pages leave the ending out.
func linked(path string) string {
	if _, err := os.Stat(path + ".md"); err == nil {
		return path + ".md"
	}
	return path
}

// sections returns the parts of a page that a link can lead to.
func sections(page string) map[string]bool {
	found := map[string]bool{}
	for _, match := range heading.FindAllStringSubmatch(page, -1) {
		found[strings.ReplaceAll(unlinked.ReplaceAllString(strings.ToLower(match[1]), ""), " ", "-")] = true
	}
	for _, match := range anchor.FindAllStringSubmatch(page, -1) {
		found[match[1]] = true
	}
	return found
}
