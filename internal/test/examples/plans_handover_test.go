package examples_test

import (
	"path/filepath"
	"strings"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/pages"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
)

// planHandOver gives an object to Flux, whose first apply changes nothing.
func planHandOver(e *example) {
	const banner = "v1 ConfigMap banner"
	e.apply()
	e.plan(story.Nothing)
	main := filepath.Join(e.Dir, "main.tf")
	head, resource, _ := strings.Cut(pages.Read(e.T, main), "resource ")
	_, body, _ := strings.Cut(resource, "<<-YAML\n")
	body, _, _ = strings.Cut(body, "  YAML\n")
	write(e.T, main, head)
	e.showsEnd("hand-over")
	e.apply()
	e.created = append(e.created, e.Live(banner))
	e.keeps(banner, func() { e.As("kustomize-controller").Apply(body) })
	e.As("kustomize-controller").Apply(strings.Replace(body, "        tier: front\n", "", 1))
	e.lacks(banner, "front")
}

// planHandOverSet gives an object of a set to a resource of its own. The adoption changes nothing on the cluster.
func planHandOverSet(e *example) {
	const south = "v1 ConfigMap jetty-south"
	e.apply()
	text := pages.Read(e.T, filepath.Join(e.Dir, "main.tf"))
	before, after, _ := strings.Cut(text, "    south = <<-YAML\n")
	body, after, _ := strings.Cut(after, "    YAML\n")
	e.configure("    south = <<-YAML\n"+body+"    YAML\n", "")
	e.says(e.plan(story.Changes), "Warning: Objects Handed Over: ConfigMap default/jetty-south (v1)", "1 field changes owner, 0 values:")
	e.apply()
	single := "\nresource \"k8sconnect_manifest\" \"south\" {\n  yaml_body = <<-YAML\n" + body + "  YAML\n  adopt_existing = true\n}\n"
	write(e.T, filepath.Join(e.Dir, "main.tf"), before+after+single)
	e.says(e.plan(story.Changes), "Warning: Existing Object Adopted: ConfigMap default/jetty-south (v1)", "Plan: 1 to add, 0 to change, 0 to destroy.")
	e.keeps(south, func() { e.apply() })
	e.plan(story.Nothing)
	e.created = append(e.created, e.Live("v1 ConfigMap jetty-north"))
}

// planTakeOverGone takes an object over from a tool that applied it and is gone.
func planTakeOverGone(e *example) {
	for _, object := range e.before() {
		e.As("helm").Apply(object)
	}
	e.says(e.plan(story.Changes), "Warning: Existing Object Adopted: ConfigMap default/ferry (v1)", `data.seats: "helm" -> "k8sconnect"`,
		"Warning: Manager Taken Over: ConfigMap default/ferry (v1)", `"helm": 2`)
	e.showsEnd("take-over-gone-end")
	e.apply()
	e.plan(story.Nothing)
	e.configure("      labels:\n        app: ferry\n", "")
	e.apply()
	e.lacks("v1 ConfigMap ferry", `"app"`)
}

// showsEnd plans and compares what a page shows of the end of the plan: what is before it has uids.
func (e *example) showsEnd(name string) {
	e.T.Helper()
	_, end, _ := strings.Cut(excerpt(e.plan(story.Changes), quiet), "\nPlan: ")
	e.showsOutput(name, "$ terraform plan\n\nPlan: "+end)
}

// showsNothing plans and compares what a page shows of an empty plan.
func (e *example) showsNothing(name string) {
	e.T.Helper()
	_, end, _ := strings.Cut(e.plan(story.Nothing), "\nNo changes. ")
	said, _, _ := strings.Cut(end, "\n")
	e.compare(name, "$ terraform plan\n\nNo changes. "+said+"\n")
}

// keeps asserts that an object is not written while something is done.
func (e *example) keeps(target string, done func()) {
	e.T.Helper()
	before := e.Live(target).GetResourceVersion()
	if done(); e.Live(target).GetResourceVersion() != before {
		e.T.Errorf("%s has the version %s, and had %s", target, e.Live(target).GetResourceVersion(), before)
	}
}
