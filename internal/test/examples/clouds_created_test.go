package examples_test

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/types"
)

// The arguments of resources of clouds.
var (
	text    = schema.StringAttribute{Required: true}
	boolean = schema.BoolAttribute{Required: true}
	count   = schema.Int64Attribute{Required: true}
	texts   = schema.ListAttribute{Required: true, ElementType: types.StringType}
)

// arguments are those of a resource or of a block, by name.
type arguments = map[string]schema.Attribute

// cloudResource is a resource of a cloud. It has the arguments and blocks that the examples write, and refuses others.
type cloudResource struct {
	name      string
	arguments arguments
	blocks    map[string]arguments
	// values are known after the apply: texts, and lists of blocks of texts.
	values map[string]any
}

func created(resources ...cloudResource) []func() resource.Resource {
	var all []func() resource.Resource
	for _, one := range resources {
		all = append(all, func() resource.Resource { return one })
	}
	return all
}

func (r cloudResource) Metadata(_ context.Context, req resource.MetadataRequest, resp *resource.MetadataResponse) {
	resp.TypeName = req.ProviderTypeName + "_" + r.name
}

func (r cloudResource) Schema(_ context.Context, _ resource.SchemaRequest, resp *resource.SchemaResponse) {
	attributes, blocks := arguments{}, map[string]schema.Block{}
	for name, argument := range r.arguments {
		attributes[name] = argument
	}
	for name, value := range r.values {
		attributes[name] = schema.StringAttribute{Computed: true}
		if _, isList := value.([]map[string]string); isList {
			attributes[name] = schema.ListAttribute{Computed: true, ElementType: types.MapType{ElemType: types.StringType}}
		}
	}
	for name, inside := range r.blocks {
		blocks[name] = schema.ListNestedBlock{NestedObject: schema.NestedBlockObject{Attributes: inside}}
	}
	resp.Schema = schema.Schema{Attributes: attributes, Blocks: blocks}
}

func (r cloudResource) Create(ctx context.Context, req resource.CreateRequest, resp *resource.CreateResponse) {
	resp.State.Raw = req.Plan.Raw
	for name, value := range r.values {
		resp.Diagnostics.Append(resp.State.SetAttribute(ctx, path.Root(name), value)...)
	}
}

func (cloudResource) Read(context.Context, resource.ReadRequest, *resource.ReadResponse) {}

func (cloudResource) Update(_ context.Context, _ resource.UpdateRequest, resp *resource.UpdateResponse) {
	resp.Diagnostics.AddError("Not Part of the Examples", "No example changes a resource of a cloud.")
}

func (cloudResource) Delete(context.Context, resource.DeleteRequest, *resource.DeleteResponse) {}

// amazon are the resources of hashicorp/aws. The values are those of the cluster.
func amazon(cluster map[string]any) []func() resource.Resource {
	return created(
		cloudResource{
			name: "iam_role", arguments: arguments{"name": text, "assume_role_policy": text},
			values: map[string]any{"arn": "arn:aws:iam::123456789012:role/hello"},
		},
		cloudResource{name: "iam_role_policy_attachment", arguments: arguments{"role": text, "policy_arn": text}},
		cloudResource{
			name: "eks_cluster", arguments: arguments{"name": text, "role_arn": text}, values: cluster,
			blocks: map[string]arguments{
				"vpc_config":    {"subnet_ids": texts},
				"access_config": {"authentication_mode": text, "bootstrap_cluster_creator_admin_permissions": boolean},
			},
		},
		cloudResource{
			name:      "eks_node_group",
			arguments: arguments{"cluster_name": text, "node_group_name": text, "node_role_arn": text, "subnet_ids": texts},
			blocks:    map[string]arguments{"scaling_config": {"min_size": count, "desired_size": count, "max_size": count}},
		},
	)
}

// google are the resources of hashicorp/google.
func google(cluster map[string]any) []func() resource.Resource {
	return created(cloudResource{
		name:      "container_cluster",
		arguments: arguments{"name": text, "location": text, "enable_autopilot": boolean, "deletion_protection": boolean},
		values:    cluster,
	})
}

// azure are the resources of hashicorp/azurerm.
func azure(cluster map[string]any) []func() resource.Resource {
	return created(
		cloudResource{name: "resource_group", arguments: arguments{"name": text, "location": text}},
		cloudResource{
			name: "kubernetes_cluster", values: cluster,
			arguments: arguments{
				"name": text, "location": text, "resource_group_name": text, "dns_prefix": text, "local_account_disabled": boolean,
			},
			blocks: map[string]arguments{
				"default_node_pool": {"name": text, "vm_size": text, "node_count": count},
				"identity":          {"type": text},
				"azure_active_directory_role_based_access_control": {"admin_group_object_ids": texts},
			},
		},
	)
}
