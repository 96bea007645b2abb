package setresource

import (
	"context"
	"errors"
	"maps"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/schema/validator"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/arguments"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/diagnostics/sets"
)

// manifestsValidator accepts a map of manifests, of which no two are about one object.
type manifestsValidator struct{}

// Description implements validator.Describer.
func (manifestsValidator) Description(context.Context) string {
	return "a map of YAML documents or objects, each with apiVersion, kind and metadata.name"
}

// MarkdownDescription implements validator.Describer.
func (v manifestsValidator) MarkdownDescription(ctx context.Context) string {
	return v.Description(ctx)
}

// ValidateDynamic implements validator.Dynamic.
func (manifestsValidator) ValidateDynamic(
	_ context.Context, req validator.DynamicRequest, resp *validator.DynamicResponse,
) {
	value := req.ConfigValue
	if value.IsNull() || value.IsUnknown() || value.IsUnderlyingValueUnknown() {
		return
	}
	given := set{Manifests: value}
	entries, _ := given.entries()
	if entries == nil {
		resp.Diagnostics.Append(sets.NoMap(req.Path))
		return
	}
	keys := map[manifest.Identity]string{}
	for _, key := range slices.Sorted(maps.Keys(entries)) {
		if entries[key].IsNull() {
			resp.Diagnostics.Append(sets.Invalid(req.Path.AtMapKey(key), &manifest.Error{
				Problem: "it is null", Suggestion: "Leave out the key.",
			}))
			continue
		}
		body := given.object(key, entries[key]).Body()
		isOpen := slices.ContainsFunc(body.Undecided, func(u arguments.Undecided) bool { return u.IsOpen })
		var fault *manifest.Error
		switch {
		case !body.Known || isOpen:
			continue
		case errors.As(body.Err, &fault):
			resp.Diagnostics.Append(sets.Invalid(req.Path.AtMapKey(key), fault))
			continue
		}
		object := nameOf(body.Manifest.Identity)
		if other, twice := keys[object]; twice {
			resp.Diagnostics.Append(sets.Twice(req.Path, body.Manifest.Identity, other, key))
		}
		keys[object] = key
	}
}
