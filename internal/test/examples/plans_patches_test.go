package examples_test

import (
	"slices"
	"strings"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
)

// planPatching is a ConfigMap of others, of which somebody changes a patched field before the patch leaves.
func planPatching(e *example) {
	const target = "v1 ConfigMap coredns"
	e.createBefore()
	e.shows("patch", story.Changes)
	e.showsEnd("patch-end")
	e.apply()
	e.plan(story.Nothing)
	e.As("kubectl-edit").Patch(target, `{"data": {"log-level": "warning"}}`)
	e.shows("patch-drift", story.Changes)
	e.apply()
	e.plan(story.Nothing)
	e.showsWarnings("patch-destroy", "-destroy")
}

// planRemovingFields is a ConfigMap of others, of which a patch removes a field.
func planRemovingFields(e *example) {
	e.createBefore()
	plan := e.plan(story.Changes)
	for _, said := range []string{"fields_to_remove = {}", `data.debug: "true", removed, owned by "kubectl-create"`} {
		if !strings.Contains(plan, said) {
			e.T.Errorf("the plan does not say %s:\n%s", said, plan)
		}
	}
	e.apply()
	e.plan(story.Nothing)
	if data := e.data("v1 ConfigMap proxy"); data != `{"port":"8080"}` {
		e.T.Errorf("the patch left %s", data)
	}
}

// planRestoring are a manifest that its destroy releases, and a patch that its destroy takes back.
func planRestoring(e *example) {
	e.createBefore()
	e.apply()
	e.plan(story.Nothing)
	e.Do("destroy", "-auto-approve")
	if data := e.data("v1 ConfigMap archive"); data != `{"entries":"12"}` {
		e.T.Errorf("the destroy left %s of the manifest", data)
	}
	if data := e.data("v1 ConfigMap limits"); data != `{"connections":"100"}` {
		e.T.Errorf("the destroy left %s under the patch", data)
	}
	e.created = append(e.created, e.Live("v1 ConfigMap archive"))
}

// data returns the data of a ConfigMap as JSON.
func (e *example) data(target string) string {
	e.T.Helper()
	return story.AsJSON(e.Live(target).Object["data"])
}

// planPatchingTypes are patches of each type, of objects that kubectl and Helm created.
func planPatchingTypes(e *example) {
	for _, object := range e.before() {
		manager := "kubectl-create"
		if strings.Contains(object, "kind: Deployment") {
			manager = "helm"
		}
		e.created = append(e.created, e.As(manager).Create(object))
	}
	e.showsAllWarnings("patch-types", story.Changes)
	e.apply()
	e.plan(story.Nothing)
}

// showsAllWarnings shows the warnings of a plan that creates, in order of their objects.
func (e *example) showsAllWarnings(name string, want int) {
	e.T.Helper()
	_, text, _ := strings.Cut(excerpt(e.plan(want), quiet), "\nWarning: ")
	warnings := strings.Split(text, "\nWarning: ")
	slices.Sort(warnings)
	e.compare(name, "$ terraform plan\n\nWarning: "+strings.Join(warnings, "\nWarning: "))
}

// showsWarnings is shows of the warnings of a plan. The rest of a destroy has the uid of the object.
func (e *example) showsWarnings(name, argument string) {
	e.T.Helper()
	_, warnings, _ := strings.Cut(excerpt(e.plan(story.Changes, argument), quiet), "\nWarning: ")
	e.compare(name, "$ terraform plan "+argument+"\n\nWarning: "+warnings)
}
