package actions

import (
	"strings"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/yaml"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/operations"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/attributes"
)

// notAJobError is the error about a manifest of another object than a Job.
type notAJobError manifest.Identity

func (e *notAJobError) Error() string { return manifest.Identity(*e).String() + " is not a Job" }

// body returns the manifest of the configuration; nil without one.
func (m runJobModel) body() (map[string]any, error) {
	var parsed manifest.Manifest
	var err error
	switch {
	case !m.YAMLBody.IsNull():
		parsed, err = manifest.Parse(named(m.YAMLBody.ValueString()))
	case !m.Manifest.IsNull():
		var written attributes.Written
		if written, err = attributes.DecodeObject(m.Manifest); err != nil || len(written.Undecided) > 0 {
			return nil, err
		}
		name(written.Object)
		parsed, err = manifest.Of(written.Object)
	default:
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	if parsed.Kind != operations.JobKind || parsed.APIVersion != operations.JobAPIVersion {
		return nil, (*notAJobError)(&parsed.Identity)
	}
	return (&unstructured.Unstructured{Object: parsed.Object}).DeepCopy().Object, nil
}

// named returns a manifest with metadata.generateName as one with metadata.name. Any other string stays as it is.
func named(text string) string {
	decoded, _ := manifest.Decode(text) // Parse returns its error.
	object, _ := decoded.(map[string]any)
	if !name(object) {
		return text
	}
	renamed, err := yaml.Marshal(object)
	if err != nil {
		return text
	}
	return string(renamed)
}

// name replaces metadata.generateName by metadata.name, and reports whether it did.
func name(object map[string]any) bool {
	metadata, _ := object["metadata"].(map[string]any)
	prefix, _ := metadata["generateName"].(string)
	if prefix == "" || metadata["name"] != nil {
		return false
	}
	// A run adds a dash and random characters to each name.
	metadata["name"] = strings.TrimRight(prefix, "-")
	delete(metadata, "generateName")
	return true
}
