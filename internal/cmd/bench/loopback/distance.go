// Package loopback has the servers of the benchmark: a proxy that makes another server appear far away, and a store of
// states.
package loopback

import (
	"errors"
	"net"
	"sync"
	"time"
)

// Distance is a proxy on loopback that makes a server appear far away: bytes arrive after a delay in each direction.
// The bandwidth stays as it is.
type Distance struct {
	listener net.Listener
	target   string
	// delay is the time that bytes need in one direction.
	delay time.Duration
	mutex sync.Mutex
	open  map[net.Conn]bool
}

// NewDistance returns a proxy for the server at an address, which works until it is closed.
func NewDistance(target string, delay time.Duration) (*Distance, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	d := &Distance{listener: listener, target: target, delay: delay, open: map[net.Conn]bool{}}
	go d.accept()
	return d, nil
}

// Address returns the address of the proxy.
func (d *Distance) Address() string { return d.listener.Addr().String() }

// Close ends the proxy and its connections.
func (d *Distance) Close() error {
	err := d.listener.Close()
	d.mutex.Lock()
	defer d.mutex.Unlock()
	for conn := range d.open {
		err = errors.Join(err, conn.Close())
	}
	return err
}

func (d *Distance) accept() {
	for {
		near, err := d.listener.Accept()
		if err != nil {
			return // Close was called.
		}
		go d.serve(near)
	}
}

// serve copies both directions of a connection. A client on loopback has connected at once, and a distant one waits for
// an answer to that, so the first bytes of the client need three times as long.
func (d *Distance) serve(near net.Conn) {
	far, err := net.Dial("tcp", d.target)
	if err != nil {
		_ = near.Close()
		return
	}
	d.mutex.Lock()
	d.open[near], d.open[far] = true, true
	d.mutex.Unlock()
	established := time.Now().Add(2 * d.delay)
	var both sync.WaitGroup
	both.Go(func() { d.copy(far, near, established) })
	both.Go(func() { d.copy(near, far, established) })
	both.Wait()
	d.mutex.Lock()
	defer d.mutex.Unlock()
	for _, conn := range []net.Conn{near, far} {
		if d.open[conn] {
			delete(d.open, conn)
			_ = conn.Close()
		}
	}
}

// chunk is what one read returned, and when it arrives.
type chunk struct {
	bytes   []byte
	arrives time.Time
}

// chunkBytes is the size of a read, and chunksUnderway how many of them are on the way in one direction.
const (
	chunkBytes     = 64 << 10
	chunksUnderway = 256
)

// copy copies one direction until its sender closes it. Nothing is sent before the connection is established.
func (d *Distance) copy(to, from net.Conn, established time.Time) {
	underway := make(chan chunk, chunksUnderway)
	go func() {
		defer close(underway)
		for {
			read := make([]byte, chunkBytes)
			n, err := from.Read(read)
			sent := time.Now()
			if sent.Before(established) {
				sent = established
			}
			if n > 0 {
				underway <- chunk{read[:n], sent.Add(d.delay)}
			}
			if err != nil {
				return
			}
		}
	}()
	var failed error
	for next := range underway { // to the end also after an error, so that the reader ends
		time.Sleep(time.Until(next.arrives))
		if failed == nil {
			_, failed = to.Write(next.bytes)
		}
		if failed != nil {
			_ = from.Close()
		}
	}
	if half, ok := to.(interface{ CloseWrite() error }); ok {
		_ = half.CloseWrite()
	}
}
