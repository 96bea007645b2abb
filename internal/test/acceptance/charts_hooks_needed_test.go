package acceptance_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
)

// installs configures a set with a namespace, a kind, an object with this value, a role and more entries, and hooks in
// the namespace and of the kind. plays is how the pods of the Job fail; "" if they end well.
func (h *hooked) installs(value, plays string, more ...string) {
	h.T.Helper()
	entries := map[string]string{"space": operatorFile["namespace"], "kind": operatorFile["kind"], "a": configMap("a", value),
		"role": "apiVersion: rbac.authorization.k8s.io/v1\nkind: ClusterRole\nmetadata: {name: NS-role}\n"}
	for i, text := range more {
		entries[fmt.Sprintf("more%d", i)] = text
	}
	texts := func(of map[string]string) string {
		var all strings.Builder
		for key, text := range of {
			fmt.Fprintf(&all, "    %q = <<-EOT\n%s\nEOT\n", key, h.Expand(strings.ReplaceAll(text, "namespace: NS\n", "namespace: NS-own\n")))
		}
		return strings.ReplaceAll(all.String(), "namespace: "+h.Namespace+"}", "namespace: "+h.Namespace+"-own}")
	}
	h.Configure(fmt.Sprintf("resource \"k8sconnect_manifests\" \"test\" {\n  manifests = {\n%s  }\n  hooks = {\n%s  }\n}\n", texts(entries), texts(map[string]string{
		"part":  "apiVersion: NS.example.org/v1\nkind: Part\nmetadata:\n  name: first\n  namespace: NS\n  annotations: {helm.sh/hook: pre-install, helm.sh/hook-weight: '-5'}\n",
		"job":   job("job", `helm.sh/hook: "pre-install,pre-upgrade"`, plays),
		"saves": job("saves", "helm.sh/hook: pre-delete", ""),
		"last":  job("last", "helm.sh/hook: post-delete", ""),
	})))
}

// Hooks may be in a namespace and of a kind that the set creates. If one fails, the state has these two alone.
func TestHooksThatNeedObjectsOfTheSet(t *testing.T) {
	h := newHooked(t)
	h.installs("1", "exits")
	h.refused("Hook Failed", "The pre-install hook Job "+h.Namespace+"-own/job", "Objects Left")
	state := h.Do("state", "show", "k8sconnect_manifests.test")
	if !h.Gone("v1 ConfigMap NS-own/a") || !strings.Contains(state, "kind: Namespace") || strings.Contains(state, "kind: ConfigMap") {
		t.Errorf("after a hook has failed, the state is\n%s", state)
	}
	space, part := h.Live("v1 Namespace NS-own").GetUID(), h.Live("NS.example.org/v1 Part NS-own/first").GetUID()
	settled := func(value string) {
		t.Helper()
		h.Do("apply", "-auto-approve")
		h.Exits(story.Nothing, "plan", "-detailed-exitcode")
		if h.Live("v1 Namespace NS-own").GetUID() != space || h.Live("NS.example.org/v1 Part NS-own/first").GetUID() != part {
			t.Error("the namespace, or a hook that had ended well, was created again")
		}
		if is := dataOf(h.Live("v1 ConfigMap NS-own/a"))["a"]; is != value {
			t.Errorf("the object has %s", is)
		}
	}
	h.installs("1", "")
	settled("1")

	another := "apiVersion: v1\nkind: Namespace\nmetadata: {name: NS-more}\n"
	h.installs("2", "exits", another)
	h.refused("Hook Failed", "The pre-upgrade hook Job "+h.Namespace+"-own/job", "Objects Left: ConfigMap "+h.Namespace+"-own/a (v1)")
	if is := dataOf(h.Live("v1 ConfigMap NS-own/a"))["a"]; is != "1" {
		t.Errorf("the object has %s after a hook before it has failed", is)
	}
	more := h.Live("v1 Namespace NS-more").GetUID()
	h.installs("2", "", another)
	settled("2")
	if h.Live("v1 Namespace NS-more").GetUID() != more {
		t.Error("the namespace of the upgrade was created again")
	}
	h.Do("destroy", "-auto-approve")
	for _, target := range []string{"v1 Namespace NS-own", "v1 Namespace NS-more", "rbac.authorization.k8s.io/v1 ClusterRole NS-role"} {
		if !h.Gone(target) {
			t.Errorf("%s is not gone", target)
		}
	}
}

// The hooks of a destroy are skipped if their namespace is gone. Those of a create wait for it.
func TestHooksWithoutTheirNamespace(t *testing.T) {
	h := newHooked(t)
	space := h.Expand("apiVersion: v1\nkind: Namespace\nmetadata: {name: NS-own}\n")
	role := h.Expand("apiVersion: rbac.authorization.k8s.io/v1\nkind: ClusterRole\nmetadata: {name: NS-role}\n")
	hook := func(name, of string) string {
		return strings.ReplaceAll(h.Expand(job(name, "helm.sh/hook: "+of, "")), "namespace: "+h.Namespace+"\n", "namespace: "+h.Namespace+"-own\n")
	}
	h.Configure(fmt.Sprintf(`resource "k8sconnect_manifests" "test" {
  manifests = {
    role = <<-EOT
%sEOT
  }
  hooks = {
    first = <<-EOT
%sEOT
    saves = <<-EOT
%sEOT
  }
}
resource "k8sconnect_manifest" "space" {
  yaml_body = <<-EOT
%sEOT
}
`, role, hook("first", "pre-install"), hook("saves", "pre-delete"), space))
	h.Do("apply", "-auto-approve")
	h.Live("batch/v1 Job NS-own/first")
	h.Do("destroy", "-auto-approve", "-target=k8sconnect_manifest.space")
	out := h.Do("destroy", "-auto-approve")
	if !story.Saying("Hooks Not Run").MatchString(out) || !h.Gone("rbac.authorization.k8s.io/v1 ClusterRole NS-role") {
		t.Errorf("the role stays, or it is not said that hooks did not run:\n%s", out)
	}
}

// An update of a set whose manifests are known only during the apply says that it shows nothing.
func TestSetWhoseManifestsArriveDuringTheApply(t *testing.T) {
	h := newHooked(t)
	configure := func(trigger string) {
		h.Configure(h.Expand(`resource "terraform_data" "t" {
  input            = "a"
  triggers_replace = "` + trigger + `"
}
resource "k8sconnect_manifests" "test" {
  manifests = { (terraform_data.t.output) = <<-EOT
` + configMap("a", "1") + `EOT
  }
}
`))
	}
	notShown := story.Saying("Objects Not Shown", "The plan does not know manifests")
	configure("1")
	if out := h.Do("apply", "-auto-approve"); notShown.MatchString(out) {
		t.Errorf("a create, which deletes nothing, warns:\n%s", out)
	}
	configure("2")
	if out := h.Do("apply", "-auto-approve"); !notShown.MatchString(out) {
		t.Errorf("the update does not warn:\n%s", out)
	}
}

// Of two releases of a chart with definitions, the error says how one leaves them out.
func TestTwoSetsWithOneDefinition(t *testing.T) {
	h := newHooked(t)
	h.Configure(h.Expand(`resource "k8sconnect_manifests" "test" {
  for_each  = toset(["one", "two"])
  manifests = { kind = <<-EOT
` + operatorFile["kind"] + `EOT
  }
}
`))
	out := h.Exits(story.Refused, "plan")
	if !story.Saying("Object Managed Twice", `key => text if !startswith(key, "apiextensions.k8s.io/")`).MatchString(out) {
		t.Error(out)
	}
}
