package acceptance_test

import (
	"encoding/json"
	"regexp"
	"slices"
	"strings"

	"k8s.io/client-go/rest"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/owners"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/owners/command"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
)

// caller calls kubectl owners as a user.
type caller struct {
	*story.Story
	user *rest.Config
}

// run returns the exit code, and what is printed.
func (c caller) run(args ...string) (code int, stdout, stderr string) {
	c.T.Helper()
	file := c.File("kubeconfig", c.Kubeconfig(c.user), 0o600)
	var out, errs strings.Builder
	code = command.Run(c.T.Context(), slices.Concat([]string{"--kubeconfig", file, "--cache-dir", c.T.TempDir()}, args),
		&out, &errs)
	// A command that takes seconds, as on a busy machine, says how far it is.
	return code, out.String(), progress.ReplaceAllString(errs.String(), "")
}

var progress = regexp.MustCompile(`(?m)^Reading: .*\n`)

// prints returns what is printed, without what differs from run to run.
func (c caller) prints(args ...string) string {
	c.T.Helper()
	code, out, errs := c.run(args...)
	if code != 0 || errs != "" {
		c.T.Fatalf("exit code %d: %s", code, errs)
	}
	return c.steady(out)
}

var (
	timestamps = regexp.MustCompile(`\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ`)
	uids       = regexp.MustCompile(`[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}`)
	states     = regexp.MustCompile(`((?:generation|resourceVersion)"?: ?"?)\d+`)
)

func (c caller) steady(text string) string {
	text = strings.ReplaceAll(text, c.Namespace, "shop")
	text = timestamps.ReplaceAllString(text, "2026-11-26T09:00:00Z")
	text = uids.ReplaceAllString(text, "7275b71a-4262-48e7-bde3-6912f403d888")
	return states.ReplaceAllString(text, "${1}1")
}

// overview returns the overview that is printed as JSON.
func (c caller) overview(args ...string) owners.Overview {
	c.T.Helper()
	code, out, errs := c.run(append(args, "-o", "json")...)
	if code != 0 {
		c.T.Fatalf("exit code %d: %s", code, errs)
	}
	var read owners.Overview
	story.Must(c.T, json.Unmarshal([]byte(out), &read))
	return read
}
