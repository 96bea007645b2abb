package architecture

import (
	"regexp"
	"slices"
	"testing"

	"golang.org/x/tools/go/packages"
)

// TestNamesInContributingExist fails if CONTRIBUTING.md names something that a package of the module does not have.
func TestNamesInContributingExist(t *testing.T) {
	t.Parallel()
	found, err := loadModule()
	if err != nil {
		t.Fatal(err)
	}
	checked := 0
	for _, named := range regexp.MustCompile(`(?:^|[^.\w])([a-z]+)\.([A-Z]\w*)`).FindAllStringSubmatch(readText(t, "../../../CONTRIBUTING.md"), -1) {
		isNamed := func(pkg *packages.Package) bool { return pkg.Name == named[1] }
		if !slices.ContainsFunc(found, isNamed) {
			continue
		}
		checked++
		if !slices.ContainsFunc(found, func(pkg *packages.Package) bool { return isNamed(pkg) && pkg.Types.Scope().Lookup(named[2]) != nil }) {
			t.Errorf("CONTRIBUTING.md names %s.%s, which no package has", named[1], named[2])
		}
	}
	if checked < 10 {
		t.Errorf("only %d names were checked", checked)
	}
}
