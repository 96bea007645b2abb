package attributes

import (
	"context"
	"maps"

	"github.com/hashicorp/terraform-plugin-framework-timeouts/resource/timeouts"
	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/exports"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/validators"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/waits"
)

// OfObject returns the attributes that all resources about an object share, together with own.
func OfObject(own map[string]schema.Attribute) map[string]schema.Attribute {
	all := map[string]schema.Attribute{
		"yaml_body_wo": schema.StringAttribute{
			Optional:  true,
			WriteOnly: true,
			MarkdownDescription: "A part of the manifest whose values are stored neither in the state nor in the " +
				"plan: one YAML document with the fields to add to `yaml_body`, without `apiVersion`, `kind` and " +
				"`metadata.name`. Maps are merged; lists and values replace those of `yaml_body`. It may contain " +
				"ephemeral values. Terraform does not compare it with the last run. A value is sent when " +
				"`yaml_body_wo_version` changes, or when the object lost it: it has no value there, or this resource " +
				"does not own the field any more. Otherwise an apply leaves the field as it is, and the plan warns " +
				"if the value here is another one. Its fields must be the same in a plan and its apply. " +
				"`managed_state` shows `(sensitive, write-only)` for them, and no digest is stored, except for " +
				"members and keys of lists. Needs Terraform or OpenTofu 1.11.",
			Validators: []validator.String{
				partialManifestValidator(),
				validators.Needs("yaml_body_wo_version"),
			},
		},
		"yaml_body_wo_version": WriteOnlyVersion("yaml_body_wo", "Version of `yaml_body_wo`, which needs one: any "+
			"text or number. When it changes, the provider sends the values of `yaml_body_wo`."),
		"sensitive_fields": SensitiveFields("Paths of fields whose values are secret, written as in " +
			"`ignore_fields`, for example `data` of a ConfigMap or `spec.users[*].password`. Values at and below " +
			"these paths appear only as digests in `managed_state`, in warnings and in private state; somebody who " +
			"has the state can try out short values. The data of Secrets always do, and the fields of " +
			"`yaml_body_wo` appear only as `(sensitive, write-only)`. The provider does not list secret members and " +
			"keys of lists: it lists the field that contains the list instead. `[\"*\"]` covers every value of the " +
			"object; `apiVersion`, `kind`, name and namespace stay readable, and so do the paths of fields without " +
			"a secret. `yaml_body` itself is stored and shown as it is: write values that must not be stored into " +
			"`yaml_body_wo`. Terraform hides a `yaml_body` that contains a sensitive value, but the provider cannot " +
			"see that: list the fields here, too."),
		"on_conflict": OnConflict("What happens if an apply would change a value that another manager owns. " +
			"`force`, the default: the plan warns, and the apply changes it. `fail`: the plan fails with an error " +
			"that lists all such fields, and nothing is applied. `fail` does not refuse `terraform destroy`; on " +
			"systems other than Linux, that needs `-refresh=false`."),
	}
	all["successor"] = Successor()
	all[RulesAppliedAttribute] = rulesApplied()
	maps.Copy(all, ConnectionOfResource())
	maps.Copy(all, computedAttributes())
	maps.Copy(all, exports.Attributes())
	maps.Copy(all, waits.Attributes(own["target"] != nil))
	maps.Copy(all, own)
	return all
}

// computedAttributes returns the attributes that identify the object and show the owners of its fields.
func computedAttributes() map[string]schema.Attribute {
	return map[string]schema.Attribute{
		"id": schema.StringAttribute{
			Computed: true,
			MarkdownDescription: "The import ID of the object: " +
				"`apiVersion=apps/v1,kind=Deployment,namespace=default,name=web`.",
		},
		"object_ref": schema.SingleNestedAttribute{
			Computed:            true,
			MarkdownDescription: "The object on the cluster.",
			Attributes: map[string]schema.Attribute{
				"api_version": schema.StringAttribute{
					Computed: true, MarkdownDescription: "API version, for example `apps/v1`.",
				},
				"kind": schema.StringAttribute{
					Computed: true, MarkdownDescription: "Kind, for example `Deployment`.",
				},
				"namespace": schema.StringAttribute{
					Computed: true, MarkdownDescription: "Namespace; null for a cluster-scoped object.",
				},
				"name": schema.StringAttribute{Computed: true, MarkdownDescription: "Name."},
				"uid": schema.StringAttribute{
					Computed: true, MarkdownDescription: "UID, which the API server assigns to each object.",
				},
			},
		},
		"conflicts": Conflicts(),
		"co_owners": schema.MapAttribute{
			Computed:            true,
			ElementType:         types.ListType{ElemType: types.StringType},
			MarkdownDescription: "All managers, sorted, of each field that more than one manager owns.",
		},
	}
}

// ConflictType is the type of a conflict.
var ConflictType = types.ObjectType{AttrTypes: map[string]attr.Type{
	"effect": types.StringType, "before": types.StringType, "after": types.StringType,
	"owners": types.MapType{ElemType: types.StringType},
}}

// conflicts describes the attribute of a resource about one object.
const conflicts = "" +
	"The fields whose values an apply takes from other managers, by path: those that it changes, sets back or " +
	"removes. Null without such fields, and after each refresh: only plans with changes and the state right after " +
	"an apply contain them. Unknown if the plan cannot predict them: for an adoption, the first apply of a patch, " +
	"a JSON, merge or strategic merge patch, and values that are known only after the apply. The warnings of the " +
	"plan list the fields then. Fields without an owner, and fields that the API server itself drops, are in the " +
	"warnings only."

// Conflicts returns the attribute conflicts of one object.
func Conflicts() schema.Attribute {
	return schema.MapNestedAttribute{
		Computed: true, MarkdownDescription: conflicts,
		NestedObject: schema.NestedAttributeObject{Attributes: conflictAttributes()},
	}
}

// ConflictsOfSet returns the attribute conflicts of a resource with many objects.
func ConflictsOfSet() schema.Attribute {
	return schema.MapAttribute{
		Computed: true, ElementType: types.MapType{ElemType: ConflictType},
		MarkdownDescription: "The conflicts of the objects, by their keys, as in `conflicts` of " +
			"`k8sconnect_manifest`. Null without conflicts. Unknown if the plan cannot predict those of every object.",
	}
}

func conflictAttributes() map[string]schema.Attribute {
	text := func(description string) schema.Attribute {
		return schema.StringAttribute{Computed: true, MarkdownDescription: description}
	}
	return map[string]schema.Attribute{
		"effect": text("`take`: another manager owns the field with another value. `take-back`: the same, and the " +
			"last apply set the field. `set-back`: the value was changed, and nobody else owns it. `remove`: the " +
			"field of another manager goes."),
		"before": text("The value before the apply, as in `managed_state`; null if the field has no value, or if " +
			"only a digest of it is recorded."),
		"after": text("The value after the apply; null if the field goes."),
		"owners": schema.MapAttribute{
			Computed: true, ElementType: types.StringType,
			MarkdownDescription: "The managers that lose the field, by their names: whether each is a `controller` " +
				"(an autoscaler, for example), a `person` or a `tool`, and how it writes: `controller: Update scale`.",
		},
	}
}

// Timeouts returns the block timeouts of a resource, which accepts durations of more than zero.
func Timeouts(ctx context.Context, opts timeouts.Opts) schema.Block {
	block, _ := timeouts.Block(ctx, opts).(schema.SingleNestedBlock)
	for name := range block.Attributes {
		limit, _ := block.Attributes[name].(schema.StringAttribute)
		limit.Validators = []validator.String{validators.Duration()}
		block.Attributes[name] = limit
	}
	return block
}
