package attributes

import (
	_ "embed" // for the descriptions
	"reflect"
	"strings"
	"sync"

	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
)

//go:embed descriptions.md
var descriptionsFile string

// descriptionTexts are those of descriptions.md, by the attributes and the resources. The resource is "" if all
// resources have the same.
var descriptionTexts = sync.OnceValue(func() map[string]map[string]string {
	all := map[string]map[string]string{}
	for _, section := range strings.Split(descriptionsFile, "\n## ")[1:] {
		name, section, _ := strings.Cut(section, "\n")
		texts := strings.Split(section, "\n### ")
		all[name] = map[string]string{"": joined(texts[0])}
		for _, text := range texts[1:] {
			resources, text, _ := strings.Cut(text, "\n")
			for resource := range strings.SplitSeq(resources, ", ") {
				all[name][resource] = joined(text)
			}
		}
	}
	return all
})

// joined returns the lines of a string as one.
func joined(text string) string { return strings.Join(strings.Fields(text), " ") }

// descriptionOf returns the description of an attribute; nested ones have names such as "patch.type".
func descriptionOf(resource, name string) string {
	if text, is := descriptionTexts()[name][resource]; is {
		return text
	}
	return descriptionTexts()[name][""]
}

// withDescriptions returns the attributes of a resource with their descriptions. Those that have one keep it. within
// begins the names of nested attributes.
func withDescriptions(resource, within string, all map[string]schema.Attribute) map[string]schema.Attribute {
	for name, attribute := range all {
		if attribute.GetMarkdownDescription() != "" {
			continue
		}
		// Each type of attributes has this field, and no interface sets it.
		with := reflect.New(reflect.TypeOf(attribute)).Elem()
		with.Set(reflect.ValueOf(attribute))
		with.FieldByName("MarkdownDescription").SetString(descriptionOf(resource, within+name))
		all[name], _ = with.Interface().(schema.Attribute)
		switch attribute := attribute.(type) {
		case schema.SingleNestedAttribute:
			withDescriptions(resource, within+name+".", attribute.Attributes)
		case schema.MapNestedAttribute:
			withDescriptions(resource, within+name+".", attribute.NestedObject.Attributes)
		}
	}
	return all
}
