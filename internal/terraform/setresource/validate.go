package setresource

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/tfsdk"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/diagnostics/sets"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/model"
)

var _ resource.ResourceWithValidateConfig = (*setResource)(nil)

// ValidateConfig checks the manifests and their write-only parts. Its errors do not quote them.
func (*setResource) ValidateConfig(
	ctx context.Context, req resource.ValidateConfigRequest, resp *resource.ValidateConfigResponse,
) {
	var s set
	diags := req.Config.GetAttribute(ctx, path.Root(manifestsAttribute), &s.Manifests)
	diags.Append(req.Config.GetAttribute(ctx, path.Root(secretAttribute), &s.SecretManifests)...)
	diags.Append(s.takeWriteOnly(ctx, req.Config)...)
	before := seen{map[manifest.Identity]path.Path{}, map[string]manifest.Identity{}}
	diags.Append(check(s.Manifests, false, before)...)
	diags.Append(s.checkWriteOnly()...)
	diags.Append(sets.Unlocated(s.checkSecret(before))...)
	resp.Diagnostics.Append(diags...)
}

// seen is what the manifests have that are checked already.
type seen struct {
	objects map[manifest.Identity]path.Path
	// services are those that ask for a port or an address, "spec.clusterIP 10.0.0.1" for instance.
	services map[string]manifest.Identity
}

// checkSecret checks the secret manifests beside the others.
func (s set) checkSecret(before seen) diag.Diagnostics {
	both, _ := entriesIn(s.Manifests)
	secret, _ := entriesIn(s.SecretManifests)
	if maps.DeleteFunc(both, func(key string, _ attr.Value) bool { return secret[key] == nil }); len(both) > 0 {
		return diag.Diagnostics{sets.KeysTwice(slices.Sorted(maps.Keys(both)))}
	}
	return check(s.SecretManifests, true, before)
}

// check checks the manifests of one attribute.
func check(manifests types.Dynamic, isSecret bool, before seen) diag.Diagnostics {
	var diags diag.Diagnostics
	entries, known := entriesIn(manifests)
	if known && entries == nil && !manifests.IsNull() {
		diags.Append(sets.NoMap(path.Root(entry{isSecret: isSecret}.attribute())))
	}
	for _, key := range slices.Sorted(maps.Keys(entries)) {
		of := entry{entries[key], isSecret}
		at := path.Root(of.attribute()).AtMapKey(key)
		if of.manifest.IsNull() {
			diags.Append(sets.Invalid(at, &manifest.Error{Problem: "it is null", Suggestion: "Leave out the key."}))
			continue
		}
		body := set{}.object(key, of).Body()
		isOpen := false
		for _, undecided := range body.Undecided {
			isOpen = isOpen || undecided.IsOpen
		}
		var fault *manifest.Error
		switch {
		case !body.Known || isOpen:
			continue
		case errors.As(body.Err, &fault):
			diags.Append(sets.Invalid(at, fault))
			continue
		}
		object := nameOf(body.Manifest.Identity)
		if other, twice := before.objects[object]; twice {
			diags.Append(sets.Twice(body.Manifest.Identity, other, at))
			continue
		}
		before.objects[object] = at
		if isSecret {
			continue
		}
		for _, asked := range exclusive(body.Manifest) {
			if other, twice := before.services[asked]; twice && other != body.Manifest.Identity {
				diags.Append(sets.ExclusiveTwice(at, asked, other, body.Manifest.Identity))
			}
			before.services[asked] = body.Manifest.Identity
		}
	}
	return diags
}

// exclusive returns the ports and the address that a Service asks for, and that no other Service can have.
func exclusive(of manifest.Manifest) []string {
	if of.Identity.APIVersion != "v1" || of.Identity.Kind != "Service" {
		return nil
	}
	var all []string
	add := func(field string, value any) {
		if text := fmt.Sprint(value); value != nil && text != "0" && text != "" && text != "None" {
			all = append(all, field+" "+text)
		}
	}
	spec, _, _ := unstructured.NestedMap(of.Object, "spec")
	ports, _ := spec["ports"].([]any)
	for _, item := range ports {
		port, _ := item.(map[string]any)
		add("nodePort", port["nodePort"])
	}
	add("nodePort", spec["healthCheckNodePort"])
	add("clusterIP", spec["clusterIP"])
	return all
}

const (
	writeOnlyAttribute        = "manifests_wo"
	writeOnlyVersionAttribute = "manifests_wo_version"
)

// checkWriteOnly checks the write-only parts.
func (s set) checkWriteOnly() diag.Diagnostics {
	var diags diag.Diagnostics
	entries, known := s.entries()
	for _, key := range slices.Sorted(maps.Keys(s.writeOnly.Elements())) {
		if _, has := entries[key]; !has && known {
			diags.Append(sets.WithoutManifest(path.Root(writeOnlyAttribute), key))
		}
		part := s.partOf(key)
		if !model.IsKnown(part) {
			continue
		}
		if _, err := manifest.ParsePartial(part.ValueString()); err != nil {
			diags.Append(sets.InvalidPart(path.Root(writeOnlyAttribute).AtMapKey(key), err))
		}
	}
	return diags
}

// takeWriteOnly fills in the write-only parts from the configuration: plans and states do not hold them.
func (s *set) takeWriteOnly(ctx context.Context, config tfsdk.Config) diag.Diagnostics {
	return config.GetAttribute(ctx, path.Root(writeOnlyAttribute), &s.writeOnly)
}

// partOf returns the write-only part of a manifest; null if it has none.
func (s *set) partOf(key string) types.String {
	if s.writeOnly.IsUnknown() {
		return types.StringUnknown()
	}
	if part, is := s.writeOnly.Elements()[key].(types.String); is {
		return part
	}
	return types.StringNull()
}
