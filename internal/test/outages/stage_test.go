package outages_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
)

// stage is a namespace and a directory in which the CLI runs the built provider.
type stage struct{ *story.Workspace }

// newStage begins a stage that plays beside others. It skips where TF_ACC is unset.
func newStage(t *testing.T) *stage {
	t.Helper()
	return &stage{story.New(t).Workspace()}
}

// newStageAlone begins a stage that plays before all others, because it takes the servers from them or measures time.
func newStageAlone(t *testing.T) *stage {
	t.Helper()
	return &stage{story.NewSerial(t).Workspace()}
}

// another returns a second stage of the same test.
func (s *stage) another() *stage { return newStageAlone(s.T) }

// many returns count ConfigMaps, named after their resource.
func (s *stage) many(name string, count int, arguments ...string) string {
	body := "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: \"" + name + "-${count.index}\", namespace: NS}\n" +
		"data: {index: \"${count.index}\"}"
	return s.Manifest(name, body, append([]string{fmt.Sprintf("count = %d", count)}, arguments...)...)
}

// exits runs a command of the CLI that has to end with a code. The output is on one line.
func (s *stage) exits(want int, args ...string) string {
	s.T.Helper()
	return oneLine(s.Exits(want, args...))
}

// oneLine returns what the CLI printed without the lines and frames that it breaks sentences with.
func oneLine(output string) string {
	return strings.Join(strings.Fields(strings.NewReplacer("│", " ", "╷", " ", "╵", " ").Replace(output)), " ")
}

func tail(text string) string { return text[max(0, len(text)-6000):] }

// settled plans once more and finds nothing to do.
func (s *stage) settled() {
	s.T.Helper()
	s.exits(story.Nothing, "plan", "-detailed-exitcode")
}

// says asserts that a text has all of the parts, in which NS is the namespace.
func (s *stage) says(text string, parts ...string) {
	s.T.Helper()
	for _, part := range parts {
		if part = s.Expand(part); !strings.Contains(text, part) {
			s.T.Errorf("%q is not in:\n%s", part, tail(text))
		}
	}
}

// lacks asserts that a text has none of the parts.
func (s *stage) lacks(text string, parts ...string) {
	s.T.Helper()
	for _, part := range parts {
		if strings.Contains(text, part) {
			s.T.Errorf("%q is in:\n%s", part, tail(text))
		}
	}
}

// state returns the uids of the objects in the state, by address.
func (s *stage) state() map[string]string {
	s.T.Helper()
	uids := map[string]string{}
	for _, stored := range s.State() {
		ref, _ := stored.AttributeValues["object_ref"].(map[string]any)
		uids[stored.Address] = fmt.Sprint(ref["uid"])
	}
	return uids
}

// configMaps returns the ConfigMaps of the stage whose names begin with a prefix, by name.
func (s *stage) configMaps(prefix string) map[string]corev1.ConfigMap {
	s.T.Helper()
	list, err := s.Typed.CoreV1().ConfigMaps(s.Namespace).List(s.T.Context(), metav1.ListOptions{})
	story.Must(s.T, err)
	found := map[string]corev1.ConfigMap{}
	for _, item := range list.Items {
		if strings.HasPrefix(item.Name, prefix) {
			found[item.Name] = item
		}
	}
	return found
}

// expectAll asserts that all objects of many are on the server as configured, and that the state has each
// with the uid that it has there.
func (s *stage) expectAll(name string, count int) {
	s.T.Helper()
	live := s.configMaps(name + "-")
	state := s.state()
	if len(live) != count {
		s.T.Errorf("%d ConfigMaps of %s are on the server, want %d", len(live), name, count)
	}
	for index := range count {
		address := fmt.Sprintf("k8sconnect_manifest.%s[%d]", name, index)
		object := live[fmt.Sprintf("%s-%d", name, index)]
		if state[address] == "" || state[address] != string(object.UID) {
			s.T.Errorf("%s: the state has the uid %q, the server %q", address, state[address], object.UID)
		}
		if object.Data["index"] != fmt.Sprint(index) {
			s.T.Errorf("%s holds %v", object.Name, object.Data)
		}
	}
}

// file writes a file into the directory and returns its path.
func (s *stage) file(name, text string, mode os.FileMode) string {
	s.T.Helper()
	path := filepath.Join(s.Dir, name)
	story.Must(s.T, os.WriteFile(path, []byte(text), mode))
	return path
}
