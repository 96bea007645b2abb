// Package attributes defines the attributes that several resources share, with their schemas, validators and plan
// modifiers: the connection to a cluster, manifests, field paths and names of managers.
package attributes

import (
	_ "embed" // for the descriptions
	"reflect"
	"strings"
	"sync"

	"github.com/hashicorp/terraform-plugin-framework/datasource/schema"
)

//go:embed descriptions.md
var descriptionsFile string

// TheBlock is the name of the description of a block itself.
const TheBlock = "The block"

// descriptionTexts are those of descriptions.md, by the attributes and the blocks. The block is "" if all blocks have
// the same.
var descriptionTexts = sync.OnceValue(func() map[string]map[string]string {
	all := map[string]map[string]string{}
	for _, section := range strings.Split(descriptionsFile, "\n## ")[1:] {
		names, section, _ := strings.Cut(section, "\n")
		texts := strings.Split(section, "\n### ")
		byBlock := map[string]string{"": joined(texts[0])}
		for _, text := range texts[1:] {
			blocks, text, _ := strings.Cut(text, "\n")
			for block := range strings.SplitSeq(blocks, ", ") {
				byBlock[block] = joined(text)
			}
		}
		for name := range strings.SplitSeq(names, ", ") {
			all[name] = byBlock
		}
	}
	return all
})

// joined returns a text with a line for each of its paragraphs, and for each item of a list.
func joined(text string) string {
	paragraphs := strings.Split(strings.TrimSpace(text), "\n\n")
	for i, paragraph := range paragraphs {
		items := strings.Split(paragraph, "\n- ")
		for j, item := range items {
			items[j] = strings.Join(strings.Fields(item), " ")
		}
		paragraphs[i] = strings.Join(items, "\n- ")
	}
	return strings.Join(paragraphs, "\n\n")
}

// DescriptionOf returns the description of an attribute of a block, which descriptions.md names with its kind:
// "data k8sconnect_object". Nested attributes have names such as "patch.type".
func DescriptionOf(block, name string) string {
	kind, _, hasKind := strings.Cut(block, " ")
	if !hasKind {
		kind = "resource"
	}
	texts := descriptionTexts()[name]
	for _, of := range []string{block, kind} {
		if text, is := texts[of]; is {
			return text
		}
	}
	return texts[""]
}

// Described returns the attributes of a block with their descriptions. They may be of any kind of schema.
func Described[A any](block string, all map[string]A) map[string]A {
	describe(block, "", reflect.ValueOf(all))
	return all
}

// DataSource returns the schema of a data source with descriptions. name is that without the provider.
func DataSource(name string, all map[string]schema.Attribute) schema.Schema {
	block := "data k8sconnect_" + name
	return schema.Schema{MarkdownDescription: DescriptionOf(block, TheBlock), Attributes: Described(block, all)}
}

// describe sets the descriptions of attributes by their names. within begins the names of nested attributes.
func describe(block, within string, all reflect.Value) {
	for _, name := range all.MapKeys() {
		attribute := all.MapIndex(name).Elem()
		with := reflect.New(attribute.Type()).Elem()
		with.Set(attribute)
		// Each type of attributes has this field, and no interface sets it.
		with.FieldByName("MarkdownDescription").SetString(DescriptionOf(block, within+name.String()))
		all.SetMapIndex(name, with)
		parent := with
		if nested := with.FieldByName("NestedObject"); nested.IsValid() {
			parent = nested
		}
		if nested := parent.FieldByName("Attributes"); nested.IsValid() {
			describe(block, within+name.String()+".", nested)
		}
	}
}
