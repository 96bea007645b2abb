package loopback

import (
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"sync"
	"time"
)

// States is a server on loopback for Terraform's backend "http". With the backend "local", the CLI writes the state
// to a file after each resource that it applies. With other backends, it sends the state every 20 seconds and at the
// end.
type States struct {
	server *http.Server
	url    string
	mutex  sync.Mutex
	// states are by path.
	states map[string][]byte
}

// headerTimeout limits the time in which the server reads the headers of a request.
const headerTimeout = 10 * time.Second

// NewStates returns a States, which serves until it is closed.
func NewStates() (*States, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	s := &States{url: "http://" + listener.Addr().String(), states: map[string][]byte{}}
	s.server = &http.Server{Handler: s, ReadHeaderTimeout: headerTimeout}
	go func() { _ = s.server.Serve(listener) }() // Serve returns when Close is called.
	return s, nil
}

// Close ends the server.
func (s *States) Close() error { return s.server.Close() }

// ServeHTTP implements http.Handler.
func (s *States) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	var err error
	switch r.Method {
	case http.MethodGet:
		text := s.Of(r.URL.Path[1:])
		if len(text) == 0 {
			w.WriteHeader(http.StatusNoContent)
			return
		}
		_, err = w.Write(text)
	case http.MethodPost:
		var text []byte
		text, err = io.ReadAll(r.Body)
		s.mutex.Lock()
		defer s.mutex.Unlock()
		s.states[r.URL.Path[1:]] = text
	default:
		err = errors.New("only GET and POST are served")
	}
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
	}
}

// Of returns the state of a workspace; nil if it has none.
func (s *States) Of(name string) []byte {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	return s.states[name]
}

// Backend returns the configuration of a workspace's backend.
func (s *States) Backend(name string) []byte {
	return fmt.Appendf(nil, "terraform {\n  backend \"http\" {\n    address = %q\n  }\n}\n", s.url+"/"+name)
}
