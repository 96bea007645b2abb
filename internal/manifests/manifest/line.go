package manifest

import yamlv3 "go.yaml.in/yaml/v3"

// Lines tells where the fields of an object are written.
type Lines struct{ root *yamlv3.Node }

// LinesOf returns the lines of the one document of a string. They are those of nothing if it has another number of
// documents, or is not valid.
func LinesOf(text string) Lines {
	root, err := onlyDocument(text)
	if err != nil {
		return Lines{}
	}
	return Lines{root}
}

// Of returns the line of a field, counted from 1, or that of the innermost map or list around it which is written
// there; 0 if the lines are those of nothing. steps are names and positions: strings and ints.
func (l Lines) Of(steps []any) int {
	if l.root == nil {
		return 0
	}
	node, line := l.root, l.root.Line
	for _, step := range steps {
		key, value := entryAt(node, step)
		if value == nil {
			break
		}
		node, line = value, key.Line
	}
	return line
}

// entryAt returns an entry of a map by its name, or an item of a list by its position, and the node that has its line;
// nil if it is not there.
func entryAt(node *yamlv3.Node, step any) (key, value *yamlv3.Node) {
	if node.Kind == yamlv3.AliasNode {
		node = node.Alias
	}
	switch step := step.(type) {
	case string:
		for i := 0; node.Kind == yamlv3.MappingNode && i+1 < len(node.Content); i += 2 {
			if nameOf(node.Content[i]) == step {
				return node.Content[i], node.Content[i+1]
			}
		}
	case int:
		if node.Kind == yamlv3.SequenceNode && step < len(node.Content) {
			return node.Content[step], node.Content[step]
		}
	}
	return nil, nil
}
