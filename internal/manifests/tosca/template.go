// Package tosca reads the Kubernetes objects of a service template of TOSCA Simple Profile in YAML 1.x.
//
// An object is a node template of the type tosca.nodes.indigo.KubernetesObject, or of a type that is derived from it.
// Its property spec is the manifest, or a string that contains one or several. Unsupported parts that would change the
// objects, such as imports and other functions, are errors. Requirements, interfaces, groups, policies, workflows and
// outputs make no objects, and are ignored. All errors are a [*manifest.Error]; they contain names of the template, but
// no values.
//
// # Templates of Krake
//
// They import the type from grycap/ec3, so this import counts as known. They end a string with a key, "replicas:", and
// let concat append an input: Krake writes a blank before it, without which YAML would not read a key there.
package tosca

import (
	"archive/zip"
	"bytes"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/yaml"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/documents"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
)

const (
	objectType = "tosca.nodes.indigo.KubernetesObject"
	nodeKey    = "node_templates"
	// largest is the maximum size in bytes of a file of a CSAR, and about that of all values with functions evaluated.
	largest = 16 << 20
)

type template struct {
	content map[string]any
	lines   manifest.Lines
	inputs  map[string]*input
	// nodes are the names of the node templates.
	nodes []string
}

// Read returns the objects of a service template, or of the template in a CSAR that text contains in base64. Inputs are
// values as JSON would decode them. A failure is a *manifest.Error, within an *InputError if it is about the inputs.
func Read(text string, inputs map[string]any, options documents.Options) ([]documents.Object, error) {
	t, err := parse(text)
	if err != nil {
		return nil, err
	}
	if err := t.give(inputs); err != nil {
		return nil, &InputError{err}
	}
	e := &evaluation{template: t, running: map[string]bool{}, left: largest}
	var all []manifest.Located
	for _, name := range t.nodes {
		found, err := e.objects(name)
		if err != nil {
			return nil, err
		}
		all = append(all, found...)
	}
	return documents.Of(all, options)
}

func parse(text string) (*template, error) {
	text, err := unpacked(text)
	if err != nil {
		return nil, err
	}
	decoded, err := manifest.Decode(text)
	if many, ok := errors.AsType[*manifest.ManyDocumentsError](err); ok {
		return nil, &manifest.Error{Problem: many.Error(), Suggestion: "Write one service template."}
	}
	if err != nil {
		return nil, err
	}
	content, isMap := decoded.(map[string]any)
	if !isMap {
		return nil, &manifest.Error{
			Problem:    "the text is " + manifest.Describe(decoded) + ", not a service template",
			Suggestion: `Write file("app.yaml"), or filebase64("app.csar").`,
		}
	}
	t := &template{content: content, lines: manifest.LinesOf(text)}
	if err := t.checkSupported(); err != nil {
		return nil, err
	}
	if t.inputs, err = t.declared(); err != nil {
		return nil, err
	}
	return t, t.checkNodes()
}

// find returns what the template has below names; nil if it has nothing there.
func (t *template) find(names ...string) any {
	found, _, _ := unstructured.NestedFieldNoCopy(t.content, names...)
	return found
}

// fault returns an error about a place of the template.
func (t *template) fault(at []any, suggestion, problem string, values ...any) error {
	return &manifest.Error{
		Problem: fmt.Sprintf("line %d: ", t.lines.Of(at)) + fmt.Sprintf(problem, values...), Suggestion: suggestion,
	}
}

var supported = regexp.MustCompile(`^tosca_simple_yaml_1_[0-9]+$`)

// checkSupported returns an error about a part of the template that would change the objects and is not supported.
func (t *template) checkSupported() error {
	if version, _ := t.content["tosca_definitions_version"].(string); !supported.MatchString(version) {
		return t.fault([]any{"tosca_definitions_version"}, "Write tosca_definitions_version: tosca_simple_yaml_1_3, "+
			"or another 1.x.", "the template is not of TOSCA Simple Profile in YAML 1.x")
	}
	imports, isList := t.content["imports"].([]any)
	if one := t.content["imports"]; one != nil && !isList {
		imports = []any{one}
	}
	for i, item := range imports {
		if !isKnown(item) {
			return t.fault([]any{"imports", i}, "Write the types that the template needs under node_types. "+
				objectType+" needs no import.", "imports are not supported")
		}
	}
	if t.find("topology_template", "substitution_mappings") != nil {
		return t.fault([]any{"topology_template", "substitution_mappings"},
			"Remove them, and write each object as a node template.", "substitution_mappings are not supported")
	}
	return nil
}

// isKnown reports whether an import is that of grycap/ec3: a URL, or a map with it.
func isKnown(item any) bool {
	named, _ := item.(map[string]any)
	for _, below := range named {
		return len(named) == 1 && isKnown(below)
	}
	url, _ := item.(string)
	return strings.HasPrefix(url, "https://raw.githubusercontent.com/grycap/ec3/") &&
		strings.HasSuffix(url, "/custom_types.yaml")
}

// checkNodes notes the node templates, which all have to be objects.
func (t *template) checkNodes() error {
	nodes, _ := t.find("topology_template", nodeKey).(map[string]any)
	if len(nodes) == 0 {
		return t.fault([]any{"topology_template", nodeKey}, "Write a node template of the type "+objectType+
			" for each object.", "topology_template has no map node_templates")
	}
	t.nodes = slices.Sorted(maps.Keys(nodes))
	for _, name := range t.nodes {
		node, _ := nodes[name].(map[string]any)
		kind, _ := node["type"].(string)
		if !t.isObject(kind) {
			return t.fault([]any{"topology_template", nodeKey, name, "type"}, "Write type: "+objectType+
				", or a type of node_types that is derived from it, or remove the node template.",
				"node template %q has the type %q, which is no Kubernetes object", name, kind)
		}
	}
	return nil
}

// isObject reports whether a type is that of objects, or derived from it.
func (t *template) isObject(kind string) bool {
	for seen := map[string]bool{}; kind != objectType; {
		if seen[kind] {
			return false
		}
		seen[kind] = true
		kind, _ = t.find("node_types", kind, "derived_from").(string)
	}
	return true
}

func (e *evaluation) objects(node string) ([]manifest.Located, error) {
	there := propertiesOf(node).below("spec")
	position := manifest.Position{Holder: fmt.Sprintf("node template %q", node), Line: e.lines.Of(there.at)}
	spec, err := e.value(e.find("topology_template", nodeKey, node, "properties", "spec"), there)
	if err != nil {
		return nil, err
	}
	var found []manifest.Located
	switch spec := spec.(type) {
	case string:
		position.Holder = "the text of " + position.Holder
		found, err = manifest.ParseAll(spec)
	case map[string]any:
		found, err = parsed(spec)
	}
	if err == nil && len(found) == 0 {
		err = &manifest.Error{Problem: "spec has no object", Suggestion: "Write its manifest as the property spec."}
	}
	if err != nil {
		return nil, position.Fault(err)
	}
	for i := range found {
		found[i].Position = position
	}
	return found, nil
}

// parsed returns the object of a spec that is not a string, or the items of its List.
func parsed(spec map[string]any) ([]manifest.Located, error) {
	text, _ := manifest.Canonical(spec)
	// Fails for some control characters.
	if asYAML, err := yaml.Marshal(spec); err == nil {
		text = string(asYAML)
	}
	if manifest.IsList(spec) {
		return manifest.ParseAll(text)
	}
	m, err := manifest.Of(spec)
	m.Text = text
	return []manifest.Located{{Manifest: m}}, err
}

const metaFile = "TOSCA-Metadata/TOSCA.meta"

// unpacked returns a service template as a string: the given one, or that in the CSAR which is given in base64.
func unpacked(given string) (string, error) {
	packed := strings.TrimSpace(given)
	// The part of the base64 that encodes the first four bytes of a zip.
	begin, err := base64.StdEncoding.DecodeString(packed[:min(8, len(packed))])
	isZip := bytes.HasPrefix(begin, []byte("PK\x03\x04")) || bytes.HasPrefix(begin, []byte("PK\x05\x06"))
	if isText := err != nil || !isZip; isText {
		return given, nil
	}
	const whole = `Write filebase64("app.csar").`
	content, err := base64.StdEncoding.DecodeString(packed)
	if err != nil {
		return "", &manifest.Error{Problem: "the text begins as a CSAR in base64, but is not base64", Suggestion: whole}
	}
	archive, err := zip.NewReader(bytes.NewReader(content), int64(len(content)))
	if err != nil {
		return "", &manifest.Error{Problem: "the CSAR is not a complete zip", Suggestion: whole}
	}
	name, err := entryOf(archive)
	if err != nil {
		return "", err
	}
	return contentOf(archive, name)
}

// entryOf returns the name of the service template in a CSAR.
func entryOf(archive *zip.Reader) (string, error) {
	var inRoot []string
	for _, file := range archive.File {
		if !strings.Contains(file.Name, "/") && slices.Contains([]string{".yaml", ".yml"}, path.Ext(file.Name)) {
			inRoot = append(inRoot, file.Name)
		}
	}
	hasMeta := slices.ContainsFunc(archive.File, func(file *zip.File) bool { return file.Name == metaFile })
	if !hasMeta && len(inRoot) == 1 {
		return inRoot[0], nil
	}
	meta := ""
	if hasMeta {
		var err error
		if meta, err = contentOf(archive, metaFile); err != nil {
			return "", err
		}
	}
	for line := range strings.Lines(meta) {
		if name, has := strings.CutPrefix(line, "Entry-Definitions:"); has {
			return path.Clean(strings.TrimSpace(name)), nil
		}
	}
	return "", &manifest.Error{
		Problem:    fmt.Sprintf("the CSAR has no Entry-Definitions, and %d YAML files in its root", len(inRoot)),
		Suggestion: "Write Entry-Definitions: app.yaml in " + metaFile + ".",
	}
}

// contentOf returns a file of a CSAR. No name leads out of it.
func contentOf(archive *zip.Reader, name string) (string, error) {
	file, err := archive.Open(name)
	if err != nil {
		return "", &manifest.Error{
			Problem:    fmt.Sprintf("the CSAR has no file %q", name),
			Suggestion: "Write the path of a file from the root of the CSAR as Entry-Definitions.",
		}
	}
	content, err := io.ReadAll(io.LimitReader(file, largest+1))
	if err != nil {
		return "", &manifest.Error{
			Problem: fmt.Sprintf("%q of the CSAR cannot be unpacked", name), Suggestion: "Pack it again, with zip.",
		}
	}
	if len(content) > largest {
		return "", &manifest.Error{
			Problem:    fmt.Sprintf("%q of the CSAR is larger than %d MiB", name, largest>>20),
			Suggestion: "Split the template.",
		}
	}
	return string(content), nil
}
