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
	e.shows("releasing", story.Changes)
	e.configure(end, with(`ignore_fields = ["spec.selector.matchLabels.app"]`))
	e.shows("atomic", story.Refused)
	e.configure(end, with(`field_manager = "platform"`))
	e.shows("renaming", story.Changes)

	e.configure()
	flux := func(spec string) {
		e.As("kustomize-controller").Apply("{apiVersion: apps/v1, kind: Deployment, metadata: {name: hello, namespace: default}, spec: {" + spec + "}}")
	}
	flux("replicas: 2")
	e.shows("joined", story.Changes, "-refresh-only")
	e.plan(story.Nothing)
	e.configure("replicas: 2", "replicas: 3")
	e.shows("overruling", story.Changes)
	e.configure("      replicas: 2\n", "")
	e.shows("leaving", story.Changes)
	flux("replicas: 2, minReadySeconds: 5")
	e.awaitRollout(target)
	e.configure("replicas: 2", "replicas: 2\n      minReadySeconds: 5")
	e.shows("sharing", story.Changes)
	flux("replicas: 4")
	e.awaitRollout(target)
	e.configure()
	e.shows("flux", story.Changes)
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
	e.shows("existing", story.Refused)
	e.Do("import", "k8sconnect_manifest.legacy", id)
	e.shows("adopting", story.Changes)
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
	e.shows("spelling", story.Changes)
}

func planGuarding(e *example) {
	api, worker := deployment("api"), deployment("worker")
	e.apply(api, worker)
	e.As("kubectl-set").StrategicPatch(worker, container(`"image":"nginx:1.31"`))
	e.shows("postcondition", story.Refused)
	e.As("release-bot").StrategicPatch(worker, container(`"image":"nginx:1.32"`))
	e.As("kubectl-set").StrategicPatch(api, container(`"env":[{"name":"LEVEL","value":"debug"}]`))
	e.shows("check", story.Nothing)
}

// container returns a patch of the container app.
func container(fields string) string {
	return `{"spec":{"template":{"spec":{"containers":[{"name":"app",` + fields + `}]}}}}`
}
