package reading

import (
	"maps"
	"regexp"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/datasource/schema"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"k8s.io/apimachinery/pkg/api/validate/content"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/util/validation"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/listing"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/attributes"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/diagnostics"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/validators"
)

// OptionalAttribute is the name of the argument that allows the object to be absent.
const OptionalAttribute = "optional"

// CollectionAttributes returns the arguments that name the objects of a kind.
func CollectionAttributes() map[string]schema.Attribute {
	all := map[string]schema.Attribute{
		"api_version": schema.StringAttribute{Required: true, Validators: []validator.String{APIVersion}},
		"kind":        schema.StringAttribute{Required: true, Validators: []validator.String{Kind}},
		"namespace":   schema.StringAttribute{Optional: true, Validators: []validator.String{Namespace}},
	}
	maps.Copy(all, attributes.ConnectionOf[schema.Attribute]())
	return all
}

// TargetAttributes returns the arguments that name one object.
func TargetAttributes() map[string]schema.Attribute {
	all := CollectionAttributes()
	all["name"] = schema.StringAttribute{Required: true, Validators: []validator.String{name}}
	all["namespace"] = schema.StringAttribute{Optional: true, Computed: true, Validators: []validator.String{Namespace}}
	return all
}

// ObjectAttributes returns TargetAttributes and the attributes of the object that was read.
func ObjectAttributes() map[string]schema.Attribute {
	all := TargetAttributes()
	secrets := schema.MapAttribute{Computed: true, ElementType: types.StringType, Sensitive: true}
	maps.Copy(all, map[string]schema.Attribute{
		OptionalAttribute: schema.BoolAttribute{Optional: true},
		"object":          schema.DynamicAttribute{Computed: true},
		"exists":          schema.BoolAttribute{Computed: true},
		"id":              schema.StringAttribute{Computed: true},
		"secret_data":     secrets, "secret_data_base64": secrets,
	})
	return all
}

// The validators of selectors.
var (
	LabelSelector = validators.Checked("a label selector", func(text string) string {
		_, err := labels.Parse(text)
		return problem(err)
	})
	FieldSelector = validators.Checked("a field selector", func(text string) string {
		_, err := fields.ParseSelector(text)
		return problem(err)
	})
)

func problem(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

var (
	apiVersions = regexp.MustCompile(`^([^/\s]+/)?[^/\s]+$`)
	kinds       = regexp.MustCompile(`^[^/\s]+$`)
)

// The validators of arguments that name objects.
var (
	APIVersion = validators.Text("an API version", func(text string) string {
		if apiVersions.MatchString(text) {
			return ""
		}
		return diagnostics.HCLString(text) + " is not an API version.\n\n" +
			"Write a version, or group/version: \"v1\" or \"apps/v1\" for instance."
	})
	Kind = validators.Text("a kind", func(text string) string {
		if kinds.MatchString(text) {
			return ""
		}
		return diagnostics.HCLString(text) + " is not a kind.\n\nWrite a kind: \"Deployment\" for instance."
	})
	name = validators.Checked("the name of an object", func(text string) string {
		if text == "" {
			return "must not be empty"
		}
		return strings.Join(content.IsPathSegmentName(text), ", ")
	})
	Namespace = validators.Checked("the name of a namespace", func(text string) string {
		return strings.Join(validation.IsDNS1123Label(text), ", ")
	})
)

// KindWithVersion accepts a kind, with or without its API version.
var KindWithVersion = validators.Checked("a kind", func(text string) string {
	if _, ok := listing.ParseKind(text); !ok {
		return `write "Deployment" or "apps/v1 Deployment"`
	}
	return ""
})
