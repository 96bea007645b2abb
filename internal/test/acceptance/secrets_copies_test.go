package acceptance_test

import (
	"archive/zip"
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
)

const (
	inCopy = "planted-in-copy-4720"
	// pin is short: digests do not protect it, and messages that quote it cannot be told from others.
	pin = "482911"
)

// copyOf returns the object as tools write it into an annotation.
func copyOf(s *story.Story, kind, fields string) string {
	return s.Expand(fmt.Sprintf(`{"apiVersion":"v1",%s,"kind":%q,"metadata":{"name":"copied","namespace":"NS"}}`, fields, kind))
}

func gzipped(t *testing.T, text string) string {
	t.Helper()
	var packed bytes.Buffer
	writer := gzip.NewWriter(&packed)
	_, err := writer.Write([]byte(text))
	story.Must(t, err)
	story.Must(t, writer.Close())
	return base64.StdEncoding.EncodeToString(packed.Bytes())
}

func zipped(t *testing.T, text string) string {
	t.Helper()
	var packed bytes.Buffer
	archive := zip.NewWriter(&packed)
	file, err := archive.Create("original")
	story.Must(t, err)
	_, err = file.Write([]byte(text))
	story.Must(t, err)
	story.Must(t, archive.Close())
	return base64.StdEncoding.EncodeToString(packed.Bytes())
}

// toolCopies returns annotations in which tools keep the text of an object, by names that are known and by others.
func toolCopies(t *testing.T, text string) map[string]string {
	t.Helper()
	return map[string]string{
		"kapp.k14s.io/original": text, "objectset.rio.cattle.io/applied": gzipped(t, text), "banzaicloud.com/last-applied": zipped(t, text),
		"example.com/backup": text, "example.com/packed": gzipped(t, text), "example.com/encoded": base64.StdEncoding.EncodeToString([]byte(text)),
		"example.com/note": "the password is " + inCopy + ".", "example.com/yaml": "data:\n  password: " + encoded(inCopy) + "\n",
	}
}

// secretData is what a data source returns of a Secret in an attribute of its own.
var secretData = regexp.MustCompile(`"secret_data":\{[^}]*\}`)

// keep returns all that a workspace keeps: states with private state in clear, and the states in a plan.
func (w *plantedWorkspace) keep() map[string]string {
	w.T.Helper()
	kept := map[string]string{}
	for _, name := range []string{"terraform.tfstate", "terraform.tfstate.backup"} {
		if text := w.read(name); text != "" {
			kept[name] = withoutBodies(w.T, text)
		}
	}
	for name, text := range w.archive("tfplan") {
		if strings.HasPrefix(name, "tfstate") {
			kept["tfplan/"+name] = withoutBodies(w.T, text)
		}
	}
	for name, text := range kept {
		kept[name] = secretData.ReplaceAllString(text, "")
	}
	return kept
}

// expectNothingKept asserts that neither outputs nor what the workspace keeps tells a secret, in clear or packed.
func (w *plantedWorkspace) expectNothingKept(packed []string, outputs ...string) {
	w.T.Helper()
	secrets := map[string]string{"the copy": inCopy}
	for _, text := range packed {
		secrets["the packed copy "+text[:8]] = text
	}
	kept := w.keep()
	for n, out := range outputs {
		kept[fmt.Sprint("output ", n)] = out
	}
	for _, where := range slices.Sorted(maps.Keys(kept)) {
		w.search(where, kept[where], secrets)
	}
	if state := kept["terraform.tfstate"]; state != "" && !strings.Contains(state, `"fieldsV1"`) {
		w.T.Errorf("private state is not in clear:\n%s", state)
	}
}

// copyStory is an object that kubectl and other tools made and keep copies of, and what another client does with it.
type copyStory struct{ kind, fields, config string }

func copyStories() map[string]copyStory {
	secret, text := `"data":{"password":"`+encoded(inCopy)+`"}`, `"data":{"password":"`+inCopy+`"}`
	adopted := "yaml_body = \"{apiVersion: v1, kind: %s, metadata: {name: copied, namespace: NS}}\"\n  adopt_existing = true\n  "
	writeOnly := "yaml_body_wo = yamlencode({ %s = { password = %q } })\n  yaml_body_wo_version = \"1\""
	manifest := "resource \"k8sconnect_manifest\" \"test\" {\n  %s\n}\n"
	patch := "resource \"k8sconnect_patch\" \"test\" {\n  target = { api_version = \"v1\", kind = %q, namespace = \"NS\", name = \"copied\" }\n  %s\n}\n"
	source := "  api_version = \"v1\"\n  kind = \"Secret\"\n  namespace = \"NS\"\n"
	return map[string]copyStory{
		"adopted with a write-only part": {"Secret", secret,
			fmt.Sprintf(manifest, fmt.Sprintf(adopted, "Secret")+fmt.Sprintf(writeOnly, "stringData", inCopy))},
		"adopted from stringData": {"Secret", `"stringData":{"password":"` + inCopy + `"}`,
			fmt.Sprintf(manifest, fmt.Sprintf(adopted, "Secret")+fmt.Sprintf(writeOnly, "data", encoded(inCopy)))},
		"imported": {"Secret", secret, "import {\n  to = k8sconnect_manifest.test\n  id = \"apiVersion=v1,kind=Secret,namespace=NS,name=copied\"\n}\n" +
			fmt.Sprintf(manifest, `yaml_body = sensitive("{apiVersion: v1, kind: Secret, metadata: {name: copied, namespace: NS}, data: {password: `+encoded(inCopy)+`}}")`)},
		"a label by a patch": {"Secret", secret, fmt.Sprintf(patch, "Secret", `yaml_body = "metadata: {labels: {team: a}}"`)},
		"a label by a merge patch": {"Secret", secret,
			fmt.Sprintf(patch, "Secret", `patch = { type = "merge", body = jsonencode({ metadata = { labels = { team = "a" } } }) }`)},
		"a label by a JSON patch": {"Secret", secret, fmt.Sprintf(patch, "Secret",
			`patch = { type = "json", body = jsonencode([{ op = "add", path = "/metadata/labels", value = { team = "a" } }]) }`)},
		"copied by a JSON patch": {"Secret", secret, fmt.Sprintf(patch, "Secret",
			`patch = { type = "json", body = jsonencode([{ op = "copy", from = "/data/password", path = "/metadata/annotations/copied" }]) }`)},
		"a ConfigMap with a write-only part": {"ConfigMap", text,
			fmt.Sprintf(manifest, fmt.Sprintf(adopted, "ConfigMap")+fmt.Sprintf(writeOnly, "data", inCopy))},
		"a ConfigMap with sensitive fields": {"ConfigMap", text, fmt.Sprintf(manifest, fmt.Sprintf(adopted, "ConfigMap")+`sensitive_fields = ["data"]`)},
		"a ConfigMap by a patch with sensitive fields": {"ConfigMap", text,
			fmt.Sprintf(patch, "ConfigMap", "yaml_body = \"metadata: {labels: {team: a}}\"\n  sensitive_fields = [\"data.password\"]")},
		"read by data sources": {"Secret", secret,
			fmt.Sprintf(patch, "Secret", `yaml_body = "metadata: {labels: {team: a}}"`) +
				"data \"k8sconnect_object\" \"a\" {\n" + source + "  name = \"copied\"\n}\noutput \"a\" {\n  value = data.k8sconnect_object.a.object\n}\n" +
				"data \"k8sconnect_objects\" \"b\" {\n" + source + "}\noutput \"b\" {\n  value = data.k8sconnect_objects.b\n}\n" +
				"data \"k8sconnect_field_ownership\" \"c\" {\n" + source + "  name = \"copied\"\n}\noutput \"c\" {\n  value = data.k8sconnect_field_ownership.c\n}\n"},
	}
}

// A copy of secret values that a tool keeps in an annotation is as secret as the values, and so are the maps around it. It is
// recognized by what it contains, also where it is in base64 or compressed.
func TestCopiesOfSecretsStayUndisclosed(t *testing.T) {
	t.Parallel()
	for name, test := range copyStories() {
		t.Run(name, func(t *testing.T) {
			s := story.New(t)
			w := &plantedWorkspace{Workspace: s.HostedWorkspace()}
			text := copyOf(s, test.kind, test.fields)
			s.As("kubectl-client-side-apply").ApplyClientSide(text)
			target := "v1 " + test.kind + " copied"
			copies := toolCopies(t, text)
			annotations, err := json.Marshal(copies)
			story.Must(t, err)
			s.As("other-tool").Patch(target, `{"metadata":{"annotations":`+string(annotations)+`}}`)
			packed := []string{copies["objectset.rio.cattle.io/applied"], copies["banzaicloud.com/last-applied"], copies["example.com/packed"], copies["example.com/encoded"]}

			w.Configure(s.Expand(test.config))
			planned := w.Do("plan", "-out=tfplan")
			w.expectNothingKept(packed, planned)
			applied := w.Do("apply", "tfplan")
			again := w.Do("plan", "-out=tfplan")
			w.expectNothingKept(packed, applied, again)
			if !strings.Contains(again, "No changes.") && !strings.Contains(test.config, "output") {
				t.Errorf("a plan after the apply:\n%s", again)
			}
			if _, has := s.As("x").Live(target).GetAnnotations()["kapp.k14s.io/original"]; !has {
				t.Error("the annotations of others are gone")
			}
		})
	}
}

// An annotation of a Secret that contains none of its values is shown as it is.
func TestOtherAnnotationsOfSecretsAreShown(t *testing.T) {
	s := story.New(t)
	w := s.HostedWorkspace()
	s.As("bob").Apply("apiVersion: v1\nkind: Secret\nmetadata: {name: copied, namespace: NS, annotations: {example.com/note: checked by the auditor}, " +
		"labels: {app: frontend}}\ndata: {password: " + encoded(inCopy) + ", user: " + encoded("frontend") + "}\n")
	w.Configure(s.Expand("data \"k8sconnect_object\" \"a\" {\n  api_version = \"v1\"\n  kind = \"Secret\"\n  namespace = \"NS\"\n  name = \"copied\"\n}\n" +
		"output \"a\" {\n  value = data.k8sconnect_object.a.object.metadata\n}\n"))
	w.Do("apply", "-auto-approve")
	if out := w.Do("output", "-json"); !strings.Contains(out, "checked by the auditor") || !strings.Contains(out, "frontend") {
		t.Errorf("the annotation or the label is hidden:\n%s", out)
	}
}
