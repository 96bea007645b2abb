package validation_test

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	utiljson "k8s.io/apimachinery/pkg/util/json"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster/kube/openapi"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/projects"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
)

// planted are objects with one mistake each, and the mistakes.
var planted = []struct{ text, field, problem string }{
	{"{apiVersion: apps/v1, kind: Deployment, metadata: {name: a}, spec: {replicaz: 2, " + pods + "}}", "spec.replicaz", openapi.NotDeclared},
	{"{apiVersion: apps/v1, kind: Deployment, metadata: {name: a}, spec: {replicas: \"2\", " + pods + "}}", "spec.replicas", "expected numeric"},
	{"{apiVersion: apps/v1, kind: Deployment, metadata: {name: a}, spec: {template: {metadata: {labels: {a: b}}, spec: {containers: [{name: a, image: b}]}}}}", "spec.selector", "required, and missing"},
	{"{apiVersion: apps/v1, kind: Deployment, metadata: {name: a}, spec: {selector: {matchLabels: {a: b}}}}", "spec.template.spec.containers", "required, and missing"},
	{"{apiVersion: apps/v1, kind: Deployment, metadata: {name: a, lables: {a: b}}, spec: {" + pods + "}}", "metadata.lables", openapi.NotDeclared},
	{"{apiVersion: apps/v1, kind: Deploymnet, metadata: {name: a}}", "kind", "its API version has no such kind"},
	{"{apiVersion: v1, kind: Pod, metadata: {name: a}, spec: {containers: [{image: b}]}}", "spec.containers[0].name", "required, and missing"},
	{"{apiVersion: v1, kind: Pod, metadata: {name: a}, spec: {containers: [{name: a}, {name: b}, {name: a}]}}", "spec.containers[2]", "has the same name as spec.containers[0]"},
	{"{apiVersion: v1, kind: Pod, metadata: {name: a}, spec: {containers: [{name: a, env: [{name: A, value: 1}]}]}}", "spec.containers[0].env[0].value", "expected string"},
	{"{apiVersion: v1, kind: Pod, metadata: {name: a}, spec: {containers: [{name: a, resources: {limits: {memory: 1Gb}}}]}}", "spec.containers[0].resources.limits.memory", openapi.Unreadable},
	{"{apiVersion: v1, kind: Service, metadata: {name: a}, spec: {ports: [{port: 80}, {port: 80}]}}", "spec.ports[1]", "has the same port and protocol as spec.ports[0]"},
	{"{apiVersion: v1, kind: Service, metadata: {name: a}, spec: {ports: {port: 80}}}", "spec.ports", "expected list"},
	{"{apiVersion: v1, kind: Secret, metadata: {name: a}, data: {a: b!}}", "data.a", openapi.Unreadable},
	{"{apiVersion: autoscaling/v2, kind: HorizontalPodAutoscaler, metadata: {name: a}, spec: {scaleTargetRef: {kind: Deployment, name: web}}}", "spec.maxReplicas", "required, and missing"},
	{"{apiVersion: batch/v1, kind: CronJob, metadata: {name: a}, spec: {jobTemplate: {spec: {template: {spec: {containers: [{name: a}]}}}}}}", "spec.schedule", "required, and missing"},
	{"{apiVersion: networking.k8s.io/v1, kind: Ingress, metadata: {name: a}, spec: {rules: [{http: {paths: [{path: /, pathType: Prefix}]}}]}}", "spec.rules[0].http.paths[0].backend", "required, and missing"},
	{"{apiVersion: rbac.authorization.k8s.io/v1, kind: RoleBinding, metadata: {name: a}, roleRef: {apiGroup: rbac.authorization.k8s.io, kind: Role}}", "roleRef.name", "required, and missing"},
}

const pods = "selector: {matchLabels: {a: b}}, template: {metadata: {labels: {a: b}}, spec: {containers: [{name: a, image: b}]}}"

// plantedEnums are those that a server tells of. The files in the source of Kubernetes have no enums of built-in kinds.
var plantedEnums = []struct{ text, field, problem string }{
	{"{apiVersion: v1, kind: Pod, metadata: {name: a}, spec: {restartPolicy: Sometimes, containers: [{name: a}]}}", "spec.restartPolicy", "supported values: Always, Never, OnFailure"},
	{"{apiVersion: v1, kind: Service, metadata: {name: a}, spec: {type: NodeBalancer, ports: [{port: 80}]}}", "spec.type", "supported values: ClusterIP, ExternalName, LoadBalancer, NodePort"},
}

// expectFound asserts that exactly the mistake of each object is found.
func expectFound(t *testing.T, folder openapi.Folder, mistakes []struct{ text, field, problem string }) {
	t.Helper()
	for _, mistake := range mistakes {
		m, err := manifest.Parse(mistake.text)
		story.Must(t, err)
		problems, _ := unfitIn(t, folder, m.Object)
		if len(problems) != 1 || problems[0].Field != mistake.field || problems[0].Text != mistake.problem {
			t.Errorf("want %s: %s, got %v of %s", mistake.field, mistake.problem, problems, mistake.text)
		}
	}
}

// publishedFile matches the names of the files with the schemas of a group version in the source of Kubernetes.
var publishedFile = regexp.MustCompile(`^apis?__(?:(.+)__)?(v[0-9a-z]+)_openapi\.json$`)

// publishedBy returns the folder with the schemas that the source of a Kubernetes version has.
func publishedBy(t *testing.T, version string) openapi.Folder {
	t.Helper()
	dir, err := projects.Download(t.Context(), "k8s.io/kubernetes", version)
	story.Must(t, err)
	files, err := filepath.Glob(filepath.Join(dir, "api", "openapi-spec", "v3", "*_openapi.json"))
	story.Must(t, err)
	folder, written := t.TempDir(), 0
	for _, file := range files {
		match := publishedFile.FindStringSubmatch(filepath.Base(file))
		if match == nil {
			continue
		}
		text, err := os.ReadFile(file)
		story.Must(t, err)
		name := openapi.FileOf(schema.GroupVersion{Group: match[1], Version: match[2]})
		story.Must(t, os.WriteFile(filepath.Join(folder, name), text, 0o600))
		written++
	}
	if written < 30 {
		t.Fatalf("Kubernetes %s publishes %d group versions only", version, written)
	}
	return openapi.Folder(folder)
}

// requires matches what a go.mod requires of Kubernetes.
var requires = regexp.MustCompile(`(?m)^\s*(?:require )?(k8s\.io/(?:kubernetes|api)) (v\S+)`)

// testedVersions returns the pinned versions of Kubernetes and of its API types, by minor version.
func testedVersions(t *testing.T) map[string]map[string]string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join("..", "testcluster", "servers", "kubernetes*", "go.mod"))
	story.Must(t, err)
	tested := map[string]map[string]string{}
	for _, file := range files {
		text, err := os.ReadFile(file)
		story.Must(t, err)
		pins := map[string]string{}
		for _, match := range requires.FindAllStringSubmatch(string(text), -1) {
			pins[match[1]] = match[2]
		}
		minor := strings.Split(pins["k8s.io/kubernetes"], ".")
		tested[minor[0]+"."+minor[1]] = pins
	}
	if len(tested) < 4 {
		t.Fatalf("tested versions: %v", tested)
	}
	return tested
}

// realObjects returns what projects install, the good objects of all kinds and the objects of the examples, by where
// they are from.
func realObjects(t *testing.T) map[string][]map[string]any {
	t.Helper()
	texts := map[string]string{}
	for name, file := range projects.InstallFiles {
		text, err := projects.Read(t.Context(), file.Module, file.Version, file.Files...)
		story.Must(t, err)
		texts[name] = text
	}
	for _, pattern := range []string{"testdata/kinds.yaml", "../../../examples/*/*.yaml", "../../../examples/*/*/*.yaml"} {
		files, err := filepath.Glob(filepath.FromSlash(pattern))
		story.Must(t, err)
		for _, file := range files {
			text, err := os.ReadFile(file)
			story.Must(t, err)
			texts[file] = strings.ReplaceAll(string(text), "NS", "story")
		}
	}
	found := map[string][]map[string]any{}
	for name, text := range texts {
		all, err := manifest.ParseAll(text)
		if err != nil {
			continue // A template, or a file that is something else.
		}
		for _, one := range all {
			found[name] = append(found[name], one.Object)
		}
	}
	return found
}

// With the schemas of each tested Kubernetes version, what fits is no error, and mistakes are found.
func TestValidationOnEachVersion(t *testing.T) {
	if os.Getenv(enabled) == "" {
		t.Skip("make test-schemas runs this test")
	}
	objects := realObjects(t)
	for minor, pins := range testedVersions(t) {
		t.Run(minor, func(t *testing.T) {
			folder := publishedBy(t, pins["k8s.io/kubernetes"])
			checked := 0
			for name, all := range objects {
				for _, object := range all {
					problems, has := unfitIn(t, folder, object)
					if !has || name == filepath.Join("testdata", "kinds.yaml") && isNewKind(problems) {
						continue // A custom resource, or a kind of a newer version.
					}
					checked++
					for _, p := range problems {
						t.Errorf("%s: %v %v: false alarm: %s: %s", name, object["kind"], object["metadata"], p.Field, p.Text)
					}
				}
			}
			if checked < 350 {
				t.Errorf("%d objects were checked", checked)
			}
			expectFound(t, folder, planted)
			expectEveryFieldFits(t, folder, pins["k8s.io/api"])
		})
	}
}

func isNewKind(problems []openapi.Problem) bool {
	return len(problems) == 1 && problems[0].Field == "kind"
}

// expectEveryFieldFits asserts that the objects with which Kubernetes tests its API types, which have a value in each
// field, fit the schemas, and that mistakes in them are found.
func expectEveryFieldFits(t *testing.T, folder openapi.Folder, version string) {
	t.Helper()
	dir, err := projects.Download(t.Context(), "k8s.io/api", version)
	story.Must(t, err)
	files, err := filepath.Glob(filepath.Join(dir, "testdata", "HEAD", "*.json"))
	story.Must(t, err)
	kinds := 0
	for _, file := range files {
		text, err := os.ReadFile(file)
		story.Must(t, err)
		var object map[string]any
		story.Must(t, utiljson.Unmarshal(text, &object)) // Whole numbers are int64, as in manifests.
		gvk := schema.FromAPIVersionAndKind(fmt.Sprint(object["apiVersion"]), fmt.Sprint(object["kind"]))
		kind, err := folder.Kind(gvk)
		story.Must(t, err)
		if kind == nil || isNewKind(kind.Check(object, openapi.Whole)) {
			continue // Of a version that is not served, or of a webhook.
		}
		kinds++
		for _, p := range kind.Check(object, openapi.Whole) {
			t.Errorf("%s: false alarm: %s: %s", gvk, p.Field, p.Text)
		}
		broken := runtime.DeepCopyJSON(object)
		broken["surplus"] = "x"
		want := []string{"surplus"}
		if fields, is := broken["spec"].(map[string]any); is && len(fields) > 0 {
			fields["surplus"] = "x"
			want = append(want, "spec.surplus")
		}
		for _, field := range want {
			if !slices.ContainsFunc(kind.Check(broken, openapi.Whole), func(p openapi.Problem) bool { return p.Field == field && p.Text == openapi.NotDeclared }) {
				t.Errorf("%s: %s is not found", gvk, field)
			}
		}
	}
	if kinds < 60 {
		t.Errorf("%d kinds were checked", kinds)
	}
}
