package acceptance_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
)

// with returns the ConfigMap of the stories with something else instead of a part of it.
func with(old, replacement string) string {
	return strings.Replace(story.ConfigMap, old, replacement, 1)
}

// badTexts are bodies that no object can be made of, whatever the cluster.
var badTexts = []badInput{
	{name: "empty", body: "\n"},
	{name: "only comments", body: "# nothing here\n---\n# nor here\n"},
	{name: "null", body: "null\n"},
	{name: "two documents", body: story.ConfigMap + "---" + story.ConfigMap},
	{name: "a list", body: "- apiVersion: v1\n  kind: ConfigMap\n"},
	{name: "a scalar", body: "just text\n"},
	{name: "a number", body: "42\n"},
	{name: "the path of a file", body: "./manifests/web.yaml\n"},
	{name: "kind List", body: "apiVersion: v1\nkind: List\nitems: []\n"},
	{name: "kind ConfigMapList", body: "apiVersion: v1\nkind: ConfigMapList\nitems: []\n"},
	{name: "no apiVersion", body: with("apiVersion: v1\n", "")},
	{name: "apiVersion null", body: with("apiVersion: v1", "apiVersion:")},
	{name: "apiVersion a number", body: with("apiVersion: v1", "apiVersion: 1")},
	{name: "apiVersion of three parts", body: with("apiVersion: v1", "apiVersion: apps/v1/beta")},
	{name: "apiVersion without a version", body: with("apiVersion: v1", "apiVersion: apps/")},
	{name: "no kind", body: with("kind: ConfigMap\n", "")},
	{name: "kind a list", body: with("kind: ConfigMap", "kind: [ConfigMap]")},
	{name: "no metadata", body: "apiVersion: v1\nkind: ConfigMap\ndata: {}\n"},
	{name: "metadata a list", body: "apiVersion: v1\nkind: ConfigMap\nmetadata: [web]\n"},
	{name: "no name", body: with("name: web, ", "")},
	{name: "name empty", body: with("name: web", `name: ""`)},
	{name: "name a number", body: with("name: web", "name: 7")},
	{name: "name a boolean", body: with("name: web", "name: on")},
	{name: "namespace a number", body: with("namespace: NS", "namespace: 7")},
	{name: "generateName", body: with("name: web", "generateName: web-")},
	{name: "uid", body: with("name: web", "name: web, uid: 0b1c-22")},
	{name: "copied from a cluster", body: with("name: web", "name: web, creationTimestamp: '2025-01-01T00:00:00Z', resourceVersion: '7', "+
		"generation: 3, selfLink: /a, uid: b, deletionTimestamp: c, deletionGracePeriodSeconds: 3, managedFields: [{manager: kubectl}]")},
	{name: "a tab for indentation", body: "apiVersion: v1\nkind: ConfigMap\nmetadata:\n\tname: web\n"},
	{name: "a bracket that stays open", body: "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: web\n"},
	{name: "wrong indentation", body: "apiVersion: v1\n kind: ConfigMap\n"},
	{name: "a template that was not rendered", body: "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: {{ .Name }}}\n"},
	{name: "a key twice", body: story.ConfigMap + "data: {colour: blue}\n"},
	{name: "a key twice in a list", body: story.ConfigMap + "list:\n- a: 1\n  a: 2\n"},
	{name: "a key twice as number and text", body: story.ConfigMap + "list: {1: a, \"1\": b}\n"},
	{name: "a key that is a list", body: story.ConfigMap + "? [a]\n: b\n"},
	{name: "a key that is null", body: story.ConfigMap + "null: b\n~: c\n"},
	{name: "infinity", body: story.ConfigMap + "ratio: .inf\n"},
	{name: "not a number", body: story.ConfigMap + "ratio: .nan\n"},
	{name: "an alias of nothing", body: story.ConfigMap + "list: *missing\n"},
	{name: "an alias inside its anchor", body: story.ConfigMap + "list: &a [*a]\n"},
	{name: "a merge of a list", body: story.ConfigMap + "base: &base [a]\nderived: {<<: *base}\n"},
	{name: "a billion laughs", body: story.ConfigMap + laughs(12)},
	{name: "a large bomb", body: story.ConfigMap + "a: &a " + strings.Repeat("x", 1<<16) + "\nb: &b [" + strings.Repeat("*a,", 20) +
		"*a]\nc: [" + strings.Repeat("*b,", 20) + "*b]\n"},
	{name: "nested 20000 deep", body: story.ConfigMap + "list: " + strings.Repeat("[", 20000) + strings.Repeat("]", 20000) + "\n"},
	{name: "a control character", body: story.ConfigMap + "bell: a\u0007b\n"},
	{name: "a directive of another version", body: "%YAML 3.0\n---\n" + story.ConfigMap},
}

// laughs returns an anchor of nine aliases of an anchor of nine aliases, and so on.
func laughs(levels int) string {
	var text strings.Builder
	text.WriteString("a0: &a0 lol\n")
	for i := 1; i < levels; i++ {
		fmt.Fprintf(&text, "a%d: &a%d [%s*a%d]\n", i, i, strings.Repeat(fmt.Sprintf("*a%d,", i-1), 8), i-1)
	}
	return text.String()
}

// Every text that is no manifest is refused by validate, at yaml_body, and with what to write instead.
func TestBadInputTexts(t *testing.T) {
	w := newBadInputStory(t).HostedWorkspace()
	writeInputs(w, badTexts)
	expectSaid(w, "texts", badTexts, "validate")
}
