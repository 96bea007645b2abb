package acceptance_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/testcluster"
)

// reader is a workspace of configurations that read.
type reader struct{ *story.Workspace }

// newReader returns a reader. It skips the test if TF_ACC is not set. Stories run in parallel.
func newReader(t *testing.T) reader {
	t.Helper()
	return reader{story.New(t).HostedWorkspace()}
}

// block returns a block such as data "k8sconnect_object" "web". NS in its lines is the story's namespace.
func (r reader) block(head, name string, lines ...string) string {
	return r.Expand(fmt.Sprintf("%s %q {\n  %s\n}\n", head, name, strings.Join(lines, "\n  ")))
}

// the heads of blocks.
const (
	dataObject      = `data "k8sconnect_object"`
	dataObjects     = `data "k8sconnect_objects"`
	ephemeralObject = `ephemeral "k8sconnect_object"`
)

// named returns the arguments that name an object in the story's namespace.
func named(apiVersion, kind, name string) string {
	return fmt.Sprintf("api_version = %q\n  kind = %q\n  name = %q\n  namespace = \"NS\"", apiVersion, kind, name)
}

// listed returns the arguments that name all objects of a kind in the story's namespace.
func listed(apiVersion, kind string) string {
	return fmt.Sprintf("api_version = %q\n  kind = %q\n  namespace = \"NS\"", apiVersion, kind)
}

// output returns an output for each expression, by its name.
func output(expressions map[string]string) string {
	var text strings.Builder
	for name, expression := range expressions {
		fmt.Fprintf(&text, "output %q {\n  value = %s\n  sensitive = true\n}\n", name, expression)
	}
	return text.String()
}

// expectOutputs applies the configuration, with these requests for objects, and asserts the outputs. NS is the story's namespace.
func (r reader) expectOutputs(requests []string, want map[string]any) {
	r.T.Helper()
	sent, _ := r.Cost("apply", "-auto-approve")
	if diff := cmp.Diff(requests, sent); diff != "" {
		r.T.Errorf("requests (-want +got):\n%s", diff)
	}
	var outputs map[string]struct{ Value any }
	story.Must(r.T, json.Unmarshal([]byte(r.Do("output", "-json")), &outputs))
	got := map[string]any{}
	for name, output := range outputs {
		got[name] = output.Value
	}
	text, err := json.Marshal(want)
	story.Must(r.T, err)
	var expected map[string]any
	story.Must(r.T, json.Unmarshal([]byte(r.Expand(string(text))), &expected))
	if diff := cmp.Diff(expected, got); diff != "" {
		r.T.Errorf("outputs (-want +got):\n%s", diff)
	}
}

// refused plans a configuration, with these requests for objects, and returns what the CLI prints.
func (r reader) refused(requests []string, config string) string {
	r.T.Helper()
	r.Configure(config)
	mark := story.AuditLog(r.T).Mark()
	out := r.Exits(story.Refused, "plan")
	sent, err := story.AuditLog(r.T).Since(mark, testcluster.ByUser(r.Namespace))
	story.Must(r.T, err)
	lines := []string{}
	for _, request := range sent {
		if request.Resource != "" {
			lines = append(lines, strings.ReplaceAll(request.String(), r.Namespace, "NS"))
		}
	}
	if diff := cmp.Diff(requests, lines, cmpopts.EquateEmpty()); diff != "" {
		r.T.Errorf("requests (-want +got):\n%s", diff)
	}
	return out
}

// expectSaid asserts that a command has printed texts, in this order. NS in them is the story's namespace.
func (r reader) expectSaid(out string, texts ...string) {
	r.T.Helper()
	for i, text := range texts {
		texts[i] = r.Expand(text)
	}
	if !story.Saying(texts...).MatchString(out) {
		r.T.Errorf("the CLI does not say\n%s\nbut\n%s", strings.Join(texts, "\n...\n"), out)
	}
}
