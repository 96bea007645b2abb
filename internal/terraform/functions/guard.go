package functions

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/function"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/paths"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/guard"
)

type guardFunction struct{}

// NewGuard returns the function guard.
func NewGuard() function.Function { return guardFunction{} }

func (guardFunction) Metadata(_ context.Context, _ function.MetadataRequest, resp *function.MetadataResponse) {
	resp.Name = "guard"
}

const aboutGuard = "Returns the manifests of a ValidatingAdmissionPolicy and its bindings, for " +
	"`k8sconnect_manifests`. With " +
	"them, the API server refuses a write by another manager that takes or removes a field that yours own, or warns " +
	"of it. The policy is about every kind: it compares the entries of your field managers in `managedFields` before " +
	"and after the write. What others do to their own fields, and to fields of which you set none, passes.\n\n" +
	"In an emergency, `kubectl delete validatingadmissionpolicybinding k8sconnect-guard k8sconnect-guard-deletes " +
	"--ignore-not-found` ends it, with the names that you gave. [Guard what you own](../guides/guard.md) says what " +
	"passes and what the guard does not protect " +
	"from.\n\n" +
	"The API server has needed no setting for that since Kubernetes 1.30. The function needs no cluster, and " +
	"so does not know the version. " +
	"An older one refuses the manifests: Kind Not Served.\n\n"

const guardOptions = "An object:\n\n" +
	"- `mode`: `\"warn\"` prints a warning to whoever writes, and notes it in the audit log. `\"deny\"` refuses the " +
	"write. `\"audit\"` only notes it.\n" +
	"- `field_managers`: whose fields are guarded. Default: `[\"k8sconnect*\"]`, the managers that this " +
	"provider uses " +
	"where no `field_manager` is set. In this and the other lists, `*` stands for any characters, `?` for one, and " +
	"`[ab]` for a or b.\n" +
	"- `owner_users`, `owner_groups`: who may write under these managers. Without them, everybody who gives the name " +
	"may: a field manager is a name, and no secret.\n" +
	"- `exempt_users`, `exempt_groups`: who may write everything.\n" +
	"- `kinds`, `namespaces`: what is guarded, for example `[\"apps/Deployment\"]` and `[\"shop-*\"]`. Default: " +
	"everything. `namespaces` covers no cluster-scoped object.\n" +
	"- `scale`: the objects that others must not scale, by keys `group/kind/namespace/name` as `documents` " +
	"makes them. " +
	"Default: none, so that autoscalers work.\n" +
	"- `delete`: what becomes of deletions by others, one of the modes. Default: they pass. It needs " +
	"`owner_users` or " +
	"`owner_groups`.\n" +
	"- `additions`: `true` finds also writes that add a field, such as a container, to an object of which you own " +
	"fields. `mode` says what becomes of them. Default: `false`.\n" +
	"- `source`: where the objects are configured, for the messages.\n" +
	"- `name`: the name of the policy and its binding. Default: `\"k8sconnect-guard\"`.\n"

func (guardFunction) Definition(_ context.Context, _ function.DefinitionRequest, resp *function.DefinitionResponse) {
	resp.Definition = function.Definition{
		Summary:             "Returns a policy of the API server that keeps others from the fields that you own",
		MarkdownDescription: aboutGuard + needs,
		Parameters: []function.Parameter{
			// An unknown attribute has to be an error; see optionsParameter.
			function.DynamicParameter{Name: "options", MarkdownDescription: guardOptions},
		},
		Return: function.MapReturn{ElementType: types.StringType},
	}
}

func (guardFunction) Run(ctx context.Context, req function.RunRequest, resp *function.RunResponse) {
	var given types.Dynamic
	if resp.Error = req.Arguments.Get(ctx, &given); resp.Error != nil {
		return
	}
	options, problem := readGuard(given.UnderlyingValue())
	if problem == "" {
		problem = options.Check()
	}
	if problem != "" {
		resp.Error = function.NewArgumentFuncError(0, problem)
		return
	}
	manifests, err := guard.Manifests(options)
	if err != nil {
		resp.Error = function.NewFuncError(err.Error())
		return
	}
	resp.Error = resp.Result.Set(ctx, manifests)
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
	var elements []attr.Value
	switch value := value.(type) {
	case types.Tuple:
		elements = value.Elements()
	case types.List:
		elements = value.Elements()
	case types.Set:
		elements = value.Elements()
	default:
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
