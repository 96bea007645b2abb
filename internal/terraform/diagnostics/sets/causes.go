package sets

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/diagnostics"
)

// Said is a diagnostic about one object of a set.
type Said struct {
	Object manifest.Identity
	// Entry is the name of the object's manifest in messages.
	Entry      string
	Diagnostic diag.Diagnostic
}

// cause is the content of a diagnostic, with placeholders for the object, its manifest and its name.
type cause struct {
	severity diag.Severity
	title    string
	detail   string
}

// The placeholders. aWord is the name in a command line, after the kind.
const (
	anObject = "\x00"
	anEntry  = "\x01"
	aName    = "\x02"
	aWord    = "\x03"
)

// age is how long ago another client wrote to one of the objects, or how long an apply has waited for it.
var age = regexp.MustCompile(`last write [0-9a-z]+ ago|waited [0-9a-z]+ for it`)

// argument returns what is about an object in the line of [manifest.Identity.Kubectl], with another name.
func argument(id manifest.Identity, name string) string {
	line := strings.TrimPrefix(id.Kubectl(""), "kubectl  ")
	return strings.Replace(line, "/"+manifest.ShellWord(id.Name), "/"+name, 1)
}

// command matches [argument] with the placeholder.
var command = regexp.MustCompile(`\S+/` + aWord)

// Joined returns diagnostics in the order of all. Those that differ only in the object, or in a time, become one, which
// lists the objects: a warning all of them, an error the first ten. Their attributes are left out:
// they are those of a resource with one object.
func Joined(all []Said) diag.Diagnostics {
	var order []cause
	about, first := map[cause][]Said{}, map[cause]string{}
	for _, said := range all {
		general := strings.NewReplacer(said.Object.String(), anObject, said.Entry, anEntry,
			strconv.Quote(said.Object.Name), aName, argument(said.Object, manifest.ShellWord(said.Object.Name)),
			argument(said.Object, aWord))
		d := said.Diagnostic
		detail := general.Replace(d.Detail())
		c := cause{d.Severity(), general.Replace(d.Summary()), age.ReplaceAllString(detail, "")}
		if about[c] == nil {
			order, first[c] = append(order, c), detail
		}
		about[c] = append(about[c], said)
	}
	var diags diag.Diagnostics
	var more []Said
	listed := 0
	for _, c := range order {
		isAddition := c.severity == diag.SeverityWarning && strings.HasPrefix(c.title, addedByOthers)
		if isAddition {
			listed++
		}
		if isAddition && listed > mostAdditions {
			more = append(more, about[c]...)
			continue
		}
		all := about[c]
		c.detail = first[c]
		diags.Append(c.of(all))
	}
	if len(more) > 0 {
		diags.AddWarning(addedByOthers, fmt.Sprintf(
			"Others have added fields to %d more objects. The state has all that they have added.", len(more)))
	}
	return diags
}

// addedByOthers begins the titles of warnings about fields that other managers have added to an object.
const addedByOthers = "Fields Added by Others"

// mostAdditions limits the number of these warnings for a set.
const mostAdditions = 20

// of returns the diagnostic about some objects.
func (c cause) of(all []Said) diag.Diagnostic {
	var objects, names, words []string
	for _, said := range all {
		objects = append(objects, said.Object.String())
		names = append(names, diagnostics.HCLString(said.Object.Name))
		words = append(words, manifest.ShellWord(said.Object.Name))
	}
	objects, names, words = sorted(objects), sorted(names), sorted(words)
	single := strings.NewReplacer(anObject, firstOf(objects), anEntry, all[0].Entry, aName,
		strconv.Quote(all[0].Object.Name), aWord, words[0])
	if c.title = single.Replace(c.title); len(objects) == 1 {
		c.detail = single.Replace(c.detail)
		return c.diagnostic()
	}
	plural := strings.NewReplacer(anObject+": ", "", anObject, "the object", anEntry, "its manifest",
		"names = ["+aName+"]", "names = ["+strings.Join(names, ", ")+"]", aName, "NAME")
	text := command.ReplaceAllStringFunc(plural.Replace(c.detail), func(word string) string {
		kind := strings.TrimSuffix(word, aWord)
		return kind + strings.Join(words, " "+kind)
	})
	lines := diagnostics.AllLines(objects)
	if c.severity == diag.SeverityError {
		lines = diagnostics.Lines(objects)
	}
	c.detail = strings.ToUpper(text[:1]) + text[1:] + "\n\n" + ObjectsHeading + "\n" + lines
	return c.diagnostic()
}

func sorted(texts []string) []string { return slices.Compact(slices.Sorted(slices.Values(texts))) }

// ObjectsHeading is above the objects of a diagnostic about several.
const ObjectsHeading = "The objects:"

func (c cause) diagnostic() diag.Diagnostic {
	return diagnostics.Of(c.severity, c.title, c.detail)
}
