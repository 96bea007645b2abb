package acceptance_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/report"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
)

// operatorFile is a file as operators publish it: the order of the documents is not that in which they can be created.
var operatorFile = map[string]string{
	"deployment": strings.ReplaceAll(story.Deployment, "namespace: NS", "namespace: NS-own"),
	"gadget":     "apiVersion: NS.example.org/v1\nkind: Part\nmetadata: {name: one, namespace: NS-own}\nspec: {size: 1}\n",
	"kind": `
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: parts.NS.example.org}
spec:
  group: NS.example.org
  scope: Namespaced
  names: {plural: parts, singular: part, kind: Part}
  versions:
    - {name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object, properties: {spec: {type: object, properties: {size: {type: integer}}}}}}}
`,
	"namespace": "apiVersion: v1\nkind: Namespace\nmetadata: {name: NS-own}\n",
}

// A set creates kinds and namespaces before the objects that need them, and deletes them after those.
func TestSetOfAnOperator(t *testing.T) {
	s := newSet(t)
	s.has(operatorFile)
	out := s.Do("apply", "-auto-approve")
	s.expect(out, "1 added", "not", "Kind Not Served Yet", "Namespace Not Found Yet", "Warning: Field")
	s.settled()
	if got := s.Live("NS.example.org/v1 Part NS-own/one"); got.GetName() != "one" {
		t.Errorf("the custom resource is %v", got)
	}
	s.Do("destroy", "-auto-approve")
	s.gone("NS.example.org/v1 Part NS-own/one", "v1 Namespace NS-own")
}

// A plan shows the line that changes, what other managers have changed with its owners, and nothing of the other
// objects.
func TestSetShowsDifferences(t *testing.T) {
	s := newSet(t)
	s.has(configMaps("1", "one", "two", "three"))
	s.Do("apply", "-auto-approve")
	s.settled()

	s.As("bob").Patch("v1 ConfigMap two", `{"data": {"a": "9"}}`)
	out := s.Exits(story.Changes, "plan", "-detailed-exitcode")
	s.expect(out, `- "data.a" = "9"`, `- "bob",`, `data.a: "9" -> "1", owned by "bob"`,
		`{ kinds = ["ConfigMap"], namespaces = ["NS"], names = ["two"], ignore_fields = ["data.a"] }`, "Field Ownership Conflict: ConfigMap NS/two (v1)",
		"not", "NS/one", "NS/three")
	s.Do("apply", "-auto-approve")
	s.settled()

	s.has(map[string]string{"one": configMap("one", "2"), "two": configMap("two", "1"), "three": configMap("three", "1")})
	s.ExpectCost("an update of one of three", []string{
		"get configmaps NS/one 200", "get configmaps NS/three 200", "get configmaps NS/two 200", "patch configmaps NS/one dry-run 200",
	}, "plan")
	s.Do("apply", "-auto-approve")
	s.settled()
}

// An update of many objects reads them by LIST again: the provider does not hold all that the refresh has read.
func TestSetUpdatesManyObjects(t *testing.T) {
	s := newSet(t)
	var names []string
	for n := range 450 {
		names = append(names, fmt.Sprintf("settings-%d", n))
	}
	s.has(configMaps("1", names...))
	s.Do("apply", "-auto-approve")
	s.As("bob").Patch("v1 ConfigMap settings-7", `{"data": {"a": "9"}}`)
	s.has(configMaps("2", names...))
	dryRuns, others := 0, []string{}
	objects, _ := s.CostOf(func() {
		s.expect(s.Do("plan"), `data.a: "9" -> "2", owned by "bob"`)
	})
	for _, request := range objects {
		if strings.HasPrefix(request, "patch configmaps NS/settings-") && strings.HasSuffix(request, " dry-run 200") {
			dryRuns++
			continue
		}
		others = append(others, request)
	}
	if want := []string{"list configmaps NS 200", "list configmaps NS 200"}; dryRuns != len(names) || !slices.Equal(others, want) {
		t.Errorf("%d dry-runs, and %q", dryRuns, others)
	}
	s.Do("apply", "-auto-approve")
	s.settled()
	s.Do("destroy", "-auto-approve")
}

// A key that changes moves its object. An object that leaves is deleted, and the plan lists it.
func TestSetMovesAndDeletes(t *testing.T) {
	s := newSet(t)
	s.has(configMaps("1", "one", "two", "three"))
	s.Do("apply", "-auto-approve")
	before := s.uid("v1 ConfigMap one")
	s.has(map[string]string{"renamed": configMap("one", "1"), "two": configMap("other", "1")})
	out := s.Exits(story.Changes, "plan", "-detailed-exitcode")
	s.expect(out, "Objects Deleted: ConfigMap NS/three (v1) and 1 More", "ConfigMap NS/two (v1)", "not", "ConfigMap NS/one (v1)")
	s.Do("apply", "-auto-approve")
	s.settled()
	if got := s.uid("v1 ConfigMap one"); got != before {
		t.Errorf("the object was created again: %s, was %s", got, before)
	}
	s.gone("v1 ConfigMap two", "v1 ConfigMap three")
	if s.uid("v1 ConfigMap other") == "" {
		t.Error("the object under the kept key is missing")
	}

	s.has(map[string]string{"renamed": configMap("one", "1")}, `on_destroy = "release"`)
	s.Do("apply", "-auto-approve") // The configuration decides of the object that leaves, and not the state.
	if got := s.Live("v1 ConfigMap other").GetManagedFields(); slices.ContainsFunc(got, func(of metav1.ManagedFieldsEntry) bool { return strings.HasPrefix(of.Manager, "k8sconnect") }) {
		t.Errorf("a released object has the managers %v", got)
	}
	s.Do("destroy", "-auto-approve")
	if got := s.uid("v1 ConfigMap one"); got != before {
		t.Errorf("a released object is %q", got)
	}
}

// A namespace or a kind does not leave a set that still has objects in it, or of it: they would go with it.
func TestSetKeepsWhatItsObjectsNeed(t *testing.T) {
	s := newSet(t)
	s.has(operatorFile)
	s.Do("apply", "-auto-approve")
	without := func(keys ...string) map[string]string {
		rest := maps.Clone(operatorFile)
		for _, key := range keys {
			delete(rest, key)
		}
		return rest
	}
	s.has(without("namespace"))
	s.expect(s.Exits(story.Refused, "plan"), "Error: Object Still Needed", "The plan deletes Namespace NS-own (v1)", "Deployment NS-own/web (apps/v1)", "Part NS-own/one")
	s.has(without("kind"))
	s.expect(s.Exits(story.Refused, "plan"), "Error: Object Still Needed", "parts.NS.example.org", "not", "Deployment NS-own/web")
	s.has(without("kind", "gadget"))
	s.Do("apply", "-auto-approve")
	s.settled()
	s.has(without("kind", "gadget"), `on_destroy = "release"`)
	s.Do("apply", "-auto-approve")
	s.has(without("kind", "gadget", "namespace"), `on_destroy = "release"`)
	s.Do("apply", "-auto-approve")
	s.settled()
	if s.Gone("v1 Namespace NS-own") {
		t.Error("a released namespace is gone")
	}
	s.has(map[string]string{"namespace": operatorFile["namespace"]}, "adopt_existing = true")
	s.Do("apply", "-auto-approve")
	s.Do("destroy", "-auto-approve")
}

// Existing objects are refused, or adopted with the owners that change.
func TestSetMeetsExistingObjects(t *testing.T) {
	s := newSet(t)
	s.As("kubectl-create").Create(configMap("one", "9"))
	s.has(configMaps("1", "one", "two"))
	s.expect(s.Exits(story.Refused, "plan"), "Object Already Exists", "set adopt_existing = true", "not", "import {")
	s.has(configMaps("1", "one", "two"), "adopt_existing = true")
	s.expect(s.Do("apply", "-auto-approve"), "Existing Object Adopted: ConfigMap NS/one (v1)", `data.a: "9" -> "1", owned by "kubectl-create"`)
	s.settled()
	s.As("kubectl-edit").Patch("v1 ConfigMap one", `{"data": {"a": "7"}}`)
	s.has(configMaps("1", "one", "two"), "adopt_existing = true", `on_conflict = "fail"`)
	s.expect(s.Exits(story.Refused, "plan"), `nothing is applied, because on_conflict is "fail"`, `"7" -> "1", owned by "kubectl-edit"`)
}

// A field that cannot change replaces its object alone, and delete_protection refuses that.
func TestSetReplacesOne(t *testing.T) {
	s := newSet(t)
	of := func(value string) map[string]string {
		return map[string]string{"fixed": configMap("fixed", value) + "immutable: true\n", "free": configMap("free", "1")}
	}
	s.has(of("1"))
	s.Do("apply", "-auto-approve")
	fixed, free := s.uid("v1 ConfigMap fixed"), s.uid("v1 ConfigMap free")
	s.has(of("2"))
	s.expect(s.Do("apply", "-auto-approve"), "Immutable Field: ConfigMap NS/fixed (v1)", `data.a: "1" -> "2"`,
		"add this to rules:", `{ kinds = ["ConfigMap"], namespaces = ["NS"], names = ["fixed"], ignore_fields = ["data.a"] }`)
	s.settled()
	if s.uid("v1 ConfigMap fixed") == fixed || s.uid("v1 ConfigMap free") != free {
		t.Error("not exactly the immutable object was replaced")
	}
	s.has(of("4"))
	s.Do("plan", "-out=saved")
	s.Do("apply", "saved") // An apply of a saved plan is known to be one from its first request on.
	s.settled()
	s.has(of("2"))
	s.Do("apply", "-auto-approve")
	s.has(of("2"), "delete_protection = true")
	s.Do("apply", "-auto-approve")
	s.has(of("3"), "delete_protection = true")
	s.expect(s.Exits(story.Refused, "plan"), "Object Protected")
	s.expect(s.Exits(story.Refused, "destroy", "-auto-approve"), "Object Protected")
	s.has(of("2"))
	s.Do("apply", "-auto-approve")
}

// A value that is known only during the apply leaves the other objects known, and a Secret's value is nowhere but in manifests.
func TestSetWithUnknownAndSecretValues(t *testing.T) {
	s := newSet(t)
	s.Configure("resource \"terraform_data\" \"t\" {\n  input = \"v\"\n}\n", s.Expand(`resource "k8sconnect_manifests" "test" {
  manifests = {
    text   = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: text, namespace: NS}\ndata: {a: ${terraform_data.t.output}}\n"
    object = { apiVersion = "v1", kind = "ConfigMap", metadata = { name = "object", namespace = "NS" }, data = { a = terraform_data.t.output } }
    secret = "apiVersion: v1\nkind: Secret\nmetadata: {name: secret, namespace: NS}\nstringData: {password: hunter2-of-the-set}\n"
  }
}
`))
	s.expect(s.Do("plan"), `text = (known after apply)`, `a = (known after apply)`)
	s.Do("apply", "-auto-approve")
	s.settled()
	s.As("eve").Patch("v1 Secret secret", `{"stringData": {"password": "hunter3-of-eve"}}`)
	out := s.Exits(story.Changes, "plan", "-detailed-exitcode")
	s.expect(out, "(sensitive, hmac-sha256:", "not", "hunter", "aHVudGVy")
	s.Do("apply", "-auto-approve")
	s.expect(s.Do("state", "pull"), "not", "hunter3", "aHVudGVy")
}

// What is wrong with manifests is said before any request.
func TestSetRefusesBadManifests(t *testing.T) {
	s := newSet(t)
	s.Configure(`resource "k8sconnect_manifests" "test" {
  manifests = {
    bad  = "x: 1"
    none = null
    one  = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: c}"
    two  = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: c}"
  }
}
`)
	s.expect(s.Exits(story.Refused, "validate"), `manifests["bad"]: apiVersion is missing`, `manifests["none"]: it is null`,
		`manifests["one"] and manifests["two"] are both the manifest of ConfigMap c (v1)`)
	s.Configure("resource \"k8sconnect_manifests\" \"test\" {\n  manifests = \"x\"\n}\n")
	s.expect(s.Exits(story.Refused, "validate"), "manifests is not a map", "provider::k8sconnect::documents")
}

// A refresh reads many objects of one kind by LIST, and does not if the namespace has many others.
func TestSetReadsByList(t *testing.T) {
	s := newSet(t)
	var names []string
	for _, a := range "abcdefghijklmnopqrstu" {
		names = append(names, "c-"+string(a))
	}
	s.has(configMaps("1", names...))
	s.Do("apply", "-auto-approve")
	s.ExpectCost("a plan without changes", []string{"list configmaps NS 200"}, "plan")
	for i := range 3 * len(names) {
		s.As("bob").Create(configMap("a-neighbour-"+string('a'+rune(i%26))+string('a'+rune(i/26)), "1"))
	}
	objects, _ := s.Cost("plan")
	if len(objects) < len(names) {
		t.Errorf("a plan beside many neighbours sends %q", objects)
	}
}

// Sets whose keys are equal are different resources: each has a field manager and objects of its own, in one apply, too.
func TestSetsWithEqualKeys(t *testing.T) {
	s := newSet(t)
	var text strings.Builder
	for _, name := range []string{"one", "two", "three"} {
		text.WriteString("resource \"k8sconnect_manifests\" \"" + name + "\" {\n  manifests = {\n    a = <<-YAML\n" + s.Expand(configMap(name, "1")) +
			"    YAML\n    b = <<-YAML\n" + s.Expand(configMap(name+"-b", "1")) + "    YAML\n  }\n}\n")
	}
	s.ConfigureProvider(`{ config_path = "kubeconfig" }`, text.String())
	s.Do("apply", "-auto-approve")
	s.settled()
	managers := map[string]bool{}
	for _, name := range []string{"one", "two", "three"} {
		managers[s.manager("v1 ConfigMap "+name)] = true
		s.expect(s.Do("state", "show", "k8sconnect_manifests."+name), "name="+name+`"`, "name="+name+`-b"`)
	}
	if len(managers) != 3 {
		t.Errorf("three sets have the field managers %v", managers)
	}
	s.Do("destroy", "-auto-approve")
	s.gone("v1 ConfigMap one", "v1 ConfigMap two", "v1 ConfigMap three")
}

// Keys may change places, as indexes do when a document joins or leaves: each object stays, and only what left is deleted.
func TestSetWhoseKeysChangePlaces(t *testing.T) {
	s := newSet(t)
	of := func(names ...string) map[string]string {
		manifests := map[string]string{}
		for i, name := range names {
			manifests[fmt.Sprint(i)] = configMap(name, "1")
		}
		return manifests
	}
	s.has(of("one", "two", "three"))
	s.Do("apply", "-auto-approve")
	uids := map[string]string{}
	for _, name := range []string{"one", "two", "three"} {
		uids[name] = s.uid("v1 ConfigMap " + name)
	}
	stay := func(names ...string) {
		t.Helper()
		s.settled()
		for _, name := range names {
			if got := s.uid("v1 ConfigMap " + name); got != uids[name] {
				t.Errorf("%s was created again", name)
			}
		}
	}
	s.has(of("zero", "one", "two", "three"))
	s.expect(s.Do("apply", "-auto-approve"), "not", "Objects Deleted")
	stay("one", "two", "three")
	s.has(of("two", "three"))
	s.expect(s.Do("apply", "-auto-approve"), "Objects Deleted: ConfigMap NS/one (v1) and 1 More", "ConfigMap NS/zero (v1)", "not", "NS/two", "NS/three")
	s.gone("v1 ConfigMap zero", "v1 ConfigMap one")
	stay("two", "three")
	s.has(of("three", "four"))
	s.Do("plan", "-out=saved")
	s.expect(s.Do("apply", "saved"), "not", "Existing Object Adopted")
	s.gone("v1 ConfigMap two")
	stay("three")
	s.Do("destroy", "-auto-approve")
	s.gone("v1 ConfigMap three", "v1 ConfigMap four")
}

// A value that is not known in the plan may turn out to be the one that the object has.
func TestSetWhoseUnknownValueIsTheOldOne(t *testing.T) {
	s := newSet(t)
	configure := func(trigger, arguments string) {
		s.Configure("resource \"terraform_data\" \"t\" {\n  input = \"v\"\n  triggers_replace = \""+trigger+"\"\n}\n", s.Expand(`resource "k8sconnect_manifests" "test" {
  manifests = {
    one = { apiVersion = "v1", kind = "ConfigMap", metadata = { name = "one", namespace = "NS" }, data = { a = terraform_data.t.output } }
  }
  `+arguments+`
}
`))
	}
	configure("1", "")
	s.Do("apply", "-auto-approve")
	configure("2", `ignore_managers = ["flux"]`)
	s.Do("apply", "-auto-approve")
	s.settled()
}

// The default field manager follows from the objects. It is known after the apply if one of them is not known before.
func TestSetWithUnknownObject(t *testing.T) {
	s := newSet(t)
	manifests := `manifests = {
    a = { apiVersion = "v1", kind = "ConfigMap", metadata = { name = "one", namespace = "` + s.Expand("NS") + `" }, data = { a = "1" } }
    b = { apiVersion = "v1", kind = "ConfigMap", metadata = { name = "x${substr(terraform_data.id.id, 0, 4)}", namespace = "` + s.Expand("NS") + `" }, data = { a = "1" } }
  }`
	s.ConfigureProvider(`{ config_path = "kubeconfig" }`, "resource \"terraform_data\" \"id\" {}\nresource \"k8sconnect_manifests\" \"test\" {\n  "+manifests+"\n}\n")
	s.expect(s.Do("plan"), "+ field_manager = (known after apply)")
	s.Do("apply", "-auto-approve")
	s.settled()
	if got := s.manager("v1 ConfigMap one"); !strings.HasPrefix(got, "k8sconnect-") {
		t.Errorf("the field manager is %q", got)
	}
	s.Do("destroy", "-auto-approve")
}

// A plan of many objects tells each value that it changes, also one that no manager owns and no attribute shows.
func TestSetOfManyTellsUnownedValues(t *testing.T) {
	s := newSet(t)
	manifests := func(affinity string) map[string]string {
		all := map[string]string{}
		for i := range 25 { // They are listed, too, and read before the others.
			name := fmt.Sprintf("a%02d", i)
			all[name] = "apiVersion: v1\nkind: Service\nmetadata: {name: " + name + ", namespace: NS}\nspec: {selector: {app: web}, ports: [{port: 80}]" + affinity + "}\n"
		}
		for i := range 300 {
			name := fmt.Sprintf("c%03d", i)
			all[name] = configMap(name, "1")
		}
		return all
	}
	s.has(manifests(""))
	s.Do("apply", "-auto-approve")
	s.has(manifests(", sessionAffinity: ClientIP"))
	out := s.Do("plan")
	s.expect(out, `spec.sessionAffinity: "None" -> "ClientIP"`)
	for i := range 25 {
		s.expect(out, fmt.Sprintf("Service NS/a%02d (v1)", i))
	}
}

// The report of a plan has each object of a set, also of one that is created, and what the apply takes of it.
func TestReportOfASet(t *testing.T) {
	s := newSet(t)
	read := func() (found report.Report, counts string) {
		t.Helper()
		log := s.Do("plan", "-json", "-out=saved")
		found, err := report.Of([]byte(s.Do("show", "-json", "saved")), []byte(log))
		story.Must(t, err)
		return found, fmt.Sprint(found.Counts)
	}
	for _, name := range []string{"one", "two"} {
		s.As("bob").Apply(configMap(name, "9"))
	}
	s.has(configMaps("1", "one", "two", "three"), "adopt_existing = true")
	got, counts := read()
	if counts != "map[adopt:2 create:1 take:2]" || len(got.Incomplete) > 0 {
		t.Errorf("the plan of the create: %s, %+v", counts, got)
	}
	s.Do("apply", "saved")
	s.As("eve").Patch("v1 ConfigMap two", `{"data": {"a": "7"}}`)
	changed := configMaps("1", "one", "two")
	changed["one"] = configMap("one", "2")
	s.has(changed, "adopt_existing = true")
	if got, counts = read(); counts != "map[delete:1 set:1 take:1 update:2]" {
		t.Errorf("the plan of the update: %s, %+v", counts, got)
	}
}

// A set shows that another client has turned a list, and that the apply turns it back. A string that only looks like an
// order is not reported.
func TestSetShowsATurnedList(t *testing.T) {
	s := newSet(t)
	s.has(map[string]string{"web": story.Sidecar, "menu": configMap("menu", "order: tea, cake")})
	s.Do("apply", "-auto-approve")
	s.settled()
	s.As("kubectl-edit").JSONPatch(story.Web, `[{"op": "move", "from": "/spec/template/spec/containers/1", "path": "/spec/template/spec/containers/0"}]`)
	s.expect(s.Exits(story.Changes, "plan", "-detailed-exitcode"), `"spec.template.spec.containers" = "order: log, app"`,
		`spec.template.spec.containers: "order: log, app" -> "order: app, log"`, "not", "order: tea")
	s.Do("apply", "-auto-approve", "-refresh-only")
	s.expect(s.Do("show"), `"spec.template.spec.containers" = "order: log, app"`)
	s.Do("apply", "-auto-approve")
	s.settled()
	s.expect(s.Do("show"), "drifted", "not", "order: log, app")
}

// An object whose manifest leaves the namespace to the connection stays when its key changes, and so does one of no
// namespace whose manifest names one.
func TestSetWithoutNamespacesChangesKeys(t *testing.T) {
	s := newSet(t)
	s.cluster = `{ config_path = "kubeconfig", namespace = "` + s.Expand("NS") + `" }`
	bare := func(name, value string) string {
		return "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: " + name + "}\ndata: {a: \"" + value + "\"}\n"
	}
	role := func(verb string) string {
		return "apiVersion: rbac.authorization.k8s.io/v1\nkind: ClusterRole\nmetadata: {name: NS-reads, namespace: NS}\nrules: [{apiGroups: [\"\"], resources: [pods], verbs: [" + verb + "]}]\n"
	}
	s.has(map[string]string{"0": bare("one", "1"), "1": bare("two", "1"), "2": configMap("three", "1"), "role": role("get")})
	s.Do("apply", "-auto-approve")
	s.settled()
	uids := map[string]string{}
	objects := []string{"v1 ConfigMap one", "v1 ConfigMap two", "v1 ConfigMap three", "rbac.authorization.k8s.io/v1 ClusterRole NS-reads"}
	for _, object := range objects {
		uids[object] = s.uid(object)
	}
	stay := func() {
		t.Helper()
		s.settled()
		for _, object := range objects {
			if got := s.uid(object); got != uids[object] {
				t.Errorf("%s was created again", object)
			}
		}
	}
	s.has(map[string]string{"0": bare("zero", "1"), "1": bare("one", "1"), "2": bare("two", "2"), "bare": bare("three", "1"), "moved": role("list")})
	s.expect(s.Do("apply", "-auto-approve"), "not", "Objects Deleted")
	stay()
	s.has(map[string]string{"one": bare("one", "1"), "two": configMap("two", "2"), "three": configMap("three", "1"), "role": role("list")})
	s.expect(s.Do("apply", "-auto-approve"), "Objects Deleted: ConfigMap NS/zero (v1)", "not", "NS/one", "NS/two", "NS/three")
	stay()
	s.Do("apply", "-replace=k8sconnect_manifests.test", "-auto-approve")
	s.settled()
	s.Do("destroy", "-auto-approve")
	s.gone(objects...)
}

// What the last apply has taken from others, and the form of a manifest, do not make the second plan another one than
// the first if a value that was not known turns out to be the old one.
func TestSetWithAnUnknownValueAndAnotherForm(t *testing.T) {
	s := newSet(t)
	configure := func(trigger, value string) {
		s.Configure("resource \"terraform_data\" \"t\" {\n  input = \"v\"\n  triggers_replace = \""+trigger+"\"\n}\n", s.Expand(`resource "k8sconnect_manifests" "test" {
  manifests = {
    one = { apiVersion = "v1", kind = "ConfigMap", metadata = { name = "one", namespace = "NS" }, data = { a = terraform_data.t.output, b = "`+value+`" } }
    two = <<-EOT
      apiVersion: v1
      kind: ConfigMap
      metadata: {name: two, namespace: NS}
      data: {a: "1"} # as of `+trigger+`
    EOT
  }
}
`))
	}
	configure("1", "1")
	s.Do("apply", "-auto-approve")
	s.As("bob").Patch("v1 ConfigMap one", `{"data": {"b": "9"}}`)
	configure("1", "2")
	s.Do("apply", "-auto-approve")
	s.settled()
	configure("2", "2")
	s.Do("apply", "-auto-approve")
	s.settled()
}

// An object that fits the new schema of its kind alone is adopted in one apply with the definition.
func TestSetAdoptsWithANewDefinition(t *testing.T) {
	s := newSet(t)
	kind := func(most string) string {
		return strings.Replace(operatorFile["kind"], "size: {type: integer}", "size: {type: integer, maximum: "+most+"}", 1)
	}
	of := map[string]string{"namespace": operatorFile["namespace"], "kind": kind("5")}
	s.has(of)
	s.Do("apply", "-auto-approve")
	s.As("bob").Apply(operatorFile["gadget"])
	of["kind"], of["gadget"] = kind("10"), strings.Replace(operatorFile["gadget"], "size: 1", "size: 9", 1)
	s.has(of, "adopt_existing = true")
	s.Do("apply", "-auto-approve")
	s.settled()
	s.Do("destroy", "-auto-approve")
}
