package reading

import (
	"regexp"
	"strings"

	"k8s.io/apimachinery/pkg/api/validate/content"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/util/validation"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/listing"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/diagnostics"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/validators"
)

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
