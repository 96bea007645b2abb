package attributes

import (
	"context"
	"errors"

	"github.com/hashicorp/terraform-plugin-framework/resource/schema/planmodifier"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/patches"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/diagnostics/invalid"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/validators"
)

// ManifestValidator returns a validator that accepts one manifest.
func ManifestValidator() validator.String {
	return manifestValidator{
		Described: "one YAML document with apiVersion, kind and metadata.name",
		parse: func(text string) error {
			_, err := manifest.Parse(text)
			return err
		},
	}
}

// partialManifestValidator returns a validator that accepts a part of a manifest. Its errors do not quote the manifest.
func partialManifestValidator() validator.String {
	return manifestValidator{
		Described: "one YAML document with fields of an object",
		parse: func(text string) error {
			_, err := manifest.ParsePartial(text)
			return err
		},
	}
}

// PartValidator returns a validator that accepts fields of an object.
func PartValidator() validator.String {
	return manifestValidator{Described: "one YAML document with fields of an object", parse: manifest.CheckPart}
}

// KeepEqualPart does what [KeepEqualManifest] does, for fields of an object.
func KeepEqualPart() planmodifier.String { return keepEqual(manifest.EqualPart) }

// KeepEqualPatch does what [KeepEqualManifest] does, for the JSON of a patch.
func KeepEqualPatch() planmodifier.String { return keepEqual(patches.EqualBody) }

// KeepEqualManifest returns a plan modifier that keeps the prior string if the new one means the same manifest.
func KeepEqualManifest() planmodifier.String { return keepEqual(manifest.EqualText) }

func keepEqual(equal func(a, b string) bool) planmodifier.String {
	return keepEqualManifest{"An edit that changes only the formatting plans nothing.", equal}
}

// manifestValidator accepts what parse accepts.
type manifestValidator struct {
	validators.Described
	parse func(text string) error
}

func (v manifestValidator) ValidateString(
	_ context.Context, req validator.StringRequest, resp *validator.StringResponse,
) {
	if req.ConfigValue.IsNull() || req.ConfigValue.IsUnknown() {
		return
	}
	var fault *manifest.Error
	if errors.As(v.parse(req.ConfigValue.ValueString()), &fault) {
		resp.Diagnostics.Append(invalid.Manifest(req.Path, fault))
	}
}

// keepEqualManifest plans the prior string if the new one is equal to it.
type keepEqualManifest struct {
	validators.Described
	equal func(a, b string) bool
}

func (m keepEqualManifest) PlanModifyString(
	_ context.Context, req planmodifier.StringRequest, resp *planmodifier.StringResponse,
) {
	if req.StateValue.IsNull() || req.PlanValue.IsUnknown() {
		return
	}
	if m.equal(req.StateValue.ValueString(), req.PlanValue.ValueString()) {
		resp.PlanValue = req.StateValue
	}
}
