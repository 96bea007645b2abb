package connect

import (
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// tokenServer is an API server that accepts one token, and notes the token of each request.
type tokenServer struct {
	*httptest.Server
	accepted string
	// refusing runs when a token is refused.
	refusing func()
	seen     []string
}

func newTokenServer(t *testing.T, accepted string) *tokenServer {
	t.Helper()
	s := &tokenServer{accepted: accepted, refusing: func() {}}
	s.Server = httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		token := strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer ")
		s.seen = append(s.seen, token+" "+string(body))
		if token != s.accepted {
			s.refusing()
			w.WriteHeader(http.StatusUnauthorized)
		}
	}))
	t.Cleanup(s.Close)
	return s
}

func put(t *testing.T, path, content string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
}

// send sends a request with a body, and returns the code of the answer.
func send(t *testing.T, c *Connection) int {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodPatch, c.REST.Host, strings.NewReader("body"))
	if err != nil {
		t.Fatal(err)
	}
	response, err := c.HTTP.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	_ = response.Body.Close()
	return response.StatusCode
}

// Each request has the token that the file has by then, whichever attribute names the file.
func TestTokenOfAFileIsFollowed(t *testing.T) {
	t.Parallel()
	for name, config := range map[string]func(server, path string) Config{
		"token_file": func(server, path string) Config {
			return Config{Host: server, TokenFile: path, Insecure: true}
		},
		"a kubeconfig": func(server, path string) Config {
			kubeconfig := strings.NewReplacer("https://api.example.com:6443", server, "token: kubeconfig-token", "tokenFile: "+path).Replace(twoContexts)
			return Config{Kubeconfig: kubeconfig, Insecure: true}
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			server, path := newTokenServer(t, "first"), filepath.Join(t.TempDir(), "token")
			put(t, path, "first\n")
			connection, err := Open(config(server.URL, path), Options{})
			if err != nil {
				t.Fatal(err)
			}
			var codes []int
			next := func() { codes = append(codes, send(t, connection)) }
			next()
			server.accepted = "second"
			put(t, path, "second")
			next()
			// The file changes while the request is on its way.
			server.accepted = "third"
			server.refusing = func() { put(t, path, "third") }
			next()
			// A writer has emptied the file, and not filled it yet.
			put(t, path, "")
			next()
			// A refused request is not sent again with the same token.
			server.accepted, server.refusing = "fourth", func() {}
			next()
			if err := os.Remove(path); err != nil {
				t.Fatal(err)
			}
			next()
			if diff := cmp.Diff([]int{200, 200, 200, 200, 401, 401}, codes); diff != "" {
				t.Errorf("answers (-want +got):\n%s", diff)
			}
			want := []string{"first body", "second body", "second body", "third body", "third body", "third body", "third body"}
			if diff := cmp.Diff(want, server.seen); diff != "" {
				t.Errorf("requests (-want +got):\n%s", diff)
			}
		})
	}
}

// The file need not be there before the first request, and the URL is known without it.
func TestTokenFileIsReadAtFirstUse(t *testing.T) {
	home := t.TempDir()
	t.Setenv("HOME", home)
	config := Config{Host: "https://h:6443/", TokenFile: "~/token"}
	if server, err := config.Server(); server != "https://h:6443" || err != nil {
		t.Errorf("the server is %q, %v", server, err)
	}
	if _, err := Open(config, Options{}); err == nil ||
		!strings.Contains(
			err.Error(),
			"`token_file` names \""+filepath.Join(home, "token")+"\", and there is no such file.",
		) {
		t.Errorf("without the file: %v", err)
	}
	put(t, filepath.Join(home, "token"), "t")
	if _, err := Open(config, Options{}); err != nil {
		t.Errorf("with the file: %v", err)
	}
}

// If the token file of a kubeconfig cannot be used, the problem names the attribute that the kubeconfig comes from.
func TestTokenFileOfAKubeconfig(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	put(t, filepath.Join(dir, "token"), "")
	kubeconfig := strings.ReplaceAll(twoContexts, "token: kubeconfig-token", "tokenFile: "+filepath.Join(dir, "token"))
	put(t, filepath.Join(dir, "config"), strings.ReplaceAll(twoContexts, "token: kubeconfig-token", "tokenFile: token"))
	for want, config := range map[string]Config{
		"`kubeconfig` has the tokenFile":                      {Kubeconfig: kubeconfig},
		"`config_path` names a kubeconfig with the tokenFile": {ConfigPath: filepath.Join(dir, "config")},
	} {
		want += " \"" + filepath.Join(dir, "token") + "\", which is empty."
		if _, err := Open(config, Options{}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("want %s, got %v", want, err)
		}
	}
}
