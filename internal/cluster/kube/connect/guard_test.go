package connect

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
)

// opened returns the client of a connection to a server without TLS.
func opened(t *testing.T, config Config) *http.Client {
	t.Helper()
	connection, err := Open(config, Options{})
	if err != nil {
		t.Fatal(err)
	}
	return connection.HTTP
}

func served(t *testing.T, handler http.HandlerFunc) *httptest.Server {
	t.Helper()
	server := httptest.NewServer(handler)
	t.Cleanup(server.Close)
	return server
}

// fetch sends a request and returns its answer and its error.
func fetch(ctx context.Context, t *testing.T, client *http.Client, method, url string) ([]byte, error) {
	t.Helper()
	request, err := http.NewRequestWithContext(ctx, method, url, strings.NewReader("secret"))
	if err != nil {
		t.Fatal(err)
	}
	response, err := client.Do(request)
	if err != nil {
		return nil, err
	}
	defer func() { _ = response.Body.Close() }()
	return io.ReadAll(response.Body)
}

// silentServer never answers, or never ends its answer.
type silentServer struct{ answers bool }

func (s silentServer) RoundTrip(request *http.Request) (*http.Response, error) {
	wait := func() error { <-request.Context().Done(); return request.Context().Err() }
	if !s.answers {
		return nil, wait()
	}
	waiting := readerFunc(func([]byte) (int, error) { return 0, wait() })
	return &http.Response{StatusCode: http.StatusOK, Header: http.Header{}, Body: io.NopCloser(waiting)}, nil
}

type readerFunc func([]byte) (int, error)

func (f readerFunc) Read(p []byte) (int, error) { return f(p) }

// A request of an operation without a deadline ends, too; a watch does not.
func TestSlowAnswersEnd(t *testing.T) {
	t.Parallel()
	for name, server := range map[string]silentServer{"no answer": {}, "half of an answer": {answers: true}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				began := time.Now()
				_, err := fetch(t.Context(), t, &http.Client{Transport: Guarded(server)}, http.MethodGet, "https://a/api/v1/configmaps")
				var slow net.Error
				if !errors.As(err, &slow) || !slow.Timeout() || !strings.Contains(err.Error(), "longer than 2m0s") || time.Since(began) != longestAnswer {
					t.Errorf("%v after %s", err, time.Since(began))
				}
				day, cancel := context.WithCancel(t.Context())
				time.AfterFunc(24*time.Hour, cancel)
				if _, err = fetch(day, t, &http.Client{Transport: Guarded(server)}, http.MethodGet, "https://a/api/v1/configmaps?watch=true"); !errors.Is(err, context.Canceled) {
					t.Errorf("a watch: %v", err)
				}
			})
		})
	}
}

// No request follows a redirect, whatever its method and wherever it leads.
func TestRedirectsAreRefused(t *testing.T) {
	t.Parallel()
	caught := 0
	other := served(t, func(http.ResponseWriter, *http.Request) { caught++ })
	for _, code := range []int{300, 301, 302, 303, 304, 305, 307, 308} {
		for location, to := range map[string]string{
			other.URL + "/login?token=hunter2":                             other.URL,
			strings.Replace(other.URL, "http://", "http://me:hunter2@", 1): other.URL,
			strings.TrimPrefix(other.URL, "http:") + "/hunter2":            other.URL,
			"/login?token=hunter2":                                         "same",
			"":                                                             "",
			"http://[hunter2":                                              "",
		} {
			server := served(t, func(w http.ResponseWriter, _ *http.Request) {
				if location != "" {
					w.Header().Set("Location", location)
				}
				w.WriteHeader(code)
			})
			if to == "same" {
				to = server.URL
			}
			for _, method := range []string{http.MethodGet, http.MethodPatch, http.MethodDelete} {
				_, err := fetch(
					t.Context(),
					t,
					opened(t, Config{Host: server.URL}),
					method,
					server.URL+"/api/v1/hunter2?watch=true",
				)
				redirect, is := errors.AsType[*cluster.RedirectError](err)
				if !is || redirect.From != server.URL || redirect.To != to || redirect.Status != code {
					t.Errorf("%s, %d, %q: %v", method, code, location, err)
				} else if strings.Contains(redirect.Error(), "hunter2") {
					t.Errorf("the error shows more than hosts: %v", redirect)
				}
			}
		}
	}
	if caught > 0 {
		t.Errorf("%d requests followed", caught)
	}
}

// A wait that the request has no time for is refused at once. A shorter one is client-go's.
func TestWaitsThatAreTooLong(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		code    int
		after   string
		refused bool
		says    string
	}{
		"an hour":          {429, "3600", true, "asks to wait for an hour"},
		"two hours":        {503, "7200", true, "(HTTP 503) and asks to wait for 2 hours"},
		"a date":           {429, time.Now().Add(3 * time.Hour).UTC().Format(http.TimeFormat), true, "asks to wait for"},
		"beyond all times": {429, "99999999999999999999999", true, "asks to wait for 36500 days"},
		"a second":         {429, "1", false, ""},
		"a date that was":  {503, time.Now().Add(-time.Hour).UTC().Format(http.TimeFormat), false, ""},
		"nonsense":         {429, "soon", false, ""},
		"nothing":          {503, "", false, ""},
		"another answer":   {404, "3600", false, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			server := served(t, func(w http.ResponseWriter, _ *http.Request) {
				w.Header().Set("Retry-After", test.after)
				w.WriteHeader(test.code)
			})
			ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
			defer cancel()
			_, err := fetch(ctx, t, opened(t, Config{Host: server.URL}), http.MethodGet, server.URL)
			of, _ := errors.AsType[*cluster.BusyError](err)
			_, err = fetch(ForObject(ctx), t, opened(t, Config{Host: server.URL}), http.MethodGet, server.URL)
			busy, is := errors.AsType[*cluster.BusyError](err)
			if is != test.refused || is && (of.Left != 0 || busy.Left == 0 || busy.Server != server.URL || !strings.Contains(busy.Error(), test.says)) {
				t.Errorf("got %v", err)
			}
		})
	}
}

// What is read of an answer is bounded after its decompression.
func TestAnswersAreBounded(t *testing.T) {
	t.Parallel()
	bomb := func(size int64) []byte {
		var packed bytes.Buffer
		writer := gzip.NewWriter(&packed)
		if _, err := io.CopyN(writer, zeros{}, size); err != nil {
			t.Fatal(err)
		}
		if err := writer.Close(); err != nil {
			t.Fatal(err)
		}
		return packed.Bytes()
	}
	for name, test := range map[string]struct {
		ctx  context.Context
		size int64
		want int64
	}{
		"an object":                   {ForObject(t.Context()), mostOfObject, 0},
		"an object that is too large": {ForObject(t.Context()), mostOfObject + 1, mostOfObject},
		"a page":                      {t.Context(), mostOfAnswer, 0},
		"a page that is too large":    {t.Context(), mostOfAnswer + 1, mostOfAnswer},
	} {
		t.Run(name, func(t *testing.T) {
			packed := bomb(test.size)
			server := served(t, func(w http.ResponseWriter, _ *http.Request) {
				w.Header().Set("Content-Encoding", "gzip")
				_, _ = w.Write(packed)
			})
			got, err := fetch(test.ctx, t, opened(t, Config{Host: server.URL}), http.MethodGet, server.URL)
			tooLarge, is := errors.AsType[*cluster.AnswerTooLargeError](err)
			if is != (test.want > 0) || is && tooLarge.Limit != test.want ||
				!is && (err != nil || int64(len(got)) != test.size) {
				t.Errorf("read %d bytes, %v", len(got), err)
			}
		})
	}
}

type zeros struct{}

func (zeros) Read(p []byte) (int, error) { clear(p); return len(p), nil }

// A watch may be endless. Each of its events is bounded, whatever is between quotes.
func TestEventsAreBounded(t *testing.T) {
	t.Parallel()
	event := func(size int) string { return `{"a":{"b":"}\"{` + strings.Repeat("0", size) + `"}}` + "\n" }
	for name, test := range map[string]struct {
		stream io.Reader
		fails  bool
	}{
		"many events":      {io.LimitReader(&repeated{text: event(1 << 20)}, 64<<20), false},
		"a large event":    {strings.NewReader(event(1) + event(mostOfObject)), true},
		"no event":         {zeros{}, true},
		"spaces":           {&repeated{text: "\n"}, true},
		"an open string":   {io.MultiReader(strings.NewReader(`{"a":"`), &repeated{text: "}"}), true},
		"too many objects": {&repeated{text: `{"a":`}, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			server := served(t, func(w http.ResponseWriter, _ *http.Request) { _, _ = io.Copy(w, test.stream) })
			_, err := fetch(t.Context(), t, opened(t, Config{Host: server.URL}), http.MethodGet, server.URL+"/api?watch=true")
			if _, is := errors.AsType[*cluster.AnswerTooLargeError](err); is != test.fails || !is && err != nil {
				t.Errorf("got %v", err)
			}
		})
	}
}

// repeated is a text again and again.
type repeated struct {
	text string
	at   int
}

func (r *repeated) Read(p []byte) (int, error) {
	n := copy(p, r.text[r.at:])
	r.at = (r.at + n) % len(r.text)
	return n, nil
}

// A TLS server that is asked without TLS is told from other servers that refuse a request.
func TestHTTPToATLSServer(t *testing.T) {
	t.Parallel()
	tlsServer := httptest.NewTLSServer(http.NotFoundHandler())
	t.Cleanup(tlsServer.Close)
	plain := strings.Replace(tlsServer.URL, "https://", "http://", 1)
	_, err := fetch(t.Context(), t, opened(t, Config{Host: plain}), http.MethodGet, plain)
	if protocol, is := errors.AsType[*cluster.ProtocolError](err); !is || !protocol.UsesTLS {
		t.Errorf("got %v", err)
	}
	long := strings.Repeat("x", 5000)
	refusing := served(t, func(w http.ResponseWriter, _ *http.Request) { http.Error(w, long, http.StatusBadRequest) })
	if got, err := fetch(t.Context(), t, opened(t, Config{Host: refusing.URL}), http.MethodGet, refusing.URL); err != nil ||
		strings.TrimSpace(string(got)) != long {
		t.Errorf("got %d bytes, %v", len(got), err)
	}
}

// A proxy that refuses to connect is named, without the password of its URL.
func TestProxiesThatRefuse(t *testing.T) {
	t.Parallel()
	for _, code := range []int{302, 403, 404, 407, 502} {
		proxy := served(t, func(w http.ResponseWriter, r *http.Request) {
			if r.Method != http.MethodConnect {
				t.Errorf("got %s", r.Method)
			}
			w.WriteHeader(code)
		})
		host := strings.TrimPrefix(proxy.URL, "http://")
		config := Config{Host: "https://127.0.0.1:1", Token: "t", ProxyURL: "http://me:hunter2@" + host}
		_, err := fetch(t.Context(), t, opened(t, config), http.MethodGet, config.Host)
		refused, is := errors.AsType[*cluster.ProxyError](err)
		if want := fmt.Sprintf("the proxy %s refused to connect: %d %s", host, code, http.StatusText(code)); !is ||
			refused.Error() != want {
			t.Errorf("got %v, want %s", err, want)
		}
		if strings.Contains(err.Error(), "hunter2") {
			t.Errorf("the password is shown: %v", err)
		}
	}
}
