package connect

import (
	"context"
	"errors"
	"io"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"k8s.io/client-go/rest"
	clientcmdapi "k8s.io/client-go/tools/clientcmd/api"
	"k8s.io/client-go/util/connrotation"
)

// transport is a function instead of a network.
type transport func(*http.Request) (*http.Response, error)

func (t transport) RoundTrip(request *http.Request) (*http.Response, error) { return t(request) }

func answering(code int) transport {
	return func(*http.Request) (*http.Response, error) {
		return &http.Response{StatusCode: code, Body: io.NopCloser(strings.NewReader(""))}, nil
	}
}

// through returns a plugin's transport over a network; ask represents a run of the plugin.
func through(network http.RoundTripper, ask func(context.Context) (*credentials, error)) *pluginTransport {
	asked := &plugin{
		config: &clientcmdapi.ExecConfig{
			Command: "login",
		}, patience: time.Minute, ask: ask, connections: connrotation.NewConnectionTracker(),
	}
	return &pluginTransport{asked, network}
}

func asked(context.Context) (*credentials, error) { return &credentials{token: "token"}, nil }

// hang is a plugin that ends when it is killed, an hour after the start at the latest.
func hang(ctx context.Context) (*credentials, error) {
	select {
	case <-ctx.Done():
		return nil, ctx.Err()
	case <-time.After(time.Hour):
		return asked(ctx)
	}
}

func TestFailuresOfAPluginAreToldFromThoseOfTheNetwork(t *testing.T) {
	t.Parallel()
	refused := errors.New("connection refused")
	silent := transport(func(request *http.Request) (*http.Response, error) {
		<-request.Context().Done()
		return nil, request.Context().Err()
	})
	for name, test := range map[string]struct {
		network http.RoundTripper
		ask     func(context.Context) (*credentials, error)
		want    string
		// ofPlugin is true if the error is a *PluginError.
		ofPlugin bool
	}{
		"a plugin that fails": {
			answering(200), func(context.Context) (*credentials, error) {
				return nil, &PluginError{"login", "executable login not found"}
			},
			`the credential plugin "login" gave no credentials: executable login not found`, true,
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

// A request that no request waits for any more is not sent, and the plugin is stopped.
func TestWaitForAPluginIsBounded(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		sent := false
		network := transport(func(request *http.Request) (*http.Response, error) {
			sent = true
			return answering(200)(request)
		})
		transport := through(network, hang)
		began := time.Now()
		err := trying(t.Context(), t, transport)
		var failed *PluginError
		if !errors.As(err, &failed) || time.Since(began) != transport.plugin.patience {
			t.Errorf("got %v after %s", err, time.Since(began))
		}
		time.Sleep(2 * time.Hour)
		if sent {
			t.Error("the request was sent after its end")
		}
	})
}

// Requests share a run. It is stopped when the last one that waits for it gives up, and the next request begins another one.
func TestARunEndsWithItsLastRequest(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var runs, stopped atomic.Int32
		transport := through(answering(200), func(ctx context.Context) (*credentials, error) {
			defer stopped.Add(1)
			runs.Add(1)
			return hang(ctx)
		})
		wait := func(long time.Duration) {
			ctx, cancel := context.WithTimeout(t.Context(), long)
			defer cancel()
			var failed *PluginError
			if err := trying(ctx, t, transport); !errors.As(err, &failed) {
				t.Errorf("got %v", err)
			}
		}
		go wait(2 * time.Second)
		wait(time.Second)
		if synctest.Wait(); runs.Load() != 1 || stopped.Load() != 0 {
			t.Errorf("%d runs, %d of them stopped, while a request waits", runs.Load(), stopped.Load())
		}
		time.Sleep(1500 * time.Millisecond)
		if stopped.Load() != 1 {
			t.Error("no request waits, and the plugin still runs")
		}
		wait(time.Second)
		if synctest.Wait(); runs.Load() != 2 || stopped.Load() != 2 {
			t.Errorf("%d runs, %d of them stopped", runs.Load(), stopped.Load())
		}
	})
}

func TestARenewalThatHangs(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		first := true
		transport := through(answering(http.StatusUnauthorized), func(ctx context.Context) (*credentials, error) {
			if first {
				first = false
				return asked(ctx)
			}
			return hang(ctx)
		})
		err := trying(t.Context(), t, transport)
		var failed *PluginError
		if !errors.As(err, &failed) {
			t.Errorf("got %v", err)
		}
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
			runs := 0
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
			response, err := through(network, func(ctx context.Context) (*credentials, error) {
				runs++
				return asked(ctx)
			}).RoundTrip(request) //nolint:bodyclose // It is empty.
			if err != nil || response.StatusCode != test.want {
				t.Fatalf("got %v, %v, want %d", response, err, test.want)
			}
			for _, body := range bodies {
				if body != "body" {
					t.Errorf("bodies %q", bodies)
				}
			}
			if runs != len(bodies) {
				t.Errorf("the plugin ran %d times for %d requests", runs, len(bodies))
			}
		})
	}
}

// Credentials are used until they expire.
func TestCredentialsExpire(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		runs := 0
		transport := through(answering(200), func(context.Context) (*credentials, error) {
			runs++
			return &credentials{token: "token", expires: time.Now().Add(time.Minute)}, nil
		})
		for _, pause := range []time.Duration{0, 30 * time.Second, 31 * time.Second} {
			time.Sleep(pause)
			if err := trying(t.Context(), t, transport); err != nil {
				t.Fatal(err)
			}
		}
		if runs != 2 {
			t.Errorf("the plugin ran %d times, want 2", runs)
		}
	})
}

// Waiting callers learn of a plugin that hangs, and of nothing else.
func TestUnanswered(t *testing.T) {
	t.Parallel()
	ended := context.DeadlineExceeded
	connection := &Connection{Endpoint: Endpoint{REST: &rest.Config{Host: "https://h"}}}
	if err := connection.Unanswered(ended); !errors.Is(err, ended) {
		t.Errorf("without a plugin: %v", err)
	}
	asked := through(nil, nil).plugin
	connection.plugin = asked
	if err := connection.Unanswered(ended); !errors.Is(err, ended) {
		t.Errorf("without a run: %v", err)
	}
	asked.run = &pluginRun{}
	var failed *PluginError
	if err := connection.Unanswered(ended); !errors.As(err, &failed) {
		t.Errorf("at the plugin: %v", err)
	}
	if err := connection.Unanswered(context.Canceled); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

func TestOnlyPluginsGetTheirTransport(t *testing.T) {
	t.Parallel()
	exec := &clientcmdapi.ExecConfig{
		APIVersion:      "client.authentication.k8s.io/v1",
		Command:         "login",
		InteractiveMode: clientcmdapi.NeverExecInteractiveMode,
	}
	for name, test := range map[string]struct {
		config rest.Config
		want   bool
	}{
		"a token":              {rest.Config{BearerToken: "token"}, false},
		"a plugin":             {rest.Config{ExecProvider: exec}, true},
		"a token and a plugin": {rest.Config{BearerToken: "token", ExecProvider: exec}, false},
	} {
		test.config.Host = "https://api"
		found, err := pluginOf(&test.config)
		if err != nil || (found != nil) != test.want {
			t.Errorf("%s: %v, %v", name, found, err)
		}
	}
	first, err := pluginOf(&rest.Config{Host: "https://a", ExecProvider: exec})
	second, other := pluginOf(&rest.Config{Host: "https://b", ExecProvider: exec.DeepCopy()})
	if err != nil || other != nil || first != second {
		t.Errorf("connections with the same plugin do not share it: %v, %v", err, other)
	}
	old := exec.DeepCopy()
	old.APIVersion = "client.authentication.k8s.io/v1alpha1"
	if _, err := pluginOf(&rest.Config{ExecProvider: old}); err == nil ||
		!strings.Contains(err.Error(), "invalid apiVersion") {
		t.Errorf("an old version: %v", err)
	}
}
