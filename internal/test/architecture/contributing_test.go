package architecture

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// TestNamesInContributingExist fails if CONTRIBUTING.md names something that a package of the module does not have.
func TestNamesInContributingExist(t *testing.T) {
	t.Parallel()
	declared := map[string][]string{}
	for _, s := range readModule(t) {
		if !s.test {
			declared[s.pkg] = append(declared[s.pkg], s.names...)
		}
	}
	checked := 0
	for _, named := range regexp.MustCompile(`(?:^|[^.\w])([a-z]+)\.([A-Z]\w*)`).FindAllStringSubmatch(readText(t, "../../../CONTRIBUTING.md"), -1) {
		names, is := declared[named[1]]
		if !is {
			continue
		}
		checked++
		if !slices.Contains(names, named[2]) {
			t.Errorf("CONTRIBUTING.md names %s.%s, which no package has", named[1], named[2])
		}
	}
	if checked < 10 {
		t.Errorf("only %d names were checked", checked)
	}
}

// TestFoldersInPagesExist fails if a page names a file or folder that does not exist.
func TestFoldersInPagesExist(t *testing.T) {
	t.Parallel()
	const root = "../../.."
	design := readText(t, root+"/DESIGN.md")
	named := layoutOf(design)
	for _, page := range []string{design, readText(t, root+"/CONTRIBUTING.md")} {
		for _, found := range regexp.MustCompile("`((?:internal|tools|templates|examples)/[\\w./-]+)`").FindAllStringSubmatch(page, -1) {
			named = append(named, found[1])
		}
	}
	for _, path := range named {
		isInvented := strings.Contains(path, "seen") // By "Add a resource", whose resource does not exist.
		if _, err := os.Stat(filepath.Join(root, path)); err != nil && !isInvented {
			t.Errorf("%s does not exist", path)
		}
	}
	if len(named) < 80 {
		t.Errorf("only %d paths were checked", len(named))
	}
}

// layoutOf returns the folders of internal that the layout in DESIGN.md lists: a folder is below the last one that is
// indented less.
func layoutOf(design string) []string {
	_, layout, _ := strings.Cut(design, "## Layout")
	_, layout, _ = strings.Cut(layout, "```\n")
	layout, _, _ = strings.Cut(layout, "```")
	var folders, above []string
	for line := range strings.Lines(layout) {
		depth := (len(line) - len(strings.TrimLeft(line, " "))) / 2
		above = above[:min(depth, len(above))]
		names := regexp.MustCompile(`^ *((?:[\w-]+/ ?)+)`).FindStringSubmatch(line)
		if names == nil {
			continue
		}
		for _, name := range strings.Fields(names[1]) {
			folders = append(folders, filepath.Join(append(slices.Clone(above), name)...))
		}
		above = append(above, strings.Fields(names[1])[0])
	}
	return folders
}
