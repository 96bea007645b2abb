package acceptance_test

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
)

// set is a workspace with one resource k8sconnect_manifests.
type set struct {
	*story.Workspace
	// cluster is the connection; "" for that of a cluster admin. rules are those of the provider block; "" for none.
	cluster, rules string
}

func newSet(t *testing.T) *set {
	t.Helper()
	return &set{Workspace: story.New(t).HostedWorkspace()}
}

// has writes the configuration: the manifests by their keys, and arguments.
func (s *set) has(manifests map[string]string, arguments ...string) {
	s.T.Helper()
	var text strings.Builder
	for _, key := range slices.Sorted(maps.Keys(manifests)) {
		fmt.Fprintf(&text, "    %q = <<-YAML\n%s\n    YAML\n", key, strings.TrimSpace(s.Expand(manifests[key])))
	}
	cluster := cmp.Or(s.cluster, `{ config_path = "kubeconfig" }`)
	if s.rules != "" {
		cluster += "\n  rules = " + s.rules
	}
	s.ConfigureProvider(cluster, "resource \"k8sconnect_manifests\" \"test\" {\n  manifests = {\n"+text.String()+"  }\n  "+
		strings.Join(arguments, "\n  ")+"\n}\n")
}

// configMap returns the manifest of a ConfigMap.
func configMap(name, value string) string {
	return "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: " + name + ", namespace: NS}\ndata: {a: \"" + value + "\"}\n"
}

// configMaps returns the manifests of ConfigMaps, by their names.
func configMaps(value string, names ...string) map[string]string {
	manifests := map[string]string{}
	for _, name := range names {
		manifests[name] = configMap(name, value)
	}
	return manifests
}

// expect asserts that a command printed these texts, and none of those after "not".
func (s *set) expect(out string, texts ...string) {
	s.T.Helper()
	flat := strings.Join(strings.Fields(out), " ")
	wanted := true
	for _, text := range texts {
		if text == "not" {
			wanted = false
			continue
		}
		if text = s.Expand(text); strings.Contains(flat, strings.Join(strings.Fields(text), " ")) != wanted {
			s.T.Errorf("contains %q: want %t, in:\n%s", text, wanted, out)
		}
	}
}

// uid returns the uid of an object.
func (s *set) uid(target string) string {
	s.T.Helper()
	return string(s.Live(target).GetUID())
}

// settled asserts an empty plan.
func (s *set) settled() {
	s.T.Helper()
	s.Do("plan", "-detailed-exitcode")
}

// gone asserts that objects are not on the server.
func (s *set) gone(targets ...string) {
	s.T.Helper()
	for _, target := range targets {
		if !s.Gone(target) {
			s.T.Errorf("%s is there", s.Expand(target))
		}
	}
}
