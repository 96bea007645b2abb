package report

import (
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/diagnostics"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/diagnostics/changes"
)

// ignoreLine matches the line of a warning that leaves fields to their owners, in a resource or in a rule.
var ignoreLine = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?m)^ *(.*\bignore_fields = \[)(.*)(\].*)$`)
})

// advise notes, for each field that the apply takes, what leaves it to its owner. The warnings of an object know which
// of its fields can be ignored; without them, a field that a manifest takes can.
func (o *Object) advise() {
	before, paths, after := "ignore_fields = [", "", "]"
	warned := false
	for _, note := range o.Notes {
		if found := ignoreLine().FindStringSubmatch(note.Detail); found != nil {
			before, paths, after, warned = found[1], found[2], found[3], true
		}
	}
	for i := range o.Fields {
		field := &o.Fields[i]
		path := field.Path
		if with, is := strings.CutPrefix(field.Fate, ", removed with "); is {
			path = with
		}
		can := field.From == "attributes" && field.Effect == changes.Take && o.Key == "" && o.ignores
		if warned {
			can = slices.Contains([]changes.Effect{changes.Take, changes.Remove, changes.SetBack}, field.Effect) &&
				strings.Contains(paths, diagnostics.HCLString(path))
		}
		if !can {
			continue
		}
		all := slices.Clone(o.ignored)
		if !slices.Contains(all, path) {
			all = append(all, path)
		}
		field.Ignore = before + diagnostics.QuoteList(all) + after
	}
}
