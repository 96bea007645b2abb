package acceptance_test

import (
	"strings"
	"testing"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/customresource"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
)

// badObjects are manifests that the cluster refuses, or accepts with a warning, when they are planned.
var badObjects = []badInput{
	{name: "kind of an old version", body: changed("apps/v1", "apps/v1beta1")},
	{name: "kind of an old group", body: changed("apps/v1", "extensions/v1beta1")},
	{name: "kind in lower case", body: changed("kind: Deployment", "kind: deployment")},
	{name: "kind in the plural", body: changed("kind: Deployment", "kind: Deployments")},
	{name: "kind misspelled", body: changed("kind: Deployment", "kind: Deploymnet")},
	{name: "kind without its group", body: changed("apps/v1", "v1")},
	{name: "kind like no other", body: changed("kind: Deployment", "kind: Xylophone")},
	{name: "namespace on a cluster-scoped kind", body: "apiVersion: rbac.authorization.k8s.io/v1\nkind: ClusterRole\nmetadata: {name: web-NS, namespace: NS}\n"},
	{name: "name in capitals", body: changed("name: web,", "name: Web_Shop,")},
	{name: "name with a slash", body: changed("name: web,", "name: web/shop,")},
	{name: "name too long", body: changed("name: web,", "name: "+repeated("w", 254)+",")},
	{name: "namespace in capitals", body: changed("namespace: NS", "namespace: Shop")},
	{name: "namespace with a slash", body: changed("namespace: NS", "namespace: a/b")},
	{name: "label with a space", body: labelledDeployment("team: 'the shop'")},
	{name: "label with two slashes", body: labelledDeployment("a/b/c: d")},
	{name: "label too long", body: labelledDeployment("team: " + repeated("t", 64))},
	{name: "label a number", body: labelledDeployment("revision: 7")},
	{name: "label a boolean", body: labelledDeployment("public: yes")},
	{name: "labels a list", body: changed("namespace: NS", "namespace: NS, labels: [team]")},
	{name: "labels a text", body: changed("namespace: NS", "namespace: NS, labels: team")},
	{name: "annotation an object", body: changed("namespace: NS", "namespace: NS, annotations: {a: {b: c}}")},
	{name: "annotations over 256 KiB", body: changed("namespace: NS", "namespace: NS, annotations: {a: "+repeated("a", 1<<18)+"}")},
	{name: "finalizer without a domain", body: changed("namespace: NS", "namespace: NS, finalizers: [hold]")},

	{name: "field misspelled", body: changed("replicas: 3", "replica: 3")},
	{name: "field in capitals", body: changed("replicas: 3", "Replicas: 3")},
	{name: "field in the wrong place", body: changed("replicas: 3", "image: nginx")},
	{name: "field of another kind", body: changed("replicas: 3", "clusterIP: None")},
	{name: "fields misspelled in a list and a map", body: changed("replicas: 3", "replica: 3", "name: app", "name: app, imgae: a")},
	{name: "field of metadata misspelled", body: changed("namespace: NS", "namespace: NS, label: {a: b}")},
	{name: "field at the top", body: story.Deployment + "replicas: 3\n"},
	{name: "data in the wrong place", body: "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: web, namespace: NS, data: {a: b}}\n"},
	{name: "map for a list", body: changed("[{name: app", "{name: app", "}]", "}")},
	{name: "text for a number", body: changed("replicas: 3", `replicas: "three"`)},
	{name: "number with a fraction", body: changed("replicas: 3", "replicas: 3.5")},
	{name: "number past 64 bits", body: changed("replicas: 3", "replicas: 99999999999999999999")},
	{name: "number past 32 bits", body: changed("replicas: 3", "replicas: 4294967296")},
	{name: "number past every type", body: changed("replicas: 3", "replicas: 1e999")},
	{name: "number below zero", body: changed("replicas: 3", "replicas: -3")},
	{name: "quantity without a number", body: changed("name: app", "name: app, resources: {limits: {cpu: lots}}")},
	{name: "image missing", body: changed(`, image: "nginx:1.25"`, "")},
	{name: "container twice", body: changed("[{name: app", "[{name: app, image: b}, {name: app")},
	{name: "selector that does not match", body: changed("{matchLabels: {app: web}}", "{matchLabels: {app: shop}}")},
	{name: "selector missing", body: changed("  selector: {matchLabels: {app: web}}\n", "")},
	{name: "config a number", body: strings.Replace(story.ConfigMap, "red", "7", 1)},
	{name: "secret a number", body: "apiVersion: v1\nkind: Secret\nmetadata: {name: web, namespace: NS}\nstringData: {pin: 4711}\n"},
	{name: "secret that is no base64", body: "apiVersion: v1\nkind: Secret\nmetadata: {name: web, namespace: NS}\ndata: {password: hunter2!}\n"},
	{name: "secret type without its keys", body: "apiVersion: v1\nkind: Secret\nmetadata: {name: web, namespace: NS}\ntype: kubernetes.io/tls\n"},
	{name: "config over 1 MiB", body: strings.Replace(story.ConfigMap, "red", repeated("a", 1<<20+1), 1)},
	{name: "tag of a program", body: story.Deployment + "extra: !!python/object {a: b}\n"},
	{name: "nested 2000 deep", body: story.Deployment + "extra: " + repeated("[", 2000) + repeated("]", 2000) + "\n"},
	{name: "status with an unknown field and nothing else", body: story.Deployment + "status: {replicass: 3}\n"},

	{name: "custom field misspelled", body: thing("size: 1, colors: [a]")},
	{name: "custom field in the wrong place", body: "{apiVersion: NS.example.com/v1, kind: Thing, metadata: {name: web, namespace: NS}, size: 1}"},
	{name: "custom text for a number", body: thing("size: big")},
	{name: "custom value that is not allowed", body: thing("colour: pink")},
	{name: "custom field required", body: thing("routes: [{port: 80}]")},
	{name: "custom value out of range", body: thing("size: 100")},
	{name: "custom rule broken", body: thing("size: 3")},
	{name: "custom rule about a field below broken", body: thing("colour: red, text: blue")},
	{name: "custom rule of the object broken", body: thing("size: 1")},
	{name: "custom version that is deprecated", body: strings.Replace(thing("size: 1"), "/v1,", "/v1beta1,", 1)},
	{name: "custom version that is not served", body: strings.Replace(thing("size: 1"), "/v1,", "/v2,", 1)},
	{name: "custom object over 1.5 MiB", body: thing("text: " + repeated("a", 1600000))},
	{name: "custom object over 3 MiB", body: thing("text: " + repeated("a", 3200000))},

	{name: "ignore path with a trailing dot", arguments: `ignore_fields = ["data."]`},
	{name: "ignore path with a position between dots", body: story.Deployment, arguments: `ignore_fields = ["spec.template.spec.containers.0.image"]`},
	{name: "ignore path misspelled", body: story.Deployment, arguments: `ignore_fields = ["spec.replica", "spec.image", "nothing"]`},
	{name: "ignore path inside an atomic field", body: story.Deployment, arguments: `ignore_fields = ["spec.selector.matchLabels.app"]`},
	{name: "ignore path of a key of a list item", body: story.Deployment, arguments: `ignore_fields = ["spec.template.spec.containers[*].name"]`},
	{name: "nobody listens", arguments: `cluster = { host = "https://127.0.0.1:1", token = "hunter2" }`},
	{name: "config path that does not exist", arguments: `cluster = { config_path = "/nowhere/config" }`},
	{name: "config path that is no kubeconfig", arguments: `cluster = { config_path = "main.tf" }`},
	{name: "context that does not exist", arguments: `cluster = { config_path = "kubeconfig", context = "staging" }`},
}

// changed returns the Deployment of the stories with other texts in places.
func changed(oldnew ...string) string {
	return strings.NewReplacer(oldnew...).Replace(story.Deployment)
}

func labelledDeployment(label string) string {
	return changed("namespace: NS", "namespace: NS, labels: {"+label+"}")
}

// thing returns a Thing, whose kind versionedKind defines.
func thing(spec string) string { return ofKind("Thing", spec) }

// ofKind returns an object of a kind that versionedKind defines.
func ofKind(kind, spec string) string {
	return "{apiVersion: NS.example.com/v1, kind: " + kind + ", metadata: {name: web, namespace: NS}, spec: {" + spec + "}}"
}

// versionedKind defines a kind with a deprecated version, a rule, and no status.
func versionedKind(kind string) string {
	return strings.Replace(customresource.Definition("NS.example.com", kind, `
spec:
  type: object
  properties:
    size: {type: integer, maximum: 10}
    colour: {type: string, enum: [red, blue]}
    colours: {type: array, items: {type: string}}
    text: {type: string}
    routes: {type: array, items: {type: object, required: [host], properties: {host: {type: string}, port: {type: integer}}}}
  x-kubernetes-validations:
  - {rule: "!has(self.size) || self.size != 3", message: three is one too many}
  - {rule: "!has(self.text) || self.text != 'blue'", fieldPath: .text, reason: FieldValueForbidden}
`), "schema:", "schema: &schema", 1) + `        x-kubernetes-validations: [{rule: "self.metadata.name != 'custom-rule-of-the-object-broken'"}]
  - name: v1beta1
    served: true
    storage: false
    deprecated: true
    deprecationWarning: "` + kind + ` v1beta1 goes away; write v1"
    schema: *schema
`
}

// Every object that the cluster refuses is refused by the plan, at its resource.
func TestBadInputObjects(t *testing.T) {
	w := newBadInputStory(t).HostedWorkspace()
	w.InstallKind(versionedKind("Thing"))
	w.AwaitPublished("Thing")
	writeInputs(w, badObjects)
	expectSaid(w, "objects", badObjects, "plan")
}
