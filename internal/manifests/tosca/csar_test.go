package tosca

import (
	"archive/zip"
	"bytes"
	"encoding/base64"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/documents"
)

// packed returns a zip with files, names and contents in turn, in base64.
func packed(t testing.TB, files ...string) string {
	t.Helper()
	var content bytes.Buffer
	archive := zip.NewWriter(&content)
	for i := 0; i < len(files); i += 2 {
		file, err := archive.Create(files[i])
		if err == nil {
			_, err = file.Write([]byte(files[i+1]))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := archive.Close(); err != nil {
		t.Fatal(err)
	}
	return base64.StdEncoding.EncodeToString(content.Bytes())
}

func TestCSAR(t *testing.T) {
	t.Parallel()
	app := nodes(config)
	const meta = "TOSCA-Meta-File-Version: 1.0\r\nCSAR-Version: 1.1\r\nEntry-Definitions: ./definitions/app.yaml\r\n"
	const asMeta = "Write Entry-Definitions: app.yaml in TOSCA-Metadata/TOSCA.meta."
	const noFile = ". Write the path of a file from the root of the CSAR as Entry-Definitions."
	broken := []byte(packed(t, "app.yaml", app))
	whole, err := base64.StdEncoding.DecodeString(string(broken))
	if err != nil {
		t.Fatal(err)
	}
	damaged := bytes.Clone(whole)
	damaged[len("PK")+40] ^= 0xff
	for name, tt := range map[string]struct{ text, want string }{
		"an entry":              {packed(t, "other.yaml", "a: b", metaFile, meta, "definitions/app.yaml", app), ""},
		"a file in the root":    {" " + packed(t, "app.yml", app, "types/a.yaml", "a: b", "README.md", "text") + "\n", ""},
		"two files in the root": {packed(t, "app.yml", app, "b.yaml", app), "the CSAR has no Entry-Definitions, and 2 YAML files in its root. " + asMeta},
		"an empty zip":          {packed(t), "the CSAR has no Entry-Definitions, and 0 YAML files in its root. " + asMeta},
		"a meta file without":   {packed(t, metaFile, "CSAR-Version: 1.1\n", "app.yaml", app), "the CSAR has no Entry-Definitions, and 1 YAML files in its root. " + asMeta},
		"no such file":          {packed(t, metaFile, meta, "app.yaml", app), `the CSAR has no file "definitions/app.yaml"` + noFile},
		"a file outside":        {packed(t, metaFile, "Entry-Definitions: definitions/../../app.yaml\n", "../app.yaml", app), `the CSAR has no file "../app.yaml"` + noFile},
		"an absolute path":      {packed(t, metaFile, "Entry-Definitions: /etc/passwd\n", "/etc/passwd", app), `the CSAR has no file "/etc/passwd"` + noFile},
		"a folder":              {packed(t, metaFile, "Entry-Definitions: a\n", "a/app.yaml", app), `"a" of the CSAR cannot be unpacked. Pack it again, with zip.`},
		"a bomb":                {packed(t, "app.yaml", strings.Repeat(" ", largest+1)), `"app.yaml" of the CSAR is larger than 16 MiB. Split the template.`},
		"a bomb of a meta file": {packed(t, metaFile, strings.Repeat(" ", largest+1)), `"TOSCA-Metadata/TOSCA.meta" of the CSAR is larger than 16 MiB. Split the template.`},
		"the largest":           {packed(t, "app.yaml", app+strings.Repeat("\n", largest-len(app))), ""},
		"no base64":             {string(broken[:len(broken)-8]) + "?", `the text begins as a CSAR in base64, but is not base64. Write filebase64("app.csar").`},
		"half a zip":            {string(broken[:len(broken)/8*4]), `the CSAR is not a complete zip. Write filebase64("app.csar").`},
		"a damaged file":        {base64.StdEncoding.EncodeToString(damaged), `"app.yaml" of the CSAR cannot be unpacked. Pack it again, with zip.`},
		"a mistake in it":       {packed(t, "app.yaml", "a: b\ntosca_definitions_version: 1"), "line 2: the template is not of TOSCA Simple Profile in YAML 1.x. Write tosca_definitions_version: tosca_simple_yaml_1_3, or another 1.x."},
		"another base64":        {base64.StdEncoding.EncodeToString([]byte(app)), `the text is a string, not a service template. Write file("app.yaml"), or filebase64("app.csar").`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			objects, err := Read(tt.text, nil, documents.Options{})
			if tt.want == "" {
				if err != nil || len(objects) != 1 || objects[0].Key != "core/ConfigMap//a" {
					t.Error(objects, err)
				}
				return
			}
			if err == nil {
				t.Fatal("no error")
			}
			if diff := cmp.Diff(tt.want, err.Error()); diff != "" {
				t.Error(diff)
			}
		})
	}
}
