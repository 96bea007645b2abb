package faults_test

import (
	"crypto/tls"
	"fmt"
	"io"
	"log"
	"math/rand/v2"
	"net"
	"net/http"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/testcluster"
)

// door is where the requests of one object's own connection come in, each on a connection of its own. A
// door that is shut refuses connections.
type door struct {
	t       *testing.T
	proxy   *proxy
	address string

	mu     sync.Mutex
	server *http.Server
	// shutAt is how many requests come in before the door shuts; negative for never.
	shutAt int
	lasts  duration
	count  int
	shut   bool
	// reopened is closed when a door that is shut for a moment is open again.
	reopened chan struct{}
}

// ajar is how long a door stays shut once.
const ajar = time.Second

func newDoor(t *testing.T, p *proxy) *door {
	t.Helper()
	d := &door{t: t, proxy: p, shutAt: -1}
	listener, err := net.Listen("tcp", nextAddress())
	for tries := 0; err != nil && tries < 100; tries++ {
		listener, err = net.Listen("tcp", nextAddress())
	}
	if err != nil {
		t.Fatal(err)
	}
	d.address = listener.Addr().String()
	d.serve(listener)
	t.Cleanup(func() { _ = d.server.Close() })
	return d
}

// port is the last one that a door got. It stays below 32768: from there on, the system gives ports to outgoing connections,
// which could take the port of a door that is shut.
var port atomic.Int32

func init() { port.Store(20000 + rand.Int32N(8000)) }

func nextAddress() string { return fmt.Sprintf("127.0.0.1:%d", port.Add(1)) }

// open lets requests in again.
func (d *door) open() {
	listener, err := testcluster.ListenAgain(d.address)
	if err != nil {
		d.t.Error(err)
		return
	}
	d.serve(listener)
}

func (d *door) serve(listener net.Listener) {
	d.server = &http.Server{Handler: d, ErrorLog: log.New(io.Discard, "", 0)}
	d.server.SetKeepAlivesEnabled(false)
	go func() {
		_ = d.server.Serve(tls.NewListener(listener, &tls.Config{Certificates: d.proxy.server.TLS.Certificates}))
	}()
}

func (d *door) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	answer := player{forward: d.proxy}.answer(r)
	d.mu.Lock()
	d.count++
	d.shutIfDue()
	d.mu.Unlock()
	pass(w, answer, answer.Body.Bytes())
}

// arm shuts the door after a number of requests.
func (d *door) arm(a arm) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.shutAt, d.lasts, d.count, d.shut = a.at, a.duration, 0, false
	d.shutIfDue()
}

func (d *door) shutIfDue() {
	if d.count != d.shutAt || d.shut {
		return
	}
	d.shut = true
	server := d.server
	// Requests that are in already get their answer.
	go func() { _ = server.Shutdown(d.t.Context()) }()
	d.awaitRefusal()
	if d.lasts == once {
		d.reopened = make(chan struct{})
		time.AfterFunc(ajar, func() {
			d.open()
			close(d.reopened)
		})
	}
}

// awaitRefusal waits until no client gets in any more.
func (d *door) awaitRefusal() {
	for end := time.Now().Add(time.Minute); time.Now().Before(end); {
		connection, err := net.Dial("tcp", d.address)
		if err != nil {
			return
		}
		_ = connection.Close()
	}
	d.t.Error("the door did not shut")
}

// disarm opens the door again and says whether it was shut.
func (d *door) disarm() (wasShut bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	wasShut = d.shut
	switch {
	case d.shut && d.lasts == lasting:
		d.open()
	case d.shut:
		<-d.reopened
	}
	d.shutAt, d.shut = -1, false
	return wasShut
}
