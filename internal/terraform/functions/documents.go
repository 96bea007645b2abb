package functions

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/function"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/documents"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/tosca"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/attributes"
)

func documentsFunction() provided {
	return provided{
		name: "documents", summary: "Splits a text with many manifests into a map of objects, for for_each",
		parameters: []function.Parameter{textParameter}, variadic: optionsParameter,
		returns: function.MapReturn{ElementType: types.StringType}, run: readDocuments,
	}
}

func readDocuments(get getter) (any, error) {
	var text string
	var given []types.Dynamic
	if err := get(&text, &given); err != nil {
		return nil, err
	}
	options, problem := readOptions(given)
	if problem != "" {
		return nil, function.NewArgumentFuncError(1, problem)
	}
	objects, err := documents.Parse(text, options)
	return documents.Texts(objects), err
}

var (
	textParameter = function.StringParameter{Name: "text"}
	yamlParameter = function.StringParameter{Name: "yaml"}
	// optionsParameter is dynamic, because an unknown attribute has to be an error: with an object type, Terraform
	// would drop the attribute silently. Where a call may leave it out, it is variadic.
	optionsParameter = function.DynamicParameter{Name: "options"}
)

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

func toscaFunction() provided {
	return provided{
		name: "tosca", summary: "Returns the Kubernetes objects of a TOSCA service template, for k8sconnect_manifests",
		// Each input has a type of its own.
		parameters: []function.Parameter{textParameter, function.DynamicParameter{Name: "inputs"}},
		variadic:   optionsParameter, returns: function.MapReturn{ElementType: types.StringType}, run: readTOSCA,
	}
}

func readTOSCA(get getter) (any, error) {
	var text string
	var inputs types.Dynamic
	var given []types.Dynamic
	if err := get(&text, &inputs, &given); err != nil {
		return nil, err
	}
	options, problem := readOptions(given)
	if problem != "" {
		return nil, function.NewArgumentFuncError(2, problem)
	}
	values, err := attributes.DecodeObject(inputs)
	if err != nil {
		return nil, function.NewArgumentFuncError(1, "inputs are not an object. Write { replicas = 2 }, or {}")
	}
	objects, err := tosca.Read(text, values.Object, options)
	if _, is := errors.AsType[*tosca.InputError](err); is {
		return nil, function.NewArgumentFuncError(1, strings.TrimSuffix(err.Error(), "."))
	}
	return documents.Texts(objects), err
}
