package examples_test

import (
	"regexp"
	"strings"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
)

// end is where arguments are added to the only resource of an example.
const end = "  YAML\n}"

// with returns end with another argument.
func with(argument string) string { return "  YAML\n\n  " + argument + "\n}" }

func planGettingStarted(e *example) {
	target := deployment("hello")
	e.start(target)
	e.apply(target)
	e.As("kubectl").Scale(target, 5)
	e.apply(target)

	e.configure(end, with(`ignore_fields = ["spec.replicas"]`))
	e.showsWarnings("releasing")
	e.configure(end, with(`ignore_fields = ["spec.selector.matchLabels.app"]`))
	e.says(e.plan(story.Refused), "Error: Field Cannot Be Ignored Alone", `ignore_fields = ["spec.selector"]`)
	e.configure(end, with(`field_manager = "platform"`))
	e.says(e.plan(story.Changes), `~ "spec.selector"`, `= "k8sconnect" -> "platform"`, "Plan: 0 to add, 1 to change, 0 to destroy.")

	e.configure()
	flux := func(spec string) {
		e.As("kustomize-controller").Apply("{apiVersion: apps/v1, kind: Deployment, metadata: {name: hello, namespace: default}, spec: {" + spec + "}}")
	}
	flux("replicas: 2")
	e.says(e.plan(story.Changes, "-refresh-only"), `+ "kustomize-controller",`, `~ "spec.replicas"`, `= "k8sconnect" -> "kustomize-controller"`)
	e.plan(story.Nothing)
	e.configure("replicas: 2", "replicas: 3")
	e.says(e.plan(story.Changes), `spec.replicas: "2" -> "3", owned by "kustomize-controller" (Flux)`, "The field is shared now; this change takes it from them.")
	e.configure("      replicas: 2\n", "")
	e.says(e.plan(story.Changes), "a field leaves yaml_body and stays on the object, because others own it:",
		`spec.replicas: "2", owned by "kustomize-controller" (Flux)`, `remove_fields = ["spec.replicas"]`)
	flux("replicas: 2, minReadySeconds: 5")
	e.awaitRollout(target)
	e.configure("replicas: 2", "replicas: 2\n      minReadySeconds: 5")
	e.says(e.plan(story.Changes), "the apply shares a field that others own with the same value:",
		`spec.minReadySeconds: "5", owned by "kustomize-controller" (Flux, last write`)
	flux("replicas: 4")
	e.awaitRollout(target)
	e.configure()
	e.says(e.plan(story.Changes), "the apply takes back a field", `spec.replicas: "4" -> "2", owned by "kustomize-controller" (Flux, last write`)
}

// start follows the guide Getting started.
func (e *example) start(target string) {
	e.T.Helper()
	e.shows("started-create", story.Changes)
	e.apply(target)
	e.As("kubectl").Scale(target, 5)
	e.shows("retaking", story.Changes)
	e.configure(end, with(`ignore_fields = ["spec.replicas"]`))
	e.shows("started-leaving", story.Changes)
	e.apply(target)
	e.plan(story.Nothing)
	const command = "state show k8sconnect_manifest.hello"
	owners := shownOwners.FindStringSubmatch(e.Do(strings.Fields(command)...))
	if owners == nil {
		e.T.Fatal("the state has no owners")
	}
	e.showsOutput("started-owners", "$ terraform "+command+"\n...\n    field_ownership = {\n"+owners[1]+"    }\n...\n")
	e.Do("destroy", "-auto-approve")
	e.configure()
}

// shownOwners are the owners that "terraform state show" prints.
var shownOwners = regexp.MustCompile(`(?ms)^    field_ownership +?= \{\n(.*?)^    \}$`)

func planAdopting(e *example) {
	e.createBefore()
	e.awaitRollout(deployment("legacy"))
	const id = "apiVersion=apps/v1,kind=Deployment,namespace=default,name=legacy"
	e.configure("import {\n  to = k8sconnect_manifest.legacy\n  id = \""+id+"\"\n}\n", "")
	e.says(e.plan(story.Refused), "Error: Object Already Exists", `id = "`+id+`"`, "Or set adopt_existing = true, and the apply adopts it.")
	e.Do("import", "k8sconnect_manifest.legacy", id)
	e.says(e.plan(story.Changes), `~ "spec.replicas" = "kubectl-create" -> "k8sconnect"`,
		`spec.template.spec.containers[name="app"].image: "nginx:1.28" -> "nginx:1.29", owned by "kubectl-create"`)
}

// planSpelling has 0.1, which is 100m in another spelling.
func planSpelling(e *example) {
	requesting := func(cpu string) []string {
		return []string{
			"      name: hello\n", "      name: sized\n",
			"image: nginx:1.29", "image: nginx:1.29\n              resources: {requests: {cpu: " + cpu + "}}",
		}
	}
	e.configure(requesting("100m")...)
	e.apply(deployment("sized"))
	e.As("kustomize-controller").Apply(`
apiVersion: apps/v1
kind: Deployment
metadata: {name: sized, namespace: default}
spec: {template: {spec: {containers: [{name: hello, resources: {requests: {cpu: 100m}}}]}}}
`)
	e.configure(requesting(`"0.1"`)...)
	e.says(e.plan(story.Changes),
		`spec.template.spec.containers[name="hello"].resources.requests.cpu: "100m" -> "0.1", owned by "kustomize-controller" (Flux)`,
		`The values are equivalent; write "100m" to share the field instead of taking it.`)
}

func planGuarding(e *example) {
	api, worker := deployment("api"), deployment("worker")
	e.apply(api, worker)
	e.As("kubectl-set").StrategicPatch(worker, container(`"image":"nginx:1.31"`))
	e.shows("postcondition", story.Refused)
	e.As("release-bot").StrategicPatch(worker, container(`"image":"nginx:1.32"`))
	e.As("kubectl-set").StrategicPatch(api, container(`"env":[{"name":"LEVEL","value":"debug"}]`))
	e.says(e.plan(story.Nothing), "Warning: Check block assertion failed", `kubectl owns spec.template.spec.containers[name="app"].env,`, "Warning: Fields Added by Others")
}

// container returns a patch of the container app.
func container(fields string) string {
	return `{"spec":{"template":{"spec":{"containers":[{"name":"app",` + fields + `}]}}}}`
}
