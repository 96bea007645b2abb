package chart_test

import (
	"context"
	"crypto/x509"
	"encoding/base64"
	"encoding/pem"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"helm.sh/helm/v4/pkg/chart/loader/archive"
	"helm.sh/helm/v4/pkg/chart/v2/loader"
	"sigs.k8s.io/yaml"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/chart"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
)

// files are those of a chart, by their path in it.
type files map[string]string

// request returns a request to render a chart, as release "buoy" in the namespace "tides".
func request(t *testing.T, of files, values string) chart.Request {
	t.Helper()
	all := files{"Chart.yaml": "apiVersion: v2\nname: buoy\nversion: 1.2.3\n"}
	maps.Copy(all, of)
	var buffered []*archive.BufferedFile
	for _, name := range slices.Sorted(maps.Keys(all)) {
		buffered = append(buffered, &archive.BufferedFile{Name: name, Data: []byte(all[name])})
	}
	loaded, err := loader.LoadFiles(buffered)
	if err != nil {
		t.Fatal(err)
	}
	given := map[string]any{}
	if err := yaml.Unmarshal([]byte(values), &given); err != nil {
		t.Fatal(err)
	}
	return chart.Request{Chart: loaded, Values: given, Release: chart.Release{Name: "buoy", Namespace: "tides"}}
}

// stub is a cluster with objects, which counts what is asked.
type stub struct {
	objects      map[string]map[string]any
	capabilities chart.Capabilities
	err          error
	asked        []string
}

func (s *stub) Capabilities(context.Context) (chart.Capabilities, error) {
	s.asked = append(s.asked, "capabilities")
	return s.capabilities, s.err
}

func (s *stub) Get(_ context.Context, id manifest.Identity) (map[string]any, error) {
	s.asked = append(s.asked, id.Kind+"/"+id.Name)
	return s.objects[id.Kind+"/"+id.Name], s.err
}

func (s *stub) List(_ context.Context, id manifest.Identity) ([]map[string]any, error) {
	s.asked = append(s.asked, id.Kind)
	var found []map[string]any
	for _, key := range slices.Sorted(maps.Keys(s.objects)) {
		if strings.HasPrefix(key, id.Kind+"/") {
			found = append(found, s.objects[key])
		}
	}
	return found, s.err
}

// store puts what a rendering makes on the cluster, as an API server does with stringData.
func (s *stub) store(t *testing.T, made *chart.Rendering) {
	t.Helper()
	s.objects = map[string]map[string]any{}
	for _, texts := range []map[string]string{made.Manifests, made.Secrets} {
		for _, text := range texts {
			object := decode(t, text)
			if given, is := object["stringData"].(map[string]any); is {
				data := map[string]any{}
				for name, value := range given {
					data[name] = base64.StdEncoding.EncodeToString([]byte(fmt.Sprint(value)))
				}
				object["data"] = data
				delete(object, "stringData")
			}
			metadata, _ := object["metadata"].(map[string]any)
			s.objects[fmt.Sprint(object["kind"], "/", metadata["name"])] = object
		}
	}
}

func decode(t *testing.T, text string) map[string]any {
	t.Helper()
	object := map[string]any{}
	if err := yaml.Unmarshal([]byte(text), &object); err != nil {
		t.Fatal(err)
	}
	return object
}

func render(t *testing.T, r chart.Request) *chart.Rendering {
	t.Helper()
	made, err := r.Render(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return made
}

func equal(t *testing.T, what string, got, want any) {
	t.Helper()
	if g, w := fmt.Sprint(got), fmt.Sprint(want); g != w {
		t.Errorf("%s:\n%s\nwant:\n%s", what, g, w)
	}
}

const configMap = `apiVersion: v1
kind: ConfigMap
metadata: {name: %s}
data: {a: %s}
`

func TestObjectsAndHooks(t *testing.T) {
	hook := "apiVersion: batch/v1\nkind: Job\nmetadata:\n  name: migrate\n  annotations: {helm.sh/hook: %q}\n"
	made := render(t, request(t, files{
		"crds/gauges.yaml":       "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {name: gauges.buoy.example}\nspec: {group: buoy.example, scope: Cluster, names: {kind: Gauge}}\n",
		"templates/_helpers.tpl": `{{ define "name" }}{{ .Release.Name }}-{{ .Chart.Name }}{{ end }}`,
		"templates/NOTES.txt":    "Read this.",
		"templates/a.yaml":       fmt.Sprintf(configMap, `{{ include "name" . }}`, "{{ .Values.a | quote }}"),
		"templates/gauge.yaml":   "apiVersion: buoy.example/v1\nkind: Gauge\nmetadata: {name: depth}\n",
		"templates/hook.yaml":    fmt.Sprintf(hook, "pre-install, Pre-Upgrade"),
		"templates/hook2.yaml":   fmt.Sprintf(hook, "post-install"),
		"templates/old.yaml":     fmt.Sprintf(hook, "crd-install"),
		"templates/empty.yaml":   "{{ if .Values.off }}x{{ end }}\n---\n# nothing\n",
		"templates/secret.yaml":  "apiVersion: v1\nkind: Secret\nmetadata: {name: s, namespace: other}\n",
		"templates/twice.yaml":   "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: twice}\ndata: {k: a, k: b}\n",
		"values.yaml":            "a: default\nb: {c: 1}\n",
	}, "a: given"))
	equal(t, "manifests", slices.Sorted(maps.Keys(made.Manifests)), []string{
		"apiextensions.k8s.io/CustomResourceDefinition//gauges.buoy.example", "buoy.example/Gauge//depth",
		"core/ConfigMap/tides/buoy-buoy", "core/ConfigMap/tides/twice",
	})
	equal(t, "secrets", slices.Sorted(maps.Keys(made.Secrets)), []string{"core/Secret/other/s"})
	equal(t, "hooks", slices.Sorted(maps.Keys(made.Hooks)), []string{"batch/Job/tides/migrate", "batch/Job/tides/migrate 2"})
	equal(t, "value", decode(t, made.Manifests["core/ConfigMap/tides/buoy-buoy"])["data"], map[string]any{"a": "given"})
	equal(t, "the last of two keys", decode(t, made.Manifests["core/ConfigMap/tides/twice"])["data"], map[string]any{"k": "b"})
	equal(t, "generated", made.Generated, map[string][]string{})
}

// Helm tells hooks from other objects, and where a document begins, in its own way.
func TestObjectsAsHelmTellsThem(t *testing.T) {
	const definition = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: %s.buoy.example, annotations: {helm.sh/hook: crd-install, from: %s}}
spec: {group: buoy.example, scope: Cluster, names: {kind: %s}, versions: [{name: v1, served: true}, {name: v0, served: false}]}
`
	hook := "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: both, annotations: {helm.sh/hook: %s}}\n"
	of := files{
		"Chart.yaml":                     "apiVersion: v2\nname: buoy\nversion: 1.2.3\ndependencies: [{name: bell, version: 1.0.0, alias: one}, {name: bell, version: 1.0.0, alias: two}]\n",
		"charts/bell/Chart.yaml":         "apiVersion: v2\nname: bell\nversion: 1.0.0\n",
		"charts/bell/crds/bells.yaml":    fmt.Sprintf(definition, "bells", "bell", "Bell"),
		"charts/bell/templates/_.yaml":   "",
		"crds/again.yaml":                fmt.Sprintf(definition, "bells", "buoy", "Bell"),
		"templates/a-hook.yaml":          fmt.Sprintf(hook, "pre-install") + "---\n" + fmt.Sprintf(hook, "post-install"),
		"templates/b-manifest.yaml":      "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: both}\n",
		"templates/bell.yaml":            "apiVersion: buoy.example/v1\nkind: Bell\nmetadata: {name: ship}\n---\napiVersion: buoy.example/v1\nkind: Horn\nmetadata: {name: fog}\n",
		"templates/definition.yaml":      strings.Replace(fmt.Sprintf(definition, "horns", "buoy", "Horn"), "helm.sh/hook: crd-install, ", "", 1),
		"templates/glued.yaml":           "---apiVersion: v1\nkind: ConfigMap\nmetadata: {name: glued-a}\n---apiVersion: v1\nkind: ConfigMap\nmetadata: {name: glued-b}\n",
		"templates/list.yaml":            "apiVersion: v1\nkind: List\nitems:\n- {apiVersion: v1, kind: ConfigMap, metadata: {name: item, annotations: {helm.sh/hook: test}}}\n",
		"templates/list-of-hooks.yaml":   "apiVersion: v1\nkind: List\nmetadata: {annotations: {helm.sh/hook: test}}\nitems:\n- {apiVersion: v1, kind: ConfigMap, metadata: {name: item-of-hook}}\n",
		"templates/tests/ALSO-NOTES.txt": "no: [manifest",
	}
	made := render(t, request(t, of, ""))
	equal(t, "manifests", slices.Sorted(maps.Keys(made.Manifests)), []string{
		"apiextensions.k8s.io/CustomResourceDefinition//bells.buoy.example", "apiextensions.k8s.io/CustomResourceDefinition//horns.buoy.example",
		"buoy.example/Bell//ship", "buoy.example/Horn//fog",
		"core/ConfigMap/tides/both", "core/ConfigMap/tides/glued-a", "core/ConfigMap/tides/glued-b", "core/ConfigMap/tides/item",
	})
	equal(t, "hooks", slices.Sorted(maps.Keys(made.Hooks)), []string{"core/ConfigMap/tides/both", "core/ConfigMap/tides/both 2", "core/ConfigMap/tides/item-of-hook"})
	if text := made.Manifests["apiextensions.k8s.io/CustomResourceDefinition//bells.buoy.example"]; !strings.Contains(text, "from: buoy") {
		t.Errorf("it is not the definition of the chart itself:\n%s", text)
	}
}

// A List that is a hook is one for each of its items, in its place among the hooks, those that end last. As in Helm, the
// items' own annotations for hooks do not count. Hooks of one weight and name run in the order of Helm's kinds.
func TestHooksOfLists(t *testing.T) {
	hook := "apiVersion: %s\nkind: %s\nmetadata: {name: %s, annotations: {helm.sh/hook: pre-install, helm.sh/hook-weight: '1'}}\n---\n"
	made := render(t, request(t, files{
		"templates/list.yaml": `apiVersion: v1
kind: List
metadata:
  annotations: {helm.sh/hook: "pre-install,post-upgrade", helm.sh/hook-weight: "1", helm.sh/hook-delete-policy: hook-failed}
items:
- {apiVersion: batch/v1, kind: Job, metadata: {name: a, annotations: &notes {mine: b, helm.sh/hook: test, helm.sh/hook-weight: "9"}}}
- {apiVersion: v1, kind: ServiceAccount, metadata: {name: c, annotations: *notes}}
- {apiVersion: v1, kind: Secret, metadata: {name: b}}
`,
		"templates/map.yaml": "apiVersion: v1\nkind: List\nmetadata: {annotations: {helm.sh/hook: pre-install, helm.sh/hook-weight: '1'}}\nitems:\n" +
			"- {apiVersion: v1, kind: ConfigMap, metadata: {name: p}}\n---\n" +
			"apiVersion: v1\nkind: List\nmetadata: {annotations: {helm.sh/hook: pre-install, helm.sh/hook-weight: '1'}}\nitems:\n- {apiVersion: v1, kind: Namespace, metadata: {name: q}}\n",
		"templates/roles.yaml": "apiVersion: rbac.authorization.k8s.io/v1\nkind: RoleList\nmetadata: {name: m, annotations: {helm.sh/hook: pre-install, helm.sh/hook-weight: '1'}}\n" +
			"items:\n- {metadata: {name: z}}\n",
		"templates/others.yaml": fmt.Sprintf(hook, "batch/v1", "Job", "l") + fmt.Sprintf(hook, "batch/v1", "Job", "m") + fmt.Sprintf(hook, "v1", "ServiceAccount", "m") +
			fmt.Sprintf(hook, "buoy.example/v1", "Gauge", "m") + fmt.Sprintf(hook, "v1", "ConfigMap", "m-1"),
	}, ""))
	equal(t, "secret hooks", slices.Sorted(maps.Keys(made.SecretHooks)), []string{"core/Secret/tides/b"})
	equal(t, "objects", len(made.Manifests)+len(made.Secrets), 0)
	maps.Copy(made.Hooks, made.SecretHooks)
	hooks, key, err := chart.Hooks(made.Hooks)
	if err != nil {
		t.Fatal(key, err)
	}
	var order []string
	for _, hook := range hooks {
		order = append(order, hook.Kind+" "+hook.Name)
		if hook.Name == "a" || hook.Name == "c" {
			equal(t, hook.Name, []any{hook.Events, hook.Policies, hook.Weight, strings.Contains(hook.Text, "mine: b")},
				[]any{[]string{"pre-install", "post-upgrade"}, []string{"hook-failed"}, 1, true})
		}
	}
	equal(t, "order", strings.Join(order, ", "),
		"ServiceAccount c, Secret b, Job a, ConfigMap p, Namespace q, Job l, ServiceAccount m, Job m, Gauge m, Role z, ConfigMap m-1")
}

// generating has each way in which a generated value reaches an object.
var generating = files{
	"templates/all.yaml": `{{ $password := randAlphaNum 20 -}}
{{ $ca := genCA "buoy-ca" 365 -}}
{{ $cert := genSignedCert "buoy" nil (list "buoy.tides.svc") 365 $ca -}}
apiVersion: v1
kind: Secret
metadata: {name: plain}
stringData:
  password: {{ $password }}
  url: postgres://buoy:{{ $password }}@db/{{ .Values.database }}
  short: "{{ randInt 0 3 }}"
---
apiVersion: v1
kind: Secret
metadata: {name: encoded}
data:
  id: {{ uuidv4 | b64enc }}
  tls.crt: {{ $cert.Cert | b64enc }}
  tls.key: {{ $cert.Key | b64enc }}
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingWebhookConfiguration
metadata: {name: hook}
webhooks:
- name: a.buoy.example
  clientConfig: {caBundle: {{ $ca.Cert | b64enc }} }
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: web, annotations: {rolled: {{ now | date "2006-01-02" | quote }}}}
spec:
  template:
    metadata: {annotations: {checksum: {{ print $password .Values.database | sha256sum }}}}
`,
	"values.yaml": "database: one\n",
}

// A second rendering beside the objects of the first one changes nothing; another value changes what depends on it.
func TestGeneratedValuesStay(t *testing.T) {
	first := request(t, generating, "")
	server := &stub{}
	first.Cluster = server
	made := render(t, first)
	equal(t, "generated", made.Generated, map[string][]string{
		"admissionregistration.k8s.io/ValidatingWebhookConfiguration//hook": {`webhooks[name="a.buoy.example"].clientConfig.caBundle`},
		"apps/Deployment/tides/web":                                         {"metadata.annotations.rolled", "spec.template.metadata.annotations.checksum"},
		"core/Secret/tides/encoded":                                         {"data.id", `data["tls.crt"]`, `data["tls.key"]`},
		"core/Secret/tides/plain":                                           {"data.password", "data.short", "data.url"},
	})
	equal(t, "new", made.New, []string{})
	server.store(t, made)
	server.asked = nil

	again := request(t, generating, "")
	again.Cluster = server
	same := render(t, again)
	for key, text := range made.Manifests {
		equal(t, key, decode(t, same.Manifests[key]), decode(t, text))
	}
	for key, text := range made.Secrets {
		equal(t, key, decode(t, same.Secrets[key]), decode(t, text))
	}
	slices.Sort(server.asked)
	equal(t, "asked", server.asked, []string{"Deployment/web", "Secret/encoded", "Secret/plain", "ValidatingWebhookConfiguration/hook"})

	other := request(t, generating, "database: two")
	other.Cluster = server
	changed := render(t, other)
	equal(t, "the certificate", changed.Secrets["core/Secret/tides/encoded"], same.Secrets["core/Secret/tides/encoded"])
	was, is := secret(t, same, "plain"), secret(t, changed, "plain")
	equal(t, "the password", is["password"], was["password"])
	equal(t, "the URL", is["url"], fmt.Sprintf("postgres://buoy:%s@db/two", was["password"]))
	if changed.Manifests["apps/Deployment/tides/web"] == same.Manifests["apps/Deployment/tides/web"] {
		t.Error("the checksum does not follow the value")
	}

	renewed := request(t, generating, "")
	renewed.Cluster, renewed.Renew = server, true
	if render(t, renewed).Secrets["core/Secret/tides/plain"] == same.Secrets["core/Secret/tides/plain"] {
		t.Error("renew keeps a generated value")
	}
}

// secret returns the values of a Secret, not encoded.
func secret(t *testing.T, made *chart.Rendering, name string) map[string]string {
	t.Helper()
	object := decode(t, made.Secrets["core/Secret/tides/"+name])
	values := map[string]string{}
	data, _ := object["data"].(map[string]any)
	for name, value := range data {
		decoded, err := base64.StdEncoding.DecodeString(fmt.Sprint(value))
		if err != nil {
			t.Fatal(err)
		}
		values[name] = string(decoded)
	}
	plain, _ := object["stringData"].(map[string]any)
	for name, value := range plain {
		values[name] = fmt.Sprint(value)
	}
	return values
}

// Of objects that are new beside others, the rendering says so. A certificate whose authority has no key any more is
// drawn together with its authority, and nothing else is: the date in the name of a hook, for instance.
func TestNewBesideGenerated(t *testing.T) {
	server := &stub{}
	of := files{"templates/hook.yaml": fmt.Sprintf(configMap, "at-{{ now | unixEpoch }}, annotations: {helm.sh/hook: pre-install}", "b")}
	maps.Copy(of, generating)
	first := request(t, of, "")
	first.Cluster = server
	before := render(t, first)
	server.store(t, before)
	delete(server.objects, "Secret/encoded")
	again := request(t, of, "")
	again.Cluster = server
	made := render(t, again)
	equal(t, "new", made.New, []string{"core/Secret/tides/encoded"})
	equal(t, "hooks", made.Hooks, before.Hooks)
	encoded := secret(t, made, "encoded")
	webhook := decode(t, made.Manifests["admissionregistration.k8s.io/ValidatingWebhookConfiguration//hook"])
	hooks, _ := webhook["webhooks"].([]any)
	webhook0, _ := hooks[0].(map[string]any)
	config, _ := webhook0["clientConfig"].(map[string]any)
	authority, err := base64.StdEncoding.DecodeString(fmt.Sprint(config["caBundle"]))
	if err != nil {
		t.Fatal(err)
	}
	roots := x509.NewCertPool()
	roots.AppendCertsFromPEM(authority)
	block, _ := pem.Decode([]byte(encoded["tls.crt"]))
	certificate, err := x509.ParseCertificate(block.Bytes)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := certificate.Verify(x509.VerifyOptions{Roots: roots, DNSName: "buoy.tides.svc"}); err != nil {
		t.Error(err)
	}
	live, _ := server.objects["Secret/plain"]["data"].(map[string]any)
	equal(t, "the password", base64.StdEncoding.EncodeToString([]byte(secret(t, made, "plain")["password"])), live["password"])
}

// lookingUp draws a password only where its Secret does not exist, and otherwise writes it differently.
var lookingUp = files{
	"templates/secret.yaml": `{{ $live := lookup "v1" "Secret" .Release.Namespace "looked" -}}
apiVersion: v1
kind: Secret
metadata: {name: looked}
data:
  password: {{ if $live }}{{ $live.data.password }}{{ else }}{{ randAlphaNum 16 | b64enc | quote }}{{ end }}
`,
	"templates/web.yaml": `apiVersion: apps/v1
kind: Deployment
metadata: {name: web, annotations: {id: {{ uuidv4 }}}}
spec: {template: {metadata: {annotations: {checksum: {{ include (print .Template.BasePath "/secret.yaml") . | sha256sum }}}}}}
---
apiVersion: v1
kind: Secret
metadata: {name: other}
stringData: {password: {{ randAlphaNum 16 }}}
`,
}

// The first rendering is that of the next plan, which finds the Secret: the checksum is that of what is in the Secret.
func TestSecretsThatAreLookedUp(t *testing.T) {
	server := &stub{}
	first := request(t, lookingUp, "")
	first.Cluster = server
	made := render(t, first)
	equal(t, "generated", made.Generated, map[string][]string{
		"apps/Deployment/tides/web": {"metadata.annotations.id"}, "core/Secret/tides/other": {"data.password"},
	})
	equal(t, "asked", slices.Sorted(slices.Values(server.asked)), []string{"Deployment/web", "Secret/looked", "Secret/other"})
	server.store(t, made)
	again := request(t, lookingUp, "")
	again.Cluster = server
	same := render(t, again)
	equal(t, "manifests", same.Manifests, made.Manifests)
	equal(t, "secrets", same.Secrets, made.Secrets)
	equal(t, "generated", same.Generated, made.Generated)
	if was := secret(t, made, "looked"); was["password"] == secret(t, made, "other")["password"] || len(was["password"]) != 16 {
		t.Errorf("one value for two Secrets, or none: %v", was)
	}

	renewed := request(t, lookingUp, "")
	renewed.Cluster, renewed.Renew = server, true
	renewedValues := render(t, renewed)
	for _, name := range []string{"looked", "other"} {
		if secret(t, renewedValues, name)["password"] == secret(t, made, name)["password"] {
			t.Errorf("renew keeps the password of %s", name)
		}
	}
	server.store(t, renewedValues)
	after := request(t, lookingUp, "")
	after.Cluster = server
	equal(t, "after renew", render(t, after).Manifests, renewedValues.Manifests)
}

// A chart that makes a Secret only where it does not exist makes it.
func TestSecretsThatAreMadeOnce(t *testing.T) {
	once := request(t, files{"templates/a.yaml": `{{ if not (lookup "v1" "Secret" .Release.Namespace "s") }}
apiVersion: v1
kind: Secret
metadata: {name: s}
stringData: {password: {{ randAlphaNum 16 }}}
{{ end }}`}, "")
	once.Cluster = &stub{}
	if made := render(t, once); len(secret(t, made, "s")["password"]) != 16 {
		t.Errorf("%v", made.Secrets)
	}
}

// A hook is no object of the set: nothing is said of a hook that is not on the cluster, or is named renewedValues.
func TestGeneratedValuesOfHooks(t *testing.T) {
	of := files{
		"templates/secret.yaml": "apiVersion: v1\nkind: Secret\nmetadata: {name: s}\nstringData: {p: {{ randAlphaNum 9 }}}\n",
		"templates/test.yaml":   "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: test-{{ randAlpha 5 | lower }}, annotations: {helm.sh/hook: test}}\n",
		"templates/job.yaml":    "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: job, annotations: {helm.sh/hook: pre-install}}\ndata: {a: {{ uuidv4 }}}\n",
		"templates/plain.yaml":  fmt.Sprintf(configMap, "job", "b"),
	}
	server := &stub{}
	first := request(t, of, "")
	first.Cluster = server
	server.store(t, render(t, first))
	delete(server.objects, "ConfigMap/job")
	again := request(t, of, "")
	again.Cluster = server
	made := render(t, again)
	equal(t, "new", made.New, []string{})
	equal(t, "unnamed", made.Unnamed, []string{})
	equal(t, "generated", made.Generated, map[string][]string{"core/ConfigMap/tides/job": {"data.a"}, "core/Secret/tides/s": {"data.p"}})
	equal(t, "the object beside the hook", decode(t, made.Manifests["core/ConfigMap/tides/job"])["data"], map[string]any{"a": "b"})
}

// What a chart draws for the metadata of hooks, or for those that nothing runs, is the same in each rendering of the same
// values, and another one with other values. What may be a password is random, and a hook that it changes in each
// rendering is reported.
func TestHooksThatDraw(t *testing.T) {
	const hook = "apiVersion: batch/v1\nkind: Job\nmetadata: {name: %s, annotations: {helm.sh/hook: %s, helm.sh/hook-delete-policy: %s, at: %s}}\nspec: {a: %s}\n"
	of := files{
		"templates/named.yaml":   fmt.Sprintf(hook, `{{ .Release.Name }}-{{ randAlphaNum 5 | lower }}-{{ randNumeric 3 }}`, "pre-upgrade", "hook-succeeded", `{{ now | quote }}`, "{{ .Values.depth }}"),
		"templates/tested.yaml":  fmt.Sprintf(hook, `tested-{{ randAlpha 5 | lower }}`, "test", "hook-succeeded", "x", "{{ uuidv4 }}"),
		"templates/secret.yaml":  "{{ $password := randAlphaNum 9 }}apiVersion: v1\nkind: Secret\nmetadata: {name: s}\nstringData: {p: {{ $password | sha256sum }}}\n---\n" + fmt.Sprintf(hook, "shared", "pre-install", "x", "{{ $password }}", "b"),
		"templates/given.yaml":   fmt.Sprintf(hook, "given", "pre-install", "hook-succeeded", "x", "{{ randAlphaNum 9 }}"),
		"templates/stays.yaml":   fmt.Sprintf(hook, "stays", "pre-install", "before-hook-creation", "x", "{{ randAlphaNum 9 }}"),
		"templates/expires.yaml": fmt.Sprintf(hook, "expires", "pre-install", "before-hook-creation", "x", "{{ now | quote }}") + "  ttlSecondsAfterFinished: 5\n",
		"templates/other.yaml":   fmt.Sprintf(hook, "other-{{ randInt 1000 100000 }}", "pre-install", "before-hook-creation", "x", "b"),
	}
	of["templates/expires.yaml"] = strings.Replace(of["templates/expires.yaml"], "spec: {a: {{ now | quote }}}\n", "spec:\n  a: {{ now | quote }}\n", 1)
	values := "depth: 1"
	one, two := render(t, request(t, of, values)), render(t, request(t, of, values))
	other := render(t, request(t, of, "depth: 2"))
	names := func(made *chart.Rendering, prefix string) string {
		var found []string
		for key := range made.Hooks {
			if strings.HasPrefix(key, "batch/Job/tides/"+prefix) {
				found = append(found, key)
			}
		}
		return strings.Join(found, " ")
	}
	for _, prefix := range []string{"buoy-", "tested-"} {
		if name := names(one, prefix); name == "" || one.Hooks[name] != two.Hooks[name] || name == names(other, prefix) {
			t.Errorf("%s:\n%s\n%s\n%s", prefix, one.Hooks[name], two.Hooks[name], names(other, prefix))
		}
	}
	for _, name := range []string{"shared", "given", "stays", "expires"} {
		if key := names(one, name); one.Hooks[key] == two.Hooks[key] {
			t.Errorf("the value of %s is no secret", name)
		}
	}
	if secret(t, one, "s")["p"] == secret(t, two, "s")["p"] {
		t.Error("the password is no secret")
	}
	for _, made := range []*chart.Rendering{one, two, other} {
		if !strings.Contains(made.Hooks[names(made, "buoy-")], "hook-succeeded,before-hook-creation") {
			t.Errorf("a drawn name cannot be tried again:\n%s", made.Hooks[names(made, "buoy-")])
		}
		for _, name := range []string{"tested-", "given", "shared"} {
			if strings.Contains(made.Hooks[names(made, name)], "before-hook-creation") {
				t.Errorf("another policy:\n%s", made.Hooks[names(made, name)])
			}
		}
	}
	if len(one.Rerun) != 3 || one.Rerun[0] != names(one, "expires") || one.Rerun[1] != names(one, "given") || one.Rerun[2] != names(one, "other-") {
		t.Errorf("run in each apply: %q", one.Rerun)
	}
}

// A hook whose draws an object keeps is the same in each rendering, also by its name: nothing warns of it. The first
// rendering knows that, too.
func TestHooksWithKeptDraws(t *testing.T) {
	const hook = "apiVersion: batch/v1\nkind: Job\nmetadata: {name: %s, annotations: {helm.sh/hook: pre-install, helm.sh/hook-delete-policy: hook-succeeded}}\nspec: {a: %s}\n---\n"
	of := files{"templates/a.yaml": "{{ $password := randAlphaNum 9 }}{{ $sum := sha256sum $password | trunc 9 }}apiVersion: v1\nkind: Secret\nmetadata: {name: s}\nstringData: {p: {{ $password }}}\n---\n" +
		fmt.Sprintf(hook, "shown", "{{ $password }}") + fmt.Sprintf(hook, "checked", "x{{ $sum }}") + fmt.Sprintf(hook, "x{{ $sum }}", "a") +
		fmt.Sprintf(hook, "own", "{{ randAlphaNum 9 }}") + fmt.Sprintf(configMap, "x{{ $sum }}", "b")}
	first, second, server := beside(t, of, "", "")
	third := again(t, of, "", server)
	for what, made := range map[string]*chart.Rendering{"first": first, "second": second, "third": third} {
		equal(t, what+" run in each apply", made.Rerun, []string{"batch/Job/tides/own"})
		equal(t, what+" unnamed", made.Unnamed, []string{})
		equal(t, what+" new", made.New, []string{})
		if delete(made.Hooks, "batch/Job/tides/own"); len(made.Hooks) != 3 {
			t.Errorf("%s: %q", what, made.Hooks)
		}
	}
	equal(t, "hooks", second.Hooks, first.Hooks)
	equal(t, "the next hooks", third.Hooks, first.Hooks)
	renewed := request(t, of, "")
	renewed.Cluster, renewed.Renew = server, true
	equal(t, "hooks that run while values are renewed", len(render(t, renewed).Rerun), 4)
}

// Functions return what they return in Helm, and always the same.
func TestFunctions(t *testing.T) {
	values := "many: {a: 1, b: 2, c: 3, d: 4, e: 5, f: 6, g: 7}\n"
	for template, want := range map[string]string{
		"{{ until 3 }}":                                       "[0 1 2]",
		"{{ until -3 }}":                                      "[0 -1 -2]",
		"{{ until 0 | toJson }}":                              "[]",
		"{{ untilStep 5 0 -2 }}":                              "[5 3 1]",
		"{{ untilStep 0 5 0 | toJson }}":                      "[]",
		"{{ untilStep 5 0 2 | toJson }}":                      "[]",
		`{{ repeat 2 "ab" }}`:                                 "abab",
		`{{ keys .Values.many (dict "z" 1 "y" 2) }}`:          "[a b c d e f g y z]",
		"{{ values .Values.many }}":                           "[1 2 3 4 5 6 7]",
		"{{ dict | keys | toJson }}{{ dict | values | len }}": "[]0",
	} {
		made := render(t, request(t, files{"templates/a.yaml": fmt.Sprintf(configMap, "a", "'"+template+"'")}, values))
		equal(t, template, decode(t, made.Manifests["core/ConfigMap/tides/a"])["data"], map[string]any{"a": want})
	}
}

func TestGeneratedNames(t *testing.T) {
	made := render(t, request(t, files{"templates/a.yaml": fmt.Sprintf(configMap, "x-{{ randAlphaNum 5 | lower }}", "b")}, ""))
	if len(made.Unnamed) != 1 || made.Manifests[made.Unnamed[0]] == "" {
		t.Errorf("unnamed: %v", made.Unnamed)
	}
}

func TestLookupAndCapabilities(t *testing.T) {
	of := files{"templates/a.yaml": fmt.Sprintf(configMap, "a",
		`"{{ (lookup "v1" "ConfigMap" "tides" "live").data.x }} {{ len (lookup "v1" "ConfigMap" "" "").items }} {{ (lookup "v1" "Pod" "tides" "none") | len }} `+
			`{{ .Capabilities.KubeVersion.Version }} {{ .Capabilities.APIVersions.Has "apps/v1/Deployment" }}"`)}
	server := &stub{
		objects:      map[string]map[string]any{"ConfigMap/live": {"data": map[string]any{"x": "seen"}}},
		capabilities: chart.Capabilities{KubeVersion: "v1.36.3", APIVersions: []string{"apps/v1/Deployment"}},
	}
	asks := request(t, of, "")
	asks.Cluster = server
	data := decode(t, render(t, asks).Manifests["core/ConfigMap/tides/a"])["data"]
	equal(t, "data", data, map[string]any{"a": "seen 1 0 v1.36.3 true"})
	equal(t, "asked", server.asked, []string{"capabilities", "ConfigMap/live", "ConfigMap", "Pod/none"})

	server.err = errors.New("no right")
	if _, err := asks.Render(t.Context()); !errors.Is(err, server.err) {
		t.Errorf("%v", err)
	}
	without := request(t, of, "")
	if _, err := without.Render(t.Context()); !errors.Is(err, chart.ErrNoCluster) {
		t.Errorf("%v", err)
	}
	given := request(t, files{"templates/a.yaml": fmt.Sprintf(configMap, "a", "{{ .Capabilities.KubeVersion.Minor | quote }}")}, "")
	given.Capabilities = &chart.Capabilities{KubeVersion: "1.35"}
	equal(t, "data", decode(t, render(t, given).Manifests["core/ConfigMap/tides/a"])["data"], map[string]any{"a": "35"})
}

// Given API versions are beside those of Helm; of a cluster they are all there are, with those that crds/ defines,
// which Helm creates before it renders.
func TestCapabilities(t *testing.T) {
	of := files{
		"crds/gauges.yaml": "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {name: gauges.buoy.example}\n" +
			"spec: {group: buoy.example, scope: Cluster, names: {kind: Gauge}, versions: [{name: v1, served: true}, {name: v0, served: false}]}\n",
		"templates/a.yaml": fmt.Sprintf(configMap, "a", `'{{ range list "apps/v1" "x.example/v1" "buoy.example/v1" "buoy.example/v1/Gauge" "buoy.example/v0" }}`+
			`{{ $.Capabilities.APIVersions.Has . }} {{ end }}{{ .Capabilities.KubeVersion.String }} {{ .Capabilities.KubeVersion.Version }}'`),
	}
	versions := chart.Capabilities{KubeVersion: "v1.36.3-gke.7", APIVersions: []string{"x.example/v1"}}
	given, asks := request(t, of, ""), request(t, of, "")
	given.Capabilities, asks.Cluster = &versions, &stub{capabilities: versions}
	equal(t, "given", decode(t, render(t, given).Manifests["core/ConfigMap/tides/a"])["data"], map[string]any{"a": "true true false false false v1.36.3 v1.36.3-gke.7"})
	equal(t, "of a cluster", decode(t, render(t, asks).Manifests["core/ConfigMap/tides/a"])["data"], map[string]any{"a": "false true true true false v1.36.3 v1.36.3-gke.7"})
}

func TestRefusedCharts(t *testing.T) {
	schema := `{"properties": {"replicas": {"type": "integer", "maximum": 3}, "name": {"pattern": "^[a-z]+$"}}}`
	for name, test := range map[string]struct {
		files  files
		values string
		want   string
	}{
		"schema": {files{"values.schema.json": schema}, "replicas: many\nname: HUNTER2", "buoy: values.name: '(sensitive)' does not match pattern '^[a-z]+$'\nbuoy: values.replicas: got string, want integer"},
		"schema of a subchart": {files{"charts/sub/Chart.yaml": "apiVersion: v2\nname: sub\nversion: 1.0.0\n", "charts/sub/values.schema.json": schema},
			"sub: {replicas: 4}", "buoy/charts/sub: values.replicas: maximum: got 4, want 3"},
		"schema that loads another": {files{"values.schema.json": `{"$ref": "http://127.0.0.1:1/x.json"}`}, "",
			`buoy: values.schema.json: failing loading "http://127.0.0.1:1/x.json": it refers to http://127.0.0.1:1/x.json, which is not loaded: a schema has to be whole`},
		"schema that loads a file": {files{"values.schema.json": `{"$ref": "file:///etc/hostname"}`}, "",
			`buoy: values.schema.json: failing loading "file:///etc/hostname": it refers to file:///etc/hostname, which is not loaded: a schema has to be whole`},
		"fail":         {files{"templates/a.yaml": `{{ fail (print "not " .Values.secret) }}`}, "secret: HUNTER2", "not (sensitive)"},
		"required":     {files{"templates/a.yaml": `{{ required "set host" .Values.host }}`}, "", "set host"},
		"syntax":       {files{"templates/a.yaml": "a\n{{ if }}"}, "", "missing value for if"},
		"environment":  {files{"templates/a.yaml": `{{ env "HOME" }}`}, "", `function "env" not defined`},
		"long list":    {files{"templates/a.yaml": `{{ range until 2000000000 }}{{ end }}`}, "", "a template makes a list of 2000000000 numbers, more than 1048576"},
		"long text":    {files{"templates/a.yaml": `{{ repeat 2000000 "abc" }}`}, "", "a template makes a text of 2000000 copies, more than 1048576"},
		"recursion":    {files{"templates/a.yaml": `{{ define "a" }}{{ include "a" . }}{{ end }}{{ include "a" . }}`}, "", "nested reference name"},
		"no manifest":  {files{"templates/a.yaml": "just: a map"}, "", "templates/a.yaml: its output is not a manifest: "},
		"no string":    {files{"templates/a.yaml": "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a, annotations: {HUNTER2: {a: b}}}\n"}, "", "templates/a.yaml: its output is not a manifest: not readable for Helm: an annotation is a map or a list"},
		"crds":         {files{"crds/a.yaml": "a: b: c"}, "", "crds/a.yaml: its output is not a manifest: document 1 (line 1): "},
		"no YAML":      {files{"templates/a.yaml": "a: b: c"}, "", "templates/a.yaml: its output is not a manifest: "},
		"twice":        {files{"templates/a.yaml": fmt.Sprintf(configMap, "x", "b"), "templates/b.yaml": fmt.Sprintf(configMap, "x", "b")}, "", "templates/b.yaml: core/ConfigMap/tides/x is already in templates/a.yaml"},
		"old cluster":  {files{"Chart.yaml": "apiVersion: v2\nname: buoy\nversion: 1.2.3\nkubeVersion: '>=1.99'\n"}, "", "Chart.yaml: the chart needs Kubernetes >=1.99, and the cluster has v1.36.3"},
		"other values": {files{"values.schema.json": "no JSON"}, "", "values.schema.json is not JSON: "},
	} {
		t.Run(name, func(t *testing.T) {
			asks := request(t, test.files, test.values)
			asks.Cluster = &stub{capabilities: chart.Capabilities{KubeVersion: "v1.36.3"}}
			asks.Secrets = []string{"HUNTER2"}
			made, err := asks.Render(t.Context())
			if err == nil {
				t.Fatalf("it makes %v", made)
			}
			if !strings.Contains(err.Error(), test.want) || strings.Contains(err.Error(), "HUNTER2") {
				t.Errorf("%s\nwant:\n%s", err, test.want)
			}
		})
	}
}

// An error has nothing of what a chart draws or reads of Secrets.
func TestErrorsHideSecrets(t *testing.T) {
	server := &stub{objects: map[string]map[string]any{"Secret/s": {
		"kind": "Secret", "data": map[string]any{"p": base64.StdEncoding.EncodeToString([]byte("CORRECT-HORSE"))},
	}}}
	asks := request(t, files{"templates/a.yaml": `{{ $a := randAlphaNum 8 }}{{ $b := (lookup "v1" "Secret" "tides" "s").data.p }}` +
		`{{ fail (print "<" $a "> <" $b "> <" ($b | b64dec) ">") }}`}, "")
	asks.Cluster = server
	_, err := asks.Render(t.Context())
	if err == nil || !strings.Contains(err.Error(), "<(sensitive)> <(sensitive)> <(sensitive)>") {
		t.Error(err)
	}
}

// Messages quote values in many ways, and no error has a secret in any of them.
func TestErrorsHideQuotedSecrets(t *testing.T) {
	values := map[string]any{
		"user": "admin", "password": "admin-S3cret", "odd": `a"b\c'd<e>&f: g`,
		"key": "-----BEGIN PRIVATE KEY-----\nMIIEvQIBADANBgkqhkiG9w0B\nAQEFAASC\n-----END PRIVATE KEY-----\n",
	}
	secrets := []string{"admin"}
	for _, name := range []string{"password", "odd", "key"} {
		secrets = append(secrets, fmt.Sprint(values[name]))
	}
	quoting := func(template string) files { return files{"templates/a.yaml": template} }
	schema := func(of string) files {
		return files{"values.schema.json": `{"$schema": "http://json-schema.org/draft-07/schema#", "properties": {"odd": ` + of + `, "key": ` + of + `}}`}
	}
	for name, test := range map[string]struct {
		files   files
		dynamic string
		want    string
	}{
		"tpl that is no template": {quoting("{{ tpl (toYaml .Values) . }}"), "{{ $labels.pod }} down", `cannot parse template (sensitive): template: gotpl:1: undefined variable "$labels"`},
		"tpl that fails":          {quoting("{{ tpl (toYaml .Values) . }}"), "{{ index .Values.none 1 }}", "error during tpl function execution for (sensitive): template: gotpl:1:13: executing"},
		"YAML":                    {quoting("{{ fail (toYaml .Values) }}"), "", "user: (sensitive)"},
		"JSON":                    {quoting("{{ fail (toJson .Values) }}"), "", `"user":"(sensitive)"`},
		"Go":                      {quoting(`{{ fail (printf "%q %q %q" .Values.odd .Values.key .Values.password) }}`), "", `"(sensitive)" "(sensitive)\n" "(sensitive)"`},
		"base64":                  {quoting("{{ fail (print (b64enc .Values.odd) (b64enc .Values.key) (b64enc .Values.password)) }}"), "", "(sensitive)"},
		"pattern":                 {schema(`{"pattern": "^x$"}`), "", "buoy: values.odd: '(sensitive)' does not match pattern '^x$'"},
		"address":                 {schema(`{"format": "ipv4"}`), "", "buoy: values.odd: it is no valid ipv4"},
	} {
		t.Run(name, func(t *testing.T) {
			values["dynamic"] = test.dynamic
			text, err := yaml.Marshal(values)
			if err != nil {
				t.Fatal(err)
			}
			asks := request(t, test.files, string(text))
			asks.Secrets = secrets
			_, err = asks.Render(t.Context())
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Fatalf("%v\nwant:\n%s", err, test.want)
			}
			for _, part := range []string{"admin", "S3cret", "c'd", "c''d", `c\'d`, "f: g", "MIIEvQ", "AQEFAASC", "BEGIN", "LS0tLS", "YSJi", "YWRt"} {
				if strings.Contains(err.Error(), part) {
					t.Errorf("it shows %s:\n%s", part, err)
				}
			}
		})
	}
}

// What only a file of the chart asks for is read of the cluster, too, if a template may render the file, one of a subchart
// for instance. No documentation counts, and no definition.
func TestCapabilitiesInFiles(t *testing.T) {
	of := files{
		"README.md":        "It looks at .Capabilities.\n",
		"templates/a.yaml": `{{ tpl (.Files.Get "config/a.yaml") . }}`,
		"config/a.yaml":    fmt.Sprintf(configMap, "a", "{{ .Capabilities.KubeVersion.Version }}"),
	}
	asks := request(t, of, "")
	asks.Cluster = &stub{capabilities: chart.Capabilities{KubeVersion: "v1.31.7"}}
	equal(t, "data", decode(t, render(t, asks).Manifests["core/ConfigMap/tides/a"])["data"], map[string]any{"a": "v1.31.7"})
	file := of["config/a.yaml"]
	of["config/a.yaml"] = fmt.Sprintf(configMap, "a", "b")
	of["crds/gauges.yaml"] = "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {name: gauges.buoy.example, annotations: {a: Capabilities}}\n" +
		"spec: {group: buoy.example, scope: Cluster, names: {kind: Gauge}}\n"
	render(t, request(t, of, ""))
	of["config/a.yaml"] = file
	for template, asks := range map[string]bool{
		`{{ .Files.Get "config/a.yaml" | sha256sum }}`: false,
		`{{ tpl "a" . }}`: false,
		`{{ include "render" (dict "text" (.Files.Get "config/a.yaml") "top" .) }}`: true,
	} {
		of["templates/a.yaml"] = fmt.Sprintf(configMap, "a", "b") + "# " + template
		of["charts/sub/Chart.yaml"] = "apiVersion: v2\nname: sub\nversion: 1.0.0\ntype: library\n"
		of["charts/sub/templates/_render.tpl"] = `{{ define "render" }}{{ tpl .text .top | sha256sum }}{{ end }}`
		if !asks {
			of["charts/sub/templates/_render.tpl"] = ""
		}
		if _, err := request(t, of, "").Render(t.Context()); errors.Is(err, chart.ErrNoCluster) != asks || err != nil && !asks {
			t.Errorf("%s: %v", template, err)
		}
	}
}
