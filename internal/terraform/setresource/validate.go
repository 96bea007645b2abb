package setresource

import (
	"context"
	"errors"
	"maps"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/tfsdk"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/diagnostics/sets"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/hooks"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/model"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/providerdata"
)

var _ resource.ResourceWithValidateConfig = (*setResource)(nil)

// ValidateConfig checks the manifests and their write-only parts. Its errors do not quote them.
func (r *setResource) ValidateConfig(
	ctx context.Context, req resource.ValidateConfigRequest, resp *resource.ValidateConfigResponse,
) {
	var s set
	diags := req.Config.GetAttribute(ctx, path.Root(manifestsAttribute), &s.Manifests)
	diags.Append(req.Config.GetAttribute(ctx, path.Root(secretAttribute), &s.SecretManifests)...)
	diags.Append(s.takeWriteOnly(ctx, req.Config)...)
	c := checker{
		r.schemas, s.writeOnly, map[manifest.Identity]path.Path{}, map[string]manifest.Identity{},
		map[schema.GroupKind]bool{},
	}
	diags.Append(c.check(ctx, s.Manifests, false)...)
	diags.Append(s.checkWriteOnly()...)
	diags.Append(sets.Unlocated(s.checkSecret(ctx, c))...)
	resp.Diagnostics.Append(diags...)
}

// checker checks manifests.
type checker struct {
	schemas   *providerdata.Schemas
	writeOnly parts
	// named are the objects of the manifests that were checked, and services those that ask for a port or an address,
	// "spec.clusterIP 10.0.0.1" for instance.
	named    map[manifest.Identity]path.Path
	services map[string]manifest.Identity
	// defined are the kinds whose definitions are among the manifests. Their schemas may be older ones.
	defined map[schema.GroupKind]bool
}

// checkSecret checks the secret manifests next to the others.
func (s set) checkSecret(ctx context.Context, c checker) diag.Diagnostics {
	both, _ := hooks.EntriesIn(s.Manifests)
	secret, _ := hooks.EntriesIn(s.SecretManifests)
	if maps.DeleteFunc(both, func(key string, _ attr.Value) bool { return secret[key] == nil }); len(both) > 0 {
		return diag.Diagnostics{sets.KeysTwice(slices.Sorted(maps.Keys(both)))}
	}
	return c.check(ctx, s.SecretManifests, true)
}

// check checks the manifests of one attribute.
func (c checker) check(ctx context.Context, manifests types.Dynamic, isSecret bool) diag.Diagnostics {
	var diags diag.Diagnostics
	entries, known := hooks.EntriesIn(manifests)
	if known && entries == nil && !manifests.IsNull() {
		diags.Append(sets.NoMap(path.Root(entry{isSecret: isSecret}.attribute())))
	}
	var unfit []func() diag.Diagnostics
	for _, key := range slices.Sorted(maps.Keys(entries)) {
		of := entry{entries[key], isSecret}
		at := path.Root(of.attribute()).AtMapKey(key)
		if of.manifest.IsNull() {
			diags.Append(sets.Invalid(at, &manifest.Error{Problem: "it is null", Suggestion: "Leave out the key."}))
			continue
		}
		object := set{writeOnly: c.writeOnly}.object(key, of)
		body := object.Body()
		isOpen := false
		for _, undecided := range body.Undecided {
			isOpen = isOpen || undecided.IsOpen
		}
		var fault *manifest.Error
		switch {
		case !body.Known || isOpen && body.Err != nil:
			continue
		case errors.As(body.Err, &fault):
			diags.Append(sets.Invalid(at, fault))
			continue
		}
		id := body.Manifest.InAnyVersion()
		if other, twice := c.named[id]; twice {
			diags.Append(sets.Twice(body.Manifest.Identity, other, at))
			continue
		}
		c.named[id] = at
		c.defined[body.Manifest.Defines()] = true
		unfit = append(unfit, func() diag.Diagnostics {
			if c.defined[body.Manifest.GroupKind()] {
				return nil
			}
			return c.schemas.Check(ctx, object, at)
		})
		if isSecret {
			continue
		}
		for _, asked := range body.Manifest.Exclusive() {
			if other, twice := c.services[asked]; twice && other != body.Manifest.Identity {
				diags.Append(sets.ExclusiveTwice(at, asked, other, body.Manifest.Identity))
			}
			c.services[asked] = body.Manifest.Identity
		}
	}
	for _, check := range unfit {
		diags.Append(check()...)
	}
	return diags
}

const (
	writeOnlyAttribute        = "manifests_wo"
	writeOnlyVersionAttribute = "manifests_wo_version"
)

// checkWriteOnly checks the write-only parts.
func (s set) checkWriteOnly() diag.Diagnostics {
	var diags diag.Diagnostics
	entries, known := s.entries()
	for _, key := range slices.Sorted(maps.Keys(s.writeOnly.byKey)) {
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

// parts are the write-only parts of manifests, by their keys.
type parts struct {
	byKey     map[string]attr.Value
	isUnknown bool
}

// takeWriteOnly fills in the write-only parts from the configuration: plans and states do not hold them.
func (s *set) takeWriteOnly(ctx context.Context, config tfsdk.Config) diag.Diagnostics {
	var given types.Map
	diags := config.GetAttribute(ctx, path.Root(writeOnlyAttribute), &given)
	s.writeOnly = parts{given.Elements(), given.IsUnknown()}
	return diags
}

// partOf returns the write-only part of a manifest; null if it has none.
func (s *set) partOf(key string) types.String {
	if s.writeOnly.isUnknown {
		return types.StringUnknown()
	}
	if part, is := s.writeOnly.byKey[key].(types.String); is {
		return part
	}
	return types.StringNull()
}
