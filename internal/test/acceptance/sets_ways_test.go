package acceptance_test

import (
	"strings"
	"testing"
)

// resourcesOf writes resources for each of some ConfigMaps.
func (s *set) resourcesOf(kind, arguments string, names ...string) string {
	var all []string
	for _, name := range names {
		all = append(all, `"`+name+`" = <<-YAML`+"\n"+s.Expand(configMap(name, "1"))+"    YAML\n")
	}
	return "resource \"" + kind + "\" \"old\" {\n  for_each = {\n" + strings.Join(all, "") + "  }\n  yaml_body = each.value\n" + arguments + "}\n"
}

const forgetOld = "removed {\n  from = k8sconnect_manifest.old\n  lifecycle {\n    destroy = false\n  }\n}\n"

// The resources of a for_each become a set in one apply, without a change on the cluster.
func TestSetFromForEach(t *testing.T) {
	s := newSet(t)
	s.ConfigureProvider(`{ config_path = "kubeconfig" }`, s.resourcesOf("k8sconnect_manifest", "", "one", "two"))
	s.Do("apply", "-auto-approve")
	uid := s.uid("v1 ConfigMap one")
	s.has(configMaps("1", "one", "two"), `field_manager = "k8sconnect"`, "adopt_existing = true", "}\n"+forgetOld+"locals {")
	out := s.Do("apply", "-auto-approve")
	s.expect(out, "1 added, 0 changed, 0 destroyed", "not", "Conflict", "data.a: ")
	s.settled()
	if got := s.uid("v1 ConfigMap one"); got != uid {
		t.Error("the object was created again")
	}
	s.has(configMaps("2", "one"), `field_manager = "k8sconnect"`)
	s.Do("apply", "-auto-approve")
	s.settled()
	s.gone("v1 ConfigMap two")
}

// A set is split in one apply, without a change on the cluster: Terraform forgets it, and two sets with its field manager
// adopt the objects.
func TestSetIsSplit(t *testing.T) {
	s := newSet(t)
	s.has(configMaps("1", "one", "two"))
	s.Do("apply", "-auto-approve")
	uid, manager := s.uid("v1 ConfigMap two"), s.manager("v1 ConfigMap two")
	var halves strings.Builder
	for _, name := range []string{"one", "two"} {
		halves.WriteString("resource \"k8sconnect_manifests\" \"" + name + "\" {\n  adopt_existing = true\n  field_manager = \"" + manager +
			"\"\n  manifests = { " + name + " = <<-YAML\n" + s.Expand(configMap(name, "1")) + "    YAML\n  }\n}\n")
	}
	s.ConfigureProvider(`{ config_path = "kubeconfig" }`, halves.String()+strings.ReplaceAll(forgetOld, "k8sconnect_manifest.old", "k8sconnect_manifests.test"))
	s.expect(s.Do("apply", "-auto-approve"), "2 added, 0 changed, 0 destroyed", "not", "data.a: ")
	s.settled()
	if got := s.uid("v1 ConfigMap two"); got != uid {
		t.Error("the object was created again")
	}
	if entries := len(s.Live("v1 ConfigMap two").GetManagedFields()); entries != 1 {
		t.Errorf("the object has %d managers", entries)
	}
	s.Do("destroy", "-auto-approve")
	s.gone("v1 ConfigMap one", "v1 ConfigMap two")
}

// What a tool wrote by updates is taken over with the objects, so that a field that leaves the manifests leaves them, too.
func TestSetTakesOverARelease(t *testing.T) {
	s := newSet(t)
	for _, name := range []string{"one", "two"} {
		s.As("helm").Create("apiVersion: v1\nkind: ConfigMap\nmetadata: {name: " + name + ", namespace: NS}\ndata: {a: \"1\", b: \"1\"}\n")
	}
	with := func(data string) map[string]string {
		all := map[string]string{}
		for _, name := range []string{"one", "two"} {
			all[name] = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: " + name + ", namespace: NS}\ndata: " + data + "\n"
		}
		return all
	}
	s.has(with(`{a: "1", b: "1"}`), "adopt_existing = true", `take_over_managers = ["helm"]`)
	s.expect(s.Do("apply", "-auto-approve"), "Existing Object Adopted", "not", `"1" ->`)
	s.settled()
	s.has(with(`{a: "1"}`), "adopt_existing = true", `take_over_managers = ["helm"]`)
	s.Do("apply", "-auto-approve")
	s.settled()
	if data, _ := s.Live("v1 ConfigMap one").Object["data"].(map[string]any); data["b"] != nil {
		t.Errorf("the field that left the manifests stays: %v", data)
	}
}

// What a policy makes of a value that the manifest has as before is told: no attribute of a set shows it.
func TestSetTellsWhatAPolicyRewrites(t *testing.T) {
	s := newSet(t)
	marked := func(value string) map[string]string {
		return map[string]string{"one": strings.Replace(configMap("one", value), "namespace: NS}", "namespace: NS, annotations: {stamp: \"no\"}}", 1)}
	}
	s.has(marked("1"))
	s.Do("apply", "-auto-approve")
	s.InstallStamp()
	s.has(marked("2"))
	s.expect(s.Do("plan"), "ConfigMap NS/one (v1): the API server, a policy or a webhook makes another value of what manifests[\"one\"] has as before:",
		`metadata.annotations.stamp: "no" -> "yes"`)
	s.Do("apply", "-auto-approve")
	s.settled()
	s.Do("destroy", "-auto-approve")
}
