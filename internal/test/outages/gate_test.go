package outages_test

import (
	"io"
	"net"
	"net/url"
	"sync"

	"k8s.io/client-go/tools/clientcmd"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
)

// gate is another address of the API server, which a test can shut.
type gate struct {
	listener net.Listener
	server   string

	mu   sync.Mutex
	mute bool
	// came counts the connections since the gate was last shut.
	came  int
	conns []net.Conn
}

// newGate listens on a port of its own and passes on what comes.
func (s *stage) newGate() *gate {
	s.T.Helper()
	server, err := url.Parse(story.ControlPlane().RESTConfig().Host)
	story.Must(s.T, err)
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	story.Must(s.T, err)
	g := &gate{listener: listener, server: server.Host}
	s.T.Cleanup(g.refuse)
	go g.serve()
	return g
}

func (g *gate) serve() {
	for {
		client, err := g.listener.Accept()
		if err != nil {
			return
		}
		g.mu.Lock()
		g.conns = append(g.conns, client)
		g.came++
		if !g.mute {
			if server, err := net.Dial("tcp", g.server); err == nil {
				g.conns = append(g.conns, server)
				go pass(client, server)
				go pass(server, client)
			}
		}
		g.mu.Unlock()
	}
}

func pass(to, from net.Conn) {
	_, _ = io.Copy(to, from)
	_ = to.Close()
}

// swallow makes the gate accept connections and answer none.
func (g *gate) swallow() {
	g.mu.Lock()
	g.mute = true
	g.mu.Unlock()
	g.hangUp()
}

// refuse makes the gate accept no connection any more.
func (g *gate) refuse() {
	_ = g.listener.Close()
	g.hangUp()
}

func (g *gate) hangUp() {
	g.mu.Lock()
	defer g.mu.Unlock()
	for _, conn := range g.conns {
		_ = conn.Close()
	}
	g.conns, g.came = nil, 0
}

// knocks returns how many connections came since the gate was shut.
func (g *gate) knocks() int {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.came
}

// kubeconfig writes the administrator's kubeconfig with the gate's address, and returns its path.
func (s *stage) kubeconfig(name string, through *gate) string {
	s.T.Helper()
	config, err := clientcmd.Load(story.ControlPlane().Kubeconfig())
	story.Must(s.T, err)
	for _, cluster := range config.Clusters {
		cluster.Server = "https://" + through.listener.Addr().String()
	}
	text, err := clientcmd.Write(*config)
	story.Must(s.T, err)
	return s.file(name, string(text), 0o600)
}
