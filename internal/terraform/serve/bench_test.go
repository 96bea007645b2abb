package serve

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/provider"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/serve/fastpath"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/sample"
)

const benched = "k8sconnect_manifest"

// BenchmarkCalls measures the calls of a plan, each answered by the plugin framework alone and with package fastpath ahead of it. The
// object is a Deployment of several managers. A stub of an API server answers at once.
func BenchmarkCalls(b *testing.B) {
	for name, ahead := range map[string]bool{"framework": false, "fastpath": true} {
		c := newCaller(b, ahead)
		for call, run := range map[string]func(){
			"validation":            c.validate,
			"read":                  c.read,
			"plan, nothing to do":   func() { c.plan(c.state, c.config(c.body)) },
			"plan, a changed value": func() { c.plan(c.changed(c.edited), c.config(c.edited)) },
		} {
			b.Run(call+"/"+name, func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					run()
				}
			})
		}
	}
}

// caller calls a provider about one object that it has imported.
type caller struct {
	*testing.B
	Server
	typ          tftypes.Object
	imported     *tfprotov6.ReadResourceResponse
	state        *tfprotov6.DynamicValue
	values       map[string]tftypes.Value
	body, edited string
	computed     []string
}

func newCaller(b *testing.B, ahead bool) *caller {
	b.Helper()
	registered := provider.New("test")()
	var fast fastpath.Provider
	if ahead {
		fast, _ = registered.(fastpath.Provider)
	}
	c := &caller{B: b, Server: New(registered, fast)}
	schemas := must(c.GetProviderSchema(context.Background(), &tfprotov6.GetProviderSchemaRequest{}))(b)
	schema := schemas.ResourceSchemas[benched]
	c.typ, _ = schema.ValueType().(tftypes.Object)
	for _, attribute := range schema.Block.Attributes {
		if attribute.Computed {
			c.computed = append(c.computed, attribute.Name)
		}
	}
	kind, _ := schemas.Provider.ValueType().(tftypes.Object)
	clusterKind, _ := kind.AttributeTypes["cluster"].(tftypes.Object)
	api := tftypes.NewValue(tftypes.String, serveSample(b))
	config := withAttributes(kind, map[string]tftypes.Value{"cluster": withAttributes(clusterKind, map[string]tftypes.Value{"host": api})})
	configured := must(c.ConfigureProvider(context.Background(), &tfprotov6.ConfigureProviderRequest{Config: encode(b, kind, config)}))(b)
	c.refuse(configured.Diagnostics)
	c.adopt()
	return c
}

// adopt imports the object, applies it, and reads it.
func (c *caller) adopt() {
	c.Helper()
	object := must(sample.Deployment(1))(c.B)
	id := fmt.Sprintf("apiVersion=apps/v1,kind=Deployment,namespace=%s,name=%s", object.GetNamespace(), object.GetName())
	answer := must(c.ImportResourceState(context.Background(), &tfprotov6.ImportResourceStateRequest{TypeName: benched, ID: id}))(c.B)
	c.refuse(answer.Diagnostics)
	c.imported = &tfprotov6.ReadResourceResponse{
		NewState: answer.ImportedResources[0].State, Private: answer.ImportedResources[0].Private, NewIdentity: answer.ImportedResources[0].Identity,
	}
	c.read()
	c.keep()
	planned := c.plan(c.state, c.config(c.body))
	applied := must(c.ApplyResourceChange(context.Background(), &tfprotov6.ApplyResourceChangeRequest{
		TypeName: benched, PriorState: c.state, Config: c.config(c.body),
		PlannedState: planned.PlannedState, PlannedPrivate: planned.PlannedPrivate, PlannedIdentity: planned.PlannedIdentity,
	}))(c.B)
	c.refuse(applied.Diagnostics)
	c.imported = &tfprotov6.ReadResourceResponse{NewState: applied.NewState, Private: applied.Private, NewIdentity: applied.NewIdentity}
	c.read()
	c.keep()
	if c.edited = strings.Replace(c.body, "app:1.0", "app:1.1", 1); c.edited == c.body {
		c.Fatalf("the body has no image:\n%s", c.body)
	}
}

// keep takes the state that was read.
func (c *caller) keep() {
	c.Helper()
	c.state = c.imported.NewState
	if err := must(c.state.Unmarshal(c.typ))(c.B).As(&c.values); err != nil {
		c.Fatal(err)
	}
	if err := c.values["yaml_body"].As(&c.body); err != nil {
		c.Fatal(err)
	}
}

func (c *caller) validate() {
	answer, err := c.ValidateResourceConfig(context.Background(), &tfprotov6.ValidateResourceConfigRequest{
		TypeName: benched, Config: c.config(c.body),
	})
	if err != nil {
		c.Fatal(err)
	}
	c.refuse(answer.Diagnostics)
}

func (c *caller) read() {
	answer, err := c.ReadResource(context.Background(), &tfprotov6.ReadResourceRequest{
		TypeName: benched, CurrentState: c.imported.NewState, Private: c.imported.Private, CurrentIdentity: c.imported.NewIdentity,
	})
	if err != nil {
		c.Fatal(err)
	}
	c.refuse(answer.Diagnostics)
	c.imported = answer
}

func (c *caller) plan(proposed, config *tfprotov6.DynamicValue) *tfprotov6.PlanResourceChangeResponse {
	answer, err := c.PlanResourceChange(context.Background(), &tfprotov6.PlanResourceChangeRequest{
		TypeName: benched, PriorState: c.state, ProposedNewState: proposed, Config: config,
		PriorPrivate: c.imported.Private, PriorIdentity: c.imported.NewIdentity,
	})
	if err != nil {
		c.Fatal(err)
	}
	c.refuse(answer.Diagnostics)
	return answer
}

// config returns a configuration with a body alone.
func (c *caller) config(body string) *tfprotov6.DynamicValue {
	return encode(c.B, c.typ, withAttributes(c.typ, map[string]tftypes.Value{"yaml_body": tftypes.NewValue(tftypes.String, body)}))
}

// changed returns what Terraform proposes: the configuration, and the computed values of the state.
func (c *caller) changed(body string) *tfprotov6.DynamicValue {
	values := map[string]tftypes.Value{"yaml_body": tftypes.NewValue(tftypes.String, body)}
	for _, name := range c.computed {
		values[name] = c.values[name]
	}
	return encode(c.B, c.typ, withAttributes(c.typ, values))
}

func (c *caller) refuse(diags []*tfprotov6.Diagnostic) {
	for _, d := range diags {
		if d.Severity == tfprotov6.DiagnosticSeverityError {
			c.Fatalf("%s: %s", d.Summary, d.Detail)
		}
	}
}

// serveSample starts a stub of an API server which has one Deployment, and answers a dry-run with it.
func serveSample(b *testing.B) (address string) {
	b.Helper()
	object := must(sample.Encode(must(sample.Deployment(1))(b)))(b)
	const discovered = `{"kind":"APIGroupDiscoveryList","apiVersion":"apidiscovery.k8s.io/v2","items":[%s]}`
	const core = `{"metadata":{"name":""},"versions":[{"version":"v1","resources":[{"resource":"namespaces","scope":"Cluster",` +
		`"responseKind":{"group":"","version":"v1","kind":"Namespace"},"verbs":["get"]}]}]}`
	const apps = `{"metadata":{"name":"apps"},"versions":[{"version":"v1","resources":[{"resource":"deployments","scope":"Namespaced",` +
		`"responseKind":{"group":"apps","version":"v1","kind":"Deployment"},"verbs":["get","patch"]}]}]}`
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		switch r.URL.Path {
		case "/api", "/apis":
			w.Header().Set("Content-Type", "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList")
			fmt.Fprintf(w, discovered, map[string]string{"/api": core, "/apis": apps}[r.URL.Path])
		case "/api/v1/namespaces/kube-system":
			w.Header().Set("Content-Type", "application/json")
			fmt.Fprint(w, `{"apiVersion":"v1","kind":"Namespace","metadata":{"name":"kube-system","uid":"1"}}`)
		default:
			w.Header().Set("Content-Type", "application/json")
			_, _ = w.Write(object)
		}
	}))
	b.Cleanup(server.Close)
	return server.URL
}

func must[T any](value T, err error) func(b *testing.B) T {
	return func(b *testing.B) T {
		b.Helper()
		if err != nil {
			b.Fatal(err)
		}
		return value
	}
}

func encode(b *testing.B, kind tftypes.Type, value tftypes.Value) *tfprotov6.DynamicValue {
	b.Helper()
	encoded := must(tfprotov6.NewDynamicValue(kind, value))(b)
	return &encoded
}

// withAttributes returns an object with these attributes; the others are null.
func withAttributes(kind tftypes.Object, attributes map[string]tftypes.Value) tftypes.Value {
	all := map[string]tftypes.Value{}
	for name, attribute := range kind.AttributeTypes {
		all[name] = tftypes.NewValue(attribute, nil)
		if value, is := attributes[name]; is {
			all[name] = value
		}
	}
	return tftypes.NewValue(kind, all)
}
