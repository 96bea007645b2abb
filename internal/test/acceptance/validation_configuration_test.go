package acceptance_test

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/golden"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/validation"
)

// withoutCluster is the connection of configurations that are validated without a cluster.
const withoutCluster = `{ host = "https://127.0.0.1:1", token = "hunter2" }`

// What a plan refuses because of unknown fields and types, validation refuses without a cluster, at the same paths.
func TestBadInputObjectsWithoutACluster(t *testing.T) {
	w := newBadInputStory(t).Workspace()
	w.InstallKind(versionedKind("Thing"))
	w.AwaitPublished("Thing")
	w.Env = append(w.Env, "K8SCONNECT_SCHEMAS="+string(validation.Export(w.Story)))
	writeInputs(w, badObjects)
	out, _ := w.Try("validate", "-json")
	heard := map[string]string{}
	for _, d := range diagnostics(w, out) {
		if d.Summary == "Unknown Field" || d.Summary == "Value Does Not Fit Schema" {
			heard[labelOf(w, d, badObjects)] += d.String()
		}
	}
	planned, err := os.ReadFile(filepath.Join("testdata", "planning", "badinput", "objects.txt"))
	story.Must(t, err)
	var got strings.Builder
	for _, input := range badObjects {
		text := heard[input.label()]
		if text != "" {
			fmt.Fprintf(&got, "== %s\n%s\n", input.name, text)
		}
		_, ofPlan, _ := strings.Cut(string(planned), "== "+input.name+"\n")
		ofPlan, _, _ = strings.Cut(ofPlan, "\n== ")
		if !strings.Contains(ofPlan, "Error: Unknown Field") && !strings.Contains(ofPlan, "Error: Value Does Not Fit Schema") {
			continue
		}
		for _, match := range refusedPath.FindAllStringSubmatch(ofPlan, -1) {
			if !strings.Contains(text, " "+match[1]+": ") {
				t.Errorf("%s: the plan refuses %s, and validation says:\n%s", input.name, match[1], text)
			}
		}
	}
	folders := regexp.MustCompile(`in \S*/schemas/`)
	versions := regexp.MustCompile(`Kubernetes v1\.\d+\.\d+`)
	steady := versions.ReplaceAllString(folders.ReplaceAllString(anonymous(w, got.String()), "in schemas/"), "Kubernetes v1.N")
	golden.Compare(t, "planning/badinput/validated.txt", steady)
}

// refusedPath matches the paths of fields in what a plan says.
var refusedPath = regexp.MustCompile(`(?m)(?:could not be planned: |^  )([a-z][A-Za-z0-9."\[\]]*)(?:: expected|: the server cannot| \(did you|\.$)`)

// validated returns the errors of a validation, without the folder.
func validated(w *story.Workspace) []said {
	w.T.Helper()
	out, _ := w.Try("validate", "-json")
	return diagnostics(w, out)
}

// Validation looks into all arguments that have objects, and skips what is not known.
func TestValidationOfArguments(t *testing.T) {
	s := story.New(t)
	w := s.Workspace()
	folder := string(validation.Export(s))
	w.Env = append(w.Env, "K8SCONNECT_SCHEMAS="+folder)
	const deployment = `apiVersion: apps/v1
kind: Deployment
metadata: {name: web, namespace: shop}
spec:
  replicaz: 2
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec:
      containers:
      - name: app
        image: nginx
        ports:
        - containerPort: "80"
`
	indented := strings.ReplaceAll(strings.TrimSpace(deployment), "\n", "\n    ")
	for name, test := range map[string]struct {
		resource string
		// at is the argument, and want are parts of the error; nothing for none.
		at   string
		want []string
	}{
		"yaml_body": {`resource "k8sconnect_manifest" "a" {
  yaml_body = <<-YAML
    ` + indented + `
  YAML
}`, "yaml_body", []string{"line 5: spec.replicaz: no such field (did you mean spec.replicas?)",
			"line 14: spec.template.spec.containers[0].ports[0].containerPort: expected numeric", "Kubernetes v1.", "apps.v1.json"}},
		"manifest": {`resource "k8sconnect_manifest" "a" {
  manifest = { apiVersion = "v1", kind = "ConfigMap", metadata = { name = "a" }, dat = {} }
}`, "manifest", []string{"\n  dat: no such field (did you mean data?)", "v1.json"}},
		"manifest with unknown values": {`resource "terraform_data" "a" {}
resource "k8sconnect_manifest" "a" {
  manifest = { apiVersion = "v1", kind = "Service", metadata = { name = "a", labels = terraform_data.a.output }, spec = { type = "${terraform_data.a.id}", ports = [{ port = terraform_data.a.output }, { port = terraform_data.a.output }] } }
}`, "", nil},
		"what is known beside unknown values": {`resource "terraform_data" "a" {}
resource "k8sconnect_manifest" "a" {
  manifest = { apiVersion = "v1", kind = "Service", metadata = { name = "a" }, spec = { type = "${terraform_data.a.id}", porst = [] } }
}`, "manifest", []string{"spec.porst: no such field (did you mean spec.ports?)"}},
		"a set": {`resource "k8sconnect_manifests" "a" {
  manifests = { one = "{apiVersion: v1, kind: ConfigMap, metadata: {name: a}}", two = "{apiVersion: v1, kind: ConfigMap, metadata: {name: b}, data: {a: 7}}" }
}`, "", []string{`manifests["two"]: ConfigMap b (v1)`, "line 1: data.a: expected string", "Put the value in quotes."}},
		"an object of a set beside unknown values": {`resource "terraform_data" "a" {}
resource "k8sconnect_manifests" "a" {
  manifests = { web = { apiVersion = "v1", kind = "Service", metadata = { name = "a" }, spec = { porst = [], selector = terraform_data.a.output } } }
}`, "", []string{`manifests["web"]: Service a (v1)`, "spec.porst: no such field (did you mean spec.ports?)"}},
		"a kind whose definition is in the set": {`resource "k8sconnect_manifests" "a" {
  manifests = {
    web   = "{apiVersion: apps/v1, kind: Deployment, metadata: {name: a}, spec: {new: 1}}"
    kinds = "{apiVersion: apiextensions.k8s.io/v1, kind: CustomResourceDefinition, metadata: {name: a}, spec: {group: apps, scope: Namespaced, names: {kind: Deployment, plural: a}, versions: [{name: v1, served: true, storage: true}]}}"
  }
}`, "", nil},
		"secret manifests": {`resource "k8sconnect_manifests" "a" {
  manifests        = {}
  secret_manifests = { two = "{apiVersion: v1, kind: ConfigMap, metadata: {name: b}, data: {a: 471147}, hunter: [hunter2]}" }
}`, "", []string{"data.a: expected string", "hunter: no such field"}},
		"a Secret": {`resource "k8sconnect_manifest" "a" {
  yaml_body = file("secret.yaml")
}`, "yaml_body", []string{"data.password: the server cannot read the value", "write clear text in stringData"}},
		"a patch": {`resource "k8sconnect_patch" "a" {
  target    = { api_version = "apps/v1", kind = "Deployment", name = "a", namespace = "b" }
  yaml_body = "spec: {template: {spec: {containers: [{name: a, imgae: b}]}}}"
}`, "yaml_body", []string{"spec.template.spec.containers[0].imgae: no such field (did you mean spec.template.spec.containers[0].image?)"}},
		"a patch of a few fields": {`resource "k8sconnect_patch" "a" {
  target    = { api_version = "apps/v1", kind = "Deployment", name = "a", namespace = "b" }
  yaml_body = "spec: {replicas: 3}"
}`, "", nil},
		"a merge patch": {`resource "k8sconnect_patch" "a" {
  target = { api_version = "apps/v1", kind = "Deployment", name = "a", namespace = "b" }
  patch  = { type = "merge", body = jsonencode({ spec = { replicas = "3", paused = null } }) }
}`, "patch", []string{"spec.replicas: expected numeric"}},
		"a JSON patch": {`resource "k8sconnect_patch" "a" {
  target = { api_version = "apps/v1", kind = "Deployment", name = "a", namespace = "b" }
  patch = {
    type = "json"
    body = jsonencode([{ op = "test", path = "/spec/replicas", value = "3" }, { op = "replace", path = "/spec/template/spec/containers/1/image", value = 3 }, { op = "add", path = "/spec/stratgy", value = {} }])
  }
}`, "patch", []string{"spec.template.spec.containers[1].image: expected string", "spec.stratgy: no such field (did you mean spec.strategy?)"}},
		"a strategic merge patch": {`resource "k8sconnect_patch" "a" {
  target = { api_version = "apps/v1", kind = "Deployment", name = "a", namespace = "b" }
  patch  = { type = "strategic", body = jsonencode({ spec = { template = { spec = { containers = [{ name = "a", "$patch" = "delete" }] } } } }) }
}`, "", nil},
		"a kind that a built-in group does not have": {`resource "k8sconnect_manifest" "a" {
  yaml_body = "{apiVersion: apps/v1, kind: Deploymnet, metadata: {name: a}}"
}`, "yaml_body", []string{"line 1: kind: its API version has no such kind (did you mean Deployment?)"}},
		"a version that is gone": {`resource "k8sconnect_patch" "a" {
  target = { api_version = "policy/v1beta1", kind = "PodDisruptionBudget", name = "a", namespace = "b" }
  patch  = { type = "json", body = jsonencode([{ op = "add", path = "/spec/a", value = 1 }, { op = "add", path = "/spec/b", value = 1 }]) }
}`, "patch", []string{":\n\n  apiVersion: the server has no such version (did you mean policy/v1?)\n\nCorrect it.", "version.json"}},
		"a kind without a schema": {`resource "k8sconnect_manifest" "a" {
  yaml_body = "{apiVersion: nobody.example.com/v1, kind: Nothing, metadata: {name: a}, any: 1}"
}`, "", nil},
		"write-only fields": {`resource "k8sconnect_manifest" "a" {
  yaml_body            = "{apiVersion: rbac.authorization.k8s.io/v1, kind: RoleBinding, metadata: {name: a}}"
  yaml_body_wo         = "{roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: view}}"
  yaml_body_wo_version = "1"
}`, "", nil},
	} {
		story.Must(t, os.WriteFile(filepath.Join(w.Dir, "secret.yaml"), []byte("{apiVersion: v1, kind: Secret, metadata: {name: a}, data: {password: hunter2!}}"), 0o600))
		w.ConfigureProvider(withoutCluster, test.resource)
		errors := validated(w)
		if len(errors) != min(len(test.want), 1) {
			t.Errorf("%s: %d errors: %v", name, len(errors), errors)
			continue
		}
		for _, d := range errors {
			for _, want := range test.want {
				if !strings.Contains(d.Detail, want) {
					t.Errorf("%s: not %q in:\n%s", name, want, d)
				}
			}
			if at := d.attribute(); at != test.at {
				t.Errorf("%s: at %q, want %q: %s", name, at, test.at, d)
			}
			for _, secret := range []string{"hunter2", "471147", "aHVudGVyMg"} {
				if strings.Contains(d.Detail, secret) {
					t.Errorf("%s: a value is quoted:\n%s", name, d)
				}
			}
		}
	}
	// The log names each kind without a schema once.
	log := filepath.Join(t.TempDir(), "log")
	w.Env = append(w.Env, "TF_LOG_PROVIDER=debug", "TF_LOG_PATH="+log)
	const nothing = "resource \"k8sconnect_manifest\" %q {\n  yaml_body = \"{apiVersion: nobody.example.com/v1, kind: Nothing, metadata: {name: a}}\"\n}\n"
	w.ConfigureProvider(withoutCluster, fmt.Sprintf(nothing, "a"), fmt.Sprintf(nothing, "b"))
	validated(w)
	text, err := os.ReadFile(log)
	story.Must(t, err)
	if count := strings.Count(string(text), "the folder has no schema of the kind: "); count != 1 {
		t.Errorf("the log names the kind %d times:\n%s", count, text)
	}
}

// The provider block names the folder, too: Terraform validates it first. It counts before the environment.
func TestValidationByTheProviderBlock(t *testing.T) {
	s := story.New(t)
	w := s.Workspace()
	folder := string(validation.Export(s))
	w.Env = append(w.Env, "K8SCONNECT_SCHEMAS=nowhere")
	const resources = `resource "k8sconnect_manifest" "a" {
  yaml_body = "{apiVersion: v1, kind: ConfigMap, metadata: {name: a, namespace: NS}, dat: {}}"
}
resource "k8sconnect_manifest" "b" {
  yaml_body = "{apiVersion: v1, kind: ConfigMap, metadata: {name: b, namespace: NS}, dat: {}}"
}
`
	configure := func(cluster, schemas string) {
		story.Must(t, w.Write("provider \"k8sconnect\" {\n  cluster = "+cluster+"\n"+schemas+"}\n"+s.Expand(resources)))
	}
	configure(withoutCluster, "")
	if errors := validated(w); len(errors) != 1 || errors[0].Summary != "Schemas Not Read" || !strings.Contains(errors[0].Detail, "K8SCONNECT_SCHEMAS: ") {
		t.Errorf("a folder that does not exist: %v", errors)
	}
	configure(withoutCluster, fmt.Sprintf("  schemas = %q\n", folder))
	errors := validated(w)
	if len(errors) != 2 || slices.ContainsFunc(errors, func(d said) bool { return d.Summary != "Unknown Field" || d.attribute() != "yaml_body" }) {
		t.Errorf("the folder of the provider block: %v", errors)
	}
	// What is known only in the plan is checked there.
	configure(withoutCluster, "  schemas = var.schemas\n")
	story.Must(t, os.WriteFile(filepath.Join(w.Dir, "variables.tf"), []byte(fmt.Sprintf("variable \"schemas\" {\n  default = %q\n}\n", folder)), 0o600))
	out, err := w.Try("plan", "-json")
	if errors := diagnostics(w, out); err == nil || len(errors) == 0 || errors[0].Summary != "Unknown Field" {
		t.Errorf("a folder that is known in the plan: %v", errors)
	}
}

// A plan says once that the schemas are of another minor version, and nothing of another patch version.
func TestValidationBySchemasOfAnotherVersion(t *testing.T) {
	s := story.New(t)
	w := s.Workspace()
	folder := string(validation.Export(s))
	w.Env = append(w.Env, "K8SCONNECT_SCHEMAS="+folder)
	w.Configure(s.Manifest("a", story.ConfigMap), s.Manifest("b", with("name: web", "name: shop")))
	if out := w.Do("plan"); strings.Contains(out, "Schemas of Another Version") {
		t.Errorf("a warning beside schemas of the same version:\n%s", out)
	}
	file := filepath.Join(folder, "version.json")
	text, err := os.ReadFile(file)
	story.Must(t, err)
	other := regexp.MustCompile(`"minor": "\d+`).ReplaceAllString(string(text), `"minor": "7`)
	other = regexp.MustCompile(`"gitVersion": "[^"]*`).ReplaceAllString(other, `"gitVersion": "v1.7.0`)
	story.Must(t, os.WriteFile(file, []byte(other), 0o600))
	out := w.Do("plan")
	if strings.Count(out, "Schemas of Another Version") != 1 || !strings.Contains(strings.Join(strings.Fields(strings.ReplaceAll(out, "│", "")), " "), "are those of Kubernetes v1.7.0, and the cluster has "+story.ControlPlane().Version()) {
		t.Errorf("schemas of another version:\n%s", out)
	}
}
