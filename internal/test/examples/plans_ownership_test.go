package examples_test

import "testing"

// end is where arguments are added to the only resource of an example.
const end = "  YAML\n}"

// with returns end with another argument.
func with(argument string) string { return "  YAML\n\n  " + argument + "\n}" }

func planGettingStarted(t *testing.T, cli cli) {
	s := newStory(t, cli, "getting-started")
	target := deployment("hello")
	s.apply(target)
	manager("kubectl").scale(t, target, 5)
	s.shows("retaking", changes)
	s.apply(target)

	s.configure(end, with(`ignore_fields = ["spec.replicas"]`))
	s.shows("releasing", changes)
	s.configure(end, with(`ignore_fields = ["spec.selector.matchLabels.app"]`))
	s.shows("atomic", refused)
	s.configure(end, with(`field_manager = "platform"`))
	s.shows("renaming", changes)

	s.configure()
	flux := func(spec string) {
		manager("kustomize-controller").applyOnServer(t,
			"{apiVersion: apps/v1, kind: Deployment, metadata: {name: hello, namespace: default}, spec: {"+spec+"}}")
	}
	flux("replicas: 2")
	s.shows("joined", changes, "-refresh-only")
	s.plan(nothing)
	s.configure("replicas: 2", "replicas: 3")
	s.shows("overruling", changes)
	s.configure("      replicas: 2\n", "")
	s.shows("leaving", changes)
	flux("replicas: 2, minReadySeconds: 5")
	s.awaitRollout(target)
	s.configure("replicas: 2", "replicas: 2\n      minReadySeconds: 5")
	s.shows("sharing", changes)
	flux("replicas: 4")
	s.awaitRollout(target)
	s.configure()
	s.shows("flux", changes)
}

func planAdopting(t *testing.T, cli cli) {
	s := newStory(t, cli, "adopt")
	createBefore(t, s.dir)
	s.awaitRollout(deployment("legacy"))
	const id = "apiVersion=apps/v1,kind=Deployment,namespace=default,name=legacy"
	s.configure("import {\n  to = k8sconnect_manifest.legacy\n  id = \""+id+"\"\n}\n", "")
	s.shows("existing", refused)
	cli.mustRun(t, s.dir, "import", "k8sconnect_manifest.legacy", id)
	s.shows("adopting", changes)
}

// planSpelling has 0.1, which is 100m in another spelling.
func planSpelling(t *testing.T, cli cli) {
	s := newStory(t, cli, "getting-started")
	requesting := func(cpu string) []string {
		return []string{
			"      name: hello\n", "      name: sized\n",
			"image: nginx:1.29", "image: nginx:1.29\n              resources: {requests: {cpu: " + cpu + "}}",
		}
	}
	s.configure(requesting("100m")...)
	s.apply(deployment("sized"))
	manager("kustomize-controller").applyOnServer(t, `
apiVersion: apps/v1
kind: Deployment
metadata: {name: sized, namespace: default}
spec: {template: {spec: {containers: [{name: hello, resources: {requests: {cpu: 100m}}}]}}}
`)
	s.configure(requesting(`"0.1"`)...)
	s.shows("spelling", changes)
}

func planGuarding(t *testing.T, cli cli) {
	s := newStory(t, cli, "guard")
	api, worker := deployment("api"), deployment("worker")
	s.apply(api, worker)
	manager("kubectl-set").patch(t, worker, container(`"image":"nginx:1.31"`))
	s.shows("postcondition", refused)
	manager("release-bot").patch(t, worker, container(`"image":"nginx:1.32"`))
	manager("kubectl-set").patch(t, api, container(`"env":[{"name":"LEVEL","value":"debug"}]`))
	s.shows("check", nothing)
}

// container returns a patch of the container app.
func container(fields string) string {
	return `{"spec":{"template":{"spec":{"containers":[{"name":"app",` + fields + `}]}}}}`
}
