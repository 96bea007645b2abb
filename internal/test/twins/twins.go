// Package twins serves the provider and compares each response that package fastpath gives ahead of the plugin
// framework with the framework's own. A second server gets the same request, and its resource returns what the first
// server's resource has returned, without a request to the cluster. The response that the framework makes of that must
// be the same.
package twins

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/provider"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/serve"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/serve/fastpath"
)

// Server is the provider, with a twin that answers with the plugin framework alone.
type Server struct {
	serve.Server
	framework serve.Server
	// Compared counts what was answered ahead of the framework and compared.
	Compared struct{ Validations, Reads, Plans atomic.Int64 }
}

// New returns the provider of a version.
func New(version string) *Server {
	registered := provider.New(version)()
	known, _ := registered.(fastpath.Provider)
	return &Server{
		Server:    serve.New(registered, spies{known}),
		framework: serve.New(replays{registered}, nil),
	}
}

// ValidateResourceConfig implements tfprotov6.ResourceServer. The error says in what the answers differ.
func (s *Server) ValidateResourceConfig(
	ctx context.Context, req *tfprotov6.ValidateResourceConfigRequest,
) (*tfprotov6.ValidateResourceConfigResponse, error) {
	var seen call
	ctx = context.WithValue(ctx, key{}, &seen)
	answer, err := s.Server.ValidateResourceConfig(ctx, req)
	if !seen.made || err != nil {
		return answer, err
	}
	s.Compared.Validations.Add(1)
	twin, err := s.framework.ValidateResourceConfig(ctx, req)
	if err != nil {
		return answer, err
	}
	return answer, differs("validation", req.TypeName, answer, twin)
}

// UpgradeResourceState implements tfprotov6.ResourceServer. The error says in what the answers differ.
func (s *Server) UpgradeResourceState(
	ctx context.Context, req *tfprotov6.UpgradeResourceStateRequest,
) (*tfprotov6.UpgradeResourceStateResponse, error) {
	answer, err := s.Server.UpgradeResourceState(ctx, req)
	if err != nil || answer.UpgradedState == nil || len(answer.UpgradedState.JSON) == 0 {
		return answer, err // The framework made this answer.
	}
	twin, err := s.framework.UpgradeResourceState(ctx, req)
	if err != nil {
		return answer, err
	}
	return answer, differs("upgrade", req.TypeName, answer, twin)
}

// ReadResource implements tfprotov6.ResourceServer. The error says in what the answers differ.
func (s *Server) ReadResource(
	ctx context.Context, req *tfprotov6.ReadResourceRequest,
) (*tfprotov6.ReadResourceResponse, error) {
	var seen call
	ctx = context.WithValue(ctx, key{}, &seen)
	answer, err := s.Server.ReadResource(ctx, req)
	if !seen.made || err != nil {
		return answer, err
	}
	s.Compared.Reads.Add(1)
	twin, err := s.framework.ReadResource(ctx, req)
	if err != nil {
		return answer, err
	}
	return answer, differs("read", req.TypeName, answer, twin)
}

// PlanResourceChange implements tfprotov6.ResourceServer. The error says in what the answers differ.
func (s *Server) PlanResourceChange(
	ctx context.Context, req *tfprotov6.PlanResourceChangeRequest,
) (*tfprotov6.PlanResourceChangeResponse, error) {
	var seen call
	ctx = context.WithValue(ctx, key{}, &seen)
	answer, err := s.Server.PlanResourceChange(ctx, req)
	if !seen.made || err != nil {
		return answer, err
	}
	s.Compared.Plans.Add(1)
	twin, err := s.framework.PlanResourceChange(ctx, req)
	if err != nil {
		return answer, err
	}
	return answer, differs("plan", req.TypeName, answer, twin)
}

// differs returns an error if two answers are not the same.
func differs(method, typeName string, answer, twin any) error {
	shape := shapes()[typeName]
	same := cmp.Options{
		cmp.Comparer(func(a, b *tftypes.AttributePath) bool { return a.Equal(b) }),
		cmp.Transformer("state", func(encoded *tfprotov6.DynamicValue) any { return decoded(encoded, shape.state) }),
		cmp.Transformer("identity", func(encoded *tfprotov6.ResourceIdentityData) any {
			if encoded == nil {
				return nil
			}
			return decoded(encoded.IdentityData, shape.identity)
		}),
		cmpopts.EquateEmpty(),
	}
	if diff := cmp.Diff(twin, answer, same); diff != "" {
		return fmt.Errorf("the %s of a %s ahead of the framework (-framework +ahead):\n%s", method, typeName, diff)
	}
	return nil
}

// decoded returns an encoded value. The framework encodes the entries of a map in another order each time.
func decoded(encoded *tfprotov6.DynamicValue, of tftypes.Type) any {
	if encoded == nil {
		return nil
	}
	value, err := encoded.Unmarshal(of)
	if err != nil {
		return err.Error()
	}
	return value
}

// resourceShape are the types of a resource's values.
type resourceShape struct{ state, identity tftypes.Type }

// shapes returns the value types of each resource.
var shapes = sync.OnceValue(func() map[string]resourceShape {
	ctx, all := context.Background(), map[string]resourceShape{}
	for _, newResource := range provider.New("test")().Resources(ctx) {
		r := newResource()
		var metadata resource.MetadataResponse
		r.Metadata(ctx, resource.MetadataRequest{ProviderTypeName: "k8sconnect"}, &metadata)
		var described resource.SchemaResponse
		r.Schema(ctx, resource.SchemaRequest{}, &described)
		types := resourceShape{state: described.Schema.Type().TerraformType(ctx)}
		if with, is := r.(identity); is {
			var identified resource.IdentitySchemaResponse
			with.IdentitySchema(ctx, resource.IdentitySchemaRequest{}, &identified)
			types.identity = identified.IdentitySchema.Type().TerraformType(ctx)
		}
		all[metadata.TypeName] = types
	}
	return all
})
