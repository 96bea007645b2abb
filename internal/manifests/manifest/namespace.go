package manifest

import (
	"strings"

	yamlv3 "go.yaml.in/yaml/v3"
	"sigs.k8s.io/yaml"
)

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
