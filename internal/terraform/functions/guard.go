package functions

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/function"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/paths"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/guard"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/attributes"
)

func guardFunction() provided {
	return provided{
		name: "guard", summary: "Returns a policy of the API server that keeps others from the fields that you own",
		parameters: []function.Parameter{optionsParameter},
		returns:    function.MapReturn{ElementType: types.StringType}, run: writeGuard,
	}
}

func writeGuard(get getter) (any, error) {
	var given types.Dynamic
	if err := get(&given); err != nil {
		return nil, err
	}
	options, problem := readGuard(given.UnderlyingValue())
	if problem == "" {
		problem = options.Check()
	}
	if problem != "" {
		return nil, function.NewArgumentFuncError(0, problem)
	}
	manifests, err := guard.Manifests(options)
	if err != nil {
		return nil, function.NewFuncError(err.Error())
	}
	return manifests, nil
}

// readGuard returns the options of a guard, or a problem with them.
func readGuard(given attr.Value) (options guard.Options, problem string) {
	attributes, isObject := attributesOf(given)
	if !isObject {
		return options, `options are not an object. Write { mode = "warn" }`
	}
	options = guard.Options{Name: "k8sconnect-guard", FieldManagers: []string{"k8sconnect*"}}
	texts := map[string]*string{
		"mode": (*string)(&options.Mode), "name": &options.Name, "delete": (*string)(&options.Delete),
		"source": &options.Source,
	}
	lists := map[string]*[]string{
		"field_managers": &options.FieldManagers, "kinds": &options.Kinds, "namespaces": &options.Namespaces,
		"owner_users": &options.OwnerUsers, "owner_groups": &options.OwnerGroups, "scale": &options.Scale,
		"exempt_users": &options.ExemptUsers, "exempt_groups": &options.ExemptGroups,
	}
	known := append(slices.Sorted(maps.Keys(lists)), "additions")
	known = append(known, slices.Sorted(maps.Keys(texts))...)
	for _, name := range slices.Sorted(maps.Keys(attributes)) {
		value, text, list := attributes[name], texts[name], lists[name]
		switch {
		case name == "additions":
			given, isBool := value.(types.Bool)
			if !isBool && !value.IsNull() {
				return options, "additions is not true or false. Write additions = true, or leave it out"
			}
			options.Additions = given.ValueBool()
		case text == nil && list == nil:
			return options, fmt.Sprintf("options have no attribute %q. %s", name, meant(name, known))
		case value.IsNull():
		case text != nil:
			given, isString := value.(types.String)
			if !isString || given.ValueString() == "" {
				return options, fmt.Sprintf("%s is not a string, or is empty. Write a string, or leave %[1]s out", name)
			}
			*text = given.ValueString()
		default:
			if *list, isObject = stringsOf(value); !isObject {
				return options, fmt.Sprintf("%s is not a list of strings. Write a list, for example %[1]s = "+
					"[\"a\", \"b-*\"]", name)
			}
		}
	}
	return options, ""
}

// meant returns what to write instead of the name of an attribute.
func meant(name string, known []string) string {
	if nearest := paths.SimilarNames(name, known); len(nearest) > 0 {
		return "Write " + nearest[0]
	}
	return "There are " + strings.Join(known[:len(known)-1], ", ") + " and " + known[len(known)-1]
}

// stringsOf returns the elements of a list, a set or a tuple of strings.
func stringsOf(value attr.Value) ([]string, bool) {
	elements := attributes.ElementsOf(value)
	if elements == nil {
		return nil, false
	}
	texts := make([]string, len(elements))
	for i, element := range elements {
		text, isString := element.(types.String)
		if !isString || text.IsNull() {
			return nil, false
		}
		texts[i] = text.ValueString()
	}
	return texts, true
}
