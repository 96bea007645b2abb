package kustomize

import (
	"cmp"
	_ "embed"
	"maps"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// hidden replaces the content of a file in a message.
const hidden = "(hidden)"

// wordsText has a line for each word in the strings of kustomize and of the libraries whose errors it passes on. A test
// writes it.
//
//go:embed words.txt
var wordsText string

var knownWords = sync.OnceValue(func() map[string]bool {
	known := map[string]bool{}
	for line := range strings.Lines(wordsText) {
		known[strings.TrimSpace(line)] = true
	}
	return known
})

// message is an error of kustomize without what the files contain: literals of generators, patches, objects. It keeps
// the words of kustomize and its libraries, the names of files, and the kinds and names of objects.
type message struct {
	// names are kept, and values are hidden also where each of their words is known.
	names, values map[string]bool
}

// add takes the names and values of a file.
func (m message) add(path string, content []byte) {
	m.addName(path)
	m.addName(filepath.Base(path))
	m.addName(filepath.Dir(path))
	for _, document := range strings.Split(string(content), "\n---") {
		node, err := yaml.Parse(document)
		switch {
		case err != nil || node.YNode().Kind == yaml.ScalarNode:
			m.addLines(document)
		case isKustomization(path):
			m.addNode("", node.YNode(), true)
		default:
			m.addIdentity(node)
			m.addNode("", node.YNode(), false)
		}
	}
}

// addLines takes the values of a string that is not YAML, such as KEY=value.
func (m message) addLines(text string) {
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if strings.HasSuffix(line, ":") {
			continue
		}
		m.addValue(line)
		for _, sign := range []string{"=", ":"} {
			_, value, _ := strings.Cut(line, sign)
			m.addValue(strings.TrimSpace(value))
		}
	}
}

// addIdentity takes what names an object.
func (m message) addIdentity(node *yaml.RNode) {
	for _, name := range []string{node.GetApiVersion(), node.GetKind(), node.GetName(), node.GetNamespace()} {
		m.addName(name)
	}
}

// named are the fields of a kustomization whose values a message may have. Those with several items are names of files.
var named = []string{
	"kind", "apiVersion", "name", "namespace", "path", "namePrefix", "nameSuffix", "group", "version", "behavior",
	"type", "op", "newName", "resources", "bases", "components", "crds", "configurations", "generators", "transformers",
	"validators", "files", "envs", "env", "patchesStrategicMerge",
}

// addNode takes the names and values at and below the value of a field. inKustomization reports whether the field is in
// a kustomization.
func (m message) addNode(field string, node *yaml.Node, inKustomization bool) {
	switch node.Kind {
	case yaml.MappingNode:
		for i := 0; i+1 < len(node.Content); i += 2 {
			m.addNode(node.Content[i].Value, node.Content[i+1], inKustomization)
		}
	case yaml.ScalarNode:
		_, after, _ := strings.Cut(node.Value, "=")
		if inKustomization && slices.Contains(named, field) && isName.MatchString(node.Value) {
			m.addName(node.Value)
			m.addName(after)
			return
		}
		m.addValue(node.Value)
		m.addValue(after)
		m.addLines(node.Value)
	default:
		for _, item := range node.Content {
			m.addNode(field, item, inKustomization)
		}
	}
}

// isName matches the names of files and objects.
var isName = regexp.MustCompile(`^[\pL\pN_./@=~+-]+$`)

func (m message) addName(name string) {
	if len(name) > 1 {
		m.names[name] = true
	}
}

// addValue adds a value to hide, unless it is a word of kustomize itself: that would be hidden everywhere.
func (m message) addValue(value string) {
	if len(value) > 1 && !knownWords()[value] && !m.names[value] {
		m.values[value] = true
	}
}

var (
	// quoted matches content that libraries quote literally: a value, or the configuration of a generator.
	quoted = regexp.MustCompile("(?s)`[^`]*`|\\bmap\\[.*\\]|\\{\\{.*\\}\\}")
	// run matches a run of characters that is kept or hidden as a whole.
	run = regexp.MustCompile(`^[\pL\pN_]+`)
	// several are hidden parts with nothing but signs between them.
	several = regexp.MustCompile(`\(hidden\)(?:[^\pL\pN]*\(hidden\))+`)
	// inWord and position match what may stand before a name and before a number.
	inWord   = regexp.MustCompile(`[\pL\pN_]$`)
	position = regexp.MustCompile(`\b(line|column) $`)
	number   = regexp.MustCompile(`^[0-9]+$`)
)

// withoutContents returns a message of kustomize without the contents of files.
func (m message) withoutContents(text string) string {
	text = quoted.ReplaceAllString(text, hidden)
	names, values := longestFirst(m.names), longestFirst(m.values)
	var out strings.Builder
	for text != "" {
		before := out.String()
		startsWord := !inWord.MatchString(before)
		if name := prefixOf(text, names); startsWord && name != "" && !continues(text[len(name):]) {
			out.WriteString(name)
			text = text[len(name):]
			continue
		}
		if value := prefixOf(text, values); value != "" && startsWord {
			out.WriteString(hidden)
			text = text[len(value):]
			continue
		}
		word := run.FindString(text)
		switch {
		case strings.HasPrefix(text, hidden):
			word = hidden
			out.WriteString(hidden)
		case word == "":
			_, size := utf8.DecodeRuneInString(text)
			word = text[:size]
			out.WriteString(word)
		case number.MatchString(word) && !position.MatchString(before):
			out.WriteString(hidden)
		case knownWords()[word], number.MatchString(word), len(word) == 1:
			out.WriteString(word)
		default:
			out.WriteString(hidden)
		}
		text = text[len(word):]
	}
	return several.ReplaceAllString(out.String(), hidden)
}

// continues reports whether a word goes on at the beginning of a string.
func continues(text string) bool { return run.MatchString(text) }

func longestFirst(set map[string]bool) []string {
	return slices.SortedFunc(maps.Keys(set), func(a, b string) int {
		return cmp.Or(len(b)-len(a), strings.Compare(a, b))
	})
}

// prefixOf returns the first of the strings in all with which text begins; "" if it begins with none of them.
func prefixOf(text string, all []string) string {
	for _, one := range all {
		if strings.HasPrefix(text, one) {
			return one
		}
	}
	return ""
}
