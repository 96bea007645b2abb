package story

import (
	"fmt"
	"strings"

	"github.com/hashicorp/terraform-plugin-testing/tfjsonpath"
)

// ProviderBlock returns a provider block that connects to the control plane.
func (s *Story) ProviderBlock() string {
	return fmt.Sprintf("provider \"k8sconnect\" {\n  cluster = { config_path = %q }\n}\n",
		ControlPlane().KubeconfigPath())
}

// Config returns a configuration with one resource k8sconnect_manifest.test. body is its YAML, in which NS is
// the story's namespace. arguments are further lines of HCL.
func (s *Story) Config(body string, arguments ...string) string {
	return s.ProviderBlock() + s.Manifest("test", body, arguments...)
}

// Manifest returns one resource block.
func (s *Story) Manifest(name, body string, arguments ...string) string {
	return fmt.Sprintf("resource \"k8sconnect_manifest\" %q {\n  yaml_body = <<-YAML\n%s\nYAML\n  %s\n}\n",
		name, s.Expand(body), strings.Join(arguments, "\n  "))
}

// PatchConfig returns a configuration with one resource k8sconnect_patch.test of target, for example "apps/v1
// Deployment web", in the story's namespace. body is its YAML, and arguments are further lines of HCL.
func (s *Story) PatchConfig(target, body string, arguments ...string) string {
	return s.ProviderBlock() + s.PatchBlock("test", target, body, arguments...)
}

// PatchBlock returns one resource block of a patch.
func (s *Story) PatchBlock(name, target, body string, arguments ...string) string {
	return s.partBlock(name, target, "yaml_body = <<-YAML\n"+s.Expand(body)+"\nYAML", arguments)
}

// TypedPatchConfig returns PatchConfig with a patch of a type, whose body is JSON, instead of the YAML.
func (s *Story) TypedPatchConfig(target, kind, body string, arguments ...string) string {
	return s.ProviderBlock() + s.TypedPatchBlock("test", target, kind, body, arguments...)
}

// TypedPatchBlock returns one resource block of a patch of a type.
func (s *Story) TypedPatchBlock(name, target, kind, body string, arguments ...string) string {
	return s.partBlock(name, target, fmt.Sprintf("patch = { type = %q, body = %q }", kind, s.Expand(body)), arguments)
}

func (s *Story) partBlock(name, target, body string, arguments []string) string {
	apiVersion, kind, object := s.Split(target)
	return fmt.Sprintf("resource \"k8sconnect_patch\" %q {\n  target = { api_version = %q, kind = %q, namespace = "+
		"%q, name = %q }\n  %s\n  %s\n}\n",
		name, apiVersion, kind, s.Namespace, object, body, strings.Join(arguments, "\n  "))
}

// Expand replaces NS in a string by the name of the story's namespace.
func (s *Story) Expand(text string) string { return strings.ReplaceAll(text, "NS", s.Namespace) }

// ImportBlock returns a block that imports an object as the resource test.
func (s *Story) ImportBlock(id string) string {
	return fmt.Sprintf("import {\n  to = k8sconnect_manifest.test\n  id = %q\n}\n", s.Expand(id))
}

// ProviderWith returns a provider block with these lines.
func ProviderWith(lines ...string) string {
	return "provider \"k8sconnect\" {\n" + strings.Join(lines, "\n") + "\n}\n"
}

// Cluster returns the attribute cluster with these lines.
func Cluster(lines ...string) string { return "cluster = {\n" + strings.Join(lines, "\n") + "\n}" }

// Attributes returns lines of HCL, one for each name and value.
func Attributes(namesAndValues ...string) string {
	var lines []string
	for i := 0; i < len(namesAndValues); i += 2 {
		lines = append(lines, fmt.Sprintf("%s = %q", namesAndValues[i], namesAndValues[i+1]))
	}
	return strings.Join(lines, "\n")
}

// Later returns a resource whose output is known only after the apply; it changes with its input.
func Later(name, value string) string {
	return fmt.Sprintf("resource \"terraform_data\" %q {\n  input = %q\n}\n", name, value)
}

// Address is the resource of Config.
const Address = "k8sconnect_manifest.test"

// PatchAddress is the resource of PatchConfig.
const PatchAddress = "k8sconnect_patch.test"

// Absent represents a key that a map does not contain.
const Absent = "(absent)"

// Us is the field manager of the provider.
const Us = "k8sconnect"

// The computed maps, as ExpectState and ExpectChange name them.
const (
	// FieldOwnership holds one owner for each field.
	FieldOwnership = "field_ownership"
	// CoOwners holds all owners of the fields that have several.
	CoOwners = "co_owners"
	// ManagedState holds the values of the fields that we own.
	ManagedState = "managed_state"
	// AddedFields holds the fields that a patch added.
	AddedFields = "added_fields"
	// Pinned holds the values of the pinned fields; null without pin_fields.
	Pinned = "pinned"
)

// Computed are the attributes that the provider sets for each object.
var Computed = []string{"id", "object_ref", FieldOwnership, CoOwners, ManagedState}

// PathOfUID is the path of the object's uid in the state.
var PathOfUID = tfjsonpath.New("object_ref").AtMapKey("uid")

// Parts of the Deployment web.
const (
	// AppContainer is the field path of its container.
	AppContainer = `spec.template.spec.containers[name="app"]`
	// ImageField is the field path of the container's image.
	ImageField = `spec.template.spec.containers[name="app"].image`
	// ImagePath is the JSONPath of the container's image.
	ImagePath = "{.spec.template.spec.containers[0].image}"
)

// Import IDs.
const (
	// WebID is the import ID of the Deployment web.
	WebID = "apiVersion=apps/v1,kind=Deployment,namespace=NS,name=web"
	// ConfigMapID is the import ID of the ConfigMap web.
	ConfigMapID = "apiVersion=v1,kind=ConfigMap,namespace=NS,name=web"
)

// Arguments of a resource.
const (
	// Adopting lets a new resource adopt an existing object.
	Adopting = "adopt_existing = true"
	// OrFail fails a plan that has conflicts.
	OrFail = `on_conflict = "fail"`
	// Protected protects the object from deletion.
	Protected = "delete_protection = true"
	// IgnoreReplicas leaves the replicas of a Deployment to other managers.
	IgnoreReplicas = `ignore_fields = ["spec.replicas"]`
	// IgnoreImage leaves the image of the Deployment web to other managers.
	IgnoreImage = `ignore_fields = ["spec.template.spec.containers[name=\"app\"].image"]`
)

// IgnoringPath returns an ignore_fields line with one path.
func IgnoringPath(path string) string {
	return `ignore_fields = ["` + strings.ReplaceAll(path, `"`, `\"`) + `"]`
}
