package setresource

import (
	"context"
	"maps"

	"github.com/hashicorp/terraform-plugin-framework-timeouts/resource/timeouts"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/attributes"
)

// Schema implements resource.Resource.
func (r *setResource) Schema(ctx context.Context, _ resource.SchemaRequest, resp *resource.SchemaResponse) {
	resp.Schema = schema.Schema{
		MarkdownDescription: "Many Kubernetes objects, custom resources included, applied by server-side apply as " +
			"`k8sconnect_manifest` applies one. The state has the manifests and the differences alone, so " +
			"that a plan of a thousand objects takes seconds.",
		Attributes: withShared(map[string]schema.Attribute{
			manifestsAttribute: schema.DynamicAttribute{
				Required: true,
				MarkdownDescription: "The manifests by their keys: `provider::k8sconnect::documents(file(" +
					"\"install.yaml\"), { format = \"json\" })`, or a map of your own whose values are YAML " +
					"documents, JSON, or objects as in `manifest` of `k8sconnect_manifest`. A plan shows the changed " +
					"parts of JSON and of objects, and all lines of YAML. The objects are applied in this order: " +
					"CustomResourceDefinitions, namespaces, all others, and in the end webhook configurations, " +
					"admission policies and API services. One that leaves the map is deleted after the others are " +
					"applied. A key may change: the object stays. A value that is known only after the apply " +
					"leaves the other objects known.",
			},
			secretAttribute: schema.DynamicAttribute{
				Optional:  true,
				Sensitive: true,
				MarkdownDescription: "More manifests, in the same form, which no plan prints: `provider::k8sconnect::" +
					"documents(file(\"install.yaml\"), { secrets = \"only\" })` beside `{ secrets = \"none\" }` in " +
					"`manifests`. They have keys of their own. Plans, warnings and the other attributes show all " +
					"their values as digests, whatever the kind. The state has them.",
			},
			"field_manager": attributes.FieldManager("The name under which the API server records the fields that " +
				"this resource owns. Default: `k8sconnect-` and a digest of the keys and objects of `manifests` at " +
				"the create."),
			writeOnlyAttribute: attributes.WriteOnlyParts(writeOnlyVersionAttribute, "Parts of the manifests whose "+
				"values are stored neither in the state nor in the plan, by the keys of `manifests`: each is a YAML "+
				"document as in `yaml_body_wo` of `k8sconnect_manifest`, and is sent at the same times. Needs "+
				"Terraform or OpenTofu 1.11."),
			writeOnlyVersionAttribute: attributes.WriteOnlyVersion(writeOnlyAttribute, "Version of `manifests_wo`, "+
				"which needs one: any text or number. When it changes, the values of `manifests_wo` are sent."),
			attributes.RulesAttribute: attributes.RulesOfSet(),
			// Below a nested attribute the framework copies the map for each of its elements.
			"objects": schema.MapAttribute{
				Computed:    true,
				ElementType: objectType,
				MarkdownDescription: "The objects, by their keys in `manifests`. Each has `id`, its import ID, for " +
					"example `apiVersion=apps/v1,kind=Deployment,namespace=default,name=web`, `uid`, its UID, and " +
					"`ready`, whether the last wait has seen it ready; null without `wait`.",
			},
			"owners_elsewhere": schema.MapAttribute{
				Computed:    true,
				ElementType: listsType,
				MarkdownDescription: "The declared fields that other managers own, too, or alone: key, field, " +
					"managers. Empty if this resource owns all of them alone.",
			},
			"drifted": schema.MapAttribute{
				Computed:    true,
				ElementType: textsType,
				MarkdownDescription: "The declared fields that do not have the value of the last apply: key, " +
					"field, live value; null if the field is missing. A list with keys counts if it has another " +
					"order than in the manifest. Secret values appear as digests. Empty if all of them have it. " +
					"The apply sets them back.",
			},
			"conflicts": attributes.ConflictsOfSet(),
			"additions": attributes.AdditionsOfSet(),
			"pending": schema.MapAttribute{
				Computed:    true,
				ElementType: types.StringType,
				MarkdownDescription: "The objects that the last apply could not apply or delete, by their " +
					"keys: why. The next apply tries them again.",
			},
		}),
		Blocks: map[string]schema.Block{
			"timeouts": attributes.Timeouts(ctx, timeouts.Opts{
				Create: true, Read: true, Update: true, Delete: true,
				CreateDescription: "How long the create of one object may take, including the wait for the " +
					"kind, the namespace and admission webhooks. Default `2m`.",
				ReadDescription: "How long the read of one object may take. Default `1m`.",
				UpdateDescription: "How long the update of one object may take, including the wait for admission " +
					"webhooks. Default `2m`.",
				DeleteDescription: "How long the delete of one object may take, including the wait for finalizers. " +
					"Default `10m`.",
			}),
		},
	}
}

// withShared returns own attributes together with those that hold for each object.
func withShared(own map[string]schema.Attribute) map[string]schema.Attribute {
	all := map[string]schema.Attribute{
		"ignore_managers": attributes.IgnoreManagers("Names of managers that keep their fields in all objects, for " +
			"example `kube-controller-manager`, as in `k8sconnect_manifest`."),
		"sensitive_fields": attributes.SensitiveFields("Paths of fields whose values are secret in all objects that " +
			"have them, as in `k8sconnect_manifest`. The data of Secrets is always secret. Plans print `manifests` " +
			"itself as it is: use `secret_manifests`."),
		"take_over_managers": attributes.TakeOverManagers("Names of managers that lose the fields that `manifests` " +
			"declares, as in `k8sconnect_manifest`. Default: `[\"kubectl-client-side-apply\", \"kubectl-create\", " +
			"\"before-first-apply\"]`."),
		"on_conflict": attributes.OnConflict("What happens if an apply would change a value that another manager " +
			"owns. `force`, the default: the plan warns, and the apply changes it. `fail`: the plan fails with an " +
			"error that lists all such fields, and nothing of the set is applied."),
		"on_addition": attributes.OnAddition("What happens to fields that others have added to objects, as in " +
			"`k8sconnect_manifest`: `allow`, `warn`, `fail` or `remove`."),
		"adopt_existing": attributes.Flag("Whether objects that already exist are adopted. The plan then warns and " +
			"lists the fields that change owner. By default, the plan refuses them."),
	}
	maps.Copy(all, ofDeletion())
	maps.Copy(all, attributes.ConnectionOfResource())
	all["wait"] = attributes.Wait()
	maps.Copy(all, own)
	return all
}

// ofDeletion returns the attributes about the deletion of objects.
func ofDeletion() map[string]schema.Attribute {
	return map[string]schema.Attribute{
		"on_destroy": attributes.OnDestroy("What happens to an object that leaves `manifests`, and to all objects " +
			"in a destroy. `delete`, the default: it is deleted. `release`: it stays on the cluster with all its " +
			"values, and the provider gives up its ownership. `hand_over`: it stays, and `successor` owns its " +
			"fields. It is the value that the last apply stored."),
		"successor": attributes.Successor(),
		"delete_propagation": attributes.DeletePropagation("What happens to the objects that a deleted one owns: " +
			"`Background`, the default, `Foreground` or `Orphan`, as in `k8sconnect_manifest`."),
		"force_destroy": attributes.Flag("Whether finalizers that still block a deletion when `timeouts.delete` " +
			"runs out are removed, as in `k8sconnect_manifest`. Default `false`."),
		"delete_protection": attributes.Flag("Whether plans that delete or replace an object of the set are " +
			"refused. Default `false`."),
	}
}
