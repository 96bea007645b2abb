package acceptance_test

import (
	"strings"
	"testing"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
)

// What is in a namespace that an apply replaces is created again in the same apply, if its resource depends on that of
// the namespace.
func TestNamespaceReplacedWithItsContent(t *testing.T) {
	h := newHooked(t)
	own := func(text string) string {
		return h.Expand(strings.ReplaceAll(text, "namespace: NS", "namespace: NS-own"))
	}
	h.Configure(`resource "k8sconnect_manifest" "space" {
  yaml_body = <<-EOT
` + h.Expand("apiVersion: v1\nkind: Namespace\nmetadata: {name: NS-own, labels: {a: b}}\n") + `EOT
  delete_protection = false
}
resource "k8sconnect_manifest" "plain" {
  yaml_body = <<-EOT
` + own(configMap("plain", "1")) + `EOT
  depends_on = [k8sconnect_manifest.space]
}
resource "k8sconnect_manifest" "uid" {
  yaml_body = <<-EOT
` + strings.Replace(own(configMap("uid", "VALUE")), "VALUE", "${k8sconnect_manifest.space.object_ref.uid}", 1) + `EOT
}
resource "k8sconnect_manifests" "set" {
  manifests = {
    a = <<-EOT
` + own(configMap("a", "1")) + `EOT
    b = <<-EOT
` + strings.Replace(own(configMap("b", "VALUE")), "VALUE", "${k8sconnect_manifest.space.object_ref.uid}", 1) + `EOT
  }
}
resource "k8sconnect_manifests" "after" {
  manifests = {
    c = <<-EOT
` + own(configMap("c", "1")) + `EOT
  }
  depends_on = [k8sconnect_manifest.space]
}
`)
	h.Do("apply", "-auto-approve")
	space := h.Live("v1 Namespace NS-own").GetUID()
	out := h.Do("apply", "-auto-approve", "-replace=k8sconnect_manifest.space")
	if !story.Saying("Replaced With Its Namespace").MatchString(out) {
		t.Errorf("the plan does not say what it replaces:\n%s", out)
	}
	for _, name := range []string{"plain", "uid", "a", "b", "c"} {
		if h.Gone("v1 ConfigMap NS-own/" + name) {
			t.Errorf("%s is gone", name)
		}
	}
	if h.Live("v1 Namespace NS-own").GetUID() == space {
		t.Error("the namespace was not replaced")
	}
	h.Exits(story.Nothing, "plan", "-detailed-exitcode")
	h.Do("destroy", "-auto-approve")
}
