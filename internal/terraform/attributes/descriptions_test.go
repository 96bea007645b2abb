package attributes

import (
	"maps"
	"slices"
	"testing"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/arguments"
)

// Each argument has a description in each of its resources, and descriptions.md has none of a resource that lacks the argument.
func TestArgumentsHaveDescriptions(t *testing.T) {
	t.Parallel()
	for _, resource := range []string{arguments.ManifestResource, arguments.PatchResource, arguments.SetResource} {
		for name, attribute := range withDescriptions(resource, "", argumentsOf(resource)) {
			if attribute.GetMarkdownDescription() == "" {
				t.Errorf("%s of %s has no description", name, resource)
			}
		}
	}
	for name, texts := range descriptionTexts() {
		if resources := slices.Sorted(maps.Keys(texts)); resources[0] != "" || (texts[""] == "") != (len(texts) > 1) {
			t.Errorf("%s has a description of every resource beside those of %q, or none", name, resources[1:])
		}
	}
}
