package examples_test

import (
	"regexp"
	"strings"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
)

var (
	// plays is the line about the label that makes pods crash.
	plays = regexp.MustCompile(`(?m)^ +spec\.template\.metadata\.labels\.example\.com/plays: .*\n`)
	pods  = regexp.MustCompile(`undone-[0-9a-f]{6,10}-[0-9a-z]{5}`)
	again = regexp.MustCompile(`ready again, after \w+\.`)
)

// planUndo applies an image whose pods crash, while another client scales.
func planUndo(e *example) {
	hello := deployment("undone")
	e.configure("      name: hello\n", "      name: undone\n", "  YAML\n}", "  YAML\n\n  wait = { on_failure = \"undo\" }\n}")
	e.apply(hello)
	e.configure("      name: hello\n", "      name: undone\n", "  YAML\n}", "  YAML\n\n  wait = { on_failure = \"undo\" }\n}",
		"labels: {app: hello}", "labels: {app: hello, example.com/plays: crashes}", "nginx:1.29", "nginx:1.30")
	e.OnceSent(1, "watch deployments default/undone", func() { e.As("kubectl").Scale(hello, 4) })
	_, said, _ := strings.Cut(e.Exits(story.Refused, "apply", "-auto-approve"), "Error: Object Not Ready")
	said = plays.ReplaceAllString(excerpt("Error: Object Not Ready"+said, quiet), "")
	said = again.ReplaceAllString(pods.ReplaceAllString(said, "undone-6d4b9c7f5-x2x7k"), "ready again, after 3s.")
	e.showsOutput("undo", "$ terraform apply\n\n"+said)
}

// planOnce runs a Job once, removes it as its TTL does, and changes its image.
func planOnce(e *example) {
	const ended = "batch/v1 Job ended"
	e.configure("      name: schema\n      namespace", "      name: ended\n      namespace")
	e.apply()
	e.As("ttl-after-finished").Remove(ended)
	e.Await("the Job is gone", func() bool { return e.Gone(ended) })
	e.plan(story.Nothing)
	e.configure("      name: schema\n      namespace", "      name: ended\n      namespace", "schema:1", "schema:2")
	_, said, _ := strings.Cut(e.plan(story.Changes), "Plan: ")
	e.showsOutput("once", "$ terraform plan\n\n"+excerpt("Plan: "+said, quiet))
}
