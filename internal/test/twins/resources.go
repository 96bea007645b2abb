package twins

import (
	"context"

	"github.com/google/go-cmp/cmp"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/provider"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/tfsdk"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/privatestate"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/serve/fastpath"
)

// key is the key of a call in its context.
type key struct{}

// call is the input and the output of one call of a resource.
type call struct {
	// made is true if package fastpath has called the resource.
	made  bool
	given values
	// left is the private state that the resource has written.
	left map[string]string
	read resource.ReadResponse
	plan resource.ModifyPlanResponse
	// said are the diagnostics of the resource about a configuration.
	said diag.Diagnostics
}

// values is the input of a call.
type values struct {
	State, Plan, Config, Identity tftypes.Value
	Private                       map[string]string
	Deferral                      bool
}

func callOf(ctx context.Context) *call {
	seen, _ := ctx.Value(key{}).(*call)
	return seen
}

// documents returns the values of private state.
func documents(ctx context.Context, private privatestate.PrivateState) map[string]string {
	held := map[string]string{}
	for _, name := range privatestate.Keys {
		if document, _ := private.GetKey(ctx, name); len(document) > 0 {
			held[name] = string(document)
		}
	}
	return held
}

func rawOf(identity *tfsdk.ResourceIdentity) tftypes.Value {
	if identity == nil {
		return tftypes.Value{}
	}
	return identity.Raw
}

func ofRead(ctx context.Context, req resource.ReadRequest) values {
	return values{
		State: req.State.Raw, Identity: rawOf(req.Identity), Private: documents(ctx, req.Private),
		Deferral: req.ClientCapabilities.DeferralAllowed,
	}
}

func ofPlan(ctx context.Context, req resource.ModifyPlanRequest) values {
	return values{
		State: req.State.Raw, Plan: req.Plan.Raw, Config: req.Config.Raw, Identity: rawOf(req.Identity),
		Private: documents(ctx, req.Private), Deferral: req.ClientCapabilities.DeferralAllowed,
	}
}

// restore writes the private state that the resource has written in its first call. It adds an error if the input from
// the framework differs from the input from package fastpath.
func (c *call) restore(ctx context.Context, private privatestate.PrivateWriter, given values, diags *diag.Diagnostics) {
	if diff := cmp.Diff(given, c.given); diff != "" {
		diags.AddError("Different Request", "(-framework +ahead):\n"+diff)
	}
	for _, name := range privatestate.Keys {
		diags.Append(private.SetKey(ctx, name, []byte(c.left[name]))...)
	}
}

// spies is a provider whose resources record the input and the output of their calls.
type spies struct{ fastpath.Provider }

// Resources implements provider.Provider.
func (p spies) Resources(ctx context.Context) []func() resource.Resource {
	return wrapped(p.Provider.Resources(ctx), func(r resource.Resource, i identity) resource.Resource {
		if _, is := r.(fastpath.Answered); !is {
			return r
		}
		if i == nil {
			return spy{r}
		}
		return identifiedSpy{spy{r}, i}
	})
}

// replays is a provider whose resources return the output that the spies have recorded.
type replays struct{ provider.Provider }

// Resources implements provider.Provider.
func (p replays) Resources(ctx context.Context) []func() resource.Resource {
	return wrapped(p.Provider.Resources(ctx), func(r resource.Resource, i identity) resource.Resource {
		if i == nil {
			return replay{r}
		}
		return identifiedReplay{replay{r}, i}
	})
}

// identity is a resource with an identity.
type identity interface {
	IdentitySchema(ctx context.Context, req resource.IdentitySchemaRequest, resp *resource.IdentitySchemaResponse)
}

func wrapped(
	makers []func() resource.Resource, wrap func(resource.Resource, identity) resource.Resource,
) []func() resource.Resource {
	var all []func() resource.Resource
	for _, newResource := range makers {
		all = append(all, func() resource.Resource {
			r := newResource()
			with, _ := r.(identity)
			return wrap(r, with)
		})
	}
	return all
}

type spy struct{ resource.Resource }

type identifiedSpy struct {
	spy
	identity
}

// AnsweredAhead implements fastpath.Answered.
func (s spy) AnsweredAhead() {}

// Configure implements resource.ResourceWithConfigure.
func (s spy) Configure(ctx context.Context, req resource.ConfigureRequest, resp *resource.ConfigureResponse) {
	if with, is := s.Resource.(resource.ResourceWithConfigure); is {
		with.Configure(ctx, req, resp)
	}
}

// Read implements resource.Resource.
func (s spy) Read(ctx context.Context, req resource.ReadRequest, resp *resource.ReadResponse) {
	given := ofRead(ctx, req)
	s.Resource.Read(ctx, req, resp)
	if seen := callOf(ctx); seen != nil {
		seen.made, seen.given, seen.left, seen.read = true, given, documents(ctx, resp.Private), *resp
	}
}

// ModifyPlan implements resource.ResourceWithModifyPlan.
func (s spy) ModifyPlan(ctx context.Context, req resource.ModifyPlanRequest, resp *resource.ModifyPlanResponse) {
	given := ofPlan(ctx, req)
	if with, is := s.Resource.(resource.ResourceWithModifyPlan); is {
		with.ModifyPlan(ctx, req, resp)
	}
	if seen := callOf(ctx); seen != nil {
		seen.made, seen.given, seen.left, seen.plan = true, given, documents(ctx, resp.Private), *resp
	}
}

// ValidateConfig implements resource.ResourceWithValidateConfig.
func (s spy) ValidateConfig(
	ctx context.Context, req resource.ValidateConfigRequest, resp *resource.ValidateConfigResponse,
) {
	if with, is := s.Resource.(resource.ResourceWithValidateConfig); is {
		with.ValidateConfig(ctx, req, resp)
	}
	if seen := callOf(ctx); seen != nil {
		seen.made, seen.given, seen.said = true, values{Config: req.Config.Raw}, resp.Diagnostics
	}
}

type replay struct{ resource.Resource }

type identifiedReplay struct {
	replay
	identity
}

// Read implements resource.Resource.
func (r replay) Read(ctx context.Context, req resource.ReadRequest, resp *resource.ReadResponse) {
	seen := callOf(ctx)
	resp.State.Raw, resp.Deferred = seen.read.State.Raw, seen.read.Deferred
	if seen.read.Identity != nil {
		resp.Identity = &tfsdk.ResourceIdentity{Schema: resp.Identity.Schema, Raw: seen.read.Identity.Raw}
	}
	resp.Diagnostics.Append(seen.read.Diagnostics...)
	seen.restore(ctx, resp.Private, ofRead(ctx, req), &resp.Diagnostics)
}

// ModifyPlan implements resource.ResourceWithModifyPlan.
func (r replay) ModifyPlan(ctx context.Context, req resource.ModifyPlanRequest, resp *resource.ModifyPlanResponse) {
	seen := callOf(ctx)
	given := ofPlan(ctx, req)
	from := seen.plan
	resp.Plan.Raw, resp.RequiresReplace, resp.Deferred = from.Plan.Raw, from.RequiresReplace, from.Deferred
	if seen.plan.Identity != nil {
		resp.Identity = &tfsdk.ResourceIdentity{Schema: resp.Identity.Schema, Raw: seen.plan.Identity.Raw}
	}
	resp.Diagnostics.Append(seen.plan.Diagnostics...)
	seen.restore(ctx, resp.Private, given, &resp.Diagnostics)
}

// ValidateConfig implements resource.ResourceWithValidateConfig.
func (r replay) ValidateConfig(
	ctx context.Context, req resource.ValidateConfigRequest, resp *resource.ValidateConfigResponse,
) {
	seen := callOf(ctx)
	resp.Diagnostics.Append(seen.said...)
	if diff := cmp.Diff(values{Config: req.Config.Raw}, seen.given); diff != "" {
		resp.Diagnostics.AddError("Different Request", "(-framework +ahead):\n"+diff)
	}
}
