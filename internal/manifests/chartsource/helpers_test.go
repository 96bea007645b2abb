package chartsource_test

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"encoding/pem"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/chartsource"
)

// TestMain keeps the logins of the user out of the tests.
func TestMain(m *testing.M) {
	nowhere := filepath.Join(os.TempDir(), "no-such-folder")
	if err := errors.Join(os.Setenv("DOCKER_CONFIG", nowhere), os.Setenv("HELM_REGISTRY_CONFIG", filepath.Join(nowhere, "config.json"))); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Exit(m.Run())
}

const template = "kind: ConfigMap\napiVersion: v1\nmetadata: {name: web}\n"

// chartYAML is a Chart.yaml, with more lines.
func chartYAML(name, version string, more ...string) string {
	return fmt.Sprintf("apiVersion: v2\nname: %s\nversion: %s\n%s\n", name, version, strings.Join(more, "\n"))
}

// folder writes files, by their names, into a folder of the test.
func folder(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, content := range files {
		file := filepath.Join(dir, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(file), 0o700), os.WriteFile(file, []byte(content), 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func file(t *testing.T, name string, content []byte) string {
	t.Helper()
	return filepath.Join(folder(t, map[string]string{name: string(content)}), name)
}

// packed is an archive of files by their names, and of entries beside them.
func packed(t *testing.T, files map[string]string, entries ...tar.Header) []byte {
	t.Helper()
	for _, name := range slices.Sorted(maps.Keys(files)) {
		entries = append(entries, tar.Header{Name: name, Size: int64(len(files[name])), Mode: 0o644, Typeflag: tar.TypeReg})
	}
	var written bytes.Buffer
	zip, err := gzip.NewWriterLevel(&written, gzip.BestSpeed)
	if err != nil {
		t.Fatal(err)
	}
	archive := tar.NewWriter(zip)
	for _, entry := range entries {
		if err := archive.WriteHeader(&entry); err != nil {
			t.Fatal(err)
		}
		if _, err := archive.Write([]byte(files[entry.Name])); err != nil {
			t.Fatal(err)
		}
	}
	if err := errors.Join(archive.Close(), zip.Close()); err != nil {
		t.Fatal(err)
	}
	return written.Bytes()
}

// web is an archive of a chart.
func web(t *testing.T, version string) []byte {
	t.Helper()
	return packed(t, map[string]string{"web/Chart.yaml": chartYAML("web", version), "web/templates/web.yaml": template})
}

// serve starts a server with TLS, and returns it and the certificate that a source needs.
func serve(t *testing.T, handler http.Handler) (*httptest.Server, string) {
	t.Helper()
	server := httptest.NewTLSServer(handler)
	t.Cleanup(server.Close)
	return server, string(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: server.Certificate().Raw}))
}

// withBasicAuth answers requests with the password only.
func withBasicAuth(handler http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if name, password, _ := r.BasicAuth(); name != "admin" || password != "s3cret" {
			w.Header().Set("WWW-Authenticate", `Basic realm="charts"`)
			http.Error(w, "<html><body>Log in, "+strings.Repeat("please, ", 200)+"</body></html>", http.StatusUnauthorized)
			return
		}
		handler.ServeHTTP(w, r)
	})
}

// want checks the error of a load: it contains each of texts, and is short and printable. Without texts, the load has to
// succeed.
func want(t *testing.T, source chartsource.Source, texts ...string) *chartsource.Loaded {
	t.Helper()
	loaded, err := source.Load(t.Context())
	if len(texts) == 0 {
		if err != nil {
			t.Fatal(err)
		}
		return loaded
	}
	if err == nil {
		t.Fatalf("it was loaded, want an error with %q", texts)
	}
	for _, text := range texts {
		if !strings.Contains(err.Error(), text) {
			t.Errorf("the error lacks %q: %v", text, err)
		}
	}
	if len(err.Error()) > 800 || strings.ContainsAny(err.Error(), "\x1b\r\n") {
		t.Errorf("the error is long or not printable: %q", err)
	}
	return loaded
}
