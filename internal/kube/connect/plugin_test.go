package connect

import (
	"context"
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"k8s.io/client-go/rest"
	clientcmdapi "k8s.io/client-go/tools/clientcmd/api"
)

// transport is a function instead of a network, or of client-go's run of a plugin.
type transport func(*http.Request) (*http.Response, error)

func (t transport) RoundTrip(request *http.Request) (*http.Response, error) { return t(request) }

func answering(code int) transport {
	return func(*http.Request) (*http.Response, error) {
		return &http.Response{StatusCode: code, Body: io.NopCloser(strings.NewReader(""))}, nil
	}
}

// through returns a plugin's transport over a network; ask represents what client-go does before.
func through(network http.RoundTripper, ask func(*http.Request) error) *pluginTransport {
	exit := networkTransport{network}
	return &pluginTransport{command: "login", patience: time.Minute, inner: transport(func(request *http.Request) (*http.Response, error) {
		if err := ask(request); err != nil {
			return nil, err
		}
		return exit.RoundTrip(request)
	})}
}

func asked(*http.Request) error { return nil }

func TestFailuresOfAPluginAreToldFromThoseOfTheNetwork(t *testing.T) {
	t.Parallel()
	refused := errors.New("connection refused")
	hang := func(request *http.Request) error { time.Sleep(time.Hour); return request.Context().Err() }
	silent := transport(func(request *http.Request) (*http.Response, error) {
		<-request.Context().Done()
		return nil, request.Context().Err()
	})
	for name, test := range map[string]struct {
		network http.RoundTripper
		ask     func(*http.Request) error
		want    string
		// ofPlugin says that the error is a *PluginError.
		ofPlugin bool
	}{
		"no such program": {
			answering(200), func(*http.Request) error {
				return errors.New("getting credentials: exec: executable login not found\n\nIt looks like you are")
			},
			`the credential plugin "login" gave no credentials: executable login not found`, true,
		},
		"no token": {
			answering(200), func(*http.Request) error {
				return errors.New("getting credentials: exec plugin didn't return a token or cert/key pair")
			},
			`the credential plugin "login" gave no credentials: didn't return a token or cert/key pair`, true,
		},
		"what it printed is not shown": {
			answering(200), func(*http.Request) error {
				return errors.New("getting credentials: decoding stdout: hunter2 is no kind")
			},
			`the credential plugin "login" gave no credentials: what it printed is not an ExecCredential`, true,
		},
		"a plugin that hangs":     {answering(200), hang, `the credential plugin "login" gave no credentials: it has not ended in time`, true},
		"a network that is down":  {transport(func(*http.Request) (*http.Response, error) { return nil, refused }), asked, "connection refused", false},
		"a server that is silent": {silent, asked, context.DeadlineExceeded.Error(), false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
				defer cancel()
				err := trying(ctx, t, through(test.network, test.ask))
				if err == nil || err.Error() != test.want {
					t.Errorf("got %v, want %s", err, test.want)
				}
				var failed *PluginError
				if got := errors.As(err, &failed); got != test.ofPlugin {
					t.Errorf("an error of the plugin: %t, want %t", got, test.ofPlugin)
				}
				time.Sleep(2 * time.Hour)
			})
		})
	}
}

// trying sends a request and returns its error.
func trying(ctx context.Context, t *testing.T, plugin *pluginTransport) error {
	t.Helper()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, "https://api", nil)
	if err != nil {
		t.Fatal(err)
	}
	response, err := plugin.RoundTrip(request)
	if err == nil {
		_ = response.Body.Close()
	}
	return err
}

// A request that nobody waits for any more is not sent when the plugin ends after all.
func TestWaitForAPluginIsBounded(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		sent := false
		network := transport(func(request *http.Request) (*http.Response, error) {
			sent = true
			return answering(200)(request)
		})
		plugin := through(network, func(*http.Request) error { time.Sleep(time.Hour); return nil })
		began := time.Now()
		err := trying(t.Context(), t, plugin)
		var failed *PluginError
		if !errors.As(err, &failed) || time.Since(began) != plugin.patience {
			t.Errorf("got %v after %s", err, time.Since(began))
		}
		time.Sleep(2 * time.Hour)
		if sent {
			t.Error("the request was sent after its end")
		}
	})
}

// A renewal hangs after the answer: client-go returns the answer only after the renewal.
func TestARenewalThatHangs(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		exit := networkTransport{answering(http.StatusUnauthorized)}
		plugin := &pluginTransport{command: "login", patience: time.Minute, inner: transport(func(request *http.Request) (*http.Response, error) {
			response, err := exit.RoundTrip(request)
			time.Sleep(time.Hour)
			return response, err
		})}
		err := trying(t.Context(), t, plugin)
		var failed *PluginError
		if !errors.As(err, &failed) {
			t.Errorf("got %v", err)
		}
		time.Sleep(2 * time.Hour)
	})
}

func TestRefusedCredentialsAreTriedOnceMore(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		codes []int
		want  int
	}{
		"and accepted then":     {[]int{401, 200}, 200},
		"and refused again":     {[]int{401, 401, 200}, 401},
		"not after an accepted": {[]int{200, 401}, 200},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var bodies []string
			network := transport(func(request *http.Request) (*http.Response, error) {
				body, err := io.ReadAll(request.Body)
				bodies = append(bodies, string(body))
				if err != nil {
					return nil, err
				}
				return answering(test.codes[len(bodies)-1])(request)
			})
			request, err := http.NewRequestWithContext(t.Context(), http.MethodPatch, "https://api", strings.NewReader("body"))
			if err != nil {
				t.Fatal(err)
			}
			response, err := through(network, asked).RoundTrip(request) //nolint:bodyclose // it is empty
			if err != nil || response.StatusCode != test.want {
				t.Fatalf("got %v, %v, want %d", response, err, test.want)
			}
			for _, body := range bodies {
				if body != "body" {
					t.Errorf("bodies %q", bodies)
				}
			}
		})
	}
}

// Waiting callers learn of a plugin that hangs, and of nothing else.
func TestBlame(t *testing.T) {
	t.Parallel()
	ended := context.DeadlineExceeded
	var none *pluginTransport
	if err := none.blame(ended); !errors.Is(err, ended) {
		t.Errorf("without a plugin: %v", err)
	}
	plugin := &pluginTransport{command: "login"}
	waiting := &requestState{}
	plugin.underWay.Store(waiting, nil)
	var failed *PluginError
	if err := plugin.blame(ended); !errors.As(err, &failed) {
		t.Errorf("at the plugin: %v", err)
	}
	if err := plugin.blame(context.Canceled); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
	waiting.at.Store(onNetwork)
	if err := plugin.blame(ended); !errors.Is(err, ended) {
		t.Errorf("on the network: %v", err)
	}
}

func TestOnlyPluginsGetTheirTransport(t *testing.T) {
	t.Parallel()
	client, plugin, err := aroundPlugin(&rest.Config{Host: "https://api", BearerToken: "token"})
	if err != nil || plugin != nil {
		t.Errorf("without a plugin: %v, %v", plugin, err)
	}
	if _, wrapped := client.Transport.(*pluginTransport); wrapped {
		t.Error("a connection without a plugin has its transport")
	}
	exec := &clientcmdapi.ExecConfig{APIVersion: "client.authentication.k8s.io/v1", Command: "login", InteractiveMode: clientcmdapi.NeverExecInteractiveMode}
	client, plugin, err = aroundPlugin(&rest.Config{Host: "https://api", ExecProvider: exec})
	if err != nil || plugin == nil || client.Transport != http.RoundTripper(plugin) {
		t.Errorf("with a plugin: %v, %v", plugin, err)
	}
}
