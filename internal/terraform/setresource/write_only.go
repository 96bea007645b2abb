package setresource

import (
	"context"
	"maps"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/tfsdk"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/diagnostics/sets"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/model"
)

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
