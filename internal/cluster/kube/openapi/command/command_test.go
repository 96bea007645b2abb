package command

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/version"
	"k8s.io/client-go/discovery"
	clientopenapi "k8s.io/client-go/openapi"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster/kube/openapi"
)

// publisher is an API server that publishes some documents by the path of the index. One without a text cannot be read.
func publisher(t *testing.T, documents map[string]string) string {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		path := strings.TrimPrefix(r.URL.Path, "/openapi/v3")
		switch text := documents[strings.TrimPrefix(path, "/")]; {
		case r.URL.Path == "/version":
			_, _ = io.WriteString(w, `{"major": "1", "minor": "37", "gitVersion": "v1.37.2", "buildDate": "today"}`)
		case path == "":
			index := map[string]map[string]string{}
			for name := range documents {
				index[name] = map[string]string{"serverRelativeURL": "/openapi/v3/" + name}
			}
			_ = json.NewEncoder(w).Encode(map[string]any{"paths": index})
		case text == "":
			w.WriteHeader(http.StatusNotFound)
		case text == broken:
			w.WriteHeader(http.StatusInternalServerError)
		default:
			_, _ = io.WriteString(w, text)
		}
	}))
	t.Cleanup(server.Close)
	return server.URL
}

// broken is a document that the server cannot give.
const broken = "broken"

func export(t *testing.T, server, folder string) (code int, output string) {
	t.Helper()
	var out, errs strings.Builder
	code = Run(t.Context(), []string{"--server", server, "--kubeconfig", os.DevNull, "--out", folder}, &out, &errs)
	return code, out.String() + errs.String()
}

func filesIn(t *testing.T, folder string) map[string]string {
	t.Helper()
	found := map[string]string{}
	entries, err := os.ReadDir(folder)
	if err != nil {
		t.Fatal(err)
	}
	for _, entry := range entries {
		text, err := os.ReadFile(filepath.Join(folder, entry.Name()))
		if err != nil {
			t.Fatal(err)
		}
		found[entry.Name()] = string(text)
	}
	return found
}

const widgets = `{"openapi": "3.0.0", "info": {"version": "v1.37.2"}, "paths": {"/apis/": {}},
	"components": {"schemas": {"b": {"type": "string", "maximum": 9007199254740993, "description": "<b>"}, "a": {}}}}`

const widgetsFile = `{
  "openapi": "3.0.0",
  "components": {
    "schemas": {
      "a": {},
      "b": {
        "description": "<b>",
        "maximum": 9007199254740993,
        "type": "string"
      }
    }
  }
}
`

func TestExport(t *testing.T) {
	t.Parallel()
	folder := filepath.Join(t.TempDir(), "schemas")
	all := map[string]string{
		"api": "{}", "apis/apps": "{}", "version": "{}", "api/v1": "{}", "apis/apps/v1": widgets, "apis/example.com/v1": widgets,
	}
	if code, output := export(t, publisher(t, all), folder); code != 0 || !strings.Contains(output, "v1.37.2: 4 files") {
		t.Fatalf("exit code %d: %s", code, output)
	}
	empty := "{\n  \"openapi\": \"\",\n  \"components\": {\n    \"schemas\": null\n  }\n}\n"
	want := map[string]string{
		"v1.json": empty, "apps.v1.json": widgetsFile, "example.com.v1.json": widgetsFile,
		openapi.VersionFile: "{\n  \"gitVersion\": \"v1.37.2\",\n  \"major\": \"1\",\n  \"minor\": \"37\",\n  \"files\": [\n" +
			"    \"apps.v1.json\",\n    \"example.com.v1.json\",\n    \"v1.json\"\n  ]\n}\n",
	}
	if diff := cmp.Diff(want, filesIn(t, folder)); diff != "" {
		t.Fatalf("files (-want +got):\n%s", diff)
	}
	if code, output := export(t, publisher(t, all), folder); code != 0 || !strings.Contains(output, "0 of them written, 0 removed") {
		t.Errorf("the second time: exit code %d: %s", code, output)
	}
	// A group that is gone loses its file; files of other programs stay.
	delete(all, "apis/example.com/v1")
	if err := os.WriteFile(filepath.Join(folder, "other.v1.json"), []byte("mine"), 0o600); err != nil {
		t.Fatal(err)
	}
	if code, output := export(t, publisher(t, all), folder); code != 0 || !strings.Contains(output, "1 of them written, 1 removed") {
		t.Errorf("after the end of a group: exit code %d: %s", code, output)
	}
	delete(want, "example.com.v1.json")
	want["other.v1.json"] = "mine"
	want[openapi.VersionFile] = strings.Replace(want[openapi.VersionFile], "    \"example.com.v1.json\",\n", "", 1)
	if diff := cmp.Diff(want, filesIn(t, folder)); diff != "" {
		t.Errorf("files (-want +got):\n%s", diff)
	}
	// What the server cannot give stays.
	all["apis/apps/v1"] = broken
	if code, output := export(t, publisher(t, all), folder); code != 1 || !strings.Contains(output, "error: the schemas of apps/v1 could not be read") {
		t.Errorf("with a group that cannot be read: exit code %d: %s", code, output)
	}
	if diff := cmp.Diff(want, filesIn(t, folder)); diff != "" {
		t.Errorf("files (-want +got):\n%s", diff)
	}
	// A group that goes after the index was read is gone.
	all["apis/apps/v1"], all["apis/late.example.com/v1"] = widgets, ""
	if code, output := export(t, publisher(t, all), folder); code != 0 {
		t.Errorf("with a group that goes meanwhile: exit code %d: %s", code, output)
	}
	if diff := cmp.Diff(want, filesIn(t, folder)); diff != "" {
		t.Errorf("files (-want +got):\n%s", diff)
	}
}

func TestExportFails(t *testing.T) {
	t.Parallel()
	folder := filepath.Join(t.TempDir(), "schemas")
	server := publisher(t, map[string]string{"api/v1": "{}"})
	for name, test := range map[string]struct {
		args []string
		want string
	}{
		"without a folder":  {[]string{"--server", server}, `required flag(s) "out"`},
		"an argument":       {[]string{"--server", server, "--out", folder, "apps"}, "unknown command"},
		"no server":         {[]string{"--server", "http://127.0.0.1:1", "--out", folder}, "refused"},
		"a file in its way": {[]string{"--server", server, "--out", os.DevNull}, "not a directory"},
	} {
		var out, errs strings.Builder
		code := Run(t.Context(), append([]string{"--kubeconfig", os.DevNull}, test.args...), &out, &errs)
		if code != 1 || !strings.Contains(errs.String(), test.want) {
			t.Errorf("%s: exit code %d: %s%s", name, code, out.String(), errs.String())
		}
	}
	if _, err := os.Stat(folder); err == nil {
		t.Error("a folder was made by an export that has failed")
	}
}

// late is a server whose index takes longer than a request may.
type late struct{ discovery.DiscoveryInterface }

func (late) ServerVersion() (*version.Info, error) { return &version.Info{}, nil }

func (late) OpenAPIV3() clientopenapi.Client { return late{} }

func (late) Paths() (map[string]clientopenapi.GroupVersion, error) {
	return nil, fmt.Errorf("GET /openapi/v3: %w", context.DeadlineExceeded)
}

// Without an index, the files stay as they are.
func TestExportWithoutIndex(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	if code, output := export(t, publisher(t, map[string]string{"api/v1": "{}"}), folder); code != 0 {
		t.Fatal(output)
	}
	want := filesIn(t, folder)
	if err := write(t.Context(), late{}, folder, io.Discard); err == nil || !strings.Contains(err.Error(), "/openapi/v3") {
		t.Errorf("a timeout: %v", err)
	}
	if code, output := export(t, publisher(t, nil), folder); code != 1 || !strings.Contains(output, "error: the server publishes no schemas") {
		t.Errorf("an empty index: exit code %d: %s", code, output)
	}
	if diff := cmp.Diff(want, filesIn(t, folder)); diff != "" {
		t.Errorf("files (-want +got):\n%s", diff)
	}
}
