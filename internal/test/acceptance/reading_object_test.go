package acceptance_test

import (
	"encoding/base64"
	"strings"
	"testing"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
)

// Expressions take what they need of a custom resource: numbers as they were written, list items by position, labels with dots, and
// nulls.
func TestObjectOfACustomResource(t *testing.T) {
	r := newReader(t)
	r.InstallGadgets()
	r.As("flux").Apply(`
apiVersion: NS.example.com/v1
kind: Gadget
metadata: {name: one, namespace: NS, labels: {app.kubernetes.io/name: web}}
spec:
  size: 9007199254740993
  ratio: 0.1
  routes: [{host: a}, {host: b, weight: 3}]
  free: {nothing: null, empty: {}, none: [], mixed: [1, two, true, {three: 3}], exact: 1.5, small: 1e-7}
`)
	r.Configure(
		r.block(dataObject, "one", named("NS.example.com/v1", "Gadget", "one")),
		output(map[string]string{
			"size":    "data.k8sconnect_object.one.object.spec.size == 9007199254740993",
			"ratio":   "data.k8sconnect_object.one.object.spec.ratio == 0.1",
			"small":   "data.k8sconnect_object.one.object.spec.free.small == 0.0000001",
			"weight":  "data.k8sconnect_object.one.object.spec.routes[1].weight",
			"port":    "data.k8sconnect_object.one.object.spec.routes[0].port",
			"label":   `data.k8sconnect_object.one.object.metadata.labels["app.kubernetes.io/name"]`,
			"free":    "data.k8sconnect_object.one.object.spec.free",
			"managed": "can(data.k8sconnect_object.one.object.metadata.managedFields)",
			"exists":  "data.k8sconnect_object.one.exists",
			"id":      "data.k8sconnect_object.one.id",
			"secret":  "data.k8sconnect_object.one.secret_data == null",
		}))
	r.expectOutputs([]string{"get gadgets NS/one 200"}, map[string]any{
		"size": true, "ratio": true, "small": true, "weight": 3, "port": 80, "label": "web", "managed": false, "exists": true,
		"id":     "apiVersion=NS.example.com/v1,kind=Gadget,namespace=NS,name=one",
		"secret": true,
		"free": map[string]any{
			"nothing": nil, "empty": map[string]any{}, "none": []any{}, "mixed": []any{1, "two", true, map[string]any{"three": 3}}, "exact": 1.5, "small": 1e-7,
		},
	})
	r.Exits(story.Nothing, "plan", "-detailed-exitcode")
}

// The data of a Secret are in sensitive attributes and nowhere else, decoded where they are text.
func TestObjectOfASecret(t *testing.T) {
	r := newReader(t)
	const password = "hunter2-hunter2"
	encoded := base64.StdEncoding.EncodeToString([]byte(password))
	decomposed := base64.StdEncoding.EncodeToString([]byte("cafe\u0301"))
	r.As("kubectl").Apply("apiVersion: v1\nkind: Secret\nmetadata:\n  name: web\n  namespace: NS\n  annotations: {note: kept, " +
		"kubectl.kubernetes.io/last-applied-configuration: '{\"data\":{\"password\":\"" + encoded + "\"}}'}\n" +
		"data: {password: " + encoded + ", store: /u3+7Q==, name: " + decomposed + ", none: ''}\n")
	r.Configure(
		r.block(dataObject, "web", named("v1", "Secret", "web")),
		r.block(dataObjects, "all", listed("v1", "Secret")),
		output(map[string]string{
			"data": "data.k8sconnect_object.web.secret_data", "base64": "data.k8sconnect_object.web.secret_data_base64",
			"keys": "keys(data.k8sconnect_object.web.object)", "notes": "data.k8sconnect_object.web.object.metadata.annotations",
			"listed": "keys(data.k8sconnect_objects.all.objects[0])",
		}))
	keys := []any{"apiVersion", "kind", "metadata", "type"}
	r.expectOutputs([]string{"get secrets NS/web 200", "list secrets NS 200"}, map[string]any{
		"data": map[string]any{"password": password, "none": ""}, "base64": map[string]any{"store": "/u3+7Q==", "name": decomposed},
		"keys": keys, "listed": keys, "notes": map[string]any{"note": "kept"},
	})
	for _, resource := range r.State() {
		delete(resource.AttributeValues, "secret_data")
		delete(resource.AttributeValues, "secret_data_base64")
		if text := story.AsJSON(resource.AttributeValues); strings.Contains(text, encoded) || strings.Contains(text, password) {
			t.Errorf("the secret is in %s", text)
		}
	}
	if shown := r.Do("show"); strings.Contains(shown, password) || strings.Contains(shown, encoded) {
		t.Errorf("the secret is shown:\n%s", shown)
	}
}

// An optional object may be absent, and so may a kind that can be installed later.
func TestOptionalObject(t *testing.T) {
	r := newReader(t)
	lines := func(object string) []string { return []string{r.Expand(object), "optional = true"} }
	r.Configure(
		r.block(dataObject, "web", lines(named("v1", "ConfigMap", "web"))...),
		r.block(dataObject, "gadget", lines(named("NS.example.com/v1", "Gadget", "one"))...),
		output(map[string]string{
			"web": "[data.k8sconnect_object.web.exists, data.k8sconnect_object.web.object, data.k8sconnect_object.web.secret_data]",
			"gadget": "[data.k8sconnect_object.gadget.exists, data.k8sconnect_object.gadget.object, " +
				"try(data.k8sconnect_object.gadget.object.spec.size, 7)]",
		}))
	r.expectOutputs([]string{"get configmaps NS/web 404"}, map[string]any{"web": []any{false, nil, nil}, "gadget": []any{false, nil, 7}})

	r.InstallGadgets()
	r.As("flux").Apply("apiVersion: NS.example.com/v1\nkind: Gadget\nmetadata: {name: one, namespace: NS}\nspec: {size: 3}\n")
	r.As("flux").Apply("apiVersion: v1\nkind: ConfigMap\nmetadata: {name: web, namespace: NS}\n")
	r.expectOutputs([]string{"get configmaps NS/web 200", "get gadgets NS/one 200"}, map[string]any{
		"web": []any{true, r.shown("v1 ConfigMap web"), nil}, "gadget": []any{true, r.shown(r.GadgetTarget()), 3},
	})
}

// shown returns a live object without managedFields.
func (r reader) shown(target string) map[string]any {
	live := r.Live(target)
	live.SetManagedFields(nil)
	return live.Object
}

// A read with a wait ends when the object is ready, with one WATCH.
func TestObjectIsAwaited(t *testing.T) {
	r := newReader(t)
	r.As("flux").Apply("apiVersion: v1\nkind: Service\nmetadata: {name: web, namespace: NS}\nspec: {type: LoadBalancer, ports: [{port: 80}]}\n")
	r.Configure(
		r.block(dataObject, "web", named("v1", "Service", "web"), "wait = {}"),
		output(map[string]string{
			"ip": "data.k8sconnect_object.web.object.status.loadBalancer.ingress[0].ip", "ready": "data.k8sconnect_object.web.ready",
		}))
	r.OnceSent(1, "watch services", func() {
		r.As("cloud").Patch("v1 Service web", `{"status": {"loadBalancer": {"ingress": [{"ip": "10.0.0.1"}]}}}`, "status")
	})
	r.expectOutputs([]string{"get services NS/web 200", "watch services NS/web 200"}, map[string]any{"ip": "10.0.0.1", "ready": true})
	r.expectOutputs([]string{"get services NS/web 200"}, map[string]any{"ip": "10.0.0.1", "ready": true})
}

// A rollout is awaited with what ready means for a Deployment.
func TestRolloutIsAwaited(t *testing.T) {
	r := newReader(t)
	r.As("flux").Apply(story.Deployment)
	r.Configure(
		r.block(dataObject, "web", named("apps/v1", "Deployment", "web"), "wait = {}"),
		output(map[string]string{"available": "data.k8sconnect_object.web.object.status.availableReplicas"}))
	r.Do("apply", "-auto-approve")
	if got := strings.TrimSpace(r.Do("output", "-json", "available")); got != "3" {
		t.Errorf("%s replicas are available", got)
	}
}

// A wait that fails is an error, or with on_failure = "report" a warning and ready = false.
func TestObjectIsNotReady(t *testing.T) {
	r := newReader(t)
	r.As("flux").Apply("apiVersion: v1\nkind: ConfigMap\nmetadata: {name: web, namespace: NS}\ndata: {a: x}\n")
	block := func(failure string) string {
		return r.block(dataObject, "web", named("v1", "ConfigMap", "web"), `wait = { fields = { "data.done" = "yes" }`+failure+" }", "timeouts {\n read = \"6s\"\n}")
	}
	requests := []string{"get configmaps NS/web 200", "watch configmaps NS/web 200", "list events NS 200"}
	r.expectSaid(r.refused(requests, block("")), "Error: Object Not Ready", "ConfigMap NS/web (v1) was not ready after",
		"Field data.done has no value yet. Repair the object, or give it more time. Each run reads the object, and waits for it, again.")
	mistyped := strings.Replace(block(""), "data.done", "dta.a", 1)
	r.expectSaid(r.refused(requests, mistyped), "Field dta.a has no value yet: the object has data.a.")
	r.Configure(block(`, on_failure = "report"`), output(map[string]string{
		"ready": "data.k8sconnect_object.web.ready", "a": "data.k8sconnect_object.web.object.data.a",
	}))
	out := r.Do("apply", "-auto-approve")
	r.expectSaid(out, "Warning: Object Not Ready: ConfigMap NS/web (v1)", "The values are those that the provider saw last.")
	if got := r.Do("output", "-json", "ready") + r.Do("output", "-json", "a"); got != "false\n\"x\"\n" {
		t.Errorf("outputs are %s", got)
	}
}

// A data source that depends on the object reads it after the apply.
func TestObjectOfThisApply(t *testing.T) {
	r := newReader(t)
	r.Configure(
		r.Manifest("web", "apiVersion: v1\nkind: Service\nmetadata: {name: web, namespace: NS}\nspec: {ports: [{port: 80}]}\n"),
		r.block(dataObject, "web", named("v1", "Service", "web"), "depends_on = [k8sconnect_manifest.web]"),
		output(map[string]string{"known": `data.k8sconnect_object.web.object.spec.clusterIP != ""`}))
	if plan := r.Do("plan"); !strings.Contains(plan, "data.k8sconnect_object.web will be read during apply") {
		t.Errorf("the plan reads the object:\n%s", plan)
	}
	r.Do("apply", "-auto-approve")
	if got := strings.TrimSpace(r.Do("output", "-json", "known")); got != "true" {
		t.Errorf("known is %s", got)
	}
}
