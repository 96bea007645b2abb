package acceptance_test

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
)

// secretly returns the argument secret_manifests.
func (s *set) secretly(manifests map[string]string) string {
	s.T.Helper()
	var text strings.Builder
	for _, key := range slices.Sorted(maps.Keys(manifests)) {
		fmt.Fprintf(&text, "    %q = %q\n", key, s.Expand(manifests[key]))
	}
	return "secret_manifests = {\n" + text.String() + "  }"
}

// unprinted asserts that an output has none of these values, in no form.
func (s *set) unprinted(out string, values ...string) {
	s.T.Helper()
	for _, value := range values {
		for _, form := range []string{value, base64.StdEncoding.EncodeToString([]byte(value))} {
			s.expect(out, "not", form)
		}
	}
}

// The values of Secrets in a text of many manifests are on the cluster, and in no output, whatever happens to them. So
// are those of other kinds in secret_manifests.
func TestSecretManifestsAreNotPrinted(t *testing.T) {
	s := newSet(t)
	of := func(password, token string) {
		t.Helper()
		text := configMap("open", "1") + "---\napiVersion: v1\nkind: Secret\nmetadata: {name: login, namespace: NS, annotations: {hint: " + password + "-hint}}\nstringData: {password: " + password + "}\n"
		story.Must(t, os.WriteFile(filepath.Join(s.Dir, "install.yaml"), []byte(s.Expand(text)), 0o600))
		s.ConfigureProvider(`{ config_path = "kubeconfig" }`, `
locals { text = file("${path.module}/install.yaml") }
resource "k8sconnect_manifests" "test" {
  manifests = provider::k8sconnect::documents(local.text, { secrets = "none", format = "json" })
  secret_manifests = merge(provider::k8sconnect::documents(local.text, { secrets = "only" }), {
    token = yamlencode({ apiVersion = "v1", kind = "ConfigMap", metadata = { name = "token", namespace = "`+s.Namespace+`" }, data = { a = "`+token+`" } })
  })
}`)
	}
	planned := func() string {
		t.Helper()
		out := s.Do("plan", "-out=saved")
		var plan struct {
			Changes []struct {
				Change struct {
					Sensitive map[string]any `json:"after_sensitive"`
				} `json:"change"`
			} `json:"resource_changes"`
		}
		story.Must(t, json.Unmarshal([]byte(s.Do("show", "-json", "saved")), &plan))
		if got := plan.Changes[0].Change.Sensitive; got["secret_manifests"] != true || got["manifests"] == true {
			t.Errorf("after_sensitive is %v", got)
		}
		return out + s.Do("show", "saved")
	}
	token := func() any {
		data, _ := s.Live("v1 ConfigMap token").Object["data"].(map[string]any)
		return data["a"]
	}
	of("hunter2-first", "token-first")
	out := planned()
	s.expect(out, "secret_manifests = (sensitive value)")
	out += s.Do("apply", "saved")
	s.settled()

	of("hunter2-second", "token-second")
	out += planned() + s.Do("apply", "saved")
	s.settled()
	password, _ := s.Live("v1 Secret login").Object["data"].(map[string]any)
	if password["password"] != base64.StdEncoding.EncodeToString([]byte("hunter2-second")) || token() != "token-second" {
		t.Errorf("the objects have %v and %v", password, token())
	}

	s.As("bob").Patch("v1 ConfigMap token", `{"data": {"a": "token-of-bob"}}`)
	drifted := planned()
	s.expect(drifted, "Field Ownership Conflict: ConfigMap NS/token (v1)", "data.a", "(sensitive, hmac-sha256:", `owned by "bob"`)
	out += drifted + s.Do("apply", "-auto-approve")
	s.settled()
	of("hunter2-second", strings.Repeat("token-large", 200_000))
	out += s.Exits(story.Refused, "apply", "-auto-approve")
	of("hunter2-second", "token-second")
	out += s.Do("apply", "-auto-approve") + s.Do("show") + s.Do("destroy", "-auto-approve")
	s.gone("v1 Secret login", "v1 ConfigMap token", "v1 ConfigMap open")
	s.unprinted(out, "hunter2-first", "hunter2-second", "token-first", "token-second", "token-of-bob", "token-large")
}

// Values and keys of secret_manifests may be known only after the apply.
func TestSecretManifestsThatAreNotKnown(t *testing.T) {
	s := newSet(t)
	of := func(input, key string) {
		t.Helper()
		s.ConfigureProvider(`{ config_path = "kubeconfig" }`, `resource "terraform_data" "token" { input = sensitive("`+input+`") }
resource "k8sconnect_manifests" "test" {
  manifests = { one = yamlencode({ apiVersion = "v1", kind = "ConfigMap", metadata = { name = "one", namespace = "`+s.Namespace+`" } }) }
  secret_manifests = { (`+key+`) = {
    apiVersion = "v1", kind = "Secret", metadata = { name = "login", namespace = "`+s.Namespace+`" }, stringData = { token = "of-the-set-${terraform_data.token.output}" }
  } }
}`)
	}
	var out string
	for _, step := range [][2]string{{"token-first", `"a"`}, {"token-second", `"a"`}, {"token-third", "nonsensitive(terraform_data.token.output)"}} {
		of(step[0], step[1])
		out += s.Do("apply", "-auto-approve")
		s.settled()
		data, _ := s.Live("v1 Secret login").Object["data"].(map[string]any)
		if data["token"] != base64.StdEncoding.EncodeToString([]byte("of-the-set-"+step[0])) {
			t.Errorf("the token is %v", data["token"])
		}
	}
	s.unprinted(out, "of-the-set-token-first", "of-the-set-token-second", "of-the-set-token-third")
	s.Do("destroy", "-auto-approve")
	s.gone("v1 Secret login")
}

// A manifest that moves between manifests and secret_manifests changes nothing on the cluster, also if another object
// fails.
func TestManifestBecomesSecret(t *testing.T) {
	s := newSet(t)
	s.quota("2")
	one, login := configMaps("token-one", "one"), map[string]string{"login": loginSecret}
	both := maps.Clone(one)
	maps.Copy(both, login)
	s.has(both)
	s.Do("apply", "-auto-approve")
	version := func() string {
		return s.Live("v1 ConfigMap one").GetResourceVersion() + " " + s.Live("v1 Secret login").GetResourceVersion()
	}
	before := version()
	for _, step := range []struct {
		manifests map[string]string
		argument  string
	}{
		{nil, s.secretly(both)},
		{one, s.secretly(login)},
		{nil, s.secretly(map[string]string{"uno": one["one"], "login": loginSecret})},
		{both, ""},
		{both, "secret_manifests = {}"},
	} {
		s.has(step.manifests, step.argument)
		s.expect(s.Do("apply", "-auto-approve"), "not", "will be destroyed", "Objects Deleted")
		s.settled()
		if after := version(); after != before {
			t.Errorf("with %v and %s the objects were %s, and are %s", step.manifests, step.argument, before, after)
		}
	}
	both["two"] = configMap("two", "token-two")
	s.has(nil, s.secretly(both))
	s.expect(s.Exits(story.Refused, "apply", "-auto-approve"), "exceeded quota")
	s.quota("9")
	s.Do("apply", "-auto-approve")
	s.settled()
	if after := version(); after != before {
		t.Errorf("the objects were %s, and are %s", before, after)
	}
	s.unprinted(s.Do("show")+s.Do("destroy", "-auto-approve"), "token-one", "token-two", "admin")
}

// Mistakes in secret_manifests are refused, and not quoted.
func TestSetRefusesBadSecretManifests(t *testing.T) {
	s := newSet(t)
	for name, tt := range map[string]struct {
		argument string
		want     string
	}{
		"a key of manifests":    {s.secretly(map[string]string{"one": loginSecret}), "manifests and secret_manifests both have these keys: one"},
		"an object of them":     {s.secretly(map[string]string{"uno": configMap("one", "hunter2")}), `manifests["one"] and secret_manifests["uno"] are both the manifest of ConfigMap NS/one (v1)`},
		"an object twice":       {s.secretly(map[string]string{"a": loginSecret, "b": loginSecret}), `secret_manifests["a"] and secret_manifests["b"] are both the manifest of Secret NS/login (v1)`},
		"no map":                {`secret_manifests = "hunter2"`, "secret_manifests is not a map"},
		"null":                  {`secret_manifests = { login = null }`, `secret_manifests["login"]: it is null`},
		"no YAML":               {s.secretly(map[string]string{"login": "a: *hunter2"}), `secret_manifests["login"]: line 1, column 4 is not valid YAML`},
		"no object":             {s.secretly(map[string]string{"login": "- hunter2"}), `secret_manifests["login"]`},
		"a write-only part":     {s.secretly(map[string]string{"login": loginSecret}) + "\n  manifests_wo = { login = \"kind: hunter2\" }\n  manifests_wo_version = \"1\"", `kind is not the same as in secret_manifests["login"]`},
		"no field of the kind":  {s.secretly(map[string]string{"web": strings.Replace(story.Deployment, "replicas: 3", "replicas: 3\n  hunter2: x", 1)}), "no such field"},
		"no value of the field": {s.secretly(map[string]string{"web": strings.Replace(story.Deployment, "replicas: 3", "replicas: hunter2", 1)}), "Deployment NS/web"},
	} {
		s.has(configMaps("1", "one"), tt.argument)
		out := s.Exits(story.Refused, "plan")
		s.expect(out, tt.want, "not", "hunter2")
		if t.Failed() {
			t.Fatal(name)
		}
	}
}

// An import writes Secrets into secret_manifests. A configuration without them does not delete what no read has seen.
func TestSecretsAreImportedUnprinted(t *testing.T) {
	s := newSet(t)
	s.As("kubectl").Apply(configMap("one", "1"))
	s.As("kubectl").Apply(loginSecret)
	block := s.imports("manager=kubectl,namespace=NS")
	s.ConfigureProvider(`{ config_path = "kubeconfig" }`, block)
	out := s.Exits(story.Refused, "plan", "-generate-config-out=generated.tf")
	s.expect(out, "Error: Imported Secrets Not Written: Secret NS/login (v1)", "would delete them")
	generated, err := os.ReadFile(filepath.Join(s.Dir, "generated.tf"))
	story.Must(t, err)
	s.expect(string(generated), "secret_manifests = null # sensitive")
	story.Must(t, os.Remove(filepath.Join(s.Dir, "generated.tf")))

	s.has(map[string]string{"core/ConfigMap/" + s.Namespace + "/one": configMap("one", "1")}, s.secretly(map[string]string{"core/Secret/" + s.Namespace + "/login": loginSecret}), "}"+block+"\nlocals {")
	planned := s.Do("plan")
	s.expect(planned, "Plan: 1 to import, 0 to add, 0 to change, 0 to destroy.")
	out += string(generated) + planned + s.Do("apply", "-auto-approve")
	s.settled()
	s.unprinted(out, "admin")
}

// A list of which no plan shows an item has another digest if one of its items changes. That is no work of a policy, be it
// another client's change that is taken back, or one of the manifest.
func TestSecretListsThatNoPolicyChanges(t *testing.T) {
	s := newSet(t)
	of := func(image string) {
		s.Configure("resource \"k8sconnect_manifests\" \"test\" {\n  manifests = {}\n  " + s.secretly(map[string]string{"web": `apiVersion: apps/v1
kind: Deployment
metadata: {name: web, namespace: NS}
spec:
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec: {containers: [{name: web, image: ` + image + `, env: [{name: A, value: a}]}]}
`}) + "\n}\n")
	}
	of("web:1")
	s.Do("apply", "-auto-approve")
	const policy = "a policy or a webhook makes"
	s.As("kubectl-set").StrategicPatch(story.Web, `{"spec":{"template":{"spec":{"containers":[{"name":"web","image":"web:0"}]}}}}`)
	s.expect(s.Do("plan"), "Field Ownership Conflict", "spec.template.spec.containers", "not", policy)
	s.Do("apply", "-auto-approve")
	s.As("kubectl-set").StrategicPatch(story.Web, `{"spec":{"template":{"spec":{"containers":[{"name":"web","image":"web:0"}]}}}}`)
	of("web:2")
	s.expect(s.Do("plan", "-out=plan"), "not", policy)
	s.expect(s.Do("apply", "plan"), "not", policy)
	of("web:3")
	s.expect(s.Do("plan", "-out=plan"), "not", policy, "Field Ownership")
	s.expect(s.Do("apply", "plan"), "not", policy)
	s.settled()
}

// Of many values of a Secret in secret_manifests, the error about one names its key.
func TestSecretManifestsNameTheKeyOfBadData(t *testing.T) {
	s := newSet(t)
	s.Configure("resource \"k8sconnect_manifests\" \"test\" {\n  manifests = {}\n  " + s.secretly(map[string]string{
		"tls": "apiVersion: v1\nkind: Secret\nmetadata: {name: tls, namespace: NS}\ndata: {tls.crt: YQ==, tls.key: hunter2!}\n",
	}) + "\n}\n")
	s.expect(s.Exits(story.Refused, "plan"), `data["tls.key"]`, "illegal base64", "not", "hunter2")
}
