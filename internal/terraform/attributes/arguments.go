package attributes

import (
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/arguments"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/deletion"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/validators"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/waits"
)

// FieldManager returns the argument field_manager with its description.
func FieldManager(text string) schema.StringAttribute {
	return schema.StringAttribute{
		Optional: true, Computed: true, MarkdownDescription: text,
		Validators: []validator.String{FieldManagerValidator()},
	}
}

// IgnoreFields returns the argument ignore_fields with its description.
func IgnoreFields(text string) schema.SetAttribute { return stringSet(text, IgnoreFieldsValidator()) }

// IgnoreManagers returns the argument ignore_managers with its description.
func IgnoreManagers(text string) schema.SetAttribute {
	return stringSet(text, validators.Each(ManagerValidator(MayEndInStar)))
}

// RemoveFields returns the argument remove_fields with its description.
func RemoveFields(text string) schema.SetAttribute { return stringSet(text, RemoveFieldsValidator()) }

// SensitiveFields returns the argument sensitive_fields with its description.
func SensitiveFields(text string) schema.SetAttribute {
	return stringSet(text, FieldPathsValidator("sensitive_fields"))
}

// TakeOverManagers returns the argument take_over_managers with its description.
func TakeOverManagers(text string) schema.ListAttribute {
	return schema.ListAttribute{
		Optional: true, ElementType: types.StringType, MarkdownDescription: text,
		Validators: []validator.List{validators.Each(ManagerValidator(ExactName))},
	}
}

// OnConflict returns the argument on_conflict with its description.
func OnConflict(text string) schema.StringAttribute {
	return OneOf(text, string(arguments.Force), string(arguments.Fail))
}

// OnAddition returns the argument on_addition with its description.
func OnAddition(text string) schema.StringAttribute {
	return OneOf(text, string(arguments.Allow), string(arguments.Warn), string(arguments.FailOnAddition),
		string(arguments.RemoveAdditions))
}

// OnDestroy returns the argument on_destroy of whole objects with its description.
func OnDestroy(text string) schema.StringAttribute {
	return endingIn(text, string(deletion.DeleteObject), string(deletion.ReleaseObject))
}

// OnDestroyOfPart returns the argument on_destroy of parts of objects with its description.
func OnDestroyOfPart(text string) schema.StringAttribute {
	return endingIn(text, "remove", "restore", string(deletion.ReleaseObject))
}

// endingIn returns the argument on_destroy with some values and that of a handover.
func endingIn(text string, values ...string) schema.StringAttribute {
	handOver := string(deletion.HandOverObject)
	argument := OneOf(text, append(values, handOver)...)
	argument.Validators = append(argument.Validators, validators.ValueNeeds(handOver, "successor",
		"the field manager that applies the object next, for example \"kustomize-controller\""))
	return argument
}

// Successor returns the argument successor.
func Successor() schema.StringAttribute {
	return schema.StringAttribute{
		Optional: true,
		MarkdownDescription: "The field manager that owns the fields after a destroy with `on_destroy = " +
			"\"hand_over\"`: the name under which the tool that manages the object next applies it, for example " +
			"`kustomize-controller` (Flux), `argocd-controller`, `helm` (Helm 4) or `kubectl` (`kubectl apply " +
			"--server-side`). If it applies the same manifest, its first apply changes nothing, and a field that it " +
			"drops later leaves the object.",
		Validators: []validator.String{
			FieldManagerValidator(), validators.NeedsValue("on_destroy", string(deletion.HandOverObject)),
			validators.IsNotOwn("field_manager"),
		},
	}
}

// DeletePropagation returns the argument delete_propagation with its description.
func DeletePropagation(text string) schema.StringAttribute {
	return OneOf(text, string(cluster.Background), string(cluster.Foreground), string(cluster.Orphan))
}

// Flag returns an argument that is true or false, with its description.
func Flag(text string) schema.BoolAttribute {
	return schema.BoolAttribute{Optional: true, MarkdownDescription: text}
}

// Wait returns the argument wait of whole objects.
func Wait() schema.Attribute { return waits.Attributes(false)[waits.Attribute] }

// WriteOnlyParts returns the argument with the write-only parts of several manifests, with its description. version is
// the one with their version.
func WriteOnlyParts(version, text string) schema.MapAttribute {
	return schema.MapAttribute{
		Optional: true, WriteOnly: true, ElementType: types.StringType, MarkdownDescription: text,
		Validators: []validator.Map{validators.Needs(version)},
	}
}

// WriteOnlyVersion returns the argument with the version of a write-only one, with its description.
func WriteOnlyVersion(of, text string) schema.StringAttribute {
	return schema.StringAttribute{
		Optional: true, MarkdownDescription: text,
		Validators: []validator.String{validators.Needs(of), validators.NotEmpty()},
	}
}

func stringSet(text string, accept validator.Set) schema.SetAttribute {
	return schema.SetAttribute{
		Optional: true, ElementType: types.StringType, MarkdownDescription: text, Validators: []validator.Set{accept},
	}
}

// OneOf returns an argument that has one of some values, with its description.
func OneOf(text string, values ...string) schema.StringAttribute {
	return schema.StringAttribute{
		Optional: true, MarkdownDescription: text, Validators: []validator.String{validators.OneOf(values...)},
	}
}
