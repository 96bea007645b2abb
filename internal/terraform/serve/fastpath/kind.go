package fastpath

import (
	"bytes"
	"context"
	"encoding/json"
	"maps"
	"strings"
	"sync"

	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/provider"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/resource/identityschema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/planmodifier"
	"github.com/hashicorp/terraform-plugin-framework/tfsdk"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/privatestate"
)

// Provider is a provider that also gives this package the data that its resources get from the framework.
type Provider interface {
	provider.Provider
	// ResourceData returns what Configure handed to resources; nil before that.
	ResourceData() any
}

// Answered is a resource whose requests this package answers. The framework answers those of every other resource.
type Answered interface {
	resource.ResourceWithModifyPlan
	// AnsweredAhead is true if nothing in the schema makes the framework change a read, or a plan in another way than
	// propose does: no defaults, no semantic equality, and no plan modifiers but those that TestSchemas lists.
	AnsweredAhead()
}

// Noting is a resource that notes states that may be those of unfinished creates.
type Noting interface {
	// NoteStored notes a state before the CLI refreshes it, plans with it or destroys it.
	NoteStored(ctx context.Context, stored tfsdk.State)
}

type kind struct {
	make   func() resource.Resource
	schema schema.Schema
	// plain are the attributes without attributes below them.
	plain    map[string]bool
	typ      tftypes.Type
	identity *identityschema.Schema
	idType   tftypes.Type
}

// Answers answers requests for the resources of a provider.
type Answers struct {
	provider Provider
	kinds    func() map[string]*kind
}

// New returns the answers of a provider. A nil *Answers leaves everything to the framework. It asks for the schemas
// when the first request comes.
func New(of Provider) *Answers {
	return &Answers{provider: of, kinds: sync.OnceValue(func() map[string]*kind { return kindsOf(of) })}
}

// kindsOf returns the resources that this package answers for, by type.
func kindsOf(p provider.Provider) map[string]*kind {
	ctx, kinds := context.Background(), map[string]*kind{}
	var about provider.MetadataResponse
	p.Metadata(ctx, provider.MetadataRequest{}, &about)
	for _, newResource := range p.Resources(ctx) {
		r := newResource()
		if _, is := r.(Answered); !is {
			continue
		}
		var metadata resource.MetadataResponse
		r.Metadata(ctx, resource.MetadataRequest{ProviderTypeName: about.TypeName}, &metadata)
		var described resource.SchemaResponse
		r.Schema(ctx, resource.SchemaRequest{}, &described)
		k := &kind{
			make: newResource, schema: described.Schema, plain: plainNames(described.Schema),
			typ: described.Schema.Type().TerraformType(ctx),
		}
		if identified, is := r.(resource.ResourceWithIdentity); is {
			var identity resource.IdentitySchemaResponse
			identified.IdentitySchema(ctx, resource.IdentitySchemaRequest{}, &identity)
			k.identity, k.idType = &identity.IdentitySchema, identity.IdentitySchema.Type().TerraformType(ctx)
		}
		kinds[metadata.TypeName] = k
	}
	return kinds
}

// open returns the kind and a configured resource of it; nil if the framework has to answer.
func (a *Answers) open(ctx context.Context, typeName string) (*kind, resource.Resource) {
	if a == nil {
		return nil, nil
	}
	k, data := a.kinds()[typeName], a.provider.ResourceData()
	if k == nil || data == nil {
		return nil, nil
	}
	r, ok := k.configured(ctx, data)
	if !ok {
		return nil, nil
	}
	return k, r
}

// configured returns a resource with the data of the provider, which is nil before the provider has its configuration.
func (k *kind) configured(ctx context.Context, data any) (r resource.Resource, ok bool) {
	r = k.make()
	var resp resource.ConfigureResponse
	if configurable, is := r.(resource.ResourceWithConfigure); is {
		configurable.Configure(ctx, resource.ConfigureRequest{ProviderData: data}, &resp)
	}
	return r, len(resp.Diagnostics) == 0
}

// decodeIdentity returns the identity that a request holds, or a null one; nil if the kind has none.
func (k *kind) decodeIdentity(stored *tfprotov6.ResourceIdentityData) (*tfsdk.ResourceIdentity, error) {
	if k.identity == nil {
		return nil, nil
	}
	raw := tftypes.NewValue(k.idType, nil)
	if stored != nil && stored.IdentityData != nil {
		var err error
		if raw, err = stored.IdentityData.Unmarshal(k.idType); err != nil {
			return nil, err
		}
	}
	return &tfsdk.ResourceIdentity{Schema: *k.identity, Raw: raw}, nil
}

// encodeIdentity returns the answer's identity: the stored one if it is the same.
func (k *kind) encodeIdentity(
	identity *tfsdk.ResourceIdentity, was tftypes.Value, stored *tfprotov6.ResourceIdentityData,
) (*tfprotov6.ResourceIdentityData, error) {
	if identity == nil {
		return nil, nil
	}
	if stored != nil && stored.IdentityData != nil && identity.Raw.Equal(was) {
		return stored, nil
	}
	data, err := tfprotov6.NewDynamicValue(k.idType, identity.Raw)
	return &tfprotov6.ResourceIdentityData{IdentityData: &data}, err
}

// encode returns a state: the stored one if it is the same.
func (k *kind) encode(value, was tftypes.Value, stored *tfprotov6.DynamicValue) (*tfprotov6.DynamicValue, error) {
	if value.Equal(was) {
		return stored, nil
	}
	encoded, err := tfprotov6.NewDynamicValue(k.typ, value)
	return &encoded, err
}

// private is the private state of one request. D is the framework's type of it, which it does not export.
type private[D privatestate.Private] struct {
	data      D
	documents map[string]json.RawMessage
	was       []byte
}

// readPrivate returns stored private state in the framework's type. The second argument is nil, and only names that
// type. It returns false if the framework keeps something of its own in the private state.
func readPrivate[T any, D interface {
	*T
	privatestate.Private
}](ctx context.Context, _ D, stored []byte) (private[D], bool) {
	documents, err := privatestate.Documents(stored)
	if err != nil {
		return private[D]{}, false
	}
	p := private[D]{data: D(new(T)), documents: documents, was: stored}
	for key, document := range documents {
		// Keys that begin with a dot are the framework's own, and it refuses to set them here.
		if strings.HasPrefix(key, ".") || p.data.SetKey(ctx, key, document).HasError() {
			return private[D]{}, false
		}
	}
	return p, true
}

// stored returns the private state of the answer: that of the request if nothing has changed.
func (p private[D]) stored(ctx context.Context) []byte {
	now, same := map[string]json.RawMessage{}, true
	// The framework's type cannot list its keys.
	for _, key := range privatestate.Keys {
		document, _ := p.data.GetKey(ctx, key)
		same = same && bytes.Equal(document, p.documents[key])
		if len(document) > 0 {
			now[key] = document
		}
	}
	if same {
		return p.was
	}
	return privatestate.SealDocuments(now)
}

// plainNames returns the names of the attributes without attributes below them. Only the framework looks below an
// attribute or a block for what a plan changes.
func plainNames(of schema.Schema) map[string]bool {
	plain := map[string]bool{}
	for name, attribute := range of.Attributes {
		_, isNested := attribute.(schema.NestedAttribute)
		plain[name] = !isNested
	}
	return plain
}

// areAllPlain reports whether nothing is configured that has attributes below it.
func (k *kind) areAllPlain(configured map[string]tftypes.Value) bool {
	for name, value := range configured {
		if !value.IsNull() && !k.plain[name] {
			return false
		}
	}
	return true
}

// propose returns the plan that the framework hands to the resource: what the CLI proposes, with write-only values as
// null, with computed values that the configuration does not set as unknown if anything changes, and with the changes
// of the plan modifiers of strings. It returns false if the framework has to plan.
func (k *kind) propose(ctx context.Context, config, proposed, prior tftypes.Value) (plan tftypes.Value, ok bool) {
	var configured, before, shared map[string]tftypes.Value
	if config.As(&configured) != nil || prior.As(&before) != nil || proposed.As(&shared) != nil ||
		!k.areAllPlain(configured) {
		return plan, false
	}
	values := maps.Clone(shared)
	for name, attribute := range k.schema.Attributes {
		// Before the comparison: no state holds a write-only value, so each plan would differ from it.
		if attribute.IsWriteOnly() && !values[name].IsNull() {
			values[name] = tftypes.NewValue(values[name].Type(), nil)
		}
	}
	if prior.IsNull() || !maps.EqualFunc(values, before, tftypes.Value.Equal) {
		for name, attribute := range k.schema.Attributes {
			if attribute.IsComputed() && configured[name].IsNull() {
				values[name] = tftypes.NewValue(attribute.GetType().TerraformType(ctx), tftypes.UnknownValue)
			}
		}
	}
	req := planmodifier.StringRequest{
		Config: tfsdk.Config{Schema: k.schema, Raw: config}, State: tfsdk.State{Schema: k.schema, Raw: prior},
		Plan: tfsdk.Plan{Schema: k.schema, Raw: tftypes.NewValue(k.typ, values)},
	}
	// NewValue keeps the map that it gets, and each modifier has to see the plan from before all of them.
	modified := maps.Clone(values)
	for name, attribute := range k.schema.Attributes {
		text, is := attribute.(schema.StringAttribute)
		if !is || len(text.PlanModifiers) == 0 {
			continue
		}
		req.Path, req.PathExpression = path.Root(name), path.MatchRoot(name)
		req.ConfigValue, req.PlanValue, req.StateValue = stringOf(
			configured[name]), stringOf(values[name]), stringOf(before[name])
		resp := planmodifier.StringResponse{PlanValue: req.PlanValue}
		for _, modifier := range text.PlanModifiers {
			req.PlanValue = resp.PlanValue
			modifier.PlanModifyString(ctx, req, &resp)
		}
		if resp.RequiresReplace || len(resp.Diagnostics) > 0 {
			return plan, false
		}
		value, err := resp.PlanValue.ToTerraformValue(ctx)
		if err != nil {
			return plan, false
		}
		modified[name] = value
	}
	return tftypes.NewValue(k.typ, modified), true
}

// stringOf returns a string; null for a value that is not there.
func stringOf(raw tftypes.Value) types.String {
	var text *string
	switch {
	case raw.IsNull():
		return types.StringNull()
	case !raw.IsKnown() || raw.As(&text) != nil:
		return types.StringUnknown()
	}
	return types.StringPointerValue(text)
}
