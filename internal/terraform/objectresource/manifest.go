package objectresource

import (
	"context"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/planmodifier"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/tfsdk"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/attributes"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/model"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/moving"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/objectkit"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/providerdata"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/validators"
)

var (
	manifestNames = namesOf("k8sconnect_manifest", "")
	// manifestSources are the resources of other providers that apply an object.
	manifestSources = slices.Concat(moving.Sources{moving.KubernetesManifest, moving.Typed}, moving.KubectlManifests,
		moving.Sources{moving.K8sconnectObject})
)

// NewManifest returns the resource k8sconnect_manifest: one Kubernetes object, applied by server-side apply, with the
// owners of its fields. schemas are what it validates objects against.
func NewManifest(schemas *providerdata.Schemas) resource.Resource {
	return &Resource{
		Objects: objectkit.Objects{Names: manifestNames}, schemas: schemas,
		attributes: ofManifest, sources: manifestSources, setMoved: setManifest,
	}
}

func ofManifest() map[string]schema.Attribute {
	return map[string]schema.Attribute{
		"yaml_body": schema.StringAttribute{
			Optional: true,
			Validators: []validator.String{
				attributes.ManifestValidator(), validators.ExactlyOneOf(model.ManifestAttribute),
			},
			PlanModifiers: []planmodifier.String{attributes.KeepEqual(manifest.EqualText)},
		},
		model.ManifestAttribute: schema.DynamicAttribute{
			Optional: true, Validators: []validator.Dynamic{attributes.ManifestObjectValidator()},
		},
		"pinned":    attributes.ComputedTexts(),
		"additions": attributes.Additions(),
	}
}

// setManifest sets the manifest, and the arguments that have an equivalent.
func setManifest(ctx context.Context, state *tfsdk.State, moved moving.Moved) diag.Diagnostics {
	var diags diag.Diagnostics
	set := func(at path.Path, value any, has bool) {
		if has {
			diags.Append(state.SetAttribute(ctx, at, value)...)
		}
	}
	settings := moved.Settings
	object, typed := objectOf(ctx, moved.Typed)
	set(path.Root(model.ManifestAttribute), object, typed)
	set(path.Root("yaml_body"), moved.Body, moved.Body != "" && !typed)
	set(path.Root("ignore_fields"), settings.IgnoreFields, len(settings.IgnoreFields) > 0)
	set(path.Root("sensitive_fields"), settings.SensitiveFields, len(settings.SensitiveFields) > 0)
	set(path.Root("delete_protection"), settings.Protected, settings.Protected != nil)
	set(path.Root("force_destroy"), settings.ForceDestroy, settings.ForceDestroy != nil)
	set(path.Root("on_destroy"), "release", settings.KeepsObject)
	set(path.Root("delete_propagation"), settings.Propagation, settings.Propagation != "")
	for _, operation := range []string{"create", "read", "update", "delete"} {
		duration := settings.Timeouts[operation]
		set(path.Root("timeouts").AtName(operation), duration, duration != "")
	}
	if cluster := settings.Cluster; cluster != nil {
		set(path.Root(attributes.AttributeName), cluster, *cluster != (moving.Connection{}))
	}
	if len(moved.Untranslated) > 0 {
		diags.Append(manifestNames.MovedPaths(moved.Object, moved.Untranslated))
	}
	if settings.KeepsObject {
		diags.Append(manifestNames.MovedKeptObject(moved.Object))
	}
	return diags
}

// objectOf returns the value in a JSON document of a state, which has the value and its type. It returns false for a
// document that cannot be decoded.
func objectOf(ctx context.Context, document []byte) (types.Dynamic, bool) {
	if len(document) == 0 {
		return types.DynamicNull(), false
	}
	const name = model.ManifestAttribute
	raw := tfprotov6.RawState{JSON: slices.Concat([]byte(`{"`+name+`":`), document, []byte("}"))}
	state, err := raw.Unmarshal(tftypes.Object{
		AttributeTypes: map[string]tftypes.Type{name: tftypes.DynamicPseudoType},
	})
	var attributes map[string]tftypes.Value
	if err == nil {
		err = state.As(&attributes)
	}
	if err != nil {
		return types.DynamicNull(), false
	}
	value, err := types.DynamicType.ValueFromTerraform(ctx, attributes[name])
	object, is := value.(types.Dynamic)
	return object, err == nil && is
}
