package chartsource_test

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/chartsource"
)

// repository serves an index.yaml and archives of the chart web, below /charts.
func repository(t *testing.T, versions ...string) *http.ServeMux {
	t.Helper()
	mux := http.NewServeMux()
	index := "apiVersion: v1\nentries:\n  empty: []\n  web:\n"
	for _, version := range versions {
		archive := web(t, version)
		index += fmt.Sprintf("  - version: %s\n    urls: [web-%s.tgz]\n    digest: %x\n", version, version, sha256.Sum256(archive))
		mux.HandleFunc("/charts/web-"+version+".tgz", func(w http.ResponseWriter, _ *http.Request) { fmt.Fprintf(w, "%s", archive) })
	}
	answer(mux, "/charts/index.yaml", index)
	return mux
}

func answer(mux *http.ServeMux, path, text string) {
	mux.HandleFunc(path, func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, text) })
}

func TestVersionOfRepository(t *testing.T) {
	t.Parallel()
	server, ca := serve(t, repository(t, "1.2.0", "2.0.0-rc.1", "1.10.0", "1.9.3", "1.10.1+b2", "1.10.1+b1", "0.1.0"))
	early, _ := serve(t, repository(t, "1.0.0-rc.1", "1.0.0-rc.2"))
	for name, tt := range map[string]struct {
		version, at, chart, found string
		errors                    []string
	}{
		"newest":                        {found: "1.10.1+b2"},
		"exact":                         {version: "1.9.3", found: "1.9.3"},
		"with a v":                      {version: "v1.9.3", found: "1.9.3"},
		"exact prerelease":              {version: "2.0.0-rc.1", found: "2.0.0-rc.1"},
		"with build metadata":           {version: "1.10.1+b2", found: "1.10.1+b2"},
		"with other build metadata":     {version: "1.10.1+b1", found: "1.10.1+b1"},
		"minor":                         {version: "1.9", found: "1.9.3"},
		"range":                         {version: ">= 1, < 1.10", found: "1.9.3"},
		"range without prereleases":     {version: ">1.0", found: "1.10.1+b2"},
		"range with prereleases":        {version: ">1.0-0", found: "2.0.0-rc.1"},
		"a slash at the end of the URL": {at: server.URL + "/charts/", found: "1.10.1+b2"},
		"no such version":               {version: "1.9.4", errors: []string{`no version matches "1.9.4"`, "the newest are 2.0.0-rc.1, 1.10.1+b2, 1.10.1+b1."}},
		"no version":                    {version: "latest", errors: []string{`version is "latest", which is neither`}},
		"only prereleases":              {at: early.URL + "/charts", errors: []string{"only prereleases", "1.0.0-rc.2, 1.0.0-rc.1", ">0.0.0-0"}},
		"no such chart":                 {chart: "wep", errors: []string{`has no chart "wep"`, "It has empty, web"}},
		"a chart without versions":      {chart: "empty", errors: []string{"there is no version"}},
		"no repository there":           {at: server.URL + "/other", errors: []string{"/other/index.yaml: the answer is 404 Not Found", "Check chart, repository"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			source := chartsource.Source{Chart: "web", Repository: server.URL + "/charts", Version: tt.version, CACertificate: ca}
			if tt.at != "" {
				source.Repository = tt.at
			}
			if tt.chart != "" {
				source.Chart = tt.chart
			}
			loaded := want(t, source, tt.errors...)
			if tt.errors == nil && loaded.Chart.Metadata.Version != tt.found {
				t.Errorf("version %s, want %s", loaded.Chart.Metadata.Version, tt.found)
			}
		})
	}
}

func TestDigestOfRepository(t *testing.T) {
	t.Parallel()
	archive := web(t, "1.0.0")
	digest := fmt.Sprintf("sha256:%x", sha256.Sum256(archive))
	mux := http.NewServeMux()
	mux.HandleFunc("/web.tgz", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Encoding", "gzip") // Some servers call an archive that.
		fmt.Fprintf(w, "%s", archive)
	})
	for name, noted := range map[string]string{"plain": strings.TrimPrefix(digest, "sha256:"), "prefixed": digest, "none": `""`, "wrong": strings.Repeat("0", 64)} {
		answer(mux, "/"+name+"/index.yaml", "entries: {web: [{version: 1.0.0, urls: [/web.tgz], digest: "+noted+"}]}")
	}
	server, ca := serve(t, mux)
	for _, name := range []string{"plain", "prefixed", "none"} {
		loaded := want(t, chartsource.Source{Chart: "web", Repository: server.URL + "/" + name, CACertificate: ca, Digest: digest})
		if loaded.Digest != digest {
			t.Errorf("%s: digest %s", name, loaded.Digest)
		}
	}
	want(t, chartsource.Source{Chart: "web", Repository: server.URL + "/wrong", CACertificate: ca}, digest, "the index.yaml of", strings.Repeat("0", 64))
	want(t, chartsource.Source{Chart: "web", Repository: server.URL + "/plain", CACertificate: ca, Digest: "sha256:" + strings.Repeat("1", 64)}, digest, "not the one in digest")
	direct := chartsource.Source{Chart: server.URL + "/web.tgz", CACertificate: ca, Digest: digest, Version: "~1.0"}
	if loaded := want(t, direct); loaded.Digest != digest {
		t.Errorf("digest %s", loaded.Digest)
	}
	direct.Version = "2.0.0"
	want(t, direct, "web 1.0.0", `version is "2.0.0"`)
}

func TestBadRepositories(t *testing.T) {
	t.Parallel()
	mux := http.NewServeMux()
	answer(mux, "/html/index.yaml", "<html>\n<title>Log in\x1b[31m</title>"+strings.Repeat("<p>please", 1000))
	answer(mux, "/html.tgz", "<html>"+strings.Repeat("<p>please", 1000))
	answer(mux, "/none/index.yaml", "entries: {web: [{version: 1.0.0}]}")
	answer(mux, "/user/index.yaml", "entries: {web: [{version: 1.0.0, urls: ['https://admin:hidden@127.0.0.1/web.tgz']}]}")
	answer(mux, "/scheme/index.yaml", "entries: {web: [{version: 1.0.0, urls: ['file:///etc/passwd']}]}")
	answer(mux, "/plain/index.yaml", "entries: {web: [{version: 1.0.0, urls: ['http://charts.example.com/web.tgz']}]}")
	answer(mux, "/bomb/index.yaml", "a: &a [x,x,x,x,x,x,x,x,x]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a,*a]\nc: &c [*b,*b,*b,*b,*b,*b,*b,*b,*b]\nd: &d [*c,*c,*c,*c,*c,*c,*c,*c,*c]\ne: &e [*d,*d,*d,*d,*d,*d,*d,*d]\nentries: {web: [{urls: *e}]}")
	endless := func(w http.ResponseWriter, _ *http.Request) {
		for line := []byte(strings.Repeat("#", 1<<20)); ; {
			if _, err := w.Write(line); err != nil {
				return
			}
		}
	}
	mux.HandleFunc("/endless/index.yaml", endless)
	mux.HandleFunc("/endless.tgz", endless)
	mux.Handle("/loop.tgz", http.RedirectHandler("/loop.tgz", http.StatusFound))
	mux.Handle("/down.tgz", http.RedirectHandler("http://127.0.0.1/web.tgz", http.StatusFound))
	mux.HandleFunc("/signed.tgz", func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, "https://localhost:1/web.tgz?signature=hidden", http.StatusFound)
	})
	server, ca := serve(t, mux)
	for path, texts := range map[string][]string{
		"html": {"no index.yaml", "<html> <title>Log in\\x1b[31m"}, "none": {"no usable URL"}, "user": {"no usable URL", "password"},
		"scheme": {"file"}, "plain": {"without encryption", "charts.example.com"}, "bomb": {"no index.yaml"}, "endless": {"more than 50 MiB"},
	} {
		t.Run(path, func(t *testing.T) {
			t.Parallel()
			want(t, chartsource.Source{Chart: "web", Repository: server.URL + "/" + path, CACertificate: ca}, texts...)
		})
	}
	for path, texts := range map[string][]string{
		"html": {"no chart archive", "<html>"}, "endless": {"more than 20 MiB"}, "loop": {"more than 10 times"},
		"down": {"from https to http"}, "signed": {"/signed.tgz cannot be read", "refused"}, "nothing": {"404"},
	} {
		t.Run(path+".tgz", func(t *testing.T) {
			t.Parallel()
			source := chartsource.Source{Chart: server.URL + "/" + path + ".tgz", CACertificate: ca}
			want(t, source, texts...)
			if _, err := source.Load(t.Context()); strings.Contains(err.Error(), "hidden") || strings.Contains(err.Error(), "Get ") {
				t.Errorf("the error has a secret, or the URL twice: %v", err)
			}
		})
	}
	want(t, chartsource.Source{Chart: server.URL + "/web.tgz"}, "unknown authority", "set ca_certificate")
}

func TestSourceErrors(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		source chartsource.Source
		want   []string
	}{
		"nothing":               {chartsource.Source{}, []string{"chart is empty"}},
		"a password in chart":   {chartsource.Source{Chart: "https://admin:hidden@example.com/a.tgz?token=hidden"}, []string{"write the URL as https://example.com/a.tgz", "set username and password"}},
		"a password in oci":     {chartsource.Source{Chart: "oci://admin:hidden@example.com/a"}, []string{"write the URL as oci://example.com/a"}},
		"one in repository":     {chartsource.Source{Chart: "web", Repository: "https://admin:hidden@example.com"}, []string{"the URL in repository", "write the URL as https://example.com"}},
		"a password no URL has": {chartsource.Source{Chart: "https://admin:hid den@example.com/a.tgz"}, []string{"chart is no URL"}},
		"http":                  {chartsource.Source{Chart: "web", Repository: "http://example.com"}, []string{"repository is http://example.com, without encryption", "write https://"}},
		"another scheme":        {chartsource.Source{Chart: "git://example.com/a"}, []string{`chart has the scheme "git"`, "oci://"}},
		"no host":               {chartsource.Source{Chart: "web", Repository: "charts"}, []string{"repository is no URL"}},
		"two URLs":              {chartsource.Source{Chart: "https://example.com/a.tgz", Repository: "https://example.com"}, []string{"leave repository out"}},
		"half of a login":       {chartsource.Source{Chart: "web", Repository: "https://example.com", Password: "hidden"}, []string{"username and password go together"}},
		"no certificate":        {chartsource.Source{Chart: "web", Repository: "https://example.com", CACertificate: "hidden"}, []string{"ca_certificate has no certificate"}},
		"a tag in the path":     {chartsource.Source{Chart: "oci://127.0.0.1:1/a:1.0.0"}, []string{`ends with "1.0.0"`, "version"}},
		"no path":               {chartsource.Source{Chart: "oci://example.com"}, []string{"no path of a chart in a registry"}},
		"upper case":            {chartsource.Source{Chart: "Web", Repository: "oci://example.com"}, []string{"in lower case"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			want(t, tt.source, tt.want...)
			if _, err := tt.source.Load(t.Context()); strings.Contains(err.Error(), "hid") {
				t.Errorf("the error has a secret: %v", err)
			}
		})
	}
}

// seen counts the requests with and without credentials.
type seen struct {
	sync.Mutex
	with, without int
}

func (s *seen) before(handler http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.Lock()
		if r.Header.Get("Authorization") == "" {
			s.without++
		} else {
			s.with++
		}
		s.Unlock()
		handler.ServeHTTP(w, r)
	})
}

// The credentials reach the repository, and no other host: neither by a redirect nor by the index.
func TestCredentialsOfRepository(t *testing.T) {
	t.Parallel()
	archive := web(t, "1.0.0")
	var elsewhere seen
	other, _ := serve(t, elsewhere.before(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { fmt.Fprintf(w, "%s", archive) })))
	mux := repository(t, "1.0.0")
	answer(mux, "/absolute/index.yaml", "entries: {web: [{version: 1.0.0, urls: ['"+other.URL+"/web.tgz']}]}")
	answer(mux, "/redirected/index.yaml", "entries: {web: [{version: 1.0.0, urls: [web.tgz]}]}")
	mux.Handle("/redirected/web.tgz", http.RedirectHandler(other.URL+"/web.tgz", http.StatusFound))
	server, ca := serve(t, withBasicAuth(mux))
	source := chartsource.Source{Chart: "web", CACertificate: ca, Username: "admin", Password: "s3cret"}
	for _, path := range []string{"charts", "absolute", "redirected"} {
		source.Repository = server.URL + "/" + path
		want(t, source)
	}
	if elsewhere.with != 0 || elsewhere.without != 2 {
		t.Errorf("another host got %d requests with credentials and %d without", elsewhere.with, elsewhere.without)
	}
	want(t, chartsource.Source{Chart: server.URL + "/charts/web-1.0.0.tgz", CACertificate: ca, Username: "admin", Password: "s3cret"})
	source.Username, source.Password = "", ""
	want(t, source, "401 Unauthorized", "<html><body>Log in", "Set username and password")
}

// A server may repeat the credentials that it got.
func TestErrorsHaveNoPassword(t *testing.T) {
	t.Parallel()
	server, ca := serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, password, _ := r.BasicAuth()
		http.Error(w, strings.Repeat("x", 140)+" "+password+" "+r.Header.Get("Authorization")+" "+url.QueryEscape(password), http.StatusForbidden)
	}))
	source := chartsource.Source{Chart: "web", Repository: server.URL, CACertificate: ca, Username: "admin", Password: "correct horse/battery"}
	_, err := source.Load(t.Context())
	if err == nil || !strings.Contains(err.Error(), "(hidden)") || !strings.Contains(err.Error(), "403") {
		t.Fatalf("error %v", err)
	}
	for _, secret := range []string{"correct", "horse", "YWRtaW", "battery"} {
		if strings.Contains(err.Error(), secret) {
			t.Errorf("the error has %q: %v", secret, err)
		}
	}
}

// On the own machine, a repository may have no certificate.
func TestRepositoryWithoutEncryption(t *testing.T) {
	t.Parallel()
	server := httptest.NewServer(repository(t, "1.0.0"))
	defer server.Close()
	want(t, chartsource.Source{Chart: "web", Repository: server.URL + "/charts"})
	want(t, chartsource.Source{Chart: "web", Repository: strings.Replace(server.URL, "127.0.0.1", "localhost", 1) + "/charts"})
}

// Queries may authorize requests to a storage. As Helm does, archives get that of the repository.
func TestQueryOfRepository(t *testing.T) {
	t.Parallel()
	mux := repository(t, "1.0.0")
	server, ca := serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Query().Get("sig") != "abc" {
			http.Error(w, "no", http.StatusForbidden)
			return
		}
		mux.ServeHTTP(w, r)
	}))
	want(t, chartsource.Source{Chart: "web", Repository: server.URL + "/charts?sig=abc", CACertificate: ca})
}

// A server that is not ready is asked again.
func TestRepositoryThatIsNotReady(t *testing.T) {
	t.Parallel()
	mux, asked := repository(t, "1.0.0"), 0
	server, ca := serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if asked++; asked == 1 {
			http.Error(w, "starting", http.StatusServiceUnavailable)
			return
		}
		mux.ServeHTTP(w, r)
	}))
	want(t, chartsource.Source{Chart: "web", Repository: server.URL + "/charts", CACertificate: ca})
}

// A load ends with its context.
func TestCancelledLoad(t *testing.T) {
	t.Parallel()
	ended := make(chan struct{})
	server, ca := serve(t, http.HandlerFunc(func(http.ResponseWriter, *http.Request) { <-ended }))
	defer close(ended)
	ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	_, err := chartsource.Source{Chart: "web", Repository: server.URL, CACertificate: ca}.Load(ctx)
	if !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("error %v", err)
	}
}
