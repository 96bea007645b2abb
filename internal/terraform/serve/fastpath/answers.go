// Package fastpath answers reads, most plans and most validations ahead of the plugin framework: New, then
// Answers.Read, Answers.Plan, Answers.Validate and Answers.Upgrade. It decides nothing: only the resource knows what an
// object needs.
//
// The framework walks every entry of every map, several times in each call, to look for defaults, plan modifiers,
// blocks, semantic equality and write-only values. With the schemas of this provider it finds nothing to do in a read,
// and in a plan whose arguments are those of the state. In other plans it makes computed values unknown, write-only
// values null, and calls the plan modifiers of strings (propose). So this package decodes the request, does only that,
// calls the resource as the framework does, and encodes the answer.
//
// In a validation, the framework looks for the value and the type of each attribute from the root of the configuration.
// This package goes through the decoded configuration once (accepts). If a validator of an attribute returns a
// diagnostic, the framework validates again. The framework answers all other calls, too: applies, plans of new
// arguments with attributes below them, and validations with blocks or with elements that have attributes below them.
//
// A resource asks for that with the method AnsweredAhead. TestSchemas holds its schema to what this package takes for
// granted. In every story of the acceptance tests and every random world, package twins lets the framework answer as
// well, and compares the answers.
//
// # When this package goes
//
// BenchmarkCalls of package serve measures both ways. With framework 1.19, a Deployment of several managers, and one
// processor: a plan without changes takes 7.6 ms and 40,000 allocations in the framework, and 0.9 ms and 5,000 here. A
// read takes 4.9 ms against 2.4, a plan of a changed value 9.4 ms against 3.0, a validation 0.7 ms against 0.2. The
// framework would have to
//   - keep the map that resource/schema.Schema.GetAttributes makes, instead of making it for each step of each path,
//   - set only those attributes in SchemaModifyPlan whose plan modifiers have changed something,
//   - skip NullifyCollectionBlocks, TransformDefaults, NullifyWriteOnlyAttributes and SchemaSemanticEquality where a
//     schema has nothing for them to do,
//   - release the context of a call when the call ends (registerContext), which package serve does for it.
//
// With a framework in which a plan without changes takes about 2 ms, propose goes first, and the rest of this package
// with package twins next.
package fastpath

import (
	"bytes"
	"context"
	"sort"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/tfsdk"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
	"github.com/hashicorp/terraform-plugin-log/tfsdklog"
)

// Upgrade answers for a state of the current version; it returns false if the framework has to answer. The CLI decodes
// the JSON of its state by the schema, and has removed attributes that the schema lacks. Upgrade shows a state that may
// be that of an unfinished create to the resource: without a refresh, a plan of a tainted resource gets no other.
func (a *Answers) Upgrade(
	ctx context.Context, request *tfprotov6.UpgradeResourceStateRequest,
) (*tfprotov6.UpgradeResourceStateResponse, bool) {
	if a == nil || request.RawState == nil || len(request.RawState.JSON) == 0 {
		return nil, false
	}
	k := a.kinds()[request.TypeName]
	if k == nil || request.Version != k.schema.Version {
		return nil, false
	}
	// A search in the bytes spares most states their decoding. After a false hit, the resource sees the attributes.
	if json := request.RawState.JSON; contains(json, "ready", "false") || contains(json, "uid", "null") {
		a.show(ctx, request)
	}
	return &tfprotov6.UpgradeResourceStateResponse{UpgradedState: &tfprotov6.DynamicValue{JSON: request.RawState.JSON}},
		true
}

func (a *Answers) show(ctx context.Context, request *tfprotov6.UpgradeResourceStateRequest) {
	k, r := a.open(ctx, request.TypeName)
	noting, is := r.(Noting)
	if k == nil || !is {
		return
	}
	if raw, err := request.RawState.Unmarshal(k.typ); err == nil {
		noting.NoteStored(ctx, tfsdk.State{Schema: k.schema, Raw: raw})
	}
}

// contains reports whether JSON has an attribute of this name, on any level, whose value begins with this string.
func contains(json []byte, name, value string) bool {
	key := []byte(`"` + name + `":`)
	for {
		_, after, found := bytes.Cut(json, key)
		if !found {
			return false
		}
		if json = bytes.TrimLeft(after, " \t\r\n"); bytes.HasPrefix(json, []byte(value)) {
			return true
		}
	}
}

// Read answers a read; it returns false if the framework has to answer. The private state of request and answer is in
// the form of the envelope.
func (a *Answers) Read(
	ctx context.Context, request *tfprotov6.ReadResourceRequest,
) (*tfprotov6.ReadResourceResponse, bool) {
	k, r := a.open(ctx, request.TypeName)
	if k == nil || request.CurrentState == nil {
		return nil, false
	}
	kept, ok := readPrivate(ctx, resource.ReadRequest{}.Private, request.Private)
	if !ok {
		return nil, false
	}
	raw, err := request.CurrentState.Unmarshal(k.typ)
	if err != nil || raw.IsNull() {
		return nil, false
	}
	identity, err := k.decodeIdentity(request.CurrentIdentity)
	if err != nil {
		return nil, false
	}
	state := tfsdk.State{Schema: k.schema, Raw: raw}
	req := resource.ReadRequest{State: state, Private: kept.data, Identity: identity}
	if request.ClientCapabilities != nil {
		req.ClientCapabilities.DeferralAllowed = request.ClientCapabilities.DeferralAllowed
	}
	// The resource sets its identity in place, and the one of the request is compared with it below.
	resp := resource.ReadResponse{State: state, Private: kept.data, Identity: identityCopy(identity)}
	r.Read(withLogs(ctx), req, &resp)

	answer := &tfprotov6.ReadResourceResponse{Diagnostics: diagnostics(ctx, resp.Diagnostics)}
	if resp.Deferred != nil {
		answer.Deferred = &tfprotov6.Deferred{Reason: tfprotov6.DeferredReason(resp.Deferred.Reason)}
	}
	if answer.NewState, err = k.encode(resp.State.Raw, raw, request.CurrentState); err != nil {
		answer.Diagnostics = append(answer.Diagnostics, unencodable(err))
	}
	if answer.NewIdentity, err = k.encodeIdentity(resp.Identity, rawOf(identity), request.CurrentIdentity); err != nil {
		answer.Diagnostics = append(answer.Diagnostics, unencodable(err))
	}
	answer.Private = kept.stored(ctx)
	if !resp.Diagnostics.HasError() && resp.Identity != nil && resp.Identity.Raw.IsFullyNull() {
		answer.Diagnostics = append(answer.Diagnostics, &tfprotov6.Diagnostic{
			Severity: tfprotov6.DiagnosticSeverityError, Summary: "Missing Resource Identity After Read",
			Detail: "The read returned no identity. This is a defect of the provider.",
		})
	}
	return answer, true
}

// Plan answers a plan of a destroy, a plan whose arguments are those of the state, or a plan of arguments with nothing
// below them that a plan changes. It returns false if the framework has to answer.
func (a *Answers) Plan(
	ctx context.Context, request *tfprotov6.PlanResourceChangeRequest,
) (*tfprotov6.PlanResourceChangeResponse, bool) {
	if request.PriorState == nil || request.ProposedNewState == nil || request.Config == nil {
		return nil, false
	}
	k, r := a.open(ctx, request.TypeName)
	modifier, is := r.(resource.ResourceWithModifyPlan)
	if k == nil || !is {
		return nil, false
	}
	kept, ok := readPrivate(ctx, resource.ModifyPlanRequest{}.Private, request.PriorPrivate)
	if !ok {
		return nil, false
	}
	prior, err := request.PriorState.Unmarshal(k.typ)
	if err != nil {
		return nil, false
	}
	config, err := request.Config.Unmarshal(k.typ)
	if err != nil {
		return nil, false
	}
	plan, ok := k.plan(ctx, request, config, prior)
	if !ok {
		return nil, false
	}
	identity, err := k.decodeIdentity(request.PriorIdentity)
	if err != nil {
		return nil, false
	}
	req := resource.ModifyPlanRequest{
		Config: tfsdk.Config{Schema: k.schema, Raw: config}, State: tfsdk.State{Schema: k.schema, Raw: prior},
		Plan: tfsdk.Plan{Schema: k.schema, Raw: plan}, Private: kept.data, Identity: identity,
	}
	if request.ClientCapabilities != nil {
		req.ClientCapabilities.DeferralAllowed = request.ClientCapabilities.DeferralAllowed
	}
	resp := resource.ModifyPlanResponse{Plan: req.Plan, Private: kept.data, Identity: identityCopy(identity)}
	modifier.ModifyPlan(withLogs(ctx), req, &resp)

	answer := &tfprotov6.PlanResourceChangeResponse{Diagnostics: diagnostics(ctx, resp.Diagnostics)}
	if resp.Deferred != nil {
		answer.Deferred = &tfprotov6.Deferred{Reason: tfprotov6.DeferredReason(resp.Deferred.Reason)}
	}
	if answer.PlannedState, err = k.encode(resp.Plan.Raw, prior, request.PriorState); err != nil {
		answer.Diagnostics = append(answer.Diagnostics, unencodable(err))
	}
	if answer.PlannedIdentity, err = k.encodeIdentity(resp.Identity, rawOf(identity),
		request.PriorIdentity); err != nil {
		answer.Diagnostics = append(answer.Diagnostics, unencodable(err))
	}
	answer.RequiresReplace = attributePaths(ctx, resp.RequiresReplace)
	answer.PlannedPrivate = kept.stored(ctx)
	return answer, true
}

// plan returns the plan before the resource changes it: the prior state if the CLI proposes no other, or a null one for
// a destroy. It returns false if the framework has to plan.
func (k *kind) plan(
	ctx context.Context, request *tfprotov6.PlanResourceChangeRequest, config, prior tftypes.Value,
) (plan tftypes.Value, ok bool) {
	if !prior.IsNull() && bytes.Equal(request.PriorState.MsgPack, request.ProposedNewState.MsgPack) {
		return prior, true
	}
	proposed, err := request.ProposedNewState.Unmarshal(k.typ)
	if err != nil || proposed.IsNull() {
		return proposed, err == nil
	}
	return k.propose(ctx, config, proposed, prior)
}

func identityCopy(identity *tfsdk.ResourceIdentity) *tfsdk.ResourceIdentity {
	if identity == nil {
		return nil
	}
	same := *identity
	return &same
}

func rawOf(identity *tfsdk.ResourceIdentity) tftypes.Value {
	if identity == nil {
		return tftypes.Value{}
	}
	return identity.Raw
}

// withLogs returns a context with the logger that the framework's types write to.
func withLogs(ctx context.Context) context.Context {
	return tfsdklog.NewSubsystem(ctx, "framework", tfsdklog.WithAdditionalLocationOffset(1),
		tfsdklog.WithLevelFromEnv("TF_LOG_SDK_FRAMEWORK"), tfsdklog.WithRootFields())
}

var severities = map[diag.Severity]tfprotov6.DiagnosticSeverity{
	diag.SeverityError: tfprotov6.DiagnosticSeverityError, diag.SeverityWarning: tfprotov6.DiagnosticSeverityWarning,
}

func diagnostics(ctx context.Context, from diag.Diagnostics) []*tfprotov6.Diagnostic {
	var out []*tfprotov6.Diagnostic
	for _, d := range from {
		converted := &tfprotov6.Diagnostic{Severity: severities[d.Severity()], Summary: d.Summary(), Detail: d.Detail()}
		if at, has := d.(diag.DiagnosticWithPath); has {
			converted.Attribute = attributePath(ctx, at.Path())
		}
		out = append(out, converted)
	}
	return out
}

func unencodable(err error) *tfprotov6.Diagnostic {
	return &tfprotov6.Diagnostic{
		Severity: tfprotov6.DiagnosticSeverityError, Summary: "Unable to Encode the Answer",
		Detail: "The answer cannot be encoded: " + err.Error() + ".\n\nThis is a defect of the provider.",
	}
}

// attributePaths returns paths as the protocol has them, each once, in the framework's order.
func attributePaths(ctx context.Context, paths path.Paths) []*tftypes.AttributePath {
	var out []*tftypes.AttributePath
	sort.Slice(paths, func(i, j int) bool { return paths[i].String() < paths[j].String() })
	for i, p := range paths {
		if i == 0 || !p.Equal(paths[i-1]) {
			out = append(out, attributePath(ctx, p))
		}
	}
	return out
}

func attributePath(ctx context.Context, p path.Path) *tftypes.AttributePath {
	var steps []tftypes.AttributePathStep
	for _, step := range p.Steps() {
		switch step := step.(type) {
		case path.PathStepAttributeName:
			steps = append(steps, tftypes.AttributeName(step))
		case path.PathStepElementKeyInt:
			steps = append(steps, tftypes.ElementKeyInt(step))
		case path.PathStepElementKeyString:
			steps = append(steps, tftypes.ElementKeyString(step))
		case path.PathStepElementKeyValue:
			value, err := step.ToTerraformValue(ctx)
			if err != nil {
				return nil
			}
			steps = append(steps, tftypes.ElementKeyValue(value))
		}
	}
	return tftypes.NewAttributePathWithSteps(steps)
}
