package story

import (
	"fmt"
	"strings"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/twins"
)

// Protocol calls the provider as a CLI that supports identities does: it keeps them in its state and passes
// them on. With it, tests see each response, even if the installed CLI is older.
type Protocol struct {
	*Story
	server *twins.Server
	schema *tfprotov6.Schema
	shapes typeShapes

	// State, Identity and Private are stored by the CLI.
	State    tftypes.Value
	Identity *tfprotov6.ResourceIdentityData
	Private  []byte
	// Defers is true if the CLI can leave a change to a later run.
	Defers bool
}

// Connection describes whether the provider has a connection, and whether it is known.
type Connection string

// The connections of a Protocol.
const (
	Connected   Connection = "connected"
	Unconnected Connection = "a cluster that is not known yet"
	Forbidden   Connection = "connected as a user who may do nothing"
)

// Protocol starts the provider with a connection, and an empty state.
func (s *Story) Protocol(to Connection) *Protocol {
	s.T.Helper()
	server := twins.New(s.UserAgent)
	schemas, err := server.GetProviderSchema(s.T.Context(), &tfprotov6.GetProviderSchemaRequest{})
	Must(s.T, err)
	shapes, err := shapesOf(s.T.Context(), server, resourceType)
	Must(s.T, err)
	p := &Protocol{Story: s, server: server, schema: schemas.ResourceSchemas[resourceType], shapes: shapes}
	p.State = tftypes.NewValue(shapes.state, nil)

	kind := schemas.Provider.ValueType()
	clusterKind := objectType(kind).AttributeTypes["cluster"]
	api := tftypes.NewValue(clusterKind, tftypes.UnknownValue)
	switch to {
	case Connected:
		api = objectWith(clusterKind, map[string]tftypes.Value{"config_path": Text(ControlPlane().KubeconfigPath())})
	case Forbidden:
		nobody := s.Kubeconfig(s.AddUser(s.Namespace+"-nobody", "nobodies"))
		api = objectWith(clusterKind, map[string]tftypes.Value{"kubeconfig": Text(string(nobody))})
	case Unconnected:
	}
	config := objectWith(kind, map[string]tftypes.Value{"cluster": api})
	configured, err := server.ConfigureProvider(s.T.Context(),
		&tfprotov6.ConfigureProviderRequest{Config: p.encode(kind, config)})
	Must(s.T, err)
	Must(s.T, errorOf(configured.Diagnostics))
	return p
}

// Continued returns a Protocol with the same state and another run of the provider.
func (p *Protocol) Continued(to Connection) *Protocol {
	p.T.Helper()
	next := p.Protocol(to)
	next.State, next.Identity, next.Private = p.State, p.Identity, p.Private
	return next
}

// ForgetIdentity makes the state like that of a CLI, or of a version of the provider, without identities.
func (p *Protocol) ForgetIdentity() { p.Identity = nil }

// Plan plans the manifest from a prior state and an identity. An empty manifest is a destroy.
func (p *Protocol) Plan(
	body string, prior tftypes.Value, identity *tfprotov6.ResourceIdentityData, private []byte,
) *tfprotov6.PlanResourceChangeResponse {
	p.T.Helper()
	config, proposed := p.configuration(body, prior)
	planned, err := p.server.PlanResourceChange(p.T.Context(), &tfprotov6.PlanResourceChangeRequest{
		TypeName: resourceType, Config: p.encode(p.shapes.state, config),
		PriorState: p.encode(p.shapes.state, prior), PriorPrivate: private, PriorIdentity: identity,
		ProposedNewState:   p.encode(p.shapes.state, proposed),
		ClientCapabilities: &tfprotov6.PlanResourceChangeClientCapabilities{DeferralAllowed: p.Defers},
	})
	Must(p.T, err)
	Must(p.T, errorOf(planned.Diagnostics))
	return planned
}

// configuration returns the manifest as a configuration, and the state that Terraform proposes from it.
func (p *Protocol) configuration(body string, prior tftypes.Value) (config, proposed tftypes.Value) {
	if body == "" {
		null := tftypes.NewValue(p.shapes.state, nil)
		return null, null
	}
	values := map[string]tftypes.Value{"yaml_body": Text(p.Expand(body))}
	config = objectWith(p.shapes.state, values)
	if !prior.IsNull() {
		var before map[string]tftypes.Value
		Must(p.T, prior.As(&before))
		for _, attribute := range p.schema.Block.Attributes {
			if attribute.Computed {
				values[attribute.Name] = before[attribute.Name]
			}
		}
	}
	return config, objectWith(p.shapes.state, values)
}

// Apply applies a plan to the state. If it fails, the state is that in the response, as in Terraform.
func (p *Protocol) Apply(body string, prior tftypes.Value, planned *tfprotov6.PlanResourceChangeResponse) error {
	p.T.Helper()
	config, _ := p.configuration(body, prior)
	applied, err := p.server.ApplyResourceChange(p.T.Context(), &tfprotov6.ApplyResourceChangeRequest{
		TypeName: resourceType, Config: p.encode(p.shapes.state, config),
		PriorState:   p.encode(p.shapes.state, prior),
		PlannedState: planned.PlannedState, PlannedPrivate: planned.PlannedPrivate,
		PlannedIdentity: planned.PlannedIdentity,
	})
	Must(p.T, err)
	p.keep(applied.NewState, applied.NewIdentity, applied.Private)
	return errorOf(applied.Diagnostics)
}

// Change plans and applies.
func (p *Protocol) Change(body string) {
	p.T.Helper()
	Must(p.T, p.Apply(body, p.State, p.Plan(body, p.State, p.Identity, p.Private)))
}

// Read refreshes the state.
func (p *Protocol) Read() error {
	p.T.Helper()
	read, err := p.server.ReadResource(p.T.Context(), &tfprotov6.ReadResourceRequest{
		TypeName: resourceType, CurrentState: p.encode(p.shapes.state, p.State),
		CurrentIdentity: p.Identity, Private: p.Private,
	})
	Must(p.T, err)
	p.keep(read.NewState, read.NewIdentity, read.Private)
	return errorOf(read.Diagnostics)
}

// ImportBy imports by an ID or, if it is empty, by the attributes of an identity.
func (p *Protocol) ImportBy(id string, attributes map[string]tftypes.Value) error {
	p.T.Helper()
	req := &tfprotov6.ImportResourceStateRequest{TypeName: resourceType, ID: p.Expand(id)}
	if id == "" {
		identity := objectWith(p.shapes.identity, attributes)
		req.Identity = &tfprotov6.ResourceIdentityData{IdentityData: p.encode(p.shapes.identity, identity)}
	}
	answer, err := p.server.ImportResourceState(p.T.Context(), req)
	Must(p.T, err)
	for _, imported := range answer.ImportedResources {
		p.keep(imported.State, imported.Identity, imported.Private)
	}
	return errorOf(answer.Diagnostics)
}

func (p *Protocol) keep(state *tfprotov6.DynamicValue, identity *tfprotov6.ResourceIdentityData, private []byte) {
	p.T.Helper()
	value, err := state.Unmarshal(p.shapes.state)
	Must(p.T, err)
	p.State, p.Identity, p.Private = value, identity, private
}

// named returns an identity as one line; "none" if it is null.
func (p *Protocol) named(identity *tfprotov6.ResourceIdentityData) string {
	p.T.Helper()
	if identity == nil {
		return "none"
	}
	value, err := identity.IdentityData.Unmarshal(p.shapes.identity)
	Must(p.T, err)
	if !value.IsFullyKnown() {
		return "unknown"
	}
	if value.IsNull() {
		return "none"
	}
	known, err := p.shapes.attributes(p.shapes.identity, identity.IdentityData)
	Must(p.T, err)
	line := strings.TrimSpace(strings.Join([]string{known["api_version"], known["kind"], known["namespace"],
		known["name"]}, " "))
	return strings.ReplaceAll(line, p.Namespace, "NS")
}

func (p *Protocol) encode(kind tftypes.Type, value tftypes.Value) *tfprotov6.DynamicValue {
	p.T.Helper()
	encoded, err := tfprotov6.NewDynamicValue(kind, value)
	Must(p.T, err)
	return &encoded
}

// Text returns a string as a value of the protocol.
func Text(value string) tftypes.Value { return tftypes.NewValue(tftypes.String, value) }

func objectType(kind tftypes.Type) tftypes.Object {
	object, _ := kind.(tftypes.Object)
	return object
}

// objectWith returns an object with these attributes. All other attributes are null.
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

// errorOf returns the errors among diagnostics.
func errorOf(diags []*tfprotov6.Diagnostic) error {
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

// Expect asserts the identity that the state holds now.
func (p *Protocol) Expect(want, after string) {
	p.T.Helper()
	if got := p.named(p.Identity); got != want {
		p.T.Errorf("the identity after %s is %q, want %q", after, got, want)
	}
}

// ExpectPlanned asserts the identity of a plan.
func (p *Protocol) ExpectPlanned(want string, planned *tfprotov6.PlanResourceChangeResponse) {
	p.T.Helper()
	if got := p.named(planned.PlannedIdentity); got != want {
		p.T.Errorf("the planned identity is %q, want %q", got, want)
	}
}

// Compared returns the numbers of reads and plans that the provider has answered ahead of the plugin framework.
func (p *Protocol) Compared() (reads, plans int64) {
	of := &p.server.Compared
	return of.Reads.Load(), of.Plans.Load()
}
