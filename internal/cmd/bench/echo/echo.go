// Package echo is a provider with the schema of this provider that does nothing: the cost of the plugin protocol.
package echo

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"strings"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6/tf6server"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/serve"
)

// Env is the environment variable that makes this command an echo.
const Env = "BENCH_ECHO"

// echo is a provider with the schema of this provider and a state of about the same size. It sends nothing to a cluster
// and decodes no value that it does not need. So its cost is the cost of the plugin protocol: no provider with as many
// values can cost less.
type echo struct {
	tfprotov6.ProviderServer
	resource tftypes.Object
}

const manifestType = "k8sconnect_manifest"

// Serve serves the echo until the CLI ends.
func Serve() error {
	server := serve.NewServer("bench")()
	schemas, err := server.GetProviderSchema(context.Background(), &tfprotov6.GetProviderSchemaRequest{})
	if err != nil {
		return err
	}
	resource, ok := schemas.ResourceSchemas[manifestType].ValueType().(tftypes.Object)
	if !ok {
		return fmt.Errorf("%s is no object", manifestType)
	}
	return tf6server.Serve("k8sconnect/echo", func() tfprotov6.ProviderServer { return echo{server, resource} })
}

// GetResourceIdentitySchemas implements tfprotov6.ProviderServer.
func (echo) GetResourceIdentitySchemas(
	context.Context, *tfprotov6.GetResourceIdentitySchemasRequest,
) (*tfprotov6.GetResourceIdentitySchemasResponse, error) {
	return &tfprotov6.GetResourceIdentitySchemasResponse{}, nil
}

// ValidateResourceConfig implements tfprotov6.ResourceServer.
func (echo) ValidateResourceConfig(
	context.Context, *tfprotov6.ValidateResourceConfigRequest,
) (*tfprotov6.ValidateResourceConfigResponse, error) {
	return &tfprotov6.ValidateResourceConfigResponse{}, nil
}

// UpgradeResourceState implements tfprotov6.ResourceServer.
func (e echo) UpgradeResourceState(
	_ context.Context, request *tfprotov6.UpgradeResourceStateRequest,
) (*tfprotov6.UpgradeResourceStateResponse, error) {
	value, err := request.RawState.Unmarshal(e.resource)
	if err != nil {
		return nil, err
	}
	state, err := tfprotov6.NewDynamicValue(e.resource, value)
	return &tfprotov6.UpgradeResourceStateResponse{UpgradedState: &state}, err
}

// ReadResource implements tfprotov6.ResourceServer.
func (echo) ReadResource(
	_ context.Context, request *tfprotov6.ReadResourceRequest,
) (*tfprotov6.ReadResourceResponse, error) {
	return &tfprotov6.ReadResourceResponse{NewState: request.CurrentState, Private: request.Private}, nil
}

// PlanResourceChange implements tfprotov6.ResourceServer.
func (e echo) PlanResourceChange(
	_ context.Context, request *tfprotov6.PlanResourceChangeRequest,
) (*tfprotov6.PlanResourceChangeResponse, error) {
	response := &tfprotov6.PlanResourceChangeResponse{
		PlannedState: request.ProposedNewState, PlannedPrivate: request.PriorPrivate,
	}
	gone, err := request.ProposedNewState.IsNull()
	if err != nil || gone || bytes.Equal(request.PriorState.MsgPack, request.ProposedNewState.MsgPack) {
		return response, err
	}
	response.PlannedState, err = e.with(request.ProposedNewState, func(attributes map[string]tftypes.Value) error {
		var body string
		if err := attributes["yaml_body"].As(&body); err != nil {
			return err
		}
		maps.Copy(attributes, e.shown(body))
		if !attributes["id"].IsKnown() {
			attributes["id"] = tftypes.NewValue(tftypes.String, body[:min(len(body), idBytes)])
			attributes["field_manager"] = tftypes.NewValue(tftypes.String, "k8sconnect")
		}
		return nil
	})
	return response, err
}

// ApplyResourceChange implements tfprotov6.ResourceServer.
func (e echo) ApplyResourceChange(
	_ context.Context, request *tfprotov6.ApplyResourceChangeRequest,
) (*tfprotov6.ApplyResourceChangeResponse, error) {
	response := &tfprotov6.ApplyResourceChangeResponse{NewState: request.PlannedState}
	gone, err := request.PlannedState.IsNull()
	if err != nil || gone {
		return response, err
	}
	response.Private = bytes.Repeat([]byte{' '}, privateBytes)
	response.NewState, err = e.with(request.PlannedState, func(attributes map[string]tftypes.Value) error {
		if !attributes["object_ref"].IsKnown() {
			attributes["object_ref"] = e.object()
		}
		return nil
	})
	return response, err
}

// The sizes of the parts of an ordinary object other than its fields.
const (
	idBytes      = 80
	privateBytes = 720
)

// with returns an object with attributes changed by edit.
func (e echo) with(
	given *tfprotov6.DynamicValue, edit func(map[string]tftypes.Value) error,
) (*tfprotov6.DynamicValue, error) {
	value, err := given.Unmarshal(e.resource)
	if err != nil {
		return nil, err
	}
	attributes := map[string]tftypes.Value{}
	if err := value.As(&attributes); err != nil {
		return nil, err
	}
	if err := edit(attributes); err != nil {
		return nil, err
	}
	edited, err := tfprotov6.NewDynamicValue(e.resource, tftypes.NewValue(e.resource, attributes))
	return &edited, err
}

// shown returns the computed maps, with an entry for each line of the manifest that has a value.
func (e echo) shown(body string) map[string]tftypes.Value {
	owners, values := map[string]tftypes.Value{}, map[string]tftypes.Value{}
	for i, line := range strings.Split(body, "\n") {
		if name, value, _ := strings.Cut(strings.TrimSpace(line), ": "); value != "" {
			field := fmt.Sprintf("spec.template.spec.%s.%d", name, i)
			owners[field] = tftypes.NewValue(tftypes.String, "k8sconnect")
			values[field] = tftypes.NewValue(tftypes.String, value)
		}
	}
	return map[string]tftypes.Value{
		"field_ownership": tftypes.NewValue(e.resource.AttributeTypes["field_ownership"], owners),
		"managed_state":   tftypes.NewValue(e.resource.AttributeTypes["managed_state"], values),
		"co_owners":       tftypes.NewValue(e.resource.AttributeTypes["co_owners"], map[string]tftypes.Value{}),
	}
}

// object returns an object_ref.
func (e echo) object() tftypes.Value {
	ref, _ := e.resource.AttributeTypes["object_ref"].(tftypes.Object)
	parts := map[string]tftypes.Value{}
	for name, part := range ref.AttributeTypes {
		parts[name] = tftypes.NewValue(part, "00000000")
	}
	return tftypes.NewValue(ref, parts)
}
