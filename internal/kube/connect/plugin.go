package connect

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// pluginPatience is how long a request waits for the credential plugin. It is less than the default
// timeouts, so that their errors are about the plugin.
const pluginPatience = 45 * time.Second

// PluginError is a credential plugin that gave no credentials. Nothing was sent to the server.
type PluginError struct {
	command string
	problem string
}

func (e *PluginError) Error() string {
	return fmt.Sprintf("the credential plugin %q gave no credentials: %s", e.command, e.problem)
}

// pluginTransport is the outermost transport of a connection with a credential plugin. client-go runs the
// plugin inside of RoundTrip, reports its failures as those of the network, waits for it whatever the
// request's context says, and has credentials that the server refused renewed for the next request only.
type pluginTransport struct {
	command  string
	patience time.Duration
	// inner are client-go's transports. The innermost is a networkTransport.
	inner http.RoundTripper
	// underWay are the requests under way, by *requestState.
	underWay sync.Map
}

// RoundTrip implements http.RoundTripper. A request that the server refuses for its credentials is sent
// once more, with those that client-go has had renewed by then.
func (p *pluginTransport) RoundTrip(request *http.Request) (*http.Response, error) {
	response, err := p.send(request)
	if err != nil || response.StatusCode != http.StatusUnauthorized {
		return response, err
	}
	again, ok := afresh(request)
	if !ok {
		return response, nil
	}
	_ = response.Body.Close()
	return p.send(again)
}

// afresh returns a request to be sent a second time; false where its body cannot be.
func afresh(request *http.Request) (again *http.Request, ok bool) {
	again = request.Clone(request.Context())
	if request.Body == nil || request.Body == http.NoBody {
		return again, true
	}
	if request.GetBody == nil {
		return nil, false
	}
	body, err := request.GetBody()
	again.Body = body
	return again, err == nil
}

// WrappedRoundTripper lets client-go look inside.
func (p *pluginTransport) WrappedRoundTripper() http.RoundTripper { return p.inner }

// result is what client-go's transports return for a request.
type result struct {
	response *http.Response
	err      error
}

// send does one RoundTrip. It ends with the request's context, or when the plugin takes too long.
func (p *pluginTransport) send(request *http.Request) (*http.Response, error) {
	state := &requestState{}
	p.underWay.Store(state, nil)
	defer p.underWay.Delete(state)
	request = request.Clone(context.WithValue(request.Context(), requestStateKey{}, state))
	ended := make(chan result, 1)
	go func() {
		response, err := p.inner.RoundTrip(request) //nolint:bodyclose // the caller of send closes it, or abandon
		ended <- result{response, err}
	}()
	patience := time.NewTimer(p.patience)
	defer patience.Stop()
	for {
		select {
		case got := <-ended:
			if got.err != nil && state.at.Load() == atPlugin {
				return nil, &PluginError{p.command, pluginProblem(got.err)}
			}
			return got.response, got.err
		case <-patience.C:
			if state.leave() != onNetwork {
				go abandon(ended)
				return nil, p.pluginTimeout()
			}
		case <-request.Context().Done():
			go abandon(ended)
			err := request.Context().Err()
			if state.leave() != onNetwork && errors.Is(err, context.DeadlineExceeded) {
				return nil, p.pluginTimeout()
			}
			return nil, err
		}
	}
}

func abandon(ended <-chan result) {
	if late := <-ended; late.response != nil {
		_ = late.response.Body.Close()
	}
}

// blame returns the plugin's error for a wait that has timed out while the plugin was running, else err.
func (p *pluginTransport) blame(err error) error {
	if p == nil || !errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	p.underWay.Range(func(key, _ any) bool {
		if state, ok := key.(*requestState); ok && state.at.Load() != onNetwork {
			err = p.pluginTimeout()
		}
		return true
	})
	return err
}

// pluginTimeout returns the error of a plugin that does not end.
func (p *pluginTransport) pluginTimeout() error {
	return &PluginError{p.command, "it has not ended in time"}
}

// pluginProblem returns what client-go says of a plugin, without what the plugin printed. client-go's errors have no
// types.
func pluginProblem(err error) string {
	text := strings.TrimPrefix(err.Error(), "getting credentials: ")
	for _, prefix := range []string{"exec: ", "exec plugin "} {
		if rest, ok := strings.CutPrefix(text, prefix); ok {
			line, _, _ := strings.Cut(rest, "\n")
			return line
		}
	}
	return "what it printed is not an ExecCredential"
}

// requestStage is where a request is.
type requestStage = int32

const (
	// atPlugin is before the network, where client-go asks for credentials.
	atPlugin requestStage = iota
	onNetwork
	// answered is after the server refused the credentials, while client-go has them renewed.
	answered
	// abandoned is a request that nobody waits for any more, and that must not reach the network.
	abandoned
)

var errAbandoned = errors.New("the wait for the credential plugin has ended")

type (
	requestState    struct{ at atomic.Int32 }
	requestStateKey struct{}
)

// networkTransport is the innermost transport: a request that comes here has its credentials.
type networkTransport struct{ network http.RoundTripper }

func (e networkTransport) RoundTrip(request *http.Request) (*http.Response, error) {
	state, known := request.Context().Value(requestStateKey{}).(*requestState)
	if !known {
		return e.network.RoundTrip(request)
	}
	if !state.at.CompareAndSwap(atPlugin, onNetwork) {
		return nil, errAbandoned
	}
	response, err := e.network.RoundTrip(request)
	if err == nil && response.StatusCode == http.StatusUnauthorized {
		state.at.Store(answered)
	}
	return response, err
}

// leave abandons a request that is at the plugin, and returns where it was.
func (w *requestState) leave() requestStage {
	if w.at.CompareAndSwap(atPlugin, abandoned) {
		return atPlugin
	}
	return w.at.Load()
}

// WrappedRoundTripper lets client-go look inside.
func (e networkTransport) WrappedRoundTripper() http.RoundTripper { return e.network }
