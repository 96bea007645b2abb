package acceptance_test

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
)

// invocations is the feature that these stories need.
const invocations = "actions"

// invoker invokes actions in a story's workspace.
type invoker struct {
	*story.Workspace
}

// newInvoker skips the test where the CLI has no actions.
func newInvoker(t *testing.T, feature story.Feature) invoker {
	t.Helper()
	w := story.New(t).Workspace()
	feature.Needed(w)
	return invoker{w}
}

// action returns an action block: the lines of its config, in which NS stands for the story's namespace.
func (i invoker) action(kind, name string, config ...string) string {
	return fmt.Sprintf("action \"k8sconnect_%s\" %q {\n  config {\n    %s\n  }\n}\n", kind, name, i.Expand(strings.Join(config, "\n    ")))
}

// target returns the argument target, which is written as in "apps/v1 Deployment web".
func (i invoker) target(target string) string {
	apiVersion, kind, name := i.Split(target)
	return fmt.Sprintf("target = { api_version = %q, kind = %q, namespace = %q, name = %q }", apiVersion, kind, i.Namespace, name)
}

var (
	progressLine = regexp.MustCompile(`(?m)^Action action\.\S+ \(triggered by [^)]*\): (.*)$`)
	// place is where an error is in the configuration. Not every CLI shows the same lines.
	place  = regexp.MustCompile(`(?m)^(  on main\.tf line .*| +\d+: .*)\n`)
	suffix = regexp.MustCompile(`-[bcdfghjklmnpqrstvwxz2456789]{5}\b`)
)

// progress returns what an action printed while it worked.
func (i invoker) progress(out string) []string {
	var lines []string
	for _, found := range progressLine.FindAllStringSubmatch(out, -1) {
		lines = append(lines, suffix.ReplaceAllString(strings.ReplaceAll(found[1], i.Namespace, "NS"), "-SUFFIX"))
	}
	return lines
}

// invoke invokes an action, "restart.web" for instance, and returns its progress.
func (i invoker) invoke(address string) []string {
	i.T.Helper()
	return i.progress(i.Do("apply", "-auto-approve", "-invoke=action.k8sconnect_"+address))
}

// refuses invokes an action that has to fail, and returns the error.
func (i invoker) refuses(address string) string {
	i.T.Helper()
	return i.errorIn(i.Exits(story.Refused, "apply", "-auto-approve", "-invoke=action.k8sconnect_"+address))
}

// errorIn returns the error that a command printed, from its summary on, without its place.
func (i invoker) errorIn(out string) string {
	if at := strings.Index(out, "Error: "); at >= 0 {
		out = out[at:]
	}
	out = suffix.ReplaceAllString(strings.ReplaceAll(place.ReplaceAllString(out, ""), i.Namespace, "NS"), "-SUFFIX")
	return strings.TrimSpace(out) + "\n"
}

// expect compares the progress of an action.
func (i invoker) expect(what string, want, got []string) {
	i.T.Helper()
	if diff := cmp.Diff(want, got); diff != "" {
		i.T.Errorf("%s (-want +got):\n%s", what, diff)
	}
}

// says fails unless a text has all parts, however its lines are wrapped.
func (i invoker) says(text string, parts ...string) {
	i.T.Helper()
	if !story.Saying(parts...).MatchString(text) {
		i.T.Errorf("%q are not all in this order in:\n%s", parts, text)
	}
}

// settled fails if the next plan changes anything.
func (i invoker) settled() {
	i.T.Helper()
	i.Exits(story.Nothing, "plan", "-detailed-exitcode")
}
