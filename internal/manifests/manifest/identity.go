package manifest

import (
	"maps"
	"regexp"
	"strings"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// Identity names one object on one cluster, as its manifest does: metadata.namespace is "" for a
// cluster-scoped object and, before defaulting, for a namespaced one that leaves it out.
type Identity struct {
	APIVersion string
	Kind       string
	Namespace  string
	Name       string
	// Subresource is the part of the object that requests are about; "" for the object without its status.
	Subresource string `json:",omitempty"`
}

// Status is the subresource that has the status of an object.
const Status = "status"

// IdentityOf returns the identity of a live object.
func IdentityOf(live *unstructured.Unstructured) Identity {
	return Identity{
		APIVersion: live.GetAPIVersion(), Kind: live.GetKind(), Namespace: live.GetNamespace(), Name: live.GetName(),
	}
}

// IsNamespace reports whether the object is a Namespace.
func (i Identity) IsNamespace() bool { return i.APIVersion == "v1" && i.Kind == "Namespace" }

// IsDefinition reports whether the object is a CustomResourceDefinition.
func (i Identity) IsDefinition() bool {
	return i.Group() == "apiextensions.k8s.io" && i.Kind == "CustomResourceDefinition"
}

// IsJob reports whether the object is a Job, which runs and ends.
func (i Identity) IsJob() bool { return i.Group() == "batch" && i.Kind == "Job" }

// Group returns the API group of the kind; "" for the core group.
func (i Identity) Group() string { return i.GroupKind().Group }

// GroupKind returns the kind without its version.
func (i Identity) GroupKind() schema.GroupKind {
	return schema.FromAPIVersionAndKind(i.APIVersion, i.Kind).GroupKind()
}

// DiffersInVersion reports whether two identities differ in their API version, of the same or another group, and in
// nothing else.
func (i Identity) DiffersInVersion(other Identity) bool {
	version := i.APIVersion
	i.APIVersion = other.APIVersion
	return version != other.APIVersion && i == other
}

// String returns how diagnostics name the object: `Deployment default/web (apps/v1)`. Without a name, it is all objects
// of the kind: `Deployment objects in namespace default (apps/v1)`.
func (i Identity) String() string {
	if i.Name == "" {
		return i.objects()
	}
	name := PrintableName(i.Name)
	if i.Namespace != "" {
		name = i.Namespace + "/" + name
	}
	return i.Kind + " " + name + " (" + i.APIVersion + ")"
}

// Kubectl returns a kubectl command line about the object, for a shell. It names the version and the group, because
// several kinds may have the same name.
func (i Identity) Kubectl(command string) string {
	kind := strings.ToLower(i.Kind)
	if group, version, hasGroup := strings.Cut(i.APIVersion, "/"); hasGroup {
		kind += "." + version + "." + group
	}
	line := "kubectl " + command + " " + kind + "/" + ShellWord(i.Name)
	if i.Namespace != "" {
		line += " -n " + i.Namespace
	}
	return line
}

var plainWord = regexp.MustCompile(`^[A-Za-z0-9.:_-]+$`)

// ShellWord returns a name for a shell. Some kinds allow any character but / and % in their names.
func ShellWord(name string) string {
	if plainWord.MatchString(name) {
		return name
	}
	return "'" + strings.ReplaceAll(name, "'", `'\''`) + "'"
}

func (i Identity) objects() string {
	text := i.Kind + " objects"
	if i.Namespace != "" {
		text += " in namespace " + i.Namespace
	}
	return text + " (" + i.APIVersion + ")"
}

// Identified returns body with the object's identity. body is not mutated.
func Identified(body map[string]any, id Identity) map[string]any {
	given, _ := body["metadata"].(map[string]any)
	metadata, identified := maps.Clone(given), maps.Clone(body)
	if metadata == nil {
		metadata = map[string]any{}
	}
	metadata["name"] = id.Name
	if id.Namespace != "" {
		metadata["namespace"] = id.Namespace
	}
	identified["metadata"], identified["apiVersion"], identified["kind"] = metadata, id.APIVersion, id.Kind
	return identified
}
