package setresource

import (
	"context"
	"fmt"
	"hash/fnv"
	"strconv"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/attributes"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/hooks"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/model"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/providerdata"
)

// set has the attributes of the resource.
type set struct {
	Manifests        types.Dynamic `tfsdk:"manifests"`
	SecretManifests  types.Dynamic `tfsdk:"secret_manifests"`
	WriteOnly        types.Map     `tfsdk:"manifests_wo"`
	WriteOnlyVersion types.String  `tfsdk:"manifests_wo_version"`
	Rules            types.Dynamic `tfsdk:"rules"`

	hooks.Attributes
	model.Shared
	computed

	// base has the rules, decoded, of the model of each object.
	base model.Model
	// writeOnly is the configuration's manifests_wo, of a plan.
	writeOnly parts
	// release is the one that a plan takes over; nil without one.
	release *hooks.Release
	// isResumed is true in a plan of a new set whose objects an apply that ended early has left.
	isResumed bool
}

// computed are the attributes that the provider computes, apart from field_manager.
type computed struct {
	Objects         types.Map `tfsdk:"objects"`
	OwnersElsewhere types.Map `tfsdk:"owners_elsewhere"`
	Drifted         types.Map `tfsdk:"drifted"`
	Additions       types.Map `tfsdk:"additions"`
	Conflicts       types.Map `tfsdk:"conflicts"`
	Pending         types.Map `tfsdk:"pending"`
}

// readSet returns the set of a plan or a state. Its rules have to be known.
func readSet(
	ctx context.Context, from interface {
		Get(ctx context.Context, target any) diag.Diagnostics
	},
) (set, diag.Diagnostics) {
	var s set
	diags := from.Get(ctx, &s)
	all, faults := attributes.RulesOfResource(ctx, s.Rules)
	diags.Append(faults...)
	s.base.OwnRules = all
	s.keepParsed()
	return s, diags
}

// hooked returns what hooks see of a set; nil without one.
func (s *set) hooked() *hooks.Set {
	if s == nil {
		return nil
	}
	return &hooks.Set{
		Attributes: &s.Attributes, Pending: &s.Pending, Manifests: s.Manifests, SecretManifests: s.SecretManifests,
		FieldManager: s.FieldManager, Timeouts: s.Timeouts, Connection: s.Connection, Taken: s.release,
		IsResumed: s.isResumed,
	}
}

// The attributes with the manifests. All fields of those in secretAttribute are secret, apart from the ones that
// identify an object.
const (
	manifestsAttribute = "manifests"
	secretAttribute    = "secret_manifests"
)

// entry is a manifest of a set: a string or an object, nil without one.
type entry struct {
	manifest attr.Value
	isSecret bool
}

func (e entry) attribute() string {
	if e.isSecret {
		return secretAttribute
	}
	return manifestsAttribute
}

// entries returns the manifests by their keys. It returns false while the keys are not known.
func (s set) entries() (map[string]entry, bool) {
	open, known := hooks.EntriesIn(s.Manifests)
	secret, secretKnown := hooks.EntriesIn(s.SecretManifests)
	all := make(map[string]entry, len(open)+len(secret))
	for key, manifest := range open {
		all[key] = entry{manifest, false}
	}
	for key, manifest := range secret {
		all[key] = entry{manifest, true}
	}
	return all, known && secretKnown
}

// withEntries returns the set with other manifests.
func (s set) withEntries(entries map[string]entry) set {
	parts := map[bool]map[string]attr.Value{false: {}, true: {}}
	for key, of := range entries {
		parts[of.isSecret][key] = of.manifest
	}
	s.Manifests = formed(s.Manifests, parts[false])
	if len(parts[true]) > 0 || !s.SecretManifests.IsNull() {
		s.SecretManifests = formed(s.SecretManifests, parts[true])
	}
	return s
}

// formed returns manifests as a map if they were one and still can be.
func formed(was types.Dynamic, manifests map[string]attr.Value) types.Dynamic {
	if was, is := was.UnderlyingValue().(types.Map); is {
		if value, diags := types.MapValue(was.ElementType(context.Background()), manifests); !diags.HasError() {
			return types.DynamicValue(value)
		}
	}
	kinds := make(map[string]attr.Type, len(manifests))
	for key, manifest := range manifests {
		kinds[key] = manifest.Type(context.Background())
	}
	return types.DynamicValue(types.ObjectValueMust(kinds, manifests))
}

// defaultManager returns the field manager of a set whose configuration names none. It is a digest of the keys and the
// objects, because both plans of a create have to come to the same name. The state keeps it when they change. It
// returns false if not all objects are known.
func defaultManager(members []*member) (string, bool) {
	digest, isKnown := fnv.New64a(), true
	for _, m := range members {
		id := m.id().InAnyVersion()
		isKnown = isKnown && id.Name != ""
		_, _ = fmt.Fprintf(digest, "%q %q\n", m.key, id)
	}
	return providerdata.SetManagerPrefix + strconv.FormatUint(digest.Sum64(), 36), isKnown
}

// setName distinguishes the sets that a run creates, by their whole configuration.
type setName struct{ manager, manifests, secretManifests, cluster, clusterName string }

func (s set) name() setName {
	return setName{s.FieldManager.String(), s.Manifests.String(), s.SecretManifests.String(), s.Cluster.String(),
		s.ClusterName.String()}
}

// everything is the sensitive_fields of a secret manifest.
var everything = types.SetValueMust(types.StringType, []attr.Value{types.StringValue("*")})

// object returns the model that a resource with one object of the set has. of is its entry, without a manifest if the
// configuration has it no more.
func (s set) object(key string, of entry) *model.Model {
	at := of.attribute() + "[" + strconv.Quote(key) + "]"
	m := &model.Model{Shared: s.Shared, Member: model.Member{OwnRules: s.base.OwnRules, Entry: at}}
	if of.isSecret {
		m.SensitiveFields = everything
	}
	manage(m, s.FieldManager)
	if part := s.partOf(key); !part.IsNull() {
		model.SetWriteOnly(m, part, s.WriteOnlyVersion)
	}
	switch manifest := of.manifest.(type) {
	case types.String:
		m.YAMLBody = manifest
	case nil:
	default:
		m.Manifest = types.DynamicValue(manifest)
	}
	return m
}

// manage sets the field manager of a model. If the set has chosen the name itself, it adopts the objects that this
// manager has applied.
func manage(m *model.Model, fieldManager types.String) {
	m.FieldManager = fieldManager
	m.AdoptsOwn = strings.HasPrefix(fieldManager.ValueString(), providerdata.SetManagerPrefix)
}
