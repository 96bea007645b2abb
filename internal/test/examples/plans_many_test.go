package examples_test

import (
	"path/filepath"
	"reflect"
	"strings"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/pages"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/testcluster"
)

// planSets changes an object of a set, after an autoscaler has changed it, too.
func planSets(e *example) {
	e.apply(deployment("buoys/reader"))
	e.plan(story.Nothing)
	e.As("kubectl").Scale(deployment("buoys/reader"), 5)
	file := filepath.Join(e.Dir, "install.yaml")
	write(e.T, file, strings.Replace(pages.Read(e.T, file), "buoys/reader:1", "buoys/reader:2", 1))
	e.showsBody("sets", story.Changes)
	e.apply(deployment("buoys/reader"))
	e.plan(story.Nothing)
}

// planChart changes a value of a chart that draws a password, which stays.
func planChart(e *example) {
	const secret = "v1 Secret edge-admin"
	e.apply(deployment("edge-proxy"))
	drawn := e.Live(secret).GetResourceVersion()
	e.plan(story.Nothing)
	e.configure("replicas = 2", "replicas = 3")
	if e.CLI.Product == testcluster.ProductOpenTofu { // It shows the change of a list in other lines.
		e.plan(story.Changes)
	} else {
		e.showsBody("charts", story.Changes)
	}
	e.apply(deployment("edge-proxy"))
	if e.Live(secret).GetResourceVersion() != drawn {
		e.T.Error("the Secret with the password has changed")
	}
	e.plan(story.Nothing)
	takeOverRelease(e)
}

// takeOverRelease takes over a release, whose objects Helm owns, without a change of a value.
func takeOverRelease(e *example) {
	const end = "hooks            = data.k8sconnect_chart.edge.hooks\n"
	e.configure(end, end+"  on_destroy = \"hand_over\"\n  successor = \"helm\"\n")
	e.apply(deployment("edge-proxy"))
	e.Do("destroy", "-auto-approve")
	proxy, secret := deployment("edge-proxy"), "v1 Secret edge-admin"
	e.StoreRelease("Secret", "edge.v1", "superseded", "")
	e.StoreRelease("Secret", "edge.v2", "deployed", "{apiVersion: apps/v1, kind: Deployment, metadata: {name: edge-proxy}}\n---\n"+
		"{apiVersion: v1, kind: Secret, metadata: {name: edge-admin}}\n---\n{apiVersion: policy/v1, kind: PodDisruptionBudget, metadata: {name: edge-proxy}}\n")
	e.configure(end, end+"\n  take_over_release = {\n    name      = \"edge\"\n    namespace = \"default\"\n  }\n")
	generation, drawn := e.Live(proxy).GetGeneration(), e.Live(secret).Object["data"]
	e.showsEnd("taking-over-a-release")
	e.apply(proxy)
	if now := e.Live(proxy).GetGeneration(); now != generation || !reflect.DeepEqual(e.Live(secret).Object["data"], drawn) {
		e.T.Errorf("the generation is %d, was %d, or the password has changed", now, generation)
	}
	e.plan(story.Nothing)
	e.configure()
	e.apply()
}

// planSetsSecrets changes a value of a Secret and one of a ConfigMap of a set.
func planSetsSecrets(e *example) {
	e.apply()
	file := filepath.Join(e.Dir, "install.yaml")
	write(e.T, file, strings.NewReplacer("not-in-a-plan", "not-in-this-one", "10m", "5m").Replace(pages.Read(e.T, file)))
	e.showsBody("sets-secrets", story.Changes)
	e.apply()
	e.plan(story.Nothing)
}

// planSecret gives a Secret another password, which no plan has.
func planSecret(e *example) {
	e.apply()
	e.configure(`"change-me"`, `"changed"`, "yaml_body_wo_version = 1", "yaml_body_wo_version = 2")
	e.shows("secret", story.Changes)
	e.apply()
	e.plan(story.Nothing)
}

// planSetsFromForEach makes a set of resources with for_each. No value on the cluster changes.
func planSetsFromForEach(e *example) {
	main := filepath.Join(e.Dir, "main.tf")
	set := pages.Read(e.T, main)
	before, _, found := strings.Cut(set, "resource \"k8sconnect_manifests\"")
	if !found {
		e.T.Fatal(set)
	}
	write(e.T, main, before+"resource \"k8sconnect_manifest\" \"piers\" {\n  for_each  = provider::k8sconnect::documents(file(\"${path.module}/install.yaml\"), "+
		"{ namespace = \"piers\" })\n  yaml_body = each.value\n}\n")
	e.apply()
	versions := func() (all string) {
		// No manager owns a field of the Namespace, so the API server notes who was there before the first apply.
		for _, target := range []string{"v1 ConfigMap piers/settings", "v1 Service piers/web"} {
			all += e.Live(target).GetResourceVersion() + " "
		}
		return all
	}
	first := versions()
	write(e.T, main, set)
	e.says(e.plan(story.Changes), "Plan: 1 to add, 0 to change, 0 to destroy", "Warning: Some objects will no longer be managed by",
		"Warning: Existing Object Adopted: ConfigMap piers/settings (v1) and 1 More", "Warning: Object May Be Managed Twice: ConfigMap piers/settings (v1) and 1 More")
	e.apply()
	e.plan(story.Nothing)
	if now := versions(); now != first {
		e.T.Errorf("the objects have the versions %s, and had %s", now, first)
	}
	e.configure("\n  adopt_existing = true         # Remove it after the apply.", "")
	e.Do("apply", "-auto-approve")
}
