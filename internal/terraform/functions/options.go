package functions

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/function"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/documents"
)

func textParameter() function.Parameter {
	return function.StringParameter{
		Name: "text",
		MarkdownDescription: "YAML or JSON with any number of documents, for example `file(\"install.yaml\")`, or " +
			"the `manifest` of the data source `helm_template`.",
	}
}

// optionsParameter returns the parameter options. It is variadic, because a call may leave it out. It is dynamic,
// because an unknown attribute has to be an error: with an object type, Terraform would drop the attribute silently.
func optionsParameter() function.Parameter {
	return function.DynamicParameter{
		Name: "options",
		MarkdownDescription: "At most one object. `namespace` is the namespace of objects that name none, unless " +
			"their kind is cluster-scoped: `{ namespace = \"argocd\" }`. The scope is known for built-in kinds, and " +
			"for kinds whose CustomResourceDefinition is in the text. Objects of other kinds get the namespace, too. " +
			"If such a kind turns out to be cluster-scoped, `k8sconnect_manifest` leaves the namespace out and says " +
			"so in the plan. `format = \"json\"` writes the objects as JSON, without comments: of a JSON text, a " +
			"plan shows the changed parts and hides the rest, while it prints YAML from the first to the last line. " +
			"`secrets = \"none\"` leaves out the Secrets, and `secrets = \"only\"` everything else, for `manifests` " +
			"and `secret_manifests` of `k8sconnect_manifests`.",
	}
}

// readOptions returns the options, or a problem with them.
func readOptions(given []types.Dynamic) (options documents.Options, problem string) {
	switch len(given) {
	case 0:
		return options, ""
	case 1:
	default:
		return options, fmt.Sprintf("there are %d objects of options. Write one: { namespace = \"...\" }", len(given))
	}
	attributes, isObject := attributesOf(given[0].UnderlyingValue())
	if !isObject {
		return options, `options are not an object. Write { namespace = "..." }`
	}
	for _, name := range slices.Sorted(maps.Keys(attributes)) {
		value, isString := attributes[name].(types.String)
		text := value.ValueString()
		switch isNull := attributes[name].IsNull(); {
		case name != "namespace" && name != "format" && name != "secrets":
			return options, fmt.Sprintf("options have no attribute %q. There are namespace, format and secrets", name)
		case isNull:
		case !isString && name == "namespace":
			return options, "namespace is not a string. Write the name of a namespace"
		case name == "namespace":
			if options.Namespace = text; text == "" {
				return options, "namespace is empty. Write a name, or leave it out"
			}
		case name == "secrets":
			if options.Secrets = text; text != documents.WithoutSecrets && text != documents.OnlySecrets {
				return options, `secrets is neither "none" nor "only". Leave it out for all objects`
			}
		case text == "json":
			options.JSON = true
		case text != "yaml":
			return options, `format is neither "yaml", the default, nor "json"`
		}
	}
	return options, strings.TrimSuffix(options.Check(), ".")
}

func attributesOf(value attr.Value) (map[string]attr.Value, bool) {
	switch value := value.(type) {
	case types.Object:
		return value.Attributes(), true
	case types.Map:
		return value.Elements(), true
	default:
		return nil, false
	}
}
