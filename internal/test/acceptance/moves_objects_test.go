package acceptance_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/plancheck"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/kubernetesstub"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
)

// origin is a resource of another provider whose objects are moved.
type origin struct {
	provider kubernetesstub.Provider
	// requires is the entry of required_providers for it.
	requires string
	// resource returns the configuration of one object, with a label of its own and its manifest.
	resource func(label, manifest string) string
	// typeOf returns the type of the resource with a label.
	typeOf func(label string) string
	// body returns the argument with a manifest here; nil for yaml_body.
	body func(manifest string) string
	// apply makes an object as the resource does.
	apply func(s *story.Story, manifest string)
	// manager owns the fields at first, warns is what the first plan warns of.
	manager string
	warns   []string
	// arguments are those that the resource has here.
	arguments string
	// lacks are the objects that the source cannot have.
	lacks []string
	// written are texts of the manifests that the read after the move writes in another way.
	written map[string]string
	// goes are fields for the source's own use that the first apply removes.
	goes []string
}

// movedObjects are the objects that each source has, by label. In each of them, a label of the object leaves later.
var movedObjects = map[string]string{
	"web": `apiVersion: apps/v1
kind: Deployment
metadata: {name: web, namespace: NS, labels: {app: web, tier: front}}
spec:
  replicas: 2
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec: {containers: [{name: app, image: "nginx:1.25", env: [{name: MODE, value: live}], ports: [{containerPort: 80}], resources: {}}], volumes: [{name: tmp, emptyDir: {}}]}
`,
	"widget": `apiVersion: NS.example.com/v1
kind: Widget
metadata: {name: web, namespace: NS, labels: {app: web, tier: front}}
spec: {colour: red, size: 5}
`,
	"keys": `apiVersion: v1
kind: Secret
metadata: {name: keys, namespace: NS, labels: {app: web, tier: front}}
data: {password: c2VzYW1l}
`,
	"reader": `apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata: {name: NS, labels: {app: web, tier: front}}
rules: [{apiGroups: [""], resources: [pods], verbs: [get]}]
`,
}

var movedTargets = map[string]string{
	"web": story.Web, "widget": "NS.example.com/v1 Widget web", "keys": "v1 Secret keys", "reader": "rbac.authorization.k8s.io/v1 ClusterRole NS",
}

func yamlBody(manifest string) string { return "yaml_body = <<-YAML\n" + manifest + "YAML\n" }

func always(typeName string) func(string) string { return func(string) string { return typeName } }

// kubectlOf returns kubectl_manifest of a provider, with more arguments.
func kubectlOf(provider kubernetesstub.Provider, source, arguments string) origin {
	return origin{
		provider: provider, requires: `kubectl = { source = "` + source + `" }`, typeOf: always("kubectl_manifest"),
		resource: func(label, manifest string) string {
			return fmt.Sprintf("resource \"kubectl_manifest\" %q {\n%s%s}\n", label, arguments, yamlBody(manifest))
		},
		apply:   func(s *story.Story, manifest string) { s.As("HashiCorp").ApplyClientSide(manifest) },
		manager: "HashiCorp",
		warns:   []string{"Annotations of Other Tools", " -n NS kubectl.kubernetes.io/last-applied-configuration-"},
	}
}

func applies(manager string) func(*story.Story, string) {
	return func(s *story.Story, manifest string) { s.As(manager).Apply(manifest) }
}

var typedNames = map[string]string{"web": "kubernetes_deployment_v1", "keys": "kubernetes_secret_v1", "reader": "kubernetes_cluster_role_v1"}

func origins() map[string]origin {
	serverSide := kubectlOf(kubernetesstub.KubectlAlekc, "alekc/kubectl", "server_side_apply = true\nfield_manager = \"team\"\nforce_conflicts = true\n")
	serverSide.manager, serverSide.apply, serverSide.warns = "team", applies("team"), nil
	plain := serverSide
	plain.provider, plain.requires, plain.manager, plain.apply = kubernetesstub.KubectlGavinbunney, `kubectl = { source = "gavinbunney/kubectl" }`, "kubectl", applies("kubectl")
	plain.resource = kubectlOf(kubernetesstub.KubectlGavinbunney, "", "server_side_apply = true\n").resource
	return map[string]origin{
		"kubectl, client-side":           kubectlOf(kubernetesstub.KubectlGavinbunney, "gavinbunney/kubectl", ""),
		"kubectl of alekc, client-side":  kubectlOf(kubernetesstub.KubectlAlekc, "alekc/kubectl", ""),
		"kubectl, server-side":           plain,
		"kubectl of alekc, under a name": serverSide,
		"k8sconnect_object": {
			provider: kubernetesstub.K8sconnect, requires: `former = { source = "jmorris0x0/k8sconnect" }`, typeOf: always("k8sconnect_object"),
			resource: func(label, manifest string) string {
				return fmt.Sprintf("resource \"k8sconnect_object\" %q {\n  provider = former\n  cluster = { kubeconfig = file(\"kubeconfig\") }\n%s}\n", label, yamlBody(manifest))
			},
			apply: func(s *story.Story, manifest string) {
				s.As(story.Us).Apply(strings.Replace(manifest, "metadata: {", "metadata: {annotations: {k8sconnect.terraform.io/created-at: now, k8sconnect.terraform.io/terraform-id: abc}, ", 1))
			},
			manager: story.Us, arguments: "cluster = { kubeconfig = file(\"kubeconfig\") }",
			warns: []string{"Annotations of Other Tools", "k8sconnect.terraform.io/terraform-id"},
			goes:  []string{"metadata.annotations.k8sconnect.terraform.io/created-at", "metadata.annotations.k8sconnect.terraform.io/terraform-id", "metadata.annotations"},
		},
		"typed": {
			provider: kubernetesstub.Kubernetes, requires: `kubernetes = { source = "hashicorp/kubernetes" }`,
			typeOf: func(label string) string { return typedNames[label] },
			resource: func(label, _ string) string {
				metadata := "  metadata {\n    name = \"" + map[string]string{"web": "web", "keys": "keys", "reader": "NS"}[label] + "\"\n"
				if label != "reader" {
					metadata += "    namespace = \"NS\"\n"
				}
				return fmt.Sprintf("resource %q %q {\n%s  }\n}\n", typedNames[label], label, metadata)
			},
			apply:   func(s *story.Story, manifest string) { s.As("HashiCorp").Create(manifest) },
			manager: "HashiCorp", lacks: []string{"widget"},
			written: map[string]string{"data: {password: c2VzYW1l}\n": "", "{containerPort: 80}": "{containerPort: 80, protocol: TCP}", ", resources: {}": ""},
			warns:   []string{"Secret Moved Without Data", "yaml_body_wo"},
		},
		"kubernetes_manifest": {
			provider: kubernetesstub.Kubernetes, requires: `kubernetes = { source = "hashicorp/kubernetes" }`, typeOf: always("kubernetes_manifest"),
			resource: func(label, manifest string) string {
				return fmt.Sprintf("resource \"kubernetes_manifest\" %q {\n  manifest = yamldecode(<<-YAML\n%sYAML\n  )\n}\n", label, manifest)
			},
			apply: applies(terraformManager), manager: terraformManager,
			body: func(manifest string) string { return "  manifest = yamldecode(<<-YAML\n" + manifest + "YAML\n  )\n" },
		},
	}
}

// configure writes a configuration that both providers are part of.
func (o origin) configure(w *story.Workspace, texts ...string) {
	w.T.Helper()
	text := "terraform {\n  required_providers {\n    k8sconnect = { source = \"k8sconnect/k8sconnect\" }\n    " + o.requires + "\n  }\n}\n" +
		"provider \"k8sconnect\" {\n  cluster = { config_path = \"kubeconfig\" }\n}\n" + w.Expand(strings.Join(texts, ""))
	story.Must(w.T, os.WriteFile(filepath.Join(w.Dir, "main.tf"), []byte(text), 0o600))
}

// here returns the configuration of the objects in k8sconnect_manifest, with edits of their manifests.
func (o origin) here(objects map[string]string, edits ...string) string {
	var text strings.Builder
	argument := yamlBody
	if o.body != nil {
		argument = o.body
	}
	for _, label := range slices.Sorted(maps.Keys(objects)) {
		body := objects[label]
		for left, written := range o.written {
			body = strings.Replace(body, left, written, 1)
		}
		fmt.Fprintf(&text, "moved {\n  from = %s.%s\n  to   = k8sconnect_manifest.%[2]s\n}\nresource \"k8sconnect_manifest\" %[2]q {\n%s\n%s}\n",
			o.typeOf(label), label, o.arguments, argument(strings.NewReplacer(edits...).Replace(body)))
	}
	return text.String()
}

// objects are those that the source has.
func (o origin) objects() map[string]string {
	objects := maps.Clone(movedObjects)
	for _, label := range o.lacks {
		delete(objects, label)
	}
	return objects
}

// expectHandedOver asserts that the plan of an object changes its owners and nothing else.
func (o origin) expectHandedOver(label string) plancheck.PlanCheck {
	return story.Check(func(_ context.Context, req plancheck.CheckPlanRequest) error {
		planned, err := story.PlannedAt(req, "k8sconnect_manifest."+label)
		if err != nil {
			return err
		}
		if planned.Before["field_manager"] != o.manager || planned.After["field_manager"] != story.Us {
			return fmt.Errorf("%s: the field manager is %v, then %v", label, planned.Before["field_manager"], planned.After["field_manager"])
		}
		var faults []error
		after := story.OwnersOf(planned.After)
		for field, owner := range story.OwnersOf(planned.Before) {
			if now, has := after[field]; owner == o.manager && has && now != story.Us && o.manager != "HashiCorp" {
				faults = append(faults, fmt.Errorf("%s: %s belongs to %q", label, field, now))
			}
		}
		for name, before := range planned.Before {
			isOfOwners := name == "field_manager" || name == "additions" || name == story.FieldOwnership || name == story.CoOwners
			if isOfOwners || name == story.ManagedState && len(o.goes) > 0 {
				continue
			}
			if story.AsJSON(before) != story.AsJSON(planned.After[name]) || story.IsUnknown(planned.Unknown[name]) {
				faults = append(faults, fmt.Errorf("%s: %s: %s -> %s", label, name, story.AsJSON(before), story.AsJSON(planned.After[name])))
			}
		}
		return errors.Join(faults...)
	})
}

// The plan does not miss the data of a Secret that yaml_body_wo has.
func TestMovedSecretWithItsData(t *testing.T) {
	s := story.New(t)
	w := s.HostedWorkspace()
	o := origins()["typed"]
	stub, err := kubernetesstub.Serve(t, o.provider)
	story.Must(t, err)
	w.Env = append(w.Env, stub)
	objects := map[string]string{"keys": o.objects()["keys"]}
	o.apply(s, objects["keys"])
	o.configure(w, o.resource("keys", objects["keys"]))
	w.Do("apply", "-auto-approve")
	const block = "resource \"k8sconnect_manifest\" \"keys\" {\n"
	here := strings.Replace(o.here(objects), block, block+"yaml_body_wo = \"data: {password: c2VzYW1l}\"\nyaml_body_wo_version = \"1\"\n", 1)
	o.configure(w, here)
	if printed := w.Exits(story.Changes, "plan", "-detailed-exitcode"); strings.Contains(unwrapped(printed), "Secret Moved Without Data") {
		t.Errorf("the plan misses data that yaml_body_wo has:\n%s", printed)
	}
	w.Do("apply", "-auto-approve")
	w.Exits(story.Nothing, "plan", "-detailed-exitcode")
}

// Each source hands over a Deployment, a custom resource, a Secret and a cluster-scoped object: the first plan shows the owners, the
// first apply changes no value, and what leaves the manifest later leaves the object.
func TestMovedObjects(t *testing.T) {
	t.Parallel()
	for name, o := range origins() {
		t.Run(name, func(t *testing.T) {
			s := story.New(t)
			s.InstallKind(story.WidgetDefinition)
			w := s.HostedWorkspace()
			stub, err := kubernetesstub.Serve(t, o.provider)
			story.Must(t, err)
			w.Env = append(w.Env, stub)
			t.Cleanup(func() {
				_ = s.Typed.RbacV1().ClusterRoles().Delete(context.Background(), s.Namespace, metav1.DeleteOptions{})
			})
			objects := o.objects()
			var theirs strings.Builder
			for label, manifest := range objects {
				o.apply(s, manifest)
				theirs.WriteString(o.resource(label, manifest))
			}
			o.configure(w, theirs.String())
			w.Do("apply", "-auto-approve")

			o.configure(w, o.here(objects))
			printed := w.Exits(story.Changes, "plan", "-detailed-exitcode", "-out=first.plan")
			for _, text := range o.warns {
				if !strings.Contains(unwrapped(printed), s.Expand(text)) {
					t.Errorf("the plan does not say %q:\n%s", s.Expand(text), printed)
				}
			}
			for label := range objects {
				w.ExpectSaved("first.plan", o.expectHandedOver(label), plancheck.ExpectResourceAction("k8sconnect_manifest."+label, plancheck.ResourceActionUpdate))
			}
			before := map[string]map[string]any{}
			for label := range objects {
				before[label] = valuesOf(s, movedTargets[label])
			}
			w.Do("apply", "first.plan")
			for label := range objects {
				o.expectOurs(s, label, before[label])
			}
			w.Exits(story.Nothing, "plan", "-detailed-exitcode")

			o.configure(w, o.here(objects, ", tier: front", "", ", env: [{name: MODE, value: live}]", "", ", size: 5", ""))
			w.Do("apply", "-auto-approve")
			w.Exits(story.Nothing, "plan", "-detailed-exitcode")
			for label := range objects {
				o.expectLess(s, label)
			}
			o.configure(w)
			w.Do("apply", "-auto-approve")
			for label := range objects {
				if !s.Gone(s.Expand(movedTargets[label])) {
					t.Errorf("%s is still there", label)
				}
			}
		})
	}
}

// expectOurs asserts that no value has changed but for what the source noted of itself, and that no client applies but
// us.
func (o origin) expectOurs(s *story.Story, label string, before map[string]any) {
	s.T.Helper()
	target := s.Expand(movedTargets[label])
	if len(o.goes) > 0 {
		delete(before["metadata"].(map[string]any), "annotations")
	}
	after := valuesOf(s, target)
	for _, values := range []map[string]any{before, after} { // The deployment controller writes its own.
		metadata := values["metadata"].(map[string]any)
		if annotations, has := metadata["annotations"].(map[string]any); has {
			delete(annotations, "deployment.kubernetes.io/revision")
			if len(annotations) == 0 {
				delete(metadata, "annotations")
			}
		}
	}
	if story.AsJSON(before) != story.AsJSON(after) {
		s.T.Errorf("%s: the values were %s and are %s", label, story.AsJSON(before), story.AsJSON(after))
	}
	for _, entry := range s.Live(target).GetManagedFields() {
		if entry.Operation == metav1.ManagedFieldsOperationApply && entry.Manager != story.Us {
			s.T.Errorf("%s: %s still applies", label, entry.Manager)
		}
	}
	for _, field := range []string{"metadata.labels.app", "metadata.labels.tier"} {
		owners, err := s.LiveOwners(target, field)
		story.Must(s.T, err)
		if !slices.Equal(owners, []string{story.Us}) {
			s.T.Errorf("%s: %s belongs to %v", label, field, owners)
		}
	}
}

// expectLess asserts that what left the manifest has left the object.
func (o origin) expectLess(s *story.Story, label string) {
	s.T.Helper()
	live := s.Live(s.Expand(movedTargets[label]))
	if labels := live.GetLabels(); len(labels) != 1 || labels["app"] != "web" {
		s.T.Errorf("%s has the labels %v", label, labels)
	}
	text := story.AsJSON(live.Object["spec"])
	if strings.Contains(text, "MODE") || strings.Contains(text, `"size":5`) {
		s.T.Errorf("%s: %s", label, text)
	}
	if label == "keys" && story.AsJSON(live.Object["data"]) != `{"password":"c2VzYW1l"}` {
		s.T.Errorf("the data of the Secret are %s", story.AsJSON(live.Object["data"]))
	}
}

// valuesOf returns a live object without what the server writes at each update.
func valuesOf(s *story.Story, target string) map[string]any {
	s.T.Helper()
	live := s.Live(s.Expand(target)).DeepCopy()
	live.SetManagedFields(nil)
	live.SetResourceVersion("")
	live.SetGeneration(0)
	delete(live.Object, "status")
	return live.Object
}
