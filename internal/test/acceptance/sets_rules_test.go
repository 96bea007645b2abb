package acceptance_test

import (
	"encoding/base64"
	"fmt"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
)

// Rules of the provider block hold for the objects of a set, and a rule that comes or goes is planned.
func TestSetUnderRules(t *testing.T) {
	s := newSet(t)
	manifests := configMaps("1", "one", "two")
	s.has(manifests)
	s.Do("apply", "-auto-approve")
	s.As("bob").Patch("v1 ConfigMap one", `{"data": {"a": "9"}}`)

	s.rules = `[{ kinds = ["ConfigMap"], ignore_managers = ["bob"] }]`
	s.has(manifests)
	s.Exits(story.Changes, "plan", "-detailed-exitcode")
	s.Do("apply", "-auto-approve")
	s.settled()
	if got, _ := s.Live("v1 ConfigMap one").Object["data"].(map[string]any); got["a"] != "9" {
		t.Errorf("the value that the rule leaves to bob is %v", got)
	}

	s.rules = `[{ names = ["o*"], on_conflict = "fail" }]`
	s.has(manifests)
	s.expect(s.Exits(story.Refused, "plan"), `data.a: "9" -> "1", owned by "bob"`, "on_conflict")

	s.rules = ""
	s.has(manifests)
	s.expect(s.Do("apply", "-auto-approve"), `data.a: "9" -> "1", owned by "bob"`)
	s.settled()
}

// Rules of the set itself count before those of the provider block, and the messages name them. A rule that leaves a
// field keeps its value.
func TestSetWithRulesOfItsOwn(t *testing.T) {
	s := newSet(t)
	manifests := configMaps("1", "one", "two")
	s.rules = `[{ kinds = ["ConfigMap"], namespaces = ["*"], names = ["*"], on_conflict = "fail" }]`
	s.has(manifests)
	s.Do("apply", "-auto-approve")
	s.As("bob").Patch("v1 ConfigMap one", `{"data": {"a": "9"}}`)
	out := s.Exits(story.Refused, "plan")
	s.expect(out, `rules[0] of the provider block`, `add this to rules:`,
		`{ kinds = ["ConfigMap"], namespaces = ["NS"], names = ["one"], ignore_fields = ["data.a"] }`)

	line := `{ kinds = ["ConfigMap"], namespaces = ["` + s.Expand("NS") + `"], names = ["one"], ignore_fields = ["data.a"] }`
	s.has(manifests, `rules = [{ kinds = ["ConfigMap"], on_conflict = "force" }, `+line+`]`)
	s.expect(s.Exits(story.Changes, "plan", "-detailed-exitcode"), "not", "NS/two")
	s.Do("apply", "-auto-approve")
	s.settled()
	if got, _ := s.Live("v1 ConfigMap one").Object["data"].(map[string]any); got["a"] != "9" {
		t.Errorf("the value that the rule leaves to bob is %v", got)
	}
	s.As("bob").Patch("v1 ConfigMap two", `{"data": {"a": "8"}}`)
	s.expect(s.Do("apply", "-auto-approve"), `data.a: "8" -> "1", owned by "bob"`)

	s.has(manifests, `rules = [{ kinds = ["ConfigMap"], delete_protection = true }]`)
	s.As("bob").Patch("v1 ConfigMap one", `{"metadata": {"labels": {"x": "y"}}}`)
	s.expect(s.Exits(story.Refused, "plan"), `data.a: "9" -> "1", owned by "bob"`)
	s.rules = ""
	s.has(manifests, `rules = [{ kinds = ["ConfigMap"], delete_protection = true }]`)
	s.Do("apply", "-auto-approve")
	s.settled()
	s.expect(s.Exits(story.Refused, "destroy", "-auto-approve"), "Object Protected", "rules[0] of the resource has delete_protection = true")
	s.has(manifests)
	s.expect(s.Exits(story.Refused, "destroy", "-auto-approve"), "Object Protected", "rules[0] of the resource has delete_protection = true")
	s.Do("apply", "-auto-approve")
	s.Do("destroy", "-auto-approve")
}

// Rules with mistakes are refused before any request.
func TestSetRefusesBadRules(t *testing.T) {
	s := newSet(t)
	for rules, want := range map[string]string{
		`[{ kind = ["ConfigMap"], on_conflict = "fail" }]`:      `rules[0] has the key kind, which no rule has. Write kinds.`,
		`[{ kinds = ["ConfigMap"] }]`:                           "rules[0] adds nothing.",
		`[{ kinds = ["ConfigMap"], ignore_fields = ["a[b"] }]`:  `a[b`,
		`{ kinds = ["ConfigMap"], ignore_fields = ["data.a"] }`: "rules is not a list.",
	} {
		s.has(configMaps("1", "one"), "rules = "+rules)
		s.expect(s.Exits(story.Refused, "validate"), want)
	}
	s.has(configMaps("1", "one", "two"), `rules = [{ kinds = ["ConfigMop"], on_conflict = "fail" }]`)
	out := s.Do("plan")
	if s.expect(out, `rules[0] of the resource: "ConfigMop"`); strings.Count(out, "Kind of Rule Not Served") != 1 {
		t.Errorf("not told once:\n%s", out)
	}
	s.has(map[string]string{"one": "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: one, namespace: NS}\ndata: {colour: red}\n"},
		`rules = [{ kinds = ["ConfigMap"], ignore_fields = ["data.color"] }]`)
	s.expect(s.Do("plan"), "Field of Rule Not Found", `rules[0] of the resource: ignore_fields has "data.color", which matches no field of ConfigMap`, "data.colour")
	s.has(configMaps("1", "one"), `rules = [{ kinds = [terraform_data.kind.id], on_conflict = "fail" }]`, "}\nresource \"terraform_data\" \"kind\" {")
	s.expect(s.Exits(story.Refused, "plan"), "rules has a value that is known only after the apply")
}

// remove_fields in rules takes away what an adoption leaves with its owner, and the warning of the adoption prints the rule.
func TestSetRemovesFieldsByRule(t *testing.T) {
	s := newSet(t)
	const rule = `{ kinds = ["ConfigMap"], namespaces = ["NS"], names = ["one"], remove_fields = ["data.b"] }`
	data := func(want string) {
		t.Helper()
		if got := fmt.Sprint(s.Live("v1 ConfigMap one").Object["data"]); got != want {
			t.Errorf("data: %s, want %s", got, want)
		}
	}
	manifests := configMaps("1", "one")
	s.As("kubectl-client-side-apply").Create(story.ConfigMapIn("one", `data: {a: "1", b: "2"}`))
	s.has(manifests, "adopt_existing = true")
	s.expect(s.Do("apply", "-auto-approve"), "stays with its owner", "data.b", "add this to rules:", rule)
	data("map[a:1 b:2]")
	own := s.Expand("rules = [" + rule + "]")
	s.has(manifests, "adopt_existing = true", own)
	s.expect(s.Do("apply", "-auto-approve"), `data.b: "2", removed, owned by "kubectl-client-side-apply"`, "1 changed")
	data("map[a:1]")
	s.settled()
	s.As("bob").Patch("v1 ConfigMap one", `{"data": {"b": "3"}}`)
	s.expect(s.Do("apply", "-auto-approve"), `data.b: "3", removed, owned by "bob"`)
	data("map[a:1]")
	s.has(map[string]string{"one": story.ConfigMapIn("one", `data: {a: "1", b: "4"}`)}, own)
	s.expect(s.Exits(story.Refused, "plan"), "data.b", "remove_fields")
	s.rules = `[{ kinds = ["ConfigMap"], remove_fields = ["data.b"] }]`
	s.has(manifests)
	s.Do("apply", "-auto-approve")
	s.settled()
	data("map[a:1]")
}

// A value that the server refuses, and that another manager has replaced on the object, names the owner and the rule or
// line that leaves the value to it. With that, plans are in order, and the value stays.
func TestPlaceholderThatAnotherManagerFills(t *testing.T) {
	t.Parallel()
	const definition = "{apiVersion: apiextensions.k8s.io/v1, kind: CustomResourceDefinition, metadata: {name: foos.NS.example.com}, spec: {group: NS.example.com, " +
		"scope: Namespaced, names: {plural: foos, kind: Foo}, versions: [{name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object}}}], " +
		"conversion: {strategy: Webhook, webhook: {conversionReviewVersions: [v1], clientConfig: {caBundle: Cg==, service: {name: w, namespace: NS, path: /convert}}}}}}"
	const target, field = "apiextensions.k8s.io/v1 CustomResourceDefinition foos.NS.example.com", "spec.conversion.webhook.clientConfig.caBundle"
	inject := func(s *set) {
		authority := base64.StdEncoding.EncodeToString(s.AddUser("injector").CAData)
		authority = strings.ReplaceAll(authority, "NS", `N\u0053`) // Patch writes the namespace for NS.
		s.As("cert-manager-cainjector").Patch(target, `{"spec": {"conversion": {"webhook": {"clientConfig": {"caBundle": "`+authority+`"}}}}}`)
		// Only after the definition is established with a real bundle does the server refuse "Cg==" again.
		s.Await("the definition is established", func() bool {
			return strings.Contains(story.AsJSON(s.Live(target).Object["status"]), `"status":"True","type":"Established"`)
		})
	}
	stays := func(s *set) {
		t.Helper()
		bundle, _, _ := unstructured.NestedString(s.Live(target).Object, strings.Split(field, ".")...)
		if bundle == "Cg==" || bundle == "" {
			t.Errorf("the caBundle is %q", bundle)
		}
	}
	t.Run("in a set", func(t *testing.T) {
		s := newSet(t)
		manifests := map[string]string{"foos": definition}
		s.has(manifests)
		s.Do("apply", "-auto-approve")
		inject(s)
		rule := `{ kinds = ["CustomResourceDefinition"], names = ["foos.NS.example.com"], ignore_fields = ["` + field + `"] }`
		s.expect(s.Exits(story.Refused, "plan"), "Invalid Object", field+`, owned by "cert-manager-cainjector"`, "add this to rules:", rule)
		s.has(manifests, s.Expand("rules = ["+rule+"]"))
		s.Do("apply", "-auto-approve")
		s.settled()
		stays(s)
	})
	t.Run("alone", func(t *testing.T) {
		s := newSet(t)
		s.Configure(s.Manifest("test", definition))
		s.Do("apply", "-auto-approve")
		inject(s)
		line := `ignore_fields = ["` + field + `"]`
		s.expect(s.Exits(story.Refused, "plan"), field+`, owned by "cert-manager-cainjector"`, line)
		s.Configure(s.Manifest("test", definition, line))
		s.Do("apply", "-auto-approve")
		s.settled()
		stays(s)
	})
}

// What other managers have done to several objects is told once, with a rule for all of them.
func TestRuleForSeveralObjects(t *testing.T) {
	s := newSet(t)
	manifests := configMaps("1", "one", "two", "three", "four")
	s.has(manifests)
	s.Do("apply", "-auto-approve")
	for _, name := range []string{"three", "one", "two"} {
		s.As("bob").Patch("v1 ConfigMap "+name, `{"data": {"a": "9"}}`)
	}
	rule := `{ kinds = ["ConfigMap"], namespaces = ["NS"], names = ["one", "three", "two"], ignore_fields = ["data.a"] }`
	s.expect(s.Do("plan"), rule, "not", "more similar warning")
	s.has(manifests, "rules = ["+s.Expand(rule)+"]")
	s.expect(s.Do("apply", "-auto-approve"), "not", "Field Ownership Conflict")
	s.settled()
}
