package manifest

import (
	"maps"
	"regexp"
	"strings"

	yamlv3 "go.yaml.in/yaml/v3"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/yaml"
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

// InAnyVersion returns what is the same of an object in all versions of its kind: the group stands for the version.
func (i Identity) InAnyVersion() Identity {
	i.APIVersion, i.Subresource = i.Group(), ""
	return i
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

// In returns m with a namespace. Its Text is m's with one more line, or one more key in a {...}. If that is not enough,
// for example because the namespace is there and empty, In encodes the whole Text again. m is not mutated.
func (m Manifest) In(namespace string) (Manifest, error) {
	moved := m
	moved.Object, moved.Namespace = Identified(m.Object,
		Identity{APIVersion: m.APIVersion, Kind: m.Kind, Namespace: namespace, Name: m.Name}), namespace
	root, err := onlyDocument(m.Text)
	if err != nil {
		return m, err
	}
	for _, write := range []func() string{
		func() string { return withLine(m.Text, valueOf(root, "metadata"), namespace) },
		func() string { return withKey(root, namespace) },
	} {
		if moved.Text = write(); moved.Text != "" && isAlso(moved, moved.Text) {
			return moved, nil
		}
	}
	asYAML, err := yaml.Marshal(moved.Object)
	if err != nil {
		return m, notJSON()
	}
	moved.Text = string(asYAML)
	return moved, nil
}

func isAlso(m Manifest, text string) bool {
	parsed, err := Parse(text)
	return err == nil && Equal(m, parsed)
}

// withLine returns a string with a namespace as the first field of its metadata; "" if that takes more than one
// insertion.
func withLine(text string, metadata *yamlv3.Node, namespace string) string {
	if metadata == nil || metadata.Kind != yamlv3.MappingNode || len(metadata.Content) == 0 {
		return ""
	}
	lines := strings.SplitAfter(text, "\n")
	first := metadata.Content[0]
	at, column := first.Line-1, first.Column-1
	if metadata.Style&yamlv3.FlowStyle != 0 {
		at, column = metadata.Line-1, metadata.Column-1
	}
	if at >= len(lines) || column > len(lines[at]) {
		return ""
	}
	before, after := lines[at][:column], lines[at][column:]
	switch {
	case metadata.Style&yamlv3.FlowStyle != 0:
		rest, isMap := strings.CutPrefix(after, "{")
		if !isMap {
			return ""
		}
		lines[at] = before + `{"namespace": "` + namespace + `", ` + rest
	case strings.TrimLeft(before, " ") != "":
		return ""
	default:
		lines[at] = before + "namespace: " + scalar(namespace) + lineEnd(lines[at]) + lines[at]
	}
	return strings.Join(lines, "")
}

func lineEnd(line string) string {
	if strings.HasSuffix(line, "\r\n") {
		return "\r\n"
	}
	return "\n"
}

// scalar returns a string as YAML, in quotes if it would not be a string without them.
func scalar(value string) string {
	asYAML, err := yaml.Marshal(value)
	if err != nil {
		return ""
	}
	return strings.TrimSuffix(string(asYAML), "\n")
}

// withKey writes a document again with a namespace in its metadata; "" where that fails.
func withKey(root *yamlv3.Node, namespace string) string {
	metadata := valueOf(root, "metadata")
	if metadata == nil || metadata.Kind != yamlv3.MappingNode {
		return ""
	}
	value := yamlv3.Node{Kind: yamlv3.ScalarNode, Tag: "!!str", Value: namespace, Style: yamlv3.DoubleQuotedStyle}
	if was := valueOf(metadata, "namespace"); was != nil {
		value.LineComment = was.LineComment
		*was = value
	} else {
		key := yamlv3.Node{Kind: yamlv3.ScalarNode, Tag: "!!str", Value: "namespace"}
		metadata.Content = append(metadata.Content, &key, &value)
	}
	text, err := textOf(root)
	if err != nil {
		return ""
	}
	return text
}
