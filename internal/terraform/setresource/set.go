package setresource

import (
	"context"
	"hash/fnv"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework-timeouts/resource/timeouts"
	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/attributes"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/model"
)

// set has the attributes of the resource.
type set struct {
	Manifests       types.Dynamic  `tfsdk:"manifests"`
	FieldManager    types.String   `tfsdk:"field_manager"`
	IgnoreManagers  types.Set      `tfsdk:"ignore_managers"`
	SensitiveFields types.Set      `tfsdk:"sensitive_fields"`
	TakeOver        types.List     `tfsdk:"take_over_managers"`
	OnConflict      types.String   `tfsdk:"on_conflict"`
	AdoptExisting   types.Bool     `tfsdk:"adopt_existing"`
	OnDestroy       types.String   `tfsdk:"on_destroy"`
	Propagation     types.String   `tfsdk:"delete_propagation"`
	ForceDestroy    types.Bool     `tfsdk:"force_destroy"`
	Protection      types.Bool     `tfsdk:"delete_protection"`
	Wait            types.Object   `tfsdk:"wait"`
	Timeouts        timeouts.Value `tfsdk:"timeouts"`

	attributes.Connection
	computed
}

// computed are the attributes that the provider computes, apart from field_manager.
type computed struct {
	Objects         types.Map `tfsdk:"objects"`
	OwnersElsewhere types.Map `tfsdk:"owners_elsewhere"`
	Drifted         types.Map `tfsdk:"drifted"`
	Pending         types.Map `tfsdk:"pending"`
}

// entries returns the manifests by their keys. It returns false while the keys are not known.
func (s set) entries() (map[string]attr.Value, bool) {
	switch value := s.Manifests.UnderlyingValue().(type) {
	case types.Map:
		return value.Elements(), !value.IsUnknown()
	case types.Object:
		return value.Attributes(), !value.IsUnknown()
	}
	return nil, !s.Manifests.IsUnknown() && !s.Manifests.IsUnderlyingValueUnknown()
}

// withEntries returns the set with other manifests: as a map if they were one.
func (s set) withEntries(entries map[string]attr.Value) set {
	if was, is := s.Manifests.UnderlyingValue().(types.Map); is {
		s.Manifests = types.DynamicValue(types.MapValueMust(was.ElementType(context.Background()), entries))
		return s
	}
	kinds := make(map[string]attr.Type, len(entries))
	for key, entry := range entries {
		kinds[key] = entry.Type(context.Background())
	}
	s.Manifests = types.DynamicValue(types.ObjectValueMust(kinds, entries))
	return s
}

// managerPrefix begins the field manager of a set whose configuration names none.
const managerPrefix = "k8sconnect-"

// defaultManager returns the field manager of a set whose configuration names none. It follows from the keys, so that
// both plans of a create know it. The state keeps it when the keys change.
func defaultManager(entries map[string]attr.Value) string {
	digest := fnv.New64a()
	_, _ = digest.Write([]byte(strings.Join(slices.Sorted(maps.Keys(entries)), "\n")))
	return managerPrefix + strconv.FormatUint(digest.Sum64(), 36)
}

// setName tells the sets of a run apart.
type setName struct{ manager, cluster, keys string }

func (s set) name() setName {
	entries, _ := s.entries()
	return setName{s.FieldManager.ValueString(), s.ClusterName.ValueString(), defaultManager(entries)}
}

// object returns the model that a resource with one object of the set has. manifest is its entry, a string or an
// object; nil if the configuration has it no more.
func (s set) object(key string, manifest attr.Value) *model.Model {
	m := &model.Model{
		FieldManager:    s.FieldManager,
		IgnoreManagers:  s.IgnoreManagers,
		SensitiveFields: s.SensitiveFields,
		TakeOver:        s.TakeOver,
		OnConflict:      s.OnConflict,
		AdoptExisting:   s.AdoptExisting,
		OnDestroy:       s.OnDestroy,
		Propagation:     s.Propagation,
		ForceDestroy:    s.ForceDestroy,
		Protection:      s.Protection,
		Wait:            s.Wait,
		Timeouts:        s.Timeouts,
		Connection:      s.Connection,
		AdoptsOwn:       strings.HasPrefix(s.FieldManager.ValueString(), managerPrefix),
		Entry:           "manifests[" + strconv.Quote(key) + "]",
	}
	switch manifest := manifest.(type) {
	case types.String:
		m.YAMLBody = manifest
	case nil:
	default:
		m.Manifest = types.DynamicValue(manifest)
	}
	return m
}
