package examples_test

import (
	"strings"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
)

// planPatching is a ConfigMap of other managers, of which another client changes a patched field before the patch
// leaves.
func planPatching(e *example) {
	const target = "v1 ConfigMap coredns"
	e.createBefore()
	e.showsWarnings("patch")
	e.apply()
	e.plan(story.Nothing)
	e.As("kubectl-edit").Patch(target, `{"data": {"log-level": "warning"}}`)
	e.says(e.plan(story.Changes), "the apply takes back a field", `data.log-level: "warning" -> "debug", owned by "kubectl-edit"`, `ignore_fields = ["data.log-level"]`)
	e.apply()
	e.plan(story.Nothing)
	e.showsWarnings("patch-destroy", "-destroy")
}

// planRemovingFields is a ConfigMap of other managers, of which a patch removes a field.
func planRemovingFields(e *example) {
	e.createBefore()
	e.says(e.plan(story.Changes), "fields_to_remove = {}", `data.debug: "true", removed, owned by "kubectl-create"`)
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
	e.says(e.plan(story.Changes), `metadata.finalizers[="example.com/gone"]: "example.com/gone", removed, owned by "kubectl-create"`,
		`env[name="WARM_ENI_TARGET"].value: "1" -> "2", owned by "kubectl-create"`, `owned by "helm" using apps/v1 (Helm, last write`)
	e.apply()
	e.plan(story.Nothing)
}

// showsWarnings is shows of the warnings of a plan. The rest has the uid of the object, or what other pages show.
func (e *example) showsWarnings(name string, args ...string) {
	e.T.Helper()
	_, warnings, _ := strings.Cut(excerpt(e.plan(story.Changes, args...), quiet), "\nWarning: ")
	e.compare(name, strings.Join(append([]string{"$ terraform plan"}, args...), " ")+"\n\nWarning: "+warnings)
}
