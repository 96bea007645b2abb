package acceptance_test

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
)

// buoyChart has what charts do: generated values, what follows from them, a definition and its custom resource, a hook,
// a subchart that a value turns off, and a look at the cluster.
func buoyChart(s *story.Story) map[string]string {
	files := map[string]string{
		"Chart.yaml":                      "apiVersion: v2\nname: buoy\nversion: 1.2.3\nappVersion: '7'\ndependencies: [{name: bell, version: 1.0.0, condition: bell.enabled}]\n",
		"values.yaml":                     "depth: 10\nbell: {enabled: false}\n",
		"values.schema.json":              `{"properties": {"depth": {"type": "integer"}}}`,
		"crds/gauges.yaml":                chartDefinition,
		"charts/bell/Chart.yaml":          "apiVersion: v2\nname: bell\nversion: 1.0.0\n",
		"charts/bell/templates/bell.yaml": "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: bell}\n",
		"templates/_names.tpl":            `{{ define "name" }}{{ .Release.Name }}-buoy{{ end }}`,
		"templates/config.yaml": `apiVersion: v1
kind: ConfigMap
metadata: {name: {{ include "name" . }}, labels: {app.kubernetes.io/managed-by: {{ .Release.Service }} } }
data:
  depth: {{ .Values.depth | quote }}
  version: {{ .Capabilities.KubeVersion.Minor | quote }}
  deployments: {{ .Capabilities.APIVersions.Has "apps/v1/Deployment" | quote }}
  seen: {{ (lookup "v1" "ConfigMap" .Release.Namespace "tide").data | toJson | quote }}
`,
		"templates/gauge.yaml": "apiVersion: NS.example.com/v1\nkind: Gauge\nmetadata: {name: depth}\nspec: {depth: 3}\n",
		"templates/secret.yaml": `{{ $ca := genCA "buoy" 365 }}{{ $cert := genSignedCert "buoy" nil (list "buoy") 365 $ca }}apiVersion: v1
kind: Secret
metadata: {name: {{ include "name" . }} }
stringData: {password: {{ randAlphaNum 16 }}, tls.crt: {{ $cert.Cert | toJson }}, tls.key: {{ $cert.Key | toJson }} }
---
apiVersion: v1
kind: ConfigMap
metadata: {name: authority}
data: {ca.crt: {{ $ca.Cert | toJson }}, installed: {{ now | date "2006-01-02T15:04:05" | quote }} }
`,
		"templates/web.yaml": `apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec:
  replicas: 0
  selector: {matchLabels: {app: web}}
  template:
    metadata:
      labels: {app: web}
      annotations: {depth: {{ .Values.depth | quote }} }
    spec: {containers: [{name: web, image: "nginx:1"}]}
`,
		"templates/migrate.yaml": "apiVersion: batch/v1\nkind: Job\nmetadata: {name: migrate, annotations: {helm.sh/hook: pre-upgrade}}\nspec: {template: {spec: {restartPolicy: Never, containers: [{name: a, image: a}]}}}\n",
		"templates/NOTES.txt":    "Read this.\n",
	}
	for name, text := range files {
		files[name] = s.Expand(text)
	}
	return files
}

const chartDefinition = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: gauges.NS.example.com}
spec:
  group: NS.example.com
  names: {kind: Gauge, plural: gauges}
  scope: Namespaced
  versions:
  - {name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}}}
`

// writeChart writes the files of a chart into the folder buoy of a workspace.
func writeChart(w *story.Workspace, files map[string]string) {
	w.T.Helper()
	writeFolder(w, "buoy", files)
}

// writeFolder writes files, by their names, into a folder of a workspace.
func writeFolder(w *story.Workspace, folder string, files map[string]string) {
	w.T.Helper()
	for name, text := range files {
		file := filepath.Join(w.Dir, folder, name)
		story.Must(w.T, os.MkdirAll(filepath.Dir(file), 0o700))
		story.Must(w.T, os.WriteFile(file, []byte(text), 0o600))
	}
}

// installed is the configuration of a chart and its set.
func installed(s *story.Story, arguments string) string {
	return s.Expand(fmt.Sprintf(`data "k8sconnect_chart" "buoy" {
  chart     = "${path.module}/buoy"
  release   = "north"
  namespace = "NS"
  %s
}
resource "k8sconnect_manifests" "buoy" {
  manifests        = data.k8sconnect_chart.buoy.manifests
  secret_manifests = data.k8sconnect_chart.buoy.secret_manifests
}
output "hooks" { value = keys(data.k8sconnect_chart.buoy.hooks) }
output "of" { value = "${data.k8sconnect_chart.buoy.chart_version} ${data.k8sconnect_chart.buoy.app_version}" }
`, arguments))
}

func dataOf(object *unstructured.Unstructured) map[string]string {
	data, _, _ := unstructured.NestedStringMap(object.Object, "data")
	return data
}

// A chart is installed, changes nothing the second time although it draws values, shows the line of a changed value, and
// leaves nothing.
func TestChart(t *testing.T) {
	s := story.New(t)
	w := s.HostedWorkspace()
	s.As("kubectl").Apply("apiVersion: v1\nkind: ConfigMap\nmetadata: {name: tide, namespace: NS}\ndata: {high: noon}\n")
	writeChart(w, buoyChart(s))
	w.Configure(installed(s, "values = [null]\n  secret_values = [null]"))
	out := w.Do("apply", "-auto-approve")
	for _, part := range []string{`"batch/Job/` + s.Namespace + `/migrate"`, `"1.2.3 7"`} {
		if !strings.Contains(out, part) {
			t.Errorf("%s is not in:\n%s", part, out)
		}
	}
	config := dataOf(s.Live("v1 ConfigMap NS/north-buoy"))
	want := map[string]string{"depth": "10", "version": config["version"], "deployments": "true", "seen": `{"high":"noon"}`}
	if !maps.Equal(config, want) || config["version"] == "" {
		t.Errorf("%v, want %v", config, want)
	}
	before := s.Live("v1 Secret NS/north-buoy")
	s.Live(s.Expand("NS.example.com/v1 Gauge NS/depth"))
	if !s.Gone("v1 ConfigMap NS/bell") || !s.Gone("batch/v1 Job NS/migrate") {
		t.Error("the subchart that is turned off, or the hook, is on the cluster")
	}
	if text := w.Exits(story.Nothing, "plan", "-detailed-exitcode"); strings.Contains(text, "Generated Values") {
		t.Error(text)
	}

	w.Configure(installed(s, `values = [yamlencode({ depth = 20, bell = { enabled = true } })]`))
	text := w.Exits(story.Changes, "plan", "-detailed-exitcode", "-out=p")
	if lines := changedLines(text); !strings.Contains(lines, "20") || strings.Contains(lines, "installed") || strings.Contains(text, "tls.crt") {
		t.Errorf("the plan of one value:\n%s", text)
	}
	w.Do("apply", "p")
	if after := s.Live("v1 Secret NS/north-buoy"); after.GetResourceVersion() != before.GetResourceVersion() {
		t.Error("the Secret has changed")
	}
	s.Live("v1 ConfigMap NS/bell")
	w.Exits(story.Nothing, "plan", "-detailed-exitcode")

	w.Configure(installed(s, "renew = true\nvalues = [yamlencode({ depth = 20, bell = { enabled = true } })]"))
	w.Do("apply", "-auto-approve")
	if after := s.Live("v1 Secret NS/north-buoy"); dataOf(after)["password"] == dataOf(before)["password"] {
		t.Error("renew has kept the password")
	}
	w.Do("destroy", "-auto-approve")
	for _, target := range []string{"v1 Secret NS/north-buoy", "v1 ConfigMap NS/north-buoy", "apps/v1 Deployment NS/web"} {
		if !s.Gone(target) {
			t.Errorf("%s is still there", target)
		}
	}
}

// changedLines returns the lines of a plan that add, change or remove.
func changedLines(plan string) string {
	var changed []string
	for line := range strings.SplitSeq(plan, "\n") {
		if trimmed := strings.TrimSpace(line); strings.HasPrefix(trimmed, "+ ") || strings.HasPrefix(trimmed, "- ") || strings.HasPrefix(trimmed, "~ ") {
			changed = append(changed, trimmed)
		}
	}
	return strings.Join(changed, "\n")
}

// What a chart reads: one GET for each object that it looks up, and for each with generated values.
func TestCostOfAChart(t *testing.T) {
	s := story.New(t)
	w := s.HostedWorkspace()
	writeChart(w, buoyChart(s))
	w.Configure(strings.Split(installed(s, ""), "resource ")[0])
	objects, discovery := w.Cost("plan")
	want := []string{
		"get configmaps NS/authority 404", "get configmaps NS/tide 404", "get secrets NS/north-buoy 404",
		"get /api 200", "get /apis 200", "get /version 200",
	}
	if got := slices.Concat(objects, discovery); !slices.Equal(got, want) {
		t.Errorf("it sends %q, want %q", got, want)
	}
}

// Each error names what is wrong, and no error has a secret value.
func TestChartsThatAreRefused(t *testing.T) {
	s := story.New(t)
	w := s.HostedWorkspace()
	for name, tt := range map[string]struct {
		files     map[string]string
		arguments string
		says      string
	}{
		"schema":     {nil, `values = ["depth: deep"]`, "values: buoy: values.depth: got string, want integer"},
		"no map":     {nil, `values = ["[1]"]`, "values[0]: it is no map of values"},
		"no YAML":    {map[string]string{"x": "a: b: HUNTER2"}, `secret_values = [file("buoy/x")]`, "secret_values[0]: line 1"},
		"fail":       {map[string]string{"templates/x.yaml": `{{ fail (print "the password is " .Values.password) }}`, "x": "password: HUNTER2"}, `secret_values = [file("buoy/x")]`, "the password is (sensitive)"},
		"number":     {map[string]string{"templates/x.yaml": `{{ fail (printf "%v %d" .Values.pin (int .Values.pin)) }}`, "x": "pin: 73528461"}, `secret_values = [file("buoy/x")]`, "(sensitive) (sensitive)"},
		"maximum":    {map[string]string{"values.schema.json": `{"properties": {"pin": {"maximum": 3}}}`, "x": "pin: 73528461"}, `secret_values = [file("buoy/x")]`, "values.pin: maximum: got (sensitive), want 3"},
		"namespace":  {nil, `release = "Not A Name"`, "release"},
		"version":    {nil, `version = "2.0.0"`, `buoy 1.2.3, and version is "2.0.0"`},
		"forbidden":  {map[string]string{"templates/x.yaml": `{{ lookup "v1" "Secret" "kube-system" "x" | len }}`}, "", "Secret kube-system/x (v1) could not be read: the user may not get secrets in the namespace kube-system"},
		"two of one": {map[string]string{"templates/x.yaml": "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: authority}\n"}, "", "templates/x.yaml: core/ConfigMap/" + s.Namespace + "/authority is already in templates/secret.yaml"},
	} {
		t.Run(name, func(t *testing.T) {
			files := buoyChart(s)
			files["templates/x.yaml"] = ""
			maps.Copy(files, tt.files)
			writeChart(w, files)
			configuration := installed(s, tt.arguments)
			if strings.HasPrefix(tt.arguments, "release") {
				configuration = strings.Replace(configuration, `release   = "north"`, "", 1)
			}
			if name == "forbidden" {
				w.ConfigureProvider(s.Limited("reader", map[string][]string{"configmaps": {"get"}}), configuration)
			} else {
				w.Configure(configuration)
			}
			out, err := w.Try("plan")
			if err == nil {
				t.Fatalf("it is accepted:\n%s", out)
			}
			text := strings.Join(strings.Fields(strings.NewReplacer("│", "", "╷", "", "╵", "").Replace(out)), " ")
			if !strings.Contains(text, tt.says) || strings.Contains(text, "HUNTER2") || strings.Contains(text, "8461") {
				t.Errorf("want %q:\n%s", tt.says, text)
			}
		})
	}
}

// A chart that generates values is not rendered without the cluster that may have them, as long as its connection is not
// known: the plan would show other ones, and the apply overwrite those on the cluster. renew asks for that.
func TestGeneratedValuesWithAnUnknownCluster(t *testing.T) {
	s := story.New(t)
	w := s.HostedWorkspace()
	writeChart(w, map[string]string{
		"Chart.yaml":            "apiVersion: v2\nname: buoy\nversion: 1.0.0\nappVersion: '7'\n",
		"templates/config.yaml": "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: settings}\ndata: {depth: {{ .Values.depth | quote }} }\n",
		"templates/secret.yaml": "{{ if .Values.drawn }}apiVersion: v1\nkind: Secret\nmetadata: {name: drawn}\nstringData: {password: {{ randAlphaNum 16 }} }{{ end }}\n",
	})
	const connection = "{ config_path = terraform_data.path.output }"
	later := story.Later("path", "kubeconfig")
	w.Configure(installed(s, `values = ["{depth: 1, drawn: true}"]`))
	w.Do("apply", "-auto-approve")
	before := s.Live("v1 Secret NS/drawn").GetResourceVersion()

	w.ConfigureProvider(connection, later, installed(s, `values = ["{depth: 2, drawn: true}"]`))
	out := w.Exits(story.Refused, "plan")
	if !story.Saying("the values that it has generated before), whose connection is known only after the apply. Name the cluster in depends_on").MatchString(out) {
		t.Error(out)
	}
	w.ConfigureProvider(connection, later, installed(s, "renew = true\n"+`values = ["{depth: 2, drawn: true}"]`))
	w.Exits(story.Changes, "plan", "-detailed-exitcode")
	w.ConfigureProvider(connection, later, installed(s, "depends_on = [terraform_data.path]\n"+`values = ["{depth: 2, drawn: true}"]`))
	w.Do("apply", "-auto-approve")
	if s.Live("v1 Secret NS/drawn").GetResourceVersion() != before || dataOf(s.Live("v1 ConfigMap NS/settings"))["depth"] != "2" {
		t.Error("the generated value has changed, or the other one has not")
	}
	// What generates nothing needs no cluster.
	w.ConfigureProvider(connection, story.Later("path", "./kubeconfig"), installed(s, `values = ["{depth: 3, drawn: false}"]`))
	w.Exits(story.Changes, "plan", "-detailed-exitcode")
}
