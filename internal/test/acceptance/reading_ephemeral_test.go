package acceptance_test

import (
	"archive/zip"
	"encoding/base64"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/testcluster"
)

// The value of a Secret goes through an ephemeral resource into another Secret: one GET in the plan and one in the apply. Neither
// the plan nor the state holds it.
func TestEphemeralSecret(t *testing.T) {
	r := newReader(t)
	const password = "hunter2-hunter2-hunter2"
	encoded := base64.StdEncoding.EncodeToString([]byte(password))
	r.As("vault").Apply("apiVersion: v1\nkind: Secret\nmetadata: {name: source, namespace: NS}\ndata: {password: " + encoded + ", store: /u3+7Q==}\n")
	r.Configure(
		r.block(ephemeralObject, "source", named("v1", "Secret", "source")),
		r.block(`resource "k8sconnect_manifest"`, "copy",
			`yaml_body = "apiVersion: v1\nkind: Secret\nmetadata: {name: copy, namespace: NS}\ndata: {store: /u3+7Q==}\n"`,
			"yaml_body_wo = yamlencode({ data = {",
			"  password = base64encode(ephemeral.k8sconnect_object.source.secret_data[\"password\"])",
			"  encoded = ephemeral.k8sconnect_object.source.object.data.password",
			"  store = ephemeral.k8sconnect_object.source.secret_data_base64[\"store\"]",
			"} })",
			"yaml_body_wo_version = 1"))
	sent, _ := r.Cost("plan", "-out=saved.plan")
	if want := "get secrets NS/source 200"; !strings.Contains(strings.Join(sent, "\n"), want) {
		t.Errorf("the plan sent %q", sent)
	}
	sent, _ = r.Cost("apply", "saved.plan")
	if got := strings.Count(strings.Join(sent, "\n"), "get secrets NS/source 200"); got != 1 {
		t.Errorf("the apply read the Secret %d times: %q", got, sent)
	}
	story.Must(t, r.ExpectLive("v1 Secret copy", map[string]any{"data.password": encoded, "data.encoded": encoded, "data.store": "/u3+7Q=="})(nil))
	files := r.contents()
	for name, content := range files {
		if strings.Contains(content, password) || strings.Contains(content, encoded) {
			t.Errorf("%s has the value", name)
		}
	}
	for _, name := range []string{"terraform.tfstate", "saved.plan/tfplan", "saved.plan/tfstate"} {
		if files[name] == "" {
			t.Errorf("%s is not among the files", name)
		}
	}
	r.Exits(story.Nothing, "plan", "-detailed-exitcode")
}

// contents returns the files of the workspace, with those inside of plans, which are archives. The provider is not among them.
func (r reader) contents() map[string]string {
	r.T.Helper()
	files := map[string]string{}
	story.Must(r.T, filepath.WalkDir(r.Dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		name, err := filepath.Rel(r.Dir, path)
		story.Must(r.T, err)
		content, err := os.ReadFile(path)
		files[name] = string(content)
		if archive, unzipped := zip.OpenReader(path); unzipped == nil {
			defer func() { _ = archive.Close() }()
			for _, inner := range archive.File {
				files[name+"/"+inner.Name] = unzip(r.T, inner)
			}
		}
		return err
	}))
	return files
}

func unzip(t *testing.T, file *zip.File) string {
	t.Helper()
	reader, err := file.Open()
	story.Must(t, err)
	defer func() { _ = reader.Close() }()
	content, err := io.ReadAll(reader)
	story.Must(t, err)
	return string(content)
}

// A connection that is known only after the apply is an error, and what the error says to do works.
func TestEphemeralObjectOfAnUnknownConnection(t *testing.T) {
	r := newReader(t)
	r.As("vault").Apply("apiVersion: v1\nkind: Secret\nmetadata: {name: source, namespace: NS}\nstringData: {password: hunter2}\n")
	const connection = "{ config_path = terraform_data.path.output }"
	config := func(lines ...string) []string {
		return []string{
			story.Later("path", "kubeconfig"), r.block(ephemeralObject, "source", append(lines, named("v1", "Secret", "source"))...),
			r.block(`resource "k8sconnect_manifest"`, "copy",
				`yaml_body = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: copy, namespace: NS}\n"`,
				`yaml_body_wo = yamlencode({ data = { password = ephemeral.k8sconnect_object.source.secret_data["password"] } })`,
				"yaml_body_wo_version = 1"),
		}
	}
	r.ConfigureProvider(connection, config()...)
	r.expectSaid(r.Exits(story.Refused, "plan"), "Error: Cluster Connection Unknown", "Secret NS/source (v1) could not be read: the cluster connection is only "+
		"known after the apply. Set the connection in `cluster` of this ephemeral resource too, so that it is read in the apply, or create the cluster first.")
	r.ConfigureProvider(connection, config("cluster = "+connection)...)
	r.Do("apply", "-auto-approve")
	story.Must(t, r.ExpectLive("v1 ConfigMap copy", map[string]any{"data.password": "hunter2"})(nil))
}

// An object that the same apply creates is not found by a plan that knows its name. What the error says to do works: it is read in the
// apply, and by later plans.
func TestEphemeralObjectOfTheSameApply(t *testing.T) {
	r := newReader(t)
	config := func(name string) {
		t.Helper()
		r.Configure(
			r.Manifest("NAME", "apiVersion: v1\nkind: Secret\nmetadata: {name: source, namespace: NS}\nstringData: {password: hunter2}\n"),
			r.block(ephemeralObject, "source", `api_version = "v1"`, `kind = "Secret"`, fmt.Sprintf("namespace = %q", r.Namespace), name),
			r.block(`resource "k8sconnect_manifest"`, "copy",
				`yaml_body = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: copy, namespace: NS}\n"`,
				`yaml_body_wo = yamlencode({ data = { password = ephemeral.k8sconnect_object.source.secret_data["password"] } })`,
				"yaml_body_wo_version = 1"))
	}
	config("name = k8sconnect_manifest.NAME.object_ref.name")
	const line = `name = k8sconnect_manifest.NAME.object_ref.uid != "" ? "source" : null`
	if r.CLI.Product != testcluster.ProductOpenTofu { // It reads what depends on a new resource in the apply.
		r.expectSaid(r.Exits(story.Refused, "plan"), "Error: Object Not Found", "let one depend on what only the apply knows: "+line)
	}
	config(line)
	r.Do("apply", "-auto-approve")
	story.Must(t, r.ExpectLive("v1 ConfigMap copy", map[string]any{"data.password": "hunter2"})(nil))
	r.Exits(story.Nothing, "plan", "-detailed-exitcode")
	r.Do("destroy", "-auto-approve")
}

// An ephemeral object may be absent, and its parts can be tested for.
func TestOptionalEphemeralObject(t *testing.T) {
	r := newReader(t)
	r.Configure(
		r.block(ephemeralObject, "source", named("v1", "Secret", "source"), "optional = true"),
		r.block(`resource "k8sconnect_manifest"`, "copy",
			`yaml_body = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: copy, namespace: NS}\n"`,
			`yaml_body_wo = yamlencode({ data = { found = tostring(ephemeral.k8sconnect_object.source.exists), none = tostring(ephemeral.k8sconnect_object.source.object == null) } })`,
			"yaml_body_wo_version = 1"))
	r.Do("apply", "-auto-approve")
	story.Must(t, r.ExpectLive("v1 ConfigMap copy", map[string]any{"data.found": "false", "data.none": "true"})(nil))
}
