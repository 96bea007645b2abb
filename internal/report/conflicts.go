package report

import (
	"encoding/json"
	"maps"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/difference"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/diagnostics"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/diagnostics/changes"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/diagnostics/reader"
)

// ofConflict are the effects by those of the attribute conflicts.
var ofConflict = map[string]changes.Effect{
	"take": changes.Take, "take-back": changes.Take, "set-back": changes.SetBack, "remove": changes.Remove,
}

// addConflicts adds the fields of the attribute conflicts that no warning is about.
func (o *Object) addConflicts() {
	listed := o.listed()
	for _, path := range slices.Sorted(maps.Keys(o.conflicts)) {
		conflict := mapIn(o.conflicts, path)
		effect, _ := conflict["effect"].(string)
		field := Field{Path: path, Effect: ofConflict[effect], From: "attributes"}
		if listed[path] || field.Effect == "" {
			continue
		}
		before, had := conflict["before"].(string)
		after, has := conflict["after"].(string)
		if had {
			field.Was = &before
		}
		if has {
			field.Becomes = &after
		}
		if parts := difference.Of(valueOf(before), valueOf(after)); had && has && parts != nil {
			field.Was, field.Becomes, field.Fate = nil, nil, changes.InPart
			for _, part := range parts {
				field.Notes = append(field.Notes, partIndent+part)
			}
		}
		field.Owners = holdersIn(conflict)
		o.list(field)
	}
}

// addAdditions adds the fields of the attribute additions that no warning is about.
func (o *Object) addAdditions() {
	listed := o.listed()
	for _, path := range slices.Sorted(maps.Keys(o.additions)) {
		if listed[path] {
			continue
		}
		addition := mapIn(o.additions, path)
		field := Field{Path: path, Effect: changes.Addition, From: "attributes", Owners: holdersIn(addition)}
		if value, has := addition["value"].(string); has {
			field.Was = &value
		}
		o.list(field)
	}
}

// holdersIn returns the owners in an element of conflicts or additions: "controller: Update scale at" and a time.
func holdersIn(element map[string]any) []reader.Owner {
	var owners []reader.Owner
	for _, name := range slices.Sorted(maps.Keys(mapIn(element, "owners"))) {
		about, _ := mapIn(element, "owners")[name].(string)
		_, writes, _ := strings.Cut(about, ": ")
		writes, _, _ = strings.Cut(writes, " at ")
		_, subresource, _ := strings.Cut(writes, " ")
		owners = append(owners, reader.Owner{Name: name, Subresource: subresource})
	}
	return owners
}

// valueOf returns the map or list that a string encodes as JSON, or the string itself.
func valueOf(text string) any {
	var value any
	if !strings.HasPrefix(text, "{") && !strings.HasPrefix(text, "[") || json.Unmarshal([]byte(text), &value) != nil {
		return text
	}
	return value
}

// partIndent begins the notes of a field that are parts in which two long values differ.
const partIndent = "      "

// Parts returns the parts in which the long values of a field differ.
func (f Field) Parts() []string {
	var parts []string
	for _, note := range f.Notes {
		if part, is := strings.CutPrefix(note, partIndent); is {
			parts = append(parts, part)
		}
	}
	return parts
}

// ignoreLine matches the line of a warning that leaves fields to their owners, in a resource or in a rule.
var ignoreLine = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?m)^ *(.*\bignore_fields = \[)(.*)(\].*)$`)
})

// advise notes, for each field that the apply takes, what leaves it to its owner. The warnings of an object know which
// of its fields can be ignored; without them, a field that a manifest takes can.
func (o *Object) advise() {
	var lines [][]string
	for _, note := range o.Notes {
		if found := ignoreLine().FindStringSubmatch(note.Detail); found != nil {
			lines = append(lines, found)
		}
	}
	for i := range o.Fields {
		field := &o.Fields[i]
		path := field.Path
		if with, is := strings.CutPrefix(field.Fate, ", removed with "); is {
			path = with
		}
		before, after := "ignore_fields = [", "]"
		can := field.From == "attributes" && field.Effect == changes.Take && o.ignored != nil
		if len(lines) > 0 {
			at := slices.IndexFunc(lines, func(line []string) bool {
				return strings.Contains(line[2], diagnostics.HCLString(path))
			})
			can = at >= 0 && slices.Contains(ignorable, field.Effect)
			if can {
				before, after = lines[at][1], lines[at][3]
			}
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

// ignorable are the effects on fields that can be left to their owners.
var ignorable = []changes.Effect{changes.Take, changes.Remove, changes.SetBack, changes.Addition}

// Ignore returns the line that leaves all fields of an object that can be left to their owners; "" without one. The
// line of each field contains the patterns that the resource has already.
func (o Object) Ignore() string {
	var all []string
	before, after := "", ""
	for _, field := range o.Fields {
		found := ignoreLine().FindStringSubmatch(field.Ignore)
		if found == nil {
			continue
		}
		before, after = found[1], found[3]
		for _, name := range quoted().FindAllString(found[2], -1) {
			if !slices.Contains(all, name) {
				all = append(all, name)
			}
		}
	}
	if all == nil {
		return ""
	}
	return before + strings.Join(all, ", ") + after
}

// quoted matches a string of HCL.
var quoted = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`"(?:[^"\\]|\\.)*"`) })
