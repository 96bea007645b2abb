package attributes

import (
	"context"
	"fmt"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/paths"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/arguments"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/diagnostics/invalid"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/validators"
)

// FieldPathsValidator returns a validator of a set of field paths; attribute is its name, for errors.
func FieldPathsValidator(attribute string) validator.Set {
	return fieldPathsValidator{"field paths", attribute, pathChecks[attribute]}
}

// pathChecks are what the paths of arguments must not name, apart from those that do not parse: the object's identity,
// and fields that only the API server writes.
var pathChecks = map[string][]func(paths.Pattern) string{
	arguments.IgnoreFields: {checkIdentity("be ignored")},
	arguments.PinFields:    {checkIdentity("be pinned"), checkServerOwned("be pinned"), checkPosition},
	arguments.RemoveFields: {checkIdentity("be removed"), checkServerOwned("be removed"), checkLanguage, checkPosition},
}

// checkLanguage finds the wildcard of another path language. It would cover nothing. No plan would report that in
// remove_fields, because a field that is removed already looks the same.
func checkLanguage(pattern paths.Pattern) string {
	text := pattern.String()
	if meant := paths.Translate(text); strings.Contains(text, ".*") && len(meant) > 0 {
		return fmt.Sprintf(" is a path of another language, and no object has a field of that name.\n\nWrite %q.",
			meant[0])
	}
	return ""
}

// checkPosition finds positions in lists: yaml_body does not contain the items, and other managers change their
// positions.
func checkPosition(pattern paths.Pattern) string {
	if pattern.HasPosition() {
		return " names a list item by its position, which others may change.\n\nName it by its key, as in " +
			"spec.template.spec.containers[name=\"app\"], or all items by [*]."
	}
	return ""
}

// fieldPathsValidator accepts paths that parse and pass checks. A check returns the problem and advice, or "".
type fieldPathsValidator struct {
	validators.Described
	attribute string
	checks    []func(paths.Pattern) string
}

func (v fieldPathsValidator) ValidateSet(_ context.Context, req validator.SetRequest, resp *validator.SetResponse) {
	for _, element := range req.ConfigValue.Elements() {
		pattern, at, ok := v.pattern(element, req.Path, resp)
		if !ok {
			continue
		}
		for _, check := range v.checks {
			if problem := check(pattern); problem != "" {
				resp.Diagnostics.Append(invalid.FieldPath(at, v.attribute, pattern.String()+problem))
				break
			}
		}
	}
}

// pattern returns the path in an element of the set, and false if the string is unknown or invalid.
func (v fieldPathsValidator) pattern(
	element attr.Value, set path.Path, resp *validator.SetResponse,
) (pattern paths.Pattern, at path.Path, ok bool) {
	text, isText := element.(types.String)
	if !isText || text.IsUnknown() {
		return paths.Pattern{}, at, false
	}
	at = set.AtSetValue(text)
	if text.IsNull() {
		resp.Diagnostics.Append(invalid.FieldPath(at, v.attribute, "a path is null.\n\nRemove it."))
		return paths.Pattern{}, at, false
	}
	pattern, err := paths.ParseArgument(text.ValueString())
	if err != nil {
		resp.Diagnostics.Append(invalid.FieldPath(at, v.attribute, err.Error()))
		return paths.Pattern{}, at, false
	}
	return pattern, at, true
}

// identityFields cannot be ignored: they identify the object.
var identityFields = []paths.Path{
	{paths.Field("apiVersion")}, {paths.Field("kind")}, {paths.Field("metadata"), paths.Field("name")},
	{paths.Field("metadata"), paths.Field("namespace")},
}

// checkIdentity returns a check for patterns that cover the object's identity. cannot completes "its identity cannot".
func checkIdentity(cannot string) func(paths.Pattern) string {
	return func(pattern paths.Pattern) string {
		if pattern.Match(identityFields[0]) && pattern.Match(identityFields[1]) {
			return " covers the whole object, and its identity cannot " + cannot + ".\n\nName fields of it, spec or " +
				"spec.replicas for instance."
		}
		for _, identity := range identityFields {
			if pattern.Match(identity) && !pattern.Match(identity[:1]) ||
				len(identity) == 1 && pattern.Match(identity) {
				return " is part of the object's identity and cannot " + cannot + ".\n\nRemove it."
			}
		}
		return ""
	}
}

// checkServerOwned returns a check for patterns that cover fields that only the API server and controllers write.
// cannot completes "so it cannot".
func checkServerOwned(cannot string) func(paths.Pattern) string {
	return func(pattern paths.Pattern) string {
		for _, owned := range serverOwned {
			if pattern.IsWithin(owned) || owned.IsWithin(pattern) {
				return " is written by the API server and by controllers alone, so it cannot " + cannot +
					".\n\nRemove it."
			}
		}
		return ""
	}
}

// serverOwned are patterns of the fields that only the API server and controllers write.
var serverOwned = func() paths.Patterns {
	texts := []string{"status"}
	for _, name := range manifest.ServerMetadata() {
		texts = append(texts, "metadata."+name)
	}
	patterns, _ := paths.ParseAll(texts)
	return patterns
}()

// listPathValidator accepts a key of list_lengths: a path of a list whose length can be limited.
type listPathValidator struct{ validators.Described }

func (listPathValidator) ValidateString(
	_ context.Context, req validator.StringRequest, resp *validator.StringResponse,
) {
	refuse := func(problem string) {
		resp.Diagnostics.Append(invalid.FieldPath(req.Path, "list_lengths", problem))
	}
	pattern, err := paths.ParseArgument(req.ConfigValue.ValueString())
	if err != nil {
		refuse(err.Error())
		return
	}
	if pattern.IsEntry() {
		refuse(pattern.String() + " selects entries of a list.\n\nWrite the path of the list itself, for example " +
			"spec.ports.")
		return
	}
	for _, check := range []func(paths.Pattern) string{checkIdentity("have a length"),
		checkServerOwned("have a length")} {
		if problem := check(pattern); problem != "" {
			refuse(pattern.String() + problem)
			return
		}
	}
}
