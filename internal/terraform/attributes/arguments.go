package attributes

import (
	"fmt"
	"math"
	"regexp"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"k8s.io/apimachinery/pkg/apis/meta/v1/validation"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/arguments"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/deletion"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/diagnostics"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/validators"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/waits"
)

// argumentsOf returns the arguments of a resource, without their descriptions.
func argumentsOf(resource string) map[string]schema.Attribute {
	all, others := ConnectionOf[schema.Attribute](), particular(resource)
	for _, argument := range arguments.Of(resource) {
		switch {
		case argument.Kind == arguments.ExactManagers:
			all[argument.Name] = schema.ListAttribute{
				Optional: true, ElementType: types.StringType,
				Validators: []validator.List{validators.Each(ManagerValidator(ExactName))},
			}
		case argument.Kind.IsList():
			all[argument.Name] = schema.SetAttribute{
				Optional: true, ElementType: types.StringType,
				Validators: []validator.Set{elementsValidator(argument, argument.Name)},
			}
		case argument.Kind == arguments.OneOf:
			all[argument.Name] = schema.StringAttribute{Optional: true, Validators: oneOf(argument)}
		case argument.Kind == arguments.Flag:
			all[argument.Name] = schema.BoolAttribute{Optional: true}
		default:
			all[argument.Name] = others[argument.Name]
		}
	}
	return all
}

// elementsValidator returns a validator of the elements of an argument. named is its name, for errors.
func elementsValidator(argument arguments.Argument, named string) validator.Set {
	switch argument.Kind {
	case arguments.Managers:
		return validators.Each(ManagerValidator(MayEndInStar))
	case arguments.ExactManagers:
		return validators.Each(ManagerValidator(ExactName))
	}
	return fieldPathsValidator{"field paths", named, pathChecks[argument.Name]}
}

func oneOf(argument arguments.Argument) []validator.String {
	all := []validator.String{validators.OneOf(argument.Values...)}
	if argument.Name == arguments.OnDestroy {
		all = append(all, validators.ValueNeeds(string(deletion.HandOverObject), arguments.Successor,
			"the field manager that applies the object next, for example \"kustomize-controller\""))
	}
	return all
}

// particular returns the arguments that have a form of their own.
func particular(resource string) map[string]schema.Attribute {
	return map[string]schema.Attribute{
		arguments.FieldManager: schema.StringAttribute{
			Optional: true, Computed: true, Validators: []validator.String{FieldManagerValidator()},
		},
		arguments.Repin: schema.StringAttribute{Optional: true},
		arguments.Successor: schema.StringAttribute{
			Optional: true,
			Validators: []validator.String{
				FieldManagerValidator(), validators.NeedsValue(arguments.OnDestroy, string(deletion.HandOverObject)),
				validators.IsNotOwn(arguments.FieldManager),
			},
		},
		arguments.Wait: waitOf(resource)[waits.Attribute],
		arguments.ListLengths: schema.MapNestedAttribute{
			Optional:   true,
			Validators: []validator.Map{validators.Each(listPathValidator{"the path of a list"})},
			NestedObject: schema.NestedAttributeObject{Attributes: map[string]schema.Attribute{
				"min": schema.Int64Attribute{
					Optional: true, Validators: []validator.Int64{validators.Between(0, math.MaxInt32)},
				},
				"max": schema.Int64Attribute{
					Optional: true, Validators: []validator.Int64{validators.Between(0, math.MaxInt32)},
				},
			}},
		},
	}
}

// WriteOnlyParts returns the argument with the write-only parts of several manifests. version is the one with their
// version.
func WriteOnlyParts(version string) schema.MapAttribute {
	return schema.MapAttribute{
		Optional: true, WriteOnly: true, ElementType: types.StringType,
		Validators: []validator.Map{validators.Needs(version)},
	}
}

// ReleaseOfHelm returns the argument that names a release.
func ReleaseOfHelm() schema.SingleNestedAttribute {
	named := schema.StringAttribute{Required: true, Validators: []validator.String{validators.NotEmpty()}}
	return schema.SingleNestedAttribute{
		Optional: true, Attributes: map[string]schema.Attribute{"name": named, "namespace": named},
	}
}

// WriteOnlyVersion returns the argument with the version of a write-only one.
func WriteOnlyVersion(of string) schema.StringAttribute {
	return schema.StringAttribute{
		Optional: true, Validators: []validator.String{validators.Needs(of), validators.NotEmpty()},
	}
}

// printable matches what the API server accepts in the name of a field manager.
var printable = regexp.MustCompile(`^[\pL\pM\pN\pP\pS ]*$`)

// FieldManagerValidator accepts the name of a field manager as the API server does: 1 to 128 bytes of printable
// characters.
func FieldManagerValidator() validator.String {
	return validators.Text("1 to 128 bytes of printable characters", func(name string) string {
		if !printable.MatchString(name) {
			return diagnostics.HCLString(name) + " contains characters that cannot be printed.\n\nRemove them."
		}
		return lengthProblem(name)
	})
}

// lengthProblem returns what is wrong with the length of a manager's name; "" if it is valid.
func lengthProblem(name string) string {
	switch length := len(name); {
	case length == 0:
		return "a name is empty.\n\nWrite one, or leave it out."
	case length > validation.FieldManagerMaxLength:
		return fmt.Sprintf("a name has %d bytes.\n\nWrite at most %d.", length, validation.FieldManagerMaxLength)
	default:
		return ""
	}
}

// NameForm describes the names of managers that an attribute accepts.
type NameForm string

const (
	// ExactName is a whole name, without a wildcard.
	ExactName NameForm = "exact"
	// MayEndInStar is a whole name, or a prefix that ends in a star.
	MayEndInStar NameForm = "may end in *"
)

// ManagerValidator accepts the name of a manager, 1 to 128 bytes.
func ManagerValidator(form NameForm) validator.String {
	return validators.Text("the name of a manager", func(name string) string {
		star := strings.Index(name, "*")
		switch {
		case star >= 0 && form == ExactName:
			return diagnostics.HCLString(name) + " contains a *.\n\nWrite the whole name of a manager."
		case star >= 0 && star < len(name)-1:
			return diagnostics.HCLString(name) + " has a * that is not at its end.\n\n" +
				"Write a whole name, or the beginning of names and one * after it."
		default:
			return lengthProblem(name)
		}
	})
}
