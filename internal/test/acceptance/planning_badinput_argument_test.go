package acceptance_test

import (
	"regexp"
	"strings"
	"testing"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
)

// badArguments are arguments that Terraform or the provider refuses before any call.
var badArguments = []badInput{
	{name: "body missing", block: "resource \"k8sconnect_manifest\" \"NAME\" {\n}\n"},
	{name: "body empty", block: "resource \"k8sconnect_manifest\" \"NAME\" {\n  yaml_body = \"\"\n}\n"},
	{name: "body an object", block: "resource \"k8sconnect_manifest\" \"NAME\" {\n  yaml_body = { kind = \"ConfigMap\" }\n}\n"},
	{name: "manifest beside a body", arguments: `manifest = { apiVersion = "v1", kind = "ConfigMap", metadata = { name = "web" } }`},
	{name: "manifest a list", block: objectManifest(`[{ kind = "ConfigMap" }]`)},
	{name: "manifest a text", block: objectManifest(`"kind: ConfigMap"`)},
	{name: "manifest empty", block: objectManifest(`{}`)},
	{name: "manifest without a kind", block: objectManifest(`{ apiVersion = "v1", kind = null, metadata = { name = "web" } }`)},
	{name: "manifest with a number as name", block: objectManifest(`{ apiVersion = "v1", kind = "ConfigMap", metadata = { name = 7 } }`)},
	{name: "manifest with generateName", block: objectManifest(`{ apiVersion = "v1", kind = "ConfigMap", metadata = { generateName = "web-" } }`)},
	{name: "manifest a List", block: objectManifest(`{ apiVersion = "v1", kind = "List", items = [] }`)},
	{name: "manifest from a cluster", block: objectManifest(`{ apiVersion = "v1", kind = "ConfigMap", metadata = { name = "web", uid = "0b1c-22" } }`)},
	{name: "patch of a type that does not exist", block: patchOf(`patch = { type = "json-patch", body = "[]" }`)},
	{name: "patch of two forms", block: patchOf(`manifest = { data = { a = "1" } }`, `yaml_body = "data: {a: b}"`)},
	{name: "patch with a directive", block: patchOf(`manifest = { data = { "$patch" = "delete" } }`)},
	{name: "patch of another object", block: patchOf(`manifest = { metadata = { name = "other" } }`)},
	{name: "ignore path empty", arguments: `ignore_fields = [""]`},
	{name: "ignore path null", arguments: `ignore_fields = [null]`},
	{name: "ignore path with a bracket that stays open", arguments: `ignore_fields = ["spec.ports[0"]`},
	{name: "ignore path with a quote that stays open", arguments: `ignore_fields = ["metadata.annotations[\"a]"]`},
	{name: "ignore path with a key without a value", arguments: `ignore_fields = ["spec.ports[name=]"]`},
	{name: "ignore path with a dot before a bracket", arguments: `ignore_fields = ["spec.[0]"]`},
	{name: "ignore path with a filter of JSONPath", arguments: `ignore_fields = [".spec.containers[?(@.name==\"app\")].image"]`},
	{name: "ignore path with names in single quotes", arguments: `ignore_fields = ["$['spec']['replicas']"]`},
	{name: "ignore path as JSONPath", arguments: `ignore_fields = ["$.spec.replicas"]`},
	{name: "ignore path as JSONPath with a filter", arguments: `ignore_fields = ["$.spec.template.spec.containers[?(@.name=='app')].image"]`},
	{name: "ignore path as a JSON pointer with a position", arguments: `ignore_fields = ["/spec/template/spec/containers/0/image"]`},
	{name: "ignore path as a JSON pointer", arguments: `ignore_fields = ["/spec/replicas"]`},
	{name: "sensitive path as a JSON pointer", arguments: `sensitive_fields = ["/data/a"]`},
	{name: "removed field that is set", arguments: `remove_fields = ["data"]`},
	{name: "list path as JSONPath", arguments: `list_lengths = { "$.spec.ports" = { max = 2 } }`},
	{name: "wait path as a JSON pointer", arguments: `wait = { fields = { "/status/phase" = "Active" } }`},
	{name: "ignore path of everything", arguments: `ignore_fields = ["*"]`},
	{name: "ignore path of the name", arguments: `ignore_fields = ["metadata.name"]`},
	{name: "ignore path of the kind", arguments: `ignore_fields = ["kind"]`},
	{name: "ignore fields a text", arguments: `ignore_fields = "data.colour"`},
	{name: "ignored manager empty", arguments: `ignore_managers = [""]`},
	{name: "ignored manager null", arguments: `ignore_managers = [null]`},
	{name: "ignored manager with a star inside", arguments: `ignore_managers = ["argo*cd"]`},
	{name: "ignored manager too long", arguments: `ignore_managers = ["` + repeated("m", 129) + `"]`},
	{name: "taken over manager with a star", arguments: `take_over_managers = ["kubectl-*"]`},
	{name: "taken over manager twice", arguments: `take_over_managers = ["kubectl", "kubectl"]`},
	{name: "taken over manager null", arguments: `take_over_managers = [null]`},
	{name: "field manager empty", arguments: `field_manager = ""`},
	{name: "field manager too long", arguments: `field_manager = "` + repeated("ü", 64) + `m"`},
	{name: "field manager of two lines", arguments: `field_manager = "a\nb"`},
	{name: "unknown conflict policy", arguments: `on_conflict = "ignore"`},
	{name: "timeout without a unit", arguments: "timeouts {\n    create = \"30\"\n  }"},
	{name: "timeout in days", arguments: "timeouts {\n    delete = \"1d\"\n  }"},
	{name: "negative timeout", arguments: "timeouts {\n    update = \"-5s\"\n  }"},
	{name: "timeout of nothing", arguments: "timeouts {\n    read = \"0s\"\n  }"},
	{name: "unknown argument", arguments: `yaml = "a"`},
	{name: "computed argument", arguments: `managed_state = {}`},

	{name: "cluster empty", arguments: `cluster = {}`},
	{name: "cluster by two ways", arguments: `cluster = { config_path = "~/.kube/config", host = "https://a.example.com", token = "hunter2" }`},
	{name: "kubeconfig is a path", arguments: `cluster = { kubeconfig = "~/.kube/config" }`},
	{name: "kubeconfig is other YAML", arguments: `cluster = { kubeconfig = "token: hunter2" }`},
	{name: "kubeconfig without current-context", arguments: `cluster = { kubeconfig = ` + kubeconfigWith("", "c") + ` }`},
	{name: "kubeconfig with an undefined current-context", arguments: `cluster = { kubeconfig = ` + kubeconfigWith("prod", "c") + ` }`},
	{name: "kubeconfig with an undefined cluster", arguments: `cluster = { kubeconfig = ` + kubeconfigWith("dev", "other") + ` }`},
	{name: "context not in kubeconfig", arguments: `cluster = { context = "staging", kubeconfig = ` + kubeconfigWith("dev", "c") + ` }`},
	{name: "context without a kubeconfig", arguments: `cluster = { context = "staging", host = "https://a.example.com", token = "hunter2" }`},
	{name: "host without a scheme", arguments: `cluster = { host = "a.example.com:6443", token = "hunter2" }`},
	{name: "host with a password", arguments: `cluster = { host = "https://admin:hunter2@a.example.com", token = "hunter2" }`},
	{name: "host with a query", arguments: `cluster = { host = "https://a.example.com?token=hunter2", token = "hunter2" }`},
	{name: "host without credentials", arguments: `cluster = { host = "https://a.example.com" }`},
	{name: "plain host with credentials", arguments: `cluster = { host = "http://a.example.com", token = "hunter2" }`},
	{name: "token and a token file", arguments: `cluster = { host = "https://a.example.com", token = "hunter2", token_file = "token" }`},
	{name: "token file beside a kubeconfig", arguments: `cluster = { config_path = "~/.kube/config", token_file = "token" }`},
	{name: "in_cluster beside a host", arguments: `cluster = { in_cluster = true, host = "https://a.example.com", token = "hunter2" }`},
	{name: "in_cluster with a token", arguments: `cluster = { in_cluster = true, token = "hunter2" }`},
	{name: "two kinds of credentials", arguments: `cluster = { host = "https://a.example.com", token = "hunter2", exec = ` + plugin + ` }`},
	{name: "token beside a kubeconfig", arguments: `cluster = { config_path = "~/.kube/config", token = "hunter2" }`},
	{name: "certificate without its key", arguments: `cluster = { host = "https://a.example.com", client_certificate = "hunter2" }`},
	{name: "key without its certificate", arguments: `cluster = { host = "https://a.example.com", client_key = "hunter2" }`},
	{name: "certificate that is not PEM", arguments: `cluster = { host = "https://a.example.com", client_certificate = "hunter2", client_key = "hunter2" }`},
	{name: "authority that is not PEM", arguments: `cluster = { host = "https://a.example.com", token = "hunter2", cluster_ca_certificate = "ca.pem" }`},
	{name: "plugin without a command", arguments: `cluster = { host = "https://a.example.com", exec = { api_version = "client.authentication.k8s.io/v1", command = "" } }`},
	{name: "plugin of an old version", arguments: `cluster = { host = "https://a.example.com", exec = { api_version = "client.authentication.k8s.io/v1alpha1", command = "aws" } }`},
	{name: "plugin without a version", arguments: `cluster = { host = "https://a.example.com", exec = { command = "aws" } }`},
	{name: "proxy that is no URL", arguments: `cluster = { config_path = "~/.kube/config", proxy_url = "user:hunter2@proxy:3128" }`},
	{name: "proxy of another protocol", arguments: `cluster = { config_path = "~/.kube/config", proxy_url = "ftp://user:hunter2@proxy" }`},

	{name: "data source without a kind", block: ownershipOf(`api_version = "v1"`, `name = "web"`)},
	{name: "data source with a bad version", block: ownershipOf(`api_version = "a/b/c"`, `kind = "ConfigMap"`, `name = "web"`)},
	{name: "data source with a bad name", block: ownershipOf(`api_version = "v1"`, `kind = "ConfigMap"`, `name = "a/b"`)},
	{name: "data source with a bad namespace", block: ownershipOf(`api_version = "v1"`, `kind = "ConfigMap"`, `name = "web"`, `namespace = "Shop"`)},
	{name: "data source with a bad path", block: ownershipOf(`api_version = "v1"`, `kind = "ConfigMap"`, `name = "web"`, `path = "spec.[0]"`)},
}

// objectManifest returns the block of a resource whose manifest is an expression.
func objectManifest(expression string) string {
	return "resource \"k8sconnect_manifest\" \"NAME\" {\n  manifest = " + expression + "\n}\n"
}

// patchOf returns the block of a patch of a ConfigMap.
func patchOf(arguments ...string) string {
	return "resource \"k8sconnect_patch\" \"NAME\" {\n  target = { api_version = \"v1\", kind = \"ConfigMap\", namespace = \"default\", name = \"web\" }\n  " +
		strings.Join(arguments, "\n  ") + "\n}\n"
}

const plugin = `{ api_version = "client.authentication.k8s.io/v1", command = "aws" }`

// Every bad argument is refused by validate, at the argument, without a word of a credential.
func TestBadInputArguments(t *testing.T) {
	w := newBadInputStory(t).HostedWorkspace()
	writeInputs(w, badArguments)
	expectSaid(w, "arguments", badArguments, "validate")
}

// An error about a value inside of an argument has the line of that value, wherever it is.
func TestErrorsHaveTheLineOfTheValue(t *testing.T) {
	s := story.New(t)
	w := s.Workspace()
	body := s.Expand("yaml_body = \"apiVersion: v1\\nkind: ConfigMap\\nmetadata: {name: web, namespace: NS}\\n\"")
	resourceWith := func(name, arguments string) string {
		return "resource \"k8sconnect_manifest\" \"" + name + "\" {\n  " + body + "\n  " + arguments + "\n}\n"
	}
	w.Configure(
		resourceWith("until", "wait = {\n    until = \"later\"\n  }"),
		resourceWith("conditions", "wait = {\n    fields = {}\n    conditions = { Ready = \"true\" }\n  }"),
		resourceWith("host", "cluster = {\n    config_path = \"a\"\n    host = \"https://b\"\n  }"),
		resourceWith("timeouts", "timeouts {\n    create = \"1 h\"\n  }"),
		"resource \"k8sconnect_patch\" \"type\" {\n  target = { api_version = \"v1\", kind = \"ConfigMap\", name = \"web\" }\n  patch = {\n    body = \"[]\"\n    type = \"yaml\"\n  }\n}\n",
		"data \"k8sconnect_object\" \"data\" {\n  api_version = \"v1\"\n  kind = \"ConfigMap\"\n  name = \"web\"\n  wait = {\n    conditions = { Ready = \"yes\" }\n  }\n}\n",
	)
	out := w.Exits(story.Refused, "validate", "-no-color")
	for _, line := range []string{`until = "later"`, `conditions = { Ready = "true" }`, `host = "https://b"`, `create = "1 h"`, `type = "yaml"`, `conditions = { Ready = "yes" }`} {
		if !regexp.MustCompile(`\d+: +` + regexp.QuoteMeta(line)).MatchString(out) {
			t.Errorf("no error has the line %s", line)
		}
	}
	if found := regexp.MustCompile(`\d+: (resource|data) .*`).FindString(out); found != "" {
		t.Errorf("an error has the line %s:\n%s", found, out)
	}
	w.ConfigureProvider("{\n    config_path = \"a\"\n    host = \"https://b\"\n  }", resourceWith("web", ""))
	if out := w.Exits(story.Refused, "plan", "-no-color"); !regexp.MustCompile(`\d+: +host = "https://b"`).MatchString(out) {
		t.Errorf("the error about the provider has another line:\n%s", out)
	}
}
