package kubernetesstub

import (
	"context"
	"maps"

	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/provider"
	"github.com/hashicorp/terraform-plugin-framework/providerserver"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/stringdefault"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
)

// Provider is the stub of a provider.
type Provider struct {
	// address is its namespace and its type, typeName begins the types of its resources.
	address, typeName string
	schemas           func() map[string]schema.Schema
}

// The providers that have a stub.
var (
	Kubernetes         = Provider{"hashicorp/kubernetes", "kubernetes", kubernetesSchemas}
	KubectlGavinbunney = Provider{"gavinbunney/kubectl", "kubectl", gavinbunneySchemas}
	KubectlAlekc       = Provider{"alekc/kubectl", "kubectl", alekcSchemas}
	K8sconnect         = Provider{"jmorris0x0/k8sconnect", "k8sconnect", k8sconnectSchemas}
)

// New returns a server of the stub of hashicorp/kubernetes.
func New() (tfprotov6.ProviderServer, error) { return Kubernetes.Server() }

// Server returns a server of the provider.
func (p Provider) Server() (tfprotov6.ProviderServer, error) {
	return providerserver.NewProtocol6(stubProvider{p})(), nil
}

type stubProvider struct{ of Provider }

func (p stubProvider) Metadata(_ context.Context, _ provider.MetadataRequest, resp *provider.MetadataResponse) {
	resp.TypeName = p.of.typeName
}
func (stubProvider) Schema(context.Context, provider.SchemaRequest, *provider.SchemaResponse) {}
func (stubProvider) Configure(context.Context, provider.ConfigureRequest, *provider.ConfigureResponse) {
}
func (stubProvider) DataSources(context.Context) []func() datasource.DataSource { return nil }

func (p stubProvider) Resources(context.Context) []func() resource.Resource {
	var all []func() resource.Resource
	for name, made := range p.of.schemas() {
		all = append(all, func() resource.Resource { return &stubResource{name, made} })
	}
	return all
}

// stubResource stores its configuration.
type stubResource struct {
	name string
	made schema.Schema
}

func (r *stubResource) Metadata(_ context.Context, req resource.MetadataRequest, resp *resource.MetadataResponse) {
	resp.TypeName = req.ProviderTypeName + "_" + r.name
}

func (r *stubResource) Schema(_ context.Context, _ resource.SchemaRequest, resp *resource.SchemaResponse) {
	resp.Schema = r.made
}

func (r *stubResource) Create(_ context.Context, req resource.CreateRequest, resp *resource.CreateResponse) {
	resp.State.Raw = req.Plan.Raw
}

func (r *stubResource) Update(_ context.Context, req resource.UpdateRequest, resp *resource.UpdateResponse) {
	resp.State.Raw = req.Plan.Raw
}
func (*stubResource) Read(context.Context, resource.ReadRequest, *resource.ReadResponse)       {}
func (*stubResource) Delete(context.Context, resource.DeleteRequest, *resource.DeleteResponse) {}

// kubernetesSchemas returns the schemas of hashicorp/kubernetes, by type.
func kubernetesSchemas() map[string]schema.Schema {
	text, flag := schema.StringAttribute{Optional: true}, schema.BoolAttribute{Optional: true}
	texts := schema.MapAttribute{Optional: true, ElementType: types.StringType}
	defaulting := func(value string) schema.Attribute {
		return schema.StringAttribute{Optional: true, Computed: true, Default: stringdefault.StaticString(value)}
	}
	of := func(attributes map[string]schema.Attribute, blocks map[string]schema.Block) schema.Schema {
		attributes["id"], attributes["field_manager"], attributes["force"] = defaulting(
			"an-id"), defaulting("Terraform"), flag
		if blocks == nil {
			blocks = map[string]schema.Block{}
		}
		blocks["metadata"] = list(map[string]schema.Attribute{"name": text, "namespace": text})
		return schema.Schema{Attributes: attributes, Blocks: blocks}
	}
	keyRef := list(map[string]schema.Attribute{"key": text, "name": text, "optional": flag})
	valueFrom := schema.ListNestedBlock{NestedObject: schema.NestedBlockObject{Blocks: map[string]schema.Block{
		"config_map_key_ref": keyRef, "secret_key_ref": keyRef,
		"field_ref": list(map[string]schema.Attribute{"api_version": defaulting("v1"), "field_path": text}),
		"resource_field_ref": list(map[string]schema.Attribute{
			"container_name": text, "divisor": defaulting("1"), "resource": text,
		}),
	}}}
	schemas := objectSchemas()
	maps.Copy(schemas, map[string]schema.Schema{
		"labels": of(map[string]schema.Attribute{"api_version": text, "kind": text, "labels": texts}, nil),
		"annotations": of(map[string]schema.Attribute{"api_version": text, "kind": text, "annotations": texts,
			"template_annotations": texts}, nil),
		"config_map_v1_data": of(map[string]schema.Attribute{"data": texts}, nil),
		"env": of(map[string]schema.Attribute{"api_version": text, "kind": text, "container": text,
			"init_container": text}, map[string]schema.Block{
			"env": schema.ListNestedBlock{NestedObject: schema.NestedBlockObject{
				Attributes: map[string]schema.Attribute{"name": text, "value": text},
				Blocks:     map[string]schema.Block{"value_from": valueFrom},
			}},
		}),
		"node_taint": of(map[string]schema.Attribute{}, map[string]schema.Block{
			"taint": list(map[string]schema.Attribute{"key": text, "value": text, "effect": text}),
		}),
		"service": of(map[string]schema.Attribute{}, nil),
	})
	return schemas
}

func list(attributes map[string]schema.Attribute) schema.ListNestedBlock {
	return schema.ListNestedBlock{NestedObject: schema.NestedBlockObject{Attributes: attributes}}
}
