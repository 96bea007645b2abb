package acceptance_test

import (
	"strings"
	"testing"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/golden"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
)

// Every error names what is read, what happened, and a next step. Errors that need no cluster send no request.
func TestErrorsOfReading(t *testing.T) {
	t.Parallel()
	const and = "\n  "
	for name, test := range map[string]struct {
		head, lines string
		requests    []string
	}{
		"absent":                       {head: dataObject, lines: named("v1", "ConfigMap", "web"), requests: []string{"get configmaps NS/web 404"}},
		"ephemeral-absent":             {head: ephemeralObject, lines: named("v1", "ConfigMap", "web"), requests: []string{"get configmaps NS/web 404"}},
		"kind-not-served":              {head: dataObject, lines: named("apps/v1", "Deploiment", "web")},
		"optional-kind-not-served":     {head: dataObject, lines: named("apps/v1", "Deploiment", "web") + and + "optional = true"},
		"objects-kind-not-served":      {head: dataObjects, lines: listed("apps/v1", "Deploiment")},
		"version-not-served":           {head: dataObject, lines: named("autoscaling/v2beta2", "HorizontalPodAutoscaler", "web")},
		"namespace-cluster-scoped":     {head: dataObject, lines: named("v1", "Namespace", "web")},
		"objects-cluster-scoped":       {head: dataObjects, lines: listed("v1", "Namespace")},
		"invalid-label-selector":       {head: dataObjects, lines: listed("v1", "ConfigMap") + and + `label_selector = "a in b"`},
		"invalid-field-selector":       {head: dataObjects, lines: listed("v1", "ConfigMap") + and + `field_selector = "name"`},
		"field-that-is-not-selectable": {head: dataObjects, lines: listed("v1", "ConfigMap") + and + `field_selector = "data.a=1"`, requests: []string{"list configmaps NS 400"}},
		"limit-0":                      {head: dataObjects, lines: listed("v1", "ConfigMap") + and + "limit = 0"},
		"star-in-manager":              {head: dataObjects, lines: listed("v1", "ConfigMap") + and + `manager = "a*b"`},
		"invalid-wait":                 {head: dataObject, lines: named("v1", "ConfigMap", "web") + and + `wait = { fields = { "a[" = "*" } }`},
	} {
		t.Run(name, func(t *testing.T) {
			r := newReader(t)
			out := r.refused(test.requests, r.block(test.head, "web", test.lines))
			golden.Compare(t, "reading/errors/"+name+".txt", r.errorIn(out))
		})
	}
}

// errorIn returns the error that a command has printed, one line for each paragraph, without the place in the configuration.
func (r reader) errorIn(out string) string {
	_, text, _ := strings.Cut(strings.ReplaceAll(out, "│", ""), "Error: ")
	var lines []string
	for _, paragraph := range strings.Split(text, "\n\n") {
		words := strings.Join(strings.Fields(paragraph), " ")
		if words != "" && !strings.HasPrefix(words, "with ") && !strings.HasPrefix(words, "on main.tf") {
			lines = append(lines, strings.ReplaceAll(words, r.Namespace, "NS"))
		}
	}
	return strings.Join(lines, "\n") + "\n"
}

// A user who may not read is told the verb and the resource.
func TestForbidden(t *testing.T) {
	r := newReader(t)
	path := r.File("kubeconfig", r.Kubeconfig(r.AddUser(r.Namespace+"-nobody", "nobodies")), 0o600)
	r.ConfigureProvider(`{ config_path = "`+path+`" }`,
		r.block(dataObject, "web", named("v1", "ConfigMap", "web"), "optional = true"), r.block(dataObjects, "all", listed("v1", "ConfigMap")))
	out := r.Exits(story.Refused, "plan")
	for _, want := range []string{
		`ConfigMap NS/web (v1) could not be read: configmaps "web" is forbidden: User "NS-nobody" cannot get resource "configmaps" in API group "" in the namespace "NS". ` +
			"Grant the connection's user the verb in the message.",
		`ConfigMap objects in namespace NS (v1) could not be listed: configmaps is forbidden: User "NS-nobody" cannot list resource "configmaps" in API group "" in the ` +
			`namespace "NS". Grant the connection's user the verb list on the resource in the message.`,
	} {
		r.expectSaid(out, want)
	}
}

// A connection that is known only after the apply is an error of a data source, and what the error says to do works.
func TestUnknownConnectionOfReading(t *testing.T) {
	r := newReader(t)
	r.As("flux").Apply("apiVersion: v1\nkind: ConfigMap\nmetadata: {name: web, namespace: NS}\ndata: {a: x}\n")
	const connection = "{ config_path = terraform_data.path.output }"
	later := story.Later("path", "kubeconfig")
	r.ConfigureProvider(connection, later, r.block(dataObject, "web", named("v1", "ConfigMap", "web")), r.block(dataObjects, "all", listed("v1", "ConfigMap")))
	out := r.Exits(story.Refused, "plan")
	for _, subject := range []string{"ConfigMap NS/web (v1) could not be read", "ConfigMap objects in namespace NS (v1) could not be read"} {
		want := subject + ": the cluster connection is only known after the apply. Name the resource that creates the cluster in depends_on of this data source"
		r.expectSaid(out, want)
	}
	r.ConfigureProvider(connection, later,
		r.block(dataObject, "web", named("v1", "ConfigMap", "web"), "depends_on = [terraform_data.path]"),
		r.block(dataObjects, "all", listed("v1", "ConfigMap"), `field_selector = "metadata.name=web"`, "depends_on = [terraform_data.path]"),
		output(map[string]string{"a": "data.k8sconnect_object.web.object.data.a", "all": "data.k8sconnect_objects.all.objects[0].data.a"}))
	r.expectOutputs([]string{"get configmaps NS/web 200", "list configmaps NS/web 200"}, map[string]any{"a": "x", "all": "x"})
}
