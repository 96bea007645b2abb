package manifestresource_test

import (
	"fmt"
	"strings"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/serve"
)

// protocol speaks to the provider as a CLI that knows identities does: it keeps them in its state and
// passes them on. It shows such a CLI's side where the CLI at hand is older, and each answer alone.
type protocol struct {
	*story
	server tfprotov6.ProviderServer
	schema *tfprotov6.Schema
	shapes shapes

	state    tftypes.Value
	identity *tfprotov6.ResourceIdentityData
	private  []byte
}

// connection says what the provider knows of the cluster.
type connection string

const (
	connected   connection = "connected"
	unconnected connection = "a cluster that is not known yet"
	forbidden   connection = "connected as a user who may do nothing"
)

func (s *story) protocol(to connection) *protocol {
	s.t.Helper()
	server := serve.NewServer(s.userAgent)()
	schemas, err := server.GetProviderSchema(s.t.Context(), &tfprotov6.GetProviderSchemaRequest{})
	must(s.t, err)
	shapes, err := shapesOf(s.t.Context(), server)
	must(s.t, err)
	p := &protocol{story: s, server: server, schema: schemas.ResourceSchemas[resourceType], shapes: shapes}
	p.state = tftypes.NewValue(shapes.state, nil)

	kind := schemas.Provider.ValueType()
	clusterKind := objectType(kind).AttributeTypes["cluster"]
	cluster := tftypes.NewValue(clusterKind, tftypes.UnknownValue)
	switch to {
	case connected:
		cluster = objectWith(clusterKind, map[string]tftypes.Value{"config_path": text(controlPlane().KubeconfigPath())})
	case forbidden:
		nobody := s.kubeconfig(s.addUser(s.namespace+"-nobody", "nobodies"))
		cluster = objectWith(clusterKind, map[string]tftypes.Value{"kubeconfig": text(string(nobody))})
	case unconnected:
	}
	config := objectWith(kind, map[string]tftypes.Value{"cluster": cluster})
	configured, err := server.ConfigureProvider(s.t.Context(), &tfprotov6.ConfigureProviderRequest{Config: p.encode(kind, config)})
	must(s.t, err)
	must(s.t, complaints(configured.Diagnostics))
	return p
}

// continued returns the same state with another run of the provider.
func (p *protocol) continued(to connection) *protocol {
	p.t.Helper()
	next := p.protocol(to)
	next.state, next.identity, next.private = p.state, p.identity, p.private
	return next
}

// forgetIdentity makes the state one of a CLI or a version of the provider that knew no identities.
func (p *protocol) forgetIdentity() { p.identity = nil }

// plan plans the manifest, an empty one as a destroy, from a prior state, with an identity.
func (p *protocol) plan(body string, prior tftypes.Value, identity *tfprotov6.ResourceIdentityData, private []byte) *tfprotov6.PlanResourceChangeResponse {
	p.t.Helper()
	config, proposed := p.configuration(body, prior)
	planned, err := p.server.PlanResourceChange(p.t.Context(), &tfprotov6.PlanResourceChangeRequest{
		TypeName: resourceType, Config: p.encode(p.shapes.state, config),
		PriorState: p.encode(p.shapes.state, prior), PriorPrivate: private, PriorIdentity: identity,
		ProposedNewState: p.encode(p.shapes.state, proposed),
	})
	must(p.t, err)
	must(p.t, complaints(planned.Diagnostics))
	return planned
}

// configuration returns the manifest as a configuration, and what Terraform proposes of it.
func (p *protocol) configuration(body string, prior tftypes.Value) (config, proposed tftypes.Value) {
	if body == "" {
		null := tftypes.NewValue(p.shapes.state, nil)
		return null, null
	}
	values := map[string]tftypes.Value{"yaml_body": text(p.expand(body))}
	config = objectWith(p.shapes.state, values)
	if !prior.IsNull() {
		var before map[string]tftypes.Value
		must(p.t, prior.As(&before))
		for _, attribute := range p.schema.Block.Attributes {
			if attribute.Computed {
				values[attribute.Name] = before[attribute.Name]
			}
		}
	}
	return config, objectWith(p.shapes.state, values)
}

// apply applies a plan to the state. Where it fails the state is what the answer holds, as in Terraform.
func (p *protocol) apply(body string, prior tftypes.Value, planned *tfprotov6.PlanResourceChangeResponse) error {
	p.t.Helper()
	config, _ := p.configuration(body, prior)
	applied, err := p.server.ApplyResourceChange(p.t.Context(), &tfprotov6.ApplyResourceChangeRequest{
		TypeName: resourceType, Config: p.encode(p.shapes.state, config),
		PriorState:   p.encode(p.shapes.state, prior),
		PlannedState: planned.PlannedState, PlannedPrivate: planned.PlannedPrivate, PlannedIdentity: planned.PlannedIdentity,
	})
	must(p.t, err)
	p.keep(applied.NewState, applied.NewIdentity, applied.Private)
	return complaints(applied.Diagnostics)
}

// change plans and applies.
func (p *protocol) change(body string) {
	p.t.Helper()
	must(p.t, p.apply(body, p.state, p.plan(body, p.state, p.identity, p.private)))
}

func (p *protocol) read() error {
	p.t.Helper()
	read, err := p.server.ReadResource(p.t.Context(), &tfprotov6.ReadResourceRequest{
		TypeName: resourceType, CurrentState: p.encode(p.shapes.state, p.state),
		CurrentIdentity: p.identity, Private: p.private,
	})
	must(p.t, err)
	p.keep(read.NewState, read.NewIdentity, read.Private)
	return complaints(read.Diagnostics)
}

// importBy imports by an ID or, where it is empty, by the attributes of an identity.
func (p *protocol) importBy(id string, attributes map[string]tftypes.Value) error {
	p.t.Helper()
	req := &tfprotov6.ImportResourceStateRequest{TypeName: resourceType, ID: p.expand(id)}
	if id == "" {
		identity := objectWith(p.shapes.identity, attributes)
		req.Identity = &tfprotov6.ResourceIdentityData{IdentityData: p.encode(p.shapes.identity, identity)}
	}
	answer, err := p.server.ImportResourceState(p.t.Context(), req)
	must(p.t, err)
	for _, imported := range answer.ImportedResources {
		p.keep(imported.State, imported.Identity, imported.Private)
	}
	return complaints(answer.Diagnostics)
}

func (p *protocol) keep(state *tfprotov6.DynamicValue, identity *tfprotov6.ResourceIdentityData, private []byte) {
	p.t.Helper()
	value, err := state.Unmarshal(p.shapes.state)
	must(p.t, err)
	p.state, p.identity, p.private = value, identity, private
}

// named returns an identity in a line, "none" where it is null.
func (p *protocol) named(identity *tfprotov6.ResourceIdentityData) string {
	p.t.Helper()
	if identity == nil {
		return "none"
	}
	value, err := identity.IdentityData.Unmarshal(p.shapes.identity)
	must(p.t, err)
	if !value.IsFullyKnown() {
		return "unknown"
	}
	if value.IsNull() {
		return "none"
	}
	known, err := p.shapes.attributes(p.shapes.identity, identity.IdentityData)
	must(p.t, err)
	line := strings.TrimSpace(strings.Join([]string{known["api_version"], known["kind"], known["namespace"], known["name"]}, " "))
	return strings.ReplaceAll(line, p.namespace, "NS")
}

func (p *protocol) encode(kind tftypes.Type, value tftypes.Value) *tfprotov6.DynamicValue {
	p.t.Helper()
	encoded, err := tfprotov6.NewDynamicValue(kind, value)
	must(p.t, err)
	return &encoded
}

func text(value string) tftypes.Value { return tftypes.NewValue(tftypes.String, value) }

func objectType(kind tftypes.Type) tftypes.Object {
	object, _ := kind.(tftypes.Object)
	return object
}

// objectWith returns an object with these attributes; the others are null.
func objectWith(kind tftypes.Type, attributes map[string]tftypes.Value) tftypes.Value {
	all := map[string]tftypes.Value{}
	for name, attribute := range objectType(kind).AttributeTypes {
		all[name] = tftypes.NewValue(attribute, nil)
	}
	for name, value := range attributes {
		all[name] = value
	}
	return tftypes.NewValue(kind, all)
}

// complaints returns the errors among diagnostics.
func complaints(diags []*tfprotov6.Diagnostic) error {
	var texts []string
	for _, d := range diags {
		if d.Severity == tfprotov6.DiagnosticSeverityError {
			texts = append(texts, d.Summary+": "+d.Detail)
		}
	}
	if len(texts) == 0 {
		return nil
	}
	return fmt.Errorf("%s", strings.Join(texts, "\n"))
}

// expect asserts the identity that the state holds now.
func (p *protocol) expect(want, after string) {
	p.t.Helper()
	if got := p.named(p.identity); got != want {
		p.t.Errorf("the identity after %s is %q, want %q", after, got, want)
	}
}

// expectPlanned asserts the identity of a plan.
func (p *protocol) expectPlanned(want string, planned *tfprotov6.PlanResourceChangeResponse) {
	p.t.Helper()
	if got := p.named(planned.PlannedIdentity); got != want {
		p.t.Errorf("the planned identity is %q, want %q", got, want)
	}
}
