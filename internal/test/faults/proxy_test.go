package faults_test

import (
	"context"
	"encoding/pem"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
	clientcmdapi "k8s.io/client-go/tools/clientcmd/api"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
)

// proxy stands between the provider and the API server, as the administrator, and plays to the requests
// for an object what it was armed with.
type proxy struct {
	server  *httptest.Server
	forward http.Handler

	mu   sync.Mutex
	seen map[string][]signature
	arms map[string]*arm
}

// protocol is the version of HTTP that a proxy speaks.
type protocol string

const (
	http1 protocol = "HTTP/1.1"
	http2 protocol = "HTTP/2"
)

// duration says how long a fault lasts.
type duration string

const (
	// once is a fault that hits one request.
	once duration = "once"
	// lasting is a fault that hits every request for the object from that one on.
	lasting duration = "lasting"
)

// arm is a fault that waits for its request.
type arm struct {
	fault fault
	// The fault waits for the first expected request from at on, where the object's requests count from 0. It comes later
	// than at where the network lost a request before.
	at       int
	expected signature
	duration duration

	count int
	// hits are the requests that the fault was played to.
	hits []signature
}

func newProxy(t *testing.T, speaking protocol) *proxy {
	t.Helper()
	config := story.ControlPlane().RESTConfig()
	transport, err := rest.TransportFor(config)
	story.Must(t, err)
	target, err := url.Parse(config.Host)
	story.Must(t, err)
	p := &proxy{seen: map[string][]signature{}, arms: map[string]*arm{}}
	p.forward = &httputil.ReverseProxy{
		Rewrite: func(r *httputil.ProxyRequest) {
			r.SetURL(target)
			r.Out.Header.Del("Authorization")
		},
		Transport:     transport,
		FlushInterval: -1,
		ErrorLog:      log.New(io.Discard, "", 0),
	}
	p.server = httptest.NewUnstartedServer(p)
	p.server.EnableHTTP2 = speaking == http2
	p.server.Config.ErrorLog = log.New(io.Discard, "", 0)
	p.server.StartTLS()
	t.Cleanup(func() {
		p.server.CloseClientConnections()
		p.server.Close()
	})
	return p
}

// ownPath is where the paths of an object's own connection begin; the object's name comes next.
const ownPath = "/cells/"

// cluster returns a connection for one object alone, discovery included.
func (p *proxy) cluster(object string) *cluster {
	return &cluster{Host: p.server.URL + ownPath + object, Certificate: string(p.certificate()), Token: "any"}
}

func (p *proxy) certificate() []byte {
	return pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: p.server.Certificate().Raw})
}

// kubeconfig leads to the proxy.
func (p *proxy) kubeconfig(t *testing.T) []byte {
	t.Helper()
	const name = "proxy"
	out := clientcmdapi.NewConfig()
	out.Clusters[name] = &clientcmdapi.Cluster{Server: p.server.URL, CertificateAuthorityData: p.certificate()}
	out.AuthInfos[name] = &clientcmdapi.AuthInfo{Token: "any"}
	out.Contexts[name] = &clientcmdapi.Context{Cluster: name, AuthInfo: name}
	out.CurrentContext = name
	text, err := clientcmd.Write(*out)
	story.Must(t, err)
	return text
}

func (p *proxy) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	object := objectOf(r)
	if own, ok := strings.CutPrefix(r.URL.Path, ownPath); ok {
		var path string
		object, path, _ = strings.Cut(own, "/")
		r.URL.Path = "/" + path
	}
	if played := p.note(object, signatureOf(r)); played != nil {
		played.play(player{object, p.forward}, w, r)
		return
	}
	p.forward.ServeHTTP(w, r)
}

// note counts a request and gives the fault that is to be played to it, if any.
func (p *proxy) note(object string, request signature) *fault {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.seen[object] = append(p.seen[object], request)
	armed := p.arms[object]
	if armed == nil {
		return nil
	}
	number := armed.count
	armed.count++
	switch met := len(armed.hits) > 0; {
	case number < armed.at, met && armed.duration == once, !met && request != armed.expected:
		return nil
	}
	armed.hits = append(armed.hits, request)
	return &armed.fault
}

func (p *proxy) arm(object string, a arm) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.arms[object] = &a
}

// disarm ends the fault of an object and returns an error where the fault did not meet its request.
func (p *proxy) disarm(object string) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	armed := p.arms[object]
	delete(p.arms, object)
	if len(armed.hits) == 0 {
		return fmt.Errorf("no %q was sent as request %d or later", armed.expected, armed.at)
	}
	return nil
}

// awaitMet waits until every fault has been played once, or ctx ends.
func (p *proxy) awaitMet(ctx context.Context) {
	for ; ctx.Err() == nil && p.waiting(); time.Sleep(100 * time.Millisecond) {
	}
}

func (p *proxy) waiting() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, armed := range p.arms {
		if len(armed.hits) == 0 {
			return true
		}
	}
	return false
}

// take gives the requests for an object since the last take.
func (p *proxy) take(object string) []signature {
	p.mu.Lock()
	defer p.mu.Unlock()
	seen := slices.Clone(p.seen[object])
	delete(p.seen, object)
	return seen
}
