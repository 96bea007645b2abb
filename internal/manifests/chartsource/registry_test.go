package chartsource_test

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-containerregistry/pkg/registry"
	"github.com/opencontainers/go-digest"
	ocispec "github.com/opencontainers/image-spec/specs-go/v1"
	"oras.land/oras-go/v2/content"
	"oras.land/oras-go/v2/registry/remote"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/chartsource"
)

const chartLayer = "application/vnd.cncf.helm.chart.content.v1.tar+gzip"

func newRegistry() http.Handler { return registry.New(registry.Logger(log.New(io.Discard, "", 0))) }

// push writes an archive into a registry without authentication, as helm push does, and returns the digest of its manifest.
func push(t *testing.T, server *httptest.Server, path, tag, mediaType string, archive []byte) string {
	t.Helper()
	repository, err := remote.NewRepository(strings.TrimPrefix(strings.TrimPrefix(server.URL, "https://"), "http://") + "/" + path)
	if err != nil {
		t.Fatal(err)
	}
	repository.Client = server.Client()
	repository.PlainHTTP = strings.HasPrefix(server.URL, "http://")
	layer := content.NewDescriptorFromBytes(mediaType, archive)
	config := content.NewDescriptorFromBytes("application/vnd.cncf.helm.config.v1+json", []byte("{}"))
	manifest := ocispec.Manifest{MediaType: ocispec.MediaTypeImageManifest, Config: config, Layers: []ocispec.Descriptor{layer}}
	manifest.SchemaVersion = 2
	text, err := json.Marshal(manifest)
	if err != nil {
		t.Fatal(err)
	}
	found := content.NewDescriptorFromBytes(ocispec.MediaTypeImageManifest, text)
	for _, blob := range []struct {
		of   ocispec.Descriptor
		data []byte
	}{{layer, archive}, {config, []byte("{}")}} {
		if err := repository.Blobs().Push(t.Context(), blob.of, bytes.NewReader(blob.data)); err != nil {
			t.Fatal(err)
		}
	}
	if err := repository.Manifests().PushReference(t.Context(), found, bytes.NewReader(text), tag); err != nil {
		t.Fatal(err)
	}
	return found.Digest.String()
}

func oci(server *httptest.Server) string {
	_, host, _ := strings.Cut(server.URL, "://")
	return "oci://" + host
}

func TestRegistry(t *testing.T) {
	t.Parallel()
	server, ca := serve(t, newRegistry())
	digests := map[string]string{}
	for _, version := range []string{"0.9.0", "1.0.0", "1.2.0+b1", "2.0.0-rc.1", "v0.1.0"} {
		digests[version] = push(t, server, "team/web", strings.ReplaceAll(version, "+", "_"), chartLayer, web(t, version))
	}
	push(t, server, "team/web", "latest", chartLayer, web(t, "3.0.0"))
	push(t, server, "team/image", "1.0.0", ocispec.MediaTypeImageLayerGzip, web(t, "1.0.0"))
	push(t, server, "team/large", "1.0.0", chartLayer, make([]byte, 20<<20+1))
	push(t, server, "team/wrong", "1.0.0", chartLayer, web(t, "1.0.1"))
	for name, tt := range map[string]struct {
		chart, version, digest, found string
		errors                        []string
	}{
		"newest":                {found: "1.2.0+b1"},
		"exact":                 {version: "1.0.0", found: "1.0.0"},
		"with build metadata":   {version: "1.2.0+b1", found: "1.2.0+b1"},
		"a prerelease":          {version: "2.0.0-rc.1", found: "2.0.0-rc.1"},
		"without the tag's v":   {version: "0.1.0", found: "v0.1.0"},
		"a range":               {version: "<1", found: "0.9.0"},
		"of a digest":           {version: "1.0.0", digest: digests["1.0.0"], found: "1.0.0"},
		"a range of a digest":   {version: "1.x", digest: digests["1.2.0+b1"], found: "1.2.0+b1"},
		"of another digest":     {version: "1.0.0", digest: digests["0.9.0"], errors: []string{digests["0.9.0"], "has the digest " + digests["1.0.0"]}},
		"no such version":       {version: "1.0.1", errors: []string{`no version matches "1.0.1"`, "the newest are 2.0.0-rc.1, 1.2.0+b1, 1.0.0."}},
		"no such chart":         {chart: "nothing", errors: []string{"/team/nothing: the answer is 404", "Check chart"}},
		"no such chart version": {chart: "nothing", version: "1.0.0", errors: []string{"/team/nothing: the answer is 404", "Check chart"}},
		"an image":              {chart: "image", errors: []string{"/team/image:1.0.0 is no Helm chart"}},
		"more than 20 MiB":      {chart: "large", errors: []string{"more than 20 MiB"}},
		"another version in it": {chart: "wrong", version: "1.0.0", errors: []string{"web 1.0.1", `version is "1.0.0"`}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			chart := "web"
			if tt.chart != "" {
				chart = tt.chart
			}
			for _, source := range []chartsource.Source{
				{Chart: oci(server) + "/team/" + chart, Version: tt.version, Digest: tt.digest, CACertificate: ca},
				{Chart: chart, Repository: oci(server) + "/team/", Version: tt.version, Digest: tt.digest, CACertificate: ca},
			} {
				loaded := want(t, source, tt.errors...)
				if tt.errors == nil && (loaded.Chart.Metadata.Version != tt.found || loaded.Digest != digests[tt.found]) {
					t.Errorf("version %s with %s, want %s with %s", loaded.Chart.Metadata.Version, loaded.Digest, tt.found, digests[tt.found])
				}
			}
		})
	}
}

// An index may lead to a registry.
func TestIndexOfRegistry(t *testing.T) {
	t.Parallel()
	server, ca := serve(t, newRegistry())
	digest := push(t, server, "team/web", "1.0.0_b1", chartLayer, web(t, "1.0.0+b1"))
	mux := http.NewServeMux()
	answer(mux, "/index.yaml", "entries: {web: [{version: 1.0.0+b1, urls: ['"+oci(server)+"/team/web:1.0.0_b1']}]}")
	index, _ := serve(t, mux)
	loaded := want(t, chartsource.Source{Chart: "web", Repository: index.URL, CACertificate: ca, Digest: digest})
	if loaded.Digest != digest {
		t.Errorf("digest %s, want %s", loaded.Digest, digest)
	}
}

// A registry to which an index leads does not get the credentials of the repository.
func TestIndexOfRegistryWithLogin(t *testing.T) {
	t.Parallel()
	var elsewhere seen
	server, ca := serve(t, elsewhere.before(withBasicAuth(newRegistry())))
	mux := http.NewServeMux()
	answer(mux, "/index.yaml", "entries: {web: [{version: 1.0.0, urls: ['"+oci(server)+"/web:1.0.0']}]}")
	index, _ := serve(t, withBasicAuth(mux))
	want(t, chartsource.Source{Chart: "web", Repository: index.URL, CACertificate: ca, Username: "admin", Password: "s3cret"}, "401 Unauthorized")
	if elsewhere.with != 0 || elsewhere.without == 0 {
		t.Errorf("the registry got %d requests with credentials and %d without", elsewhere.with, elsewhere.without)
	}
}

// On the own machine, a registry may have no certificate.
func TestRegistryWithoutEncryption(t *testing.T) {
	t.Parallel()
	server := httptest.NewServer(newRegistry())
	defer server.Close()
	push(t, server, "web", "1.0.0", chartLayer, web(t, "1.0.0"))
	want(t, chartsource.Source{Chart: oci(server) + "/web"})
	want(t, chartsource.Source{Chart: oci(server) + "/web", Version: "1.0.0"})
}

// A registry may send other bytes than those of the digest, or pages without an end.
func TestHostileRegistries(t *testing.T) {
	t.Parallel()
	archive := web(t, "1.0.0")
	manifest := func(layer ocispec.Descriptor) string {
		layer.MediaType = chartLayer
		text, err := json.Marshal(ocispec.Manifest{MediaType: ocispec.MediaTypeImageManifest, Layers: []ocispec.Descriptor{layer}})
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	mux, pages := http.NewServeMux(), 0
	for name, text := range map[string]string{
		"other":    manifest(ocispec.Descriptor{Digest: digest.FromString("other"), Size: int64(len(archive))}),
		"invalid":  manifest(ocispec.Descriptor{Digest: "sha256:zz", Size: 1}),
		"negative": manifest(ocispec.Descriptor{Digest: digest.FromBytes(archive), Size: -1}),
		"short":    manifest(ocispec.Descriptor{Digest: digest.FromBytes(archive), Size: 10}),
		"list":     "[]",
		"large":    `{"layers":[]` + strings.Repeat(" ", 4<<20) + "}",
	} {
		mux.HandleFunc("/v2/"+name+"/manifests/1.0.0", func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", ocispec.MediaTypeImageManifest)
			w.Header().Set("Content-Length", fmt.Sprint(len(text)))
			fmt.Fprint(w, text)
		})
	}
	mux.HandleFunc("/v2/{name}/blobs/{digest}", func(w http.ResponseWriter, _ *http.Request) { fmt.Fprintf(w, "%s", archive) })
	mux.HandleFunc("/v2/endless/tags/list", func(w http.ResponseWriter, _ *http.Request) {
		pages++
		w.Header().Set("Link", fmt.Sprintf(`</v2/endless/tags/list?n=%d>; rel="next"`, pages))
		fmt.Fprint(w, `{"tags":[]}`)
	})
	server, ca := serve(t, mux)
	for name, text := range map[string]string{
		"other": "cannot be read", "invalid": "cannot be read", "negative": "cannot be read", "short": "cannot be read",
		"list": "no JSON object", "large": "more than 4 MiB", "nothing": "404",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			want(t, chartsource.Source{Chart: oci(server) + "/" + name, Version: "1.0.0", CACertificate: ca}, text)
		})
	}
	want(t, chartsource.Source{Chart: oci(server) + "/endless", CACertificate: ca}, "cannot be read", "100 pages")
}

// The login of a registry comes from the source, or from what helm and docker have noted. No helper is run.
func TestCredentialsOfRegistry(t *testing.T) {
	open := newRegistry()
	var elsewhere seen
	storage, _ := serve(t, elsewhere.before(open))
	push(t, storage, "web", "1.0.0", chartLayer, web(t, "1.0.0"))
	elsewhere.with, elsewhere.without = 0, 0
	closed := withBasicAuth(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.Contains(r.URL.Path, "/blobs/") {
			http.Redirect(w, r, storage.URL+r.URL.Path, http.StatusTemporaryRedirect)
			return
		}
		open.ServeHTTP(w, r)
	}))
	server, ca := serve(t, closed)
	host := strings.TrimPrefix(server.URL, "https://")
	source := chartsource.Source{Chart: oci(server) + "/web", CACertificate: ca}
	login := func(password string) string {
		return fmt.Sprintf(`{"auths":{%q:{"auth":%q}}}`, host, base64.StdEncoding.EncodeToString([]byte("admin:"+password)))
	}
	bin := folder(t, map[string]string{"docker-credential-test": "#!/bin/sh\ntouch \"$0.ran\"\n"})
	if err := os.Chmod(filepath.Join(bin, "docker-credential-test"), 0o700); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", bin+string(os.PathListSeparator)+os.Getenv("PATH"))
	for name, tt := range map[string]struct {
		docker, helm, username, password string
		errors                           []string
	}{
		"of the source":   {username: "admin", password: "s3cret"},
		"of docker":       {docker: login("s3cret")},
		"of helm":         {helm: login("s3cret"), docker: login("other")},
		"the source's":    {username: "admin", password: "s3cret", docker: login("other")},
		"none":            {errors: []string{"401", "Set username and password", "not run"}},
		"wrong":           {username: "admin", password: "wr0ng", errors: []string{"401", "Set username and password"}},
		"wrong in docker": {docker: login("wr0ng"), errors: []string{"401"}},
		"in a helper":     {docker: `{"credsStore":"test","credHelpers":{"` + host + `":"test"}}`, errors: []string{"401", "Credential helpers of docker are not run"}},
		"no JSON":         {docker: "wr0ng", errors: []string{"config.json", "set username and password"}},
	} {
		t.Run(name, func(t *testing.T) {
			dir := folder(t, map[string]string{"config.json": tt.docker, "helm.json": tt.helm})
			for file, text := range map[string]string{"config.json": tt.docker, "helm.json": tt.helm} {
				if text == "" && os.Remove(filepath.Join(dir, file)) != nil {
					t.Fatal(file)
				}
			}
			t.Setenv("DOCKER_CONFIG", dir)
			t.Setenv("HELM_REGISTRY_CONFIG", filepath.Join(dir, "helm.json"))
			source.Username, source.Password = tt.username, tt.password
			want(t, source, tt.errors...)
			if _, err := source.Load(t.Context()); err != nil && strings.Contains(err.Error(), "wr0ng") {
				t.Errorf("the error has the password: %v", err)
			}
		})
	}
	if elsewhere.with != 0 || elsewhere.without == 0 {
		t.Errorf("the storage got %d requests with credentials and %d without", elsewhere.with, elsewhere.without)
	}
	if _, err := os.Stat(filepath.Join(bin, "docker-credential-test.ran")); err == nil {
		t.Error("the helper was run")
	}
}

// Without a home, files of the working folder are no logins.
func TestCredentialsWithoutHome(t *testing.T) {
	server, ca := serve(t, newRegistry())
	push(t, server, "web", "1.0.0", chartLayer, web(t, "1.0.0"))
	t.Chdir(folder(t, map[string]string{"config.json": "no JSON", ".docker/config.json": "no JSON", ".config/helm/registry/config.json": "no JSON"}))
	for _, name := range []string{"HOME", "XDG_CONFIG_HOME", "HELM_CONFIG_HOME", "HELM_REGISTRY_CONFIG", "DOCKER_CONFIG"} {
		t.Setenv(name, "")
	}
	want(t, chartsource.Source{Chart: oci(server) + "/web", CACertificate: ca})
}

// A registry names the server of its tokens, which gets the credentials, and only over https.
func TestTokensOfRegistry(t *testing.T) {
	t.Parallel()
	open, realm := newRegistry(), ""
	handler := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Authorization") != "Bearer t0ken" {
			w.Header().Set("WWW-Authenticate", `Bearer realm="`+realm+`",service="charts"`)
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		open.ServeHTTP(w, r)
	})
	server, ca := serve(t, handler)
	filled, _ := serve(t, open)
	push(t, filled, "web", "1.0.0", chartLayer, web(t, "1.0.0"))
	tokens, _ := serve(t, withBasicAuth(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, `{"token":"t0ken"}`) })))
	source := chartsource.Source{Chart: oci(server) + "/web", CACertificate: ca, Username: "admin", Password: "s3cret"}
	realm = tokens.URL
	want(t, source)
	source.Password = "wr0ng"
	want(t, source, "401 Unauthorized", "Set username and password")
	realm = "http://tokens.example.com"
	want(t, source, "http://tokens.example.com", "https")
}

// Without its certificate, a registry is not read.
func TestRegistryWithoutTrust(t *testing.T) {
	t.Parallel()
	server, _ := serve(t, newRegistry())
	want(t, chartsource.Source{Chart: oci(server) + "/web"}, "unknown authority", "set ca_certificate")
}
