package acceptance_test

import (
	"strings"
	"testing"
	"time"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/customresource"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
)

// What is in a namespace that an apply replaces is created again in the new one, also if its resource is planned and
// applied beside that of the namespace, and does not depend on it.
func TestNamespaceReplacedBesideItsContent(t *testing.T) {
	w := story.New(t).HostedWorkspace()
	own := func(text string) string { return strings.ReplaceAll(text, "namespace: NS", "namespace: NS-own") }
	w.Configure(
		w.Manifest("space", "apiVersion: v1\nkind: Namespace\nmetadata: {name: NS-own}\n", "delete_protection = false"),
		// The namespace goes after this object, when its content is planned again.
		w.Manifest("slow", strings.Replace(configMap("slow", "1"), "name: slow", "finalizers: [example.com/slow], name: slow", 1),
			"depends_on = [k8sconnect_manifest.space]"),
		// The content is planned after these, and so after the namespace.
		w.Manifest("first", configMap("first", "1")),
		w.Manifest("second", configMap("second", "1"), "depends_on = [k8sconnect_manifest.first]"),
		w.Manifest("third", configMap("third", "1"), "depends_on = [k8sconnect_manifest.second]"),
		w.Manifest("plain", own(configMap("plain", "1")), "depends_on = [k8sconnect_manifest.third]"),
		w.Expand("resource \"k8sconnect_manifests\" \"set\" {\n  manifests = {\n    a = <<-EOT\n"+own(configMap("a", "1"))+"EOT\n  }\n"+
			"  depends_on = [k8sconnect_manifest.third]\n}\n"),
	)
	w.Do("apply", "-auto-approve")
	space := w.Live("v1 Namespace NS-own").GetUID()
	out := w.Do("plan", "-parallelism=1", "-out=replaced", "-replace=k8sconnect_manifest.space", "-replace=k8sconnect_manifest.slow")
	for _, name := range []string{"plain", "a"} {
		if !story.Saying("Replaced With Its Namespace: ConfigMap " + w.Namespace + "-own/" + name).MatchString(out) {
			t.Errorf("the plan does not say that it replaces %s:\n%s", name, out)
		}
	}
	go func() {
		for t.Context().Err() == nil && w.Live("v1 ConfigMap slow").GetDeletionTimestamp() == nil {
			time.Sleep(200 * time.Millisecond)
		}
		time.Sleep(5 * time.Second)
		w.As("kubectl").JSONPatch("v1 ConfigMap slow", `[{"op": "remove", "path": "/metadata/finalizers"}]`)
	}()
	w.Do("apply", "replaced")
	if w.Live("v1 Namespace NS-own").GetUID() == space {
		t.Error("the namespace was not replaced")
	}
	w.Exits(story.Nothing, "plan", "-refresh-only", "-detailed-exitcode")
	w.Exits(story.Nothing, "plan", "-detailed-exitcode")
	w.As("kubectl").JSONPatch("v1 ConfigMap slow", `[{"op": "remove", "path": "/metadata/finalizers"}]`)
	w.Do("destroy", "-auto-approve")
}

// An object of a kind whose definition an apply replaces is created after it, with the scope that the kind has then.
func TestDefinitionReplacedWithItsObjects(t *testing.T) {
	namespaced := customresource.Definition("NS.example.com", "Gizmo", "spec: {type: object, properties: {size: {type: integer}}}")
	clusterWide := strings.Replace(namespaced, "scope: Namespaced", "scope: Cluster", 1)
	w := story.New(t).HostedWorkspace()
	configure := func(definition string, others ...string) {
		w.Configure(append(others,
			w.Manifest("definition", definition), w.Manifest("test", gizmo("one", "size: 1"), afterDefinition),
			w.Expand("resource \"k8sconnect_manifests\" \"set\" {\n  manifests = {\n    a = <<-EOT\n"+gizmo("a", "size: 1")+"\nEOT\n  }\n"+
				"  "+afterDefinition+"\n}\n"),
		)...)
	}
	configure(namespaced)
	w.Do("apply", "-auto-approve")
	for _, step := range []struct{ definition, space, new string }{{clusterWide, w.Namespace + "/", "new"}, {namespaced, "", "newer"}} {
		if step.space != "" {
			base := w.Manifest("base", gizmo("base", "size: 1"), afterDefinition)
			for name, of := range map[string]string{"base": "base", "one": "test"} {
				configure(step.definition, base, w.Expand(`resource "k8sconnect_patch" "test" {
  target    = { api_version = "NS.example.com/v1", kind = "Gizmo", namespace = "NS", name = "`+name+`" }
  yaml_body = "spec: {size: 2}"
  depends_on = [k8sconnect_manifest.`+of+`]
}
`))
				if out := w.Exits(story.Refused, "plan"); !story.Saying("Field Managed Twice", "spec.size").MatchString(out) {
					t.Errorf("the plan says of a patch of %s:\n%s", name, out)
				}
			}
		}
		configure(step.definition, w.Manifest(step.new, gizmo(step.new, "size: 1"), afterDefinition))
		out := w.Do("apply", "-auto-approve")
		for _, name := range []string{"one", "a"} {
			if !story.Saying("Replaced With Its Definition: Gizmo " + step.space + name).MatchString(out) {
				t.Errorf("the plan does not say that it replaces %s:\n%s", name, out)
			}
		}
		w.Exits(story.Nothing, "plan", "-detailed-exitcode")
	}
	w.Do("destroy", "-auto-approve")
}
