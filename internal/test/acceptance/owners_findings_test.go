package acceptance_test

import (
	"fmt"
	"maps"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/owners"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/customresource"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/golden"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
)

const routeProperties = `
spec:
  type: object
  properties:
    rules:
      type: array
      items: {type: object, required: [name], properties: {name: {type: string}, to: {type: string}}}
    typed:
      type: array
      x-kubernetes-list-type: map
      x-kubernetes-list-map-keys: [name]
      items: {type: object, required: [name], properties: {name: {type: string}, parts: {type: array, items: {type: object}}}}
    meant: {type: array, x-kubernetes-list-type: atomic, items: {type: object}}
    words: {type: array, items: {type: string}}
`

// editManagedFields sends a JSON patch of managedFields of a ConfigMap of the story, which the server takes as it is.
func editManagedFields(s *story.Story, name, patch string) {
	s.T.Helper()
	s.As("kubectl").JSONPatch("v1 ConfigMap "+name, patch)
}

// forget takes all managers from an object.
const forget = `[{"op":"replace","path":"/metadata/managedFields","value":[{}]}]`

// writeTroubles makes findings about ConfigMaps.
func writeTroubles(s *story.Story) {
	// flux and helm agree, and a person has written the same once.
	s.As("flux").Apply(story.ConfigMapIn("agreed", "data: {a: x, b: x}"))
	s.As("helm").Apply(story.ConfigMapIn("agreed", "data: {a: x}"))
	s.As("kubectl-create").Create(story.ConfigMapIn("once", "data: {a: x}"))
	s.As("flux").Apply(story.ConfigMapIn("once", "data: {a: x}"))
	for _, name := range []string{"orphan", "late"} {
		s.As("script").Create(story.ConfigMapIn(name, "data: {a: x}"))
		editManagedFields(s, name, forget)
	}
	s.As("flux").Apply(story.ConfigMapIn("late", "data: {a: x, b: x}"))
	writeOld(s, "old", "2020-01-01T00:00:00Z")
}

// writeOld makes a ConfigMap of which a pipeline owns an entry since a time. The server does not take another time alone.
func writeOld(s *story.Story, name, at string) {
	s.As("script").Create(story.ConfigMapIn(name, "data: {a: x}"))
	editManagedFields(s, name, `[{"op":"replace","path":"/metadata/managedFields","value":[{"manager":"old-pipeline","operation":"Apply",`+
		`"apiVersion":"v1","time":"`+at+`","fieldsType":"FieldsV1","fieldsV1":{"f:data":{"f:a":{}}}}]}]`)
}

// installRoutes defines a kind with untyped lists, in two versions.
func installRoutes(s *story.Story) {
	const older = "\n  - {name: v1alpha1, served: true, storage: false, schema: {openAPIV3Schema: {type: object, " +
		"x-kubernetes-preserve-unknown-fields: true}}}\n"
	text := customresource.Definition("NS.example.com", "Route", routeProperties)
	s.InstallKind(s.Expand(text + older))
}

func route(version, name, spec string) string {
	return "{apiVersion: NS.example.com/" + version + ", kind: Route, metadata: {name: " + name + ", namespace: NS}, spec: {" + spec + "}}"
}

// dropOldRoutes takes the older version of the kind away.
func dropOldRoutes(s *story.Story) {
	s.As("kubectl").JSONPatch("apiextensions.k8s.io/v1 CustomResourceDefinition "+s.Expand("routes.NS.example.com"),
		`[{"op":"remove","path":"/spec/versions/1"}]`)
	s.Await("the version is gone", func() bool {
		served, err := s.Typed.Discovery().ServerResourcesForGroupVersion(s.Expand("NS.example.com/v1alpha1"))
		return err != nil || len(served.APIResources) == 0
	})
}

// problemsOf returns what an overview has found, a line each.
func problemsOf(s *story.Story, overview owners.Overview) []string {
	found := []string{}
	for _, f := range overview.Findings {
		found = append(found, strings.ReplaceAll(fmt.Sprintf("%s: %s %s: %s: %s", f.Problem, f.Resource, f.Name,
			strings.Join(f.Managers, ", "), strings.Join(f.Fields, ", ")), s.Namespace, "NS"))
	}
	return found
}

func TestFindings(t *testing.T) {
	s := story.New(t)
	installRoutes(s)
	s.As("flux").Apply(route("v1alpha1", "r", "rules: [{name: a, to: b}]"))
	dropOldRoutes(s)
	writeShop(s)
	writeTroubles(s)
	c := caller{s, story.ControlPlane().RESTConfig()}
	overview := c.overview("-n", s.Namespace)
	const (
		unserved = "unserved-version: routes.NS.example.com r: flux: spec.rules"
		edited   = `alternating: deployments.apps web: k8sconnect, kubectl-edit: spec.template.spec.containers[name="app"].image`
		once     = "shared: configmaps once: flux, kubectl-create: data.a"
		agreed   = "shared: configmaps agreed: helm, flux: data.a"
		labelled = "shared: deployments.apps web: k8sconnect, flux: metadata.labels.app"
		late     = "before-first-apply: configmaps late: before-first-apply: data.a"
		old      = "idle: configmaps old: old-pipeline: data.a"
		orphan   = "unmanaged: configmaps orphan: : "
		atomic   = "atomic-lists: routes.NS.example.com v1: : "
	)
	want := []string{
		unserved, edited, once, agreed, labelled, late, old, orphan, atomic + "spec.rules, spec.typed[*].parts",
	}
	if diff := cmp.Diff(want, problemsOf(s, overview)); diff != "" {
		t.Errorf("findings (-want +got):\n%s", diff)
	}
	if err := applyRoute(s); err == nil || !strings.Contains(err.Error(), "invalid group/version") {
		t.Errorf("an apply beside a claim in a version that is not served: %v", err)
	}
	values := configMapData(s)
	for _, finding := range overview.Findings {
		mend(s, finding.Mend)
	}
	if diff := cmp.Diff(values, configMapData(s)); diff != "" {
		t.Errorf("what mends has changed values (-before +after):\n%s", diff)
	}
	story.Must(t, applyRoute(s))
	want = []string{edited, agreed, labelled, orphan, atomic + "spec.typed[*].parts"}
	if diff := cmp.Diff(want, problemsOf(s, c.overview("-n", s.Namespace))); diff != "" {
		t.Errorf("findings that commands do not end (-want +got):\n%s", diff)
	}
}

// applyRoute tries an apply of the story's Route in the version that is left.
func applyRoute(s *story.Story) error {
	object := s.Parse(route("v1", "r", "words: [x]"))
	_, err := s.ResourceOf(object).Apply(s.T.Context(), "r", object,
		metav1.ApplyOptions{FieldManager: "helm", DryRun: []string{metav1.DryRunAll}})
	return err
}

func TestText(t *testing.T) {
	s := story.New(t)
	writeShop(s)
	writeTroubles(s)
	var owned map[string]row
	s.Await("the controllers are quiet", func() bool {
		before := owned
		owned = rowsOf(caller{s, story.ControlPlane().RESTConfig()}.overview("-n", s.Namespace))
		return owned["kube-controller-manager Update  pods"].objects == 1 &&
			owned["kube-controller-manager Update  configmaps"].objects == 1 && maps.Equal(before, owned)
	})
	text, notSeen, _ := strings.Cut(caller{s, story.ControlPlane().RESTConfig()}.prints("-n", s.Namespace), "\nNot seen:\n")
	golden.Compare(t, "owners/namespace.txt", text)
	for line := range strings.Lines(notSeen) {
		if !isOfStories(line) {
			t.Errorf("not seen is %s", line)
		}
	}
}

// configMapData returns the data of all ConfigMaps of the story.
func configMapData(s *story.Story) map[string]any {
	s.T.Helper()
	list, err := s.Resource("v1", "ConfigMap", s.Namespace).List(s.T.Context(), metav1.ListOptions{})
	story.Must(s.T, err)
	values := map[string]any{}
	for _, object := range list.Items {
		values[object.GetName()] = object.Object["data"]
	}
	return values
}

var patching = regexp.MustCompile(`^kubectl patch (\S+) (\S+)(?: -n (\S+))? --type=json -p '([^']*)'$`)

// mend does what a command of a finding does, if it is a patch.
func mend(s *story.Story, command string) {
	s.T.Helper()
	if err := try(s, command); err != nil {
		s.T.Errorf("%s: %v", command, err)
	}
}

// try returns the refusal of a command of a finding, if it is a patch.
func try(s *story.Story, command string) error {
	parts := patching.FindStringSubmatch(command)
	if parts == nil {
		return nil
	}
	resource := schema.ParseGroupResource(parts[1]).WithVersion("v1")
	_, err := s.Dynamic.Resource(resource).Namespace(parts[3]).Patch(s.T.Context(), parts[2], types.JSONPatchType, []byte(parts[4]),
		metav1.PatchOptions{FieldManager: "kubectl-patch"})
	return err
}

// A threshold decides who is idle.
func TestQuietFor(t *testing.T) {
	s := story.New(t)
	writeOld(s, "a", time.Now().Add(-48*time.Hour).UTC().Format(time.RFC3339))
	c := caller{s, story.ControlPlane().RESTConfig()}
	for quiet, want := range map[string]int{"24h": 1, "72h": 0} {
		if found := c.overview("-n", s.Namespace, "--quiet-for", quiet).Findings; len(found) != want {
			t.Errorf("quiet for %s: found are %v", quiet, found)
		}
	}
}

// The command that ends the last claim of an object leaves an entry, without which the next apply would give all fields to
// before-first-apply.
func TestLastClaimEnds(t *testing.T) {
	s := story.New(t)
	writeOld(s, "a", "2020-01-01T00:00:00Z")
	c := caller{s, story.ControlPlane().RESTConfig()}
	for _, finding := range c.overview("-n", s.Namespace, "--quiet-for", "24h").Findings {
		story.Must(t, try(s, finding.Mend))
	}
	s.As("flux").Apply(story.ConfigMapIn("a", "data: {b: x}"))
	if found := problemsOf(s, c.overview("-n", s.Namespace, "--quiet-for", "24h")); len(found) > 0 {
		t.Errorf("found are %q", found)
	}
	story.Must(t, s.ExpectLiveJSON("v1 ConfigMap a", `{"a":"x","b":"x"}`, "data")(nil))
}

// What people have added to an object that a tool applies is found, a command each, containers first. Who has only created
// an object has added nothing.
func TestAddedByPeople(t *testing.T) {
	s := story.New(t)
	s.As("kubectl-create").Create(story.ConfigMapIn("theirs", "data: {a: x}"))
	s.As("flux").Apply(story.Deployment)
	s.AwaitRollouts() // A controller has an annotation of its own since.
	s.As("kubectl-edit").StrategicPatch(story.Web, addedContainer)
	s.As("kubectl-edit").Patch(story.Web, `{"metadata":{"annotations":{"note":"x"}}}`)
	s.As("kubectl-label").Patch(story.Web, `{"metadata":{"labels":{"team":"x"}}}`)
	c := caller{s, story.ControlPlane().RESTConfig()}
	want := []string{
		`added-by-people: deployments.apps web: kubectl-edit: spec.template.spec.containers[name="miner"], metadata.annotations.note`,
		"added-by-people: deployments.apps web: kubectl-label: metadata.labels",
	}
	if diff := cmp.Diff(want, problemsOf(s, c.overview("-n", s.Namespace))); diff != "" {
		t.Errorf("findings (-want +got):\n%s", diff)
	}
}

// Objects that people made with kubectl, and that a state has imported since as the guide says, need nothing: what kubectl
// still owns of them are defaults of the API server. That holds after another kubectl apply, too.
func TestFindingsAfterAnImport(t *testing.T) {
	s := story.New(t)
	const service = "apiVersion: v1\nkind: Service\nmetadata: {name: web, namespace: NS}\nspec: {selector: {app: web}, ports: [{port: 80}]}\n"
	s.As("kubectl-client-side-apply").ApplyClientSide(story.Deployment)
	s.As("kubectl-client-side-apply").ApplyClientSide(service)
	s.As("kubectl-create").Create(strings.Replace(service, "name: web", "name: created", 1))
	s.As("kubectl-create").Create(story.ConfigMapIn("settings", "data: {a: x}"))
	s.AwaitRollouts()
	w := s.HostedWorkspace()
	var blocks, generating []string
	for i, id := range []string{
		"apiVersion=apps/v1,kind=Deployment,namespace=NS,name=web", "apiVersion=v1,kind=Service,namespace=NS,name=web",
		"apiVersion=v1,kind=Service,namespace=NS,name=created", "apiVersion=v1,kind=ConfigMap,namespace=NS,name=settings",
	} {
		block := strings.Replace(s.ImportBlock(id), "test", fmt.Sprintf("test%d", i), 1)
		blocks = append(blocks, block)
		generating = append(generating, strings.Replace(block, "\n}", "\n  provider = k8sconnect\n}", 1))
	}
	w.Configure(generating...)
	w.Do("plan", "-generate-config-out=generated.tf")
	w.Configure(blocks...)
	w.Do("apply", "-auto-approve")
	w.Exits(story.Nothing, "plan", "-detailed-exitcode")
	for _, target := range []string{story.Web, "v1 Service web", "v1 ConfigMap settings"} {
		for _, entry := range s.Live(target).GetManagedFields() {
			if entry.Manager == story.Us && entry.Time == nil {
				t.Errorf("the entry of %s on %s has no time", story.Us, target)
			}
		}
	}
	c := caller{s, story.ControlPlane().RESTConfig()}
	if found := problemsOf(s, c.overview("-n", s.Namespace)); len(found) > 0 {
		t.Errorf("found after the import: %q", found)
	}
	time.Sleep(time.Second) // Times of entries have whole seconds.
	s.As("kubectl-client-side-apply").Patch("v1 Service web", `{"spec":{"sessionAffinity":"ClientIP"}}`)
	if found := problemsOf(s, c.overview("-n", s.Namespace)); len(found) > 0 {
		t.Errorf("found after a write of kubectl apply: %q", found)
	}
}
