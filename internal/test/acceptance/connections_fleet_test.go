package acceptance_test

import (
	"fmt"
	"io"
	"net"
	"net/url"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/testcluster"
)

// address is an address of its own for the control plane, which counts its connections.
type address struct {
	net.Listener
	connections atomic.Int64
	// silent is true if it takes connections and never answers.
	silent atomic.Bool
}

func listenAndForward(t *testing.T) *address {
	t.Helper()
	listener, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	story.Must(t, err)
	t.Cleanup(func() { _ = listener.Close() })
	server, err := url.Parse(story.ControlPlane().RESTConfig().Host)
	story.Must(t, err)
	a := &address{Listener: listener}
	go a.forward(t, server.Host)
	return a
}

// forward passes connections on until the listener is closed.
func (a *address) forward(t *testing.T, to string) {
	for {
		from, err := a.Accept()
		if err != nil {
			return
		}
		a.connections.Add(1)
		t.Cleanup(func() { _ = from.Close() })
		if a.silent.Load() {
			continue
		}
		onward, err := (&net.Dialer{}).DialContext(t.Context(), "tcp", to)
		if err != nil {
			_ = from.Close()
			continue
		}
		go func() { _, _ = io.Copy(onward, from); _ = onward.Close() }()
		go func() { _, _ = io.Copy(from, onward); _ = from.Close() }()
	}
}

// Thirty clusters in one provider block and one resource block: each gets one connection, and one that is silent holds up no other.
func TestFleet(t *testing.T) {
	const size, objects = 30, 4
	s := story.New(t)
	w := s.HostedWorkspace()
	user := s.AddUser(s.Namespace)
	var fleet [size]*address
	var named strings.Builder
	for i := range fleet {
		fleet[i] = listenAndForward(t)
		fmt.Fprintf(&named, "c%d = {\nhost = \"https://%s\"\ncluster_ca_certificate = %q\nclient_certificate = %q\nclient_key = %q\n}\n",
			i, fleet[i].Addr(), user.CAData, user.CertData, user.KeyData)
	}
	story.Must(t, w.Write("provider \"k8sconnect\" {\nclusters = {\n"+named.String()+"}\n}\n"+fmt.Sprintf(`
resource "k8sconnect_manifest" "fleet" {
  for_each     = { for pair in setproduct(range(%d), range(%d)) : "c${pair[0]}/${pair[1]}" => pair }
  cluster_name = "c${each.value[0]}"
  yaml_body    = <<-EOT
    apiVersion: v1
    kind: ConfigMap
    metadata: {name: "c${each.value[0]}-${each.value[1]}", namespace: %s}
    data: {a: "1"}
  EOT
}
`, size, objects, s.Namespace)))
	w.Do("apply", "-auto-approve")
	before := int64(0)
	for _, a := range fleet {
		before += a.connections.Load()
	}
	w.Exits(story.Nothing, "plan", "-detailed-exitcode")
	after := int64(0)
	for _, a := range fleet {
		after += a.connections.Load()
	}
	if after-before != size {
		t.Errorf("a plan of %d clusters makes %d connections", size, after-before)
	}

	fleet[7].silent.Store(true)
	mark := story.AuditLog(t).Mark()
	said := strings.Join(strings.Fields(w.Exits(story.Refused, "plan", "-no-color")), " ")
	sent, err := story.AuditLog(t).Since(mark, testcluster.ByUser(s.Namespace))
	story.Must(t, err)
	read := 0
	for _, request := range sent {
		if request.Resource == "configmaps" && request.Verb == "get" {
			read++
		}
	}
	if want := (size - 1) * objects; read != want {
		t.Errorf("%d objects of the other clusters were read, want %d", read, want)
	}
	address := "no answer from https://" + fleet[7].Addr().String()
	if all, short := strings.Count(said, address), strings.Count(said, "See the first error about this server"); all != objects || short != objects-1 {
		t.Errorf("%d errors name the server, and %d of them refer to the first one", all, short)
	}
	fleet[7].silent.Store(false)
	w.Do("destroy", "-auto-approve")
}
