package acceptance_test

import (
	"fmt"
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
)

// misread is a password that a template writes into YAML without quotes, where it means something else.
const misread = "hunter2-misread-4720"

// brokenBy are values in a template that break it, with the place of the mistake in a Secret and what is said of it.
var brokenBy = map[string]struct{ value, place, says string }{
	"an alias":             {"*" + misread, "line 6, column 13", "Values with special characters need quotes"},
	"a tag of numbers":     {"!!int " + misread, "line 6, column 13", "is not valid YAML"},
	"a tag of times":       {"!!timestamp " + misread, "line 6, column 13", "is not valid YAML"},
	"a character":          {"@" + misread, "line 6, column 13", "is not valid YAML"},
	"a quote":              {"'" + misread, "line 6, column 13", "the quote that begins there is not closed"},
	"text after quotes":    {`"a"` + misread, "line 6, column 16", "is not valid YAML"},
	"a colon":              {"a: " + misread + ": b", "line 6, column 14", "is not valid YAML"},
	"a line":               {"a\n  " + misread + "\n", "line 7, column 3", "is not valid YAML"},
	"a key twice":          {"a\n  " + misread + ": a\n  " + misread + ": b", "line 8, column 3", "repeats a key of line 7"},
	"a template":           {"{{ ." + misread + " }}", "line 6, column 13", "a template that was not rendered"},
	"a tab":                {"\n\t" + misread + ": a", "line 7, column 1", "Indent with spaces only"},
	"an indentation":       {"a\n    " + misread + ": a", "line 7, column 5", "not indented as the others"},
	"a map not closed":     {"{" + misread, "line 7, column 10", "is not closed"},
	"a merge of a text":    {"{<<: " + misread + "}", "line 6, column 14", "is not valid YAML"},
	"a block":              {"|" + misread, "line 6, column 14", "is not valid YAML"},
	"a list with an alias": {"[a, *" + misread + "]", "line 6, column 17", "is not valid YAML"},
	"an escape":            {`"\` + misread + `"`, "line 6, column 14", "is not valid YAML"},
}

// template returns a Secret with a value as a template writes it.
func template(value string) string {
	return "apiVersion: v1\nkind: Secret\nmetadata: {name: credentials, namespace: NS}\nstringData:\n  user: admin\n  password: " + value + "\n  more: b\n"
}

// readers are resources and outputs that read the text of the variable text.
var readers = map[string]string{
	"yaml_body": `resource "k8sconnect_manifest" "test" {
  yaml_body = var.text
}`,
	"yaml_body of a patch": `resource "k8sconnect_patch" "test" {
  target    = { api_version = "v1", kind = "Secret", namespace = "NS", name = "credentials" }
  yaml_body = var.text
}`,
	"yaml_body_wo": `resource "k8sconnect_manifest" "test" {
  yaml_body            = "{apiVersion: v1, kind: Secret, metadata: {name: credentials, namespace: NS}}"
  yaml_body_wo         = var.text
  yaml_body_wo_version = "1"
}`,
	"documents": `output "read" {
  sensitive = true
  value     = provider::k8sconnect::documents(var.text)
}`,
	"annotate_yaml": `output "read" {
  sensitive = true
  value     = provider::k8sconnect::annotate_yaml(var.text)
}`,
	"parse_managed_fields": `output "read" {
  sensitive = true
  value     = provider::k8sconnect::parse_managed_fields(var.text)
}`,
	"kustomize": `data "k8sconnect_kustomize" "test" {
  path = "kustomization"
}`,
}

// A text that is not the YAML that its author meant is an error with line and column, and no word of the text is printed or logged. One plan
// reads all texts by one reader.
func TestParserMessagesQuoteNothing(t *testing.T) {
	t.Parallel()
	for reader, block := range readers {
		t.Run(reader, func(t *testing.T) {
			s := story.New(t)
			w := s.HostedWorkspace()
			w.Env = append(w.Env, "TF_LOG=TRACE", "TF_LOG_PATH="+w.Dir+"/trace.log")
			names := slices.Sorted(maps.Keys(brokenBy))
			var blocks []string
			for i, name := range names {
				text, as := s.Expand(template(brokenBy[name].value)), fmt.Sprintf("_%d", i)
				w.Env = append(w.Env, "TF_VAR_text"+as+"="+text)
				story.Must(t, os.Mkdir(w.Dir+"/kustomization"+as, 0o700))
				story.Must(t, os.WriteFile(w.Dir+"/kustomization"+as+"/kustomization.yaml", []byte("resources: [secret.yaml]\n"), 0o600))
				story.Must(t, os.WriteFile(w.Dir+"/kustomization"+as+"/secret.yaml", []byte(text), 0o600))
				numbered := strings.NewReplacer(`"test"`, `"test`+as+`"`, `"read"`, `"read`+as+`"`, "var.text", "var.text"+as, `"kustomization"`, `"kustomization`+as+`"`)
				blocks = append(blocks, "variable \"text"+as+"\" {\n  type = string\n  sensitive = true\n}\n", numbered.Replace(s.Expand(block)))
			}
			w.Configure(blocks...)
			out, err := w.Try("plan")
			if err == nil {
				t.Fatalf("the plan has no error:\n%s", out)
			}
			failures := strings.Split(out, "Error: ")
			for i, name := range names {
				broken, of := brokenBy[name], regexp.MustCompile(fmt.Sprintf(`"(test|read)_%d"`, i))
				says := []string{broken.place, broken.says}
				switch reader {
				case "kustomize":
					says = []string{"Invalid Kustomization"}
				case "annotate_yaml", "parse_managed_fields":
					says = []string{broken.place}
				}
				isOf := func(failure string) bool {
					return of.MatchString(failure) && story.Saying(says...).MatchString(failure)
				}
				if !slices.ContainsFunc(failures, isOf) {
					t.Errorf("%s: want %q of number %d in:\n%s", name, says, i, out)
				}
			}
			log, _ := os.ReadFile(w.Dir + "/trace.log")
			for where, printed := range map[string]string{"the output": out, "the log": string(log)} {
				if at := strings.Index(printed, "hunter2"); at >= 0 {
					t.Errorf("%s quotes the text: ...%s", where, printed[max(0, at-300):min(len(printed), at+80)])
				}
			}
			if len(log) == 0 {
				t.Error("there is no log")
			}
		})
	}
}

// Values in places where they do not belong are not quoted either, in bodies that are valid YAML or JSON, and in other arguments.
func TestMisplacedValuesAreNotQuoted(t *testing.T) {
	s := story.New(t)
	w := s.HostedWorkspace()
	patch := func(kind, body string) string {
		return fmt.Sprintf("resource \"k8sconnect_patch\" \"test\" {\n  target = { api_version = \"v1\", kind = \"Secret\", namespace = \"NS\", name = \"a\" }\n  patch  = { type = %q, body = sensitive(%q) }\n}", kind, body)
	}
	manifest := func(body string) string {
		return fmt.Sprintf("resource \"k8sconnect_manifest\" \"test\" {\n  yaml_body = sensitive(%q)\n}", body)
	}
	object := func(hcl string) string {
		return "resource \"k8sconnect_manifest\" \"test\" {\n  manifest = " + hcl + "\n}"
	}
	for name, test := range map[string]struct{ block, says string }{
		"a text":                   {manifest(misread), "the document is a string, not an object"},
		"the name of a file":       {manifest(misread + ".yaml"), "Write file(...)"},
		"an apiVersion":            {manifest("apiVersion: a/" + misread + "/b\nkind: A\nmetadata: {name: a}"), "apiVersion is not of the form group/version"},
		"metadata":                 {manifest("apiVersion: v1\nkind: A\nmetadata: " + misread), "metadata is a string, not an object"},
		"a kind":                   {manifest("apiVersion: v1\nkind: [" + misread + "]\nmetadata: {name: a}"), "kind is a list, not a string"},
		"a uid":                    {manifest("apiVersion: v1\nkind: A\nmetadata: {name: a, uid: " + misread + "}"), "only the API server writes metadata.uid"},
		"an object as a text":      {object("sensitive(" + fmt.Sprintf("%q", misread) + ")"), "the value is not an object"},
		"metadata of an object":    {object(`{ apiVersion = "v1", kind = "A", metadata = "` + misread + `" }`), "metadata is a string, not an object"},
		"the version of an object": {object(`{ apiVersion = "a/` + misread + `/b", kind = "A", metadata = { name = "a" } }`), "apiVersion is not of the form group/version"},
		"a patch":                  {patch("merge", misread), "the body is not valid JSON at line 1, column 1"},
		"a patch without a quote":  {patch("merge", `{"data": {"a": "`+misread+`}}`), "it ends too early"},
		"an operation":             {patch("json", `["`+misread+`"]`), "operation 1 is a string, not an object"},
		"a number of a patch":      {patch("json", `[{"op": "replace", "path": "/data", "value": 1e999}]`), "patch"},
		"a kubeconfig":             {"provider \"k8sconnect\" {\n  alias = \"b\"\n  cluster = { kubeconfig = sensitive(\"users: [*" + misread + "]\") }\n}\ndata \"k8sconnect_object\" \"a\" {\n  provider = k8sconnect.b\n  api_version = \"v1\"\n  kind = \"A\"\n  name = \"a\"\n}", "is not the content of a kubeconfig"},
	} {
		t.Run(name, func(t *testing.T) {
			w.Configure(s.Expand(test.block))
			out, err := w.Try("plan")
			if err == nil || !story.Saying(test.says).MatchString(out) {
				t.Errorf("want %q in:\n%s", test.says, out)
			}
			// The CLI itself shows the configuration.
			said := regexp.MustCompile(`(?m)^.*(on main\.tf line| \d+: ).*$`).ReplaceAllString(out, "")
			if at := strings.Index(said, "hunter2"); at >= 0 {
				t.Errorf("the output quotes the value: ...%s", said[max(0, at-300):min(len(said), at+80)])
			}
		})
	}
}
