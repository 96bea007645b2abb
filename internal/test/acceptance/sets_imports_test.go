package acceptance_test

import (
	"maps"
	"testing"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
)

// imports writes an import block before the next configuration.
func (s *set) imports(id string) string {
	return "\nimport {\n  to = k8sconnect_manifests.test\n  id = \"" + s.Expand(id) + "\"\n}\n"
}

// An import finds what the manager of a set has applied, whatever the kinds. The first plan is empty, and the set goes on.
func TestSetIsImportedByItsManager(t *testing.T) {
	s := newSet(t)
	manifests := map[string]string{
		"core/ConfigMap/NS/one": configMap("one", "1"), "core/Secret/NS/login": loginSecret, "apps/Deployment/NS/web": story.Deployment,
		"core/Service/NS/web": "apiVersion: v1\nkind: Service\nmetadata: {name: web, namespace: NS}\nspec: {selector: {app: web}, ports: [{port: 80}]}\n",
	}
	expanded := map[string]string{}
	for key, text := range manifests {
		expanded[s.Expand(key)] = text
	}
	s.has(expanded)
	s.Do("apply", "-auto-approve")
	manager, uid := s.manager("v1 ConfigMap one"), s.uid("apps/v1 Deployment web")
	s.As("bob").Patch("v1 ConfigMap one", `{"data": {"theirs": "1"}}`)

	s.Do("state", "rm", "k8sconnect_manifests.test")
	login := s.Expand("core/Secret/NS/login")
	delete(expanded, login)
	secret := s.secretly(map[string]string{login: loginSecret})
	s.has(expanded, secret, "}"+s.imports("manager="+manager)+"\nlocals {")
	out := s.Do("plan")
	s.expect(out, "Plan: 1 to import, 0 to add, 0 to change, 0 to destroy.", `"data.theirs" = { owners`, "not", "theirs = ")
	s.Do("apply", "-auto-approve")
	s.settled()
	if got := s.manager("v1 ConfigMap one"); got != manager {
		t.Errorf("the field manager was %q, and is %q", manager, got)
	}

	changed := maps.Clone(expanded)
	changed[s.Expand("core/ConfigMap/NS/one")] = configMap("one", "2")
	s.has(changed)
	s.Do("apply", "-auto-approve")
	s.settled()
	s.gone("v1 Secret login")
	if s.uid("apps/v1 Deployment web") != uid {
		t.Error("the Deployment was created again")
	}
	if data, _ := s.Live("v1 ConfigMap one").Object["data"].(map[string]any); data["a"] != "2" || data["theirs"] != "1" {
		t.Errorf("the ConfigMap has %v", data)
	}
	s.Do("destroy", "-auto-approve")
	s.gone("v1 ConfigMap one", "apps/v1 Deployment web")
}

// What kubectl has applied on the server becomes a set, under the same manager, without a change of a value.
func TestSetOfKubectlIsImported(t *testing.T) {
	s := newSet(t)
	for _, name := range []string{"one", "two"} {
		s.As("kubectl").Apply(configMap(name, "1"))
	}
	before := s.Live("v1 ConfigMap one").GetResourceVersion()
	s.has(configMaps("1", "one", "two"), "}"+s.imports("manager=kubectl,namespace=NS")+"\nlocals {")
	s.expect(s.Do("apply", "-auto-approve"), "1 imported, 0 added, 1 changed, 0 destroyed")
	s.settled()
	if after := s.Live("v1 ConfigMap one").GetResourceVersion(); after != before {
		t.Error("the import has changed an object")
	}
	s.has(configMaps("1", "two"))
	s.expect(s.Do("apply", "-auto-approve"), "Objects Deleted: ConfigMap NS/one (v1)")
	s.gone("v1 ConfigMap one")
}

// An import that cannot work says what to write.
func TestSetRefusesBadImports(t *testing.T) {
	s := newSet(t)
	for id, want := range map[string]string{
		"apiVersion=v1,kind=ConfigMap,namespace=NS,name=one": "names no manager. Write the field manager that has applied the objects: manager=NAME",
		"manager=nobody-NS":               `No object has fields that the manager "nobody-NS" owns by server-side apply.`,
		"manager=nobody-NS,namespace=NS":  `No object of the namespace NS has fields that the manager "nobody-NS" owns`,
		"manager=a,manager=b":             "names no manager",
		"cluster=unheard-of,manager=some": "unheard-of",
	} {
		s.has(configMaps("1", "one"), "}"+s.imports(id)+"\nlocals {")
		s.expect(s.Exits(story.Refused, "plan"), want)
	}
}
