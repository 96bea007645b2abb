package connect

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"time"

	utilnet "k8s.io/apimachinery/pkg/util/net"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
)

// guard is the outermost transport of each connection. It logs each request. It refuses redirects, answers that ask for
// a longer wait than the request has time, and TLS servers that are asked without TLS. It bounds what is read of an
// answer, and for how long if the operation does not.
type guard struct{ inner http.RoundTripper }

// Guarded returns a transport for a client that does not connect by this package: it refuses and bounds what the
// connections of this package refuse and bound.
func Guarded(inner http.RoundTripper) http.RoundTripper { return &guard{inner} }

// RoundTrip implements http.RoundTripper. The errors that it adds are types of package cluster.
func (g *guard) RoundTrip(request *http.Request) (*http.Response, error) {
	began := time.Now()
	response, err := g.send(request)
	logRequest(request, response, err, time.Since(began))
	return response, err
}

// send sends a request, and refuses some answers.
func (g *guard) send(request *http.Request) (*http.Response, error) {
	sent, release := inTime(request)
	response, err := g.inner.RoundTrip(sent)
	if err != nil {
		defer release()
		return nil, causeOf(sent, err)
	}
	response.Body = &releasedBody{response.Body, sent, release}
	bound(request, response)
	for _, refuse := range []func(*http.Request, *http.Response) error{redirected, tooBusy, lacksTLS} {
		if err := refuse(request, response); err != nil {
			_ = response.Body.Close()
			return nil, err
		}
	}
	return response, nil
}

// longestAnswer is how long the answer to a request may take whose operation has no deadline. The API server itself
// ends each request but a watch after a minute.
const longestAnswer = 2 * time.Minute

// slowError is the error of an answer that takes longer than longestAnswer. It is a [net.Error].
type slowError struct{}

func (*slowError) Error() string   { return "the answer took longer than " + longestAnswer.String() }
func (*slowError) Timeout() bool   { return true }
func (*slowError) Temporary() bool { return true }

// inTime returns a request with a deadline, unless it has one or is a watch, and what releases its timer.
func inTime(request *http.Request) (*http.Request, context.CancelFunc) {
	if _, limited := request.Context().Deadline(); limited || isWatch(request) {
		return request, func() {}
	}
	ctx, release := context.WithTimeoutCause(request.Context(), longestAnswer, &slowError{})
	return request.WithContext(ctx), release
}

func isWatch(request *http.Request) bool { return request.URL.Query().Get("watch") == "true" }

// causeOf returns why a request failed. HTTP/2 reports that its context ended, and not why.
func causeOf(request *http.Request, err error) error {
	if slow, is := errors.AsType[*slowError](context.Cause(request.Context())); is {
		return slow
	}
	return err
}

// releasedBody is a body whose request is released with it.
type releasedBody struct {
	io.ReadCloser
	request *http.Request
	release context.CancelFunc
}

func (b *releasedBody) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	if err != nil && !errors.Is(err, io.EOF) {
		err = causeOf(b.request, err)
	}
	return n, err
}

func (b *releasedBody) Close() error {
	defer b.release()
	return b.ReadCloser.Close()
}

// WrappedRoundTripper lets client-go look inside.
func (g *guard) WrappedRoundTripper() http.RoundTripper { return g.inner }

// HostOf returns a URL without user, path and query.
func HostOf(u *url.URL) string { return u.Scheme + "://" + u.Host }

// redirected returns the error of a redirect. The Location may carry credentials, so the error names only its host.
func redirected(request *http.Request, response *http.Response) error {
	if response.StatusCode < 300 || response.StatusCode > 399 {
		return nil
	}
	refused := &cluster.RedirectError{Status: response.StatusCode, From: HostOf(request.URL)}
	if location := response.Header.Get("Location"); location != "" {
		if to, err := request.URL.Parse(location); err == nil && to.Host != "" {
			refused.To = HostOf(to)
		}
	}
	return refused
}

// longestWait bounds what a Retry-After may ask for.
const longestWait = 100 * 365 * 24 * time.Hour

// tooBusy returns the error of an answer that asks to wait for longer than the request has time. If there is time,
// client-go waits. It knows seconds only, so a date becomes seconds.
func tooBusy(request *http.Request, response *http.Response) error {
	if response.StatusCode != http.StatusTooManyRequests && response.StatusCode < http.StatusInternalServerError {
		return nil
	}
	wait, asked := retryAfter(response.Header.Get("Retry-After"))
	if !asked {
		return nil
	}
	response.Header.Set("Retry-After", strconv.Itoa(int((wait+time.Second-1)/time.Second)))
	deadline, limited := request.Context().Deadline()
	left := time.Until(deadline)
	if !limited || wait <= left {
		return nil
	}
	if !isForObject(request) {
		left = 0
	}
	return &cluster.BusyError{Server: HostOf(request.URL), Status: response.StatusCode, Wait: wait, Left: max(left, 0)}
}

func retryAfter(header string) (wait time.Duration, asked bool) {
	seconds, err := strconv.ParseUint(header, 10, 64)
	switch {
	case err == nil:
		return time.Duration(min(seconds, uint64(longestWait/time.Second))) * time.Second, true
	case errors.Is(err, strconv.ErrRange):
		return longestWait, true
	}
	date, err := http.ParseTime(header)
	if err != nil {
		return 0, false
	}
	return min(max(time.Until(date).Round(time.Second), 0), longestWait), true
}

// refusalsOfHTTP are what TLS servers answer to a request without TLS: Go, nginx, Apache.
var refusalsOfHTTP = [][]byte{
	[]byte("HTTP request to an HTTPS server"), []byte("HTTP request was sent to HTTPS port"),
	[]byte("plain HTTP to an SSL-enabled server"),
}

// lacksTLS returns the error of a TLS server that was asked without TLS.
func lacksTLS(request *http.Request, response *http.Response) error {
	if request.URL.Scheme != "http" || response.StatusCode != http.StatusBadRequest {
		return nil
	}
	const enough = 2048
	start, _ := io.ReadAll(io.LimitReader(response.Body, enough))
	for _, refusal := range refusalsOfHTTP {
		if bytes.Contains(start, refusal) {
			return &cluster.ProtocolError{UsesTLS: true}
		}
	}
	response.Body = partlyRead{io.MultiReader(bytes.NewReader(start), response.Body), response.Body}
	return nil
}

// partlyRead is a body of which a part was read.
type partlyRead struct {
	io.Reader
	io.Closer
}

// nameProxies makes the errors of HTTP proxies name the proxy. transport comes from client-go.
func nameProxies(transport http.RoundTripper) {
	// The default transport belongs to the whole process, and stays as it is.
	for transport != nil && transport != http.DefaultTransport {
		switch inner := transport.(type) {
		case *http.Transport:
			inner.OnProxyConnectResponse = proxyRefused
			return
		case utilnet.RoundTripperWrapper:
			transport = inner.WrappedRoundTripper()
		default:
			return
		}
	}
}

// proxyRefused returns the error of a proxy that answers CONNECT with anything but 200.
func proxyRefused(_ context.Context, proxy *url.URL, _ *http.Request, response *http.Response) error {
	if response.StatusCode == http.StatusOK {
		return nil
	}
	return &cluster.ProxyError{Proxy: proxy.Host, Status: response.Status, Code: response.StatusCode}
}

// How much is read of an answer, after its decompression.
const (
	// mostOfObject is for one object, and for one event of a watch.
	mostOfObject = 16 << 20
	// mostOfAnswer is for everything else: pages of lists, discovery, schemas.
	mostOfAnswer = 64 << 20
)

type objectKey struct{}

// ForObject returns the context of a request that is answered with one object, for which less is read than for other
// answers. It ends with the operation, while other requests, such as those of discovery, may serve several operations.
func ForObject(ctx context.Context) context.Context { return context.WithValue(ctx, objectKey{}, true) }

func isForObject(request *http.Request) bool { return request.Context().Value(objectKey{}) != nil }

// bound limits what is read of an answer. A watch may go on for ever, and each of its events is limited.
func bound(request *http.Request, response *http.Response) {
	most := int64(mostOfAnswer)
	hasEvents := isWatch(request) && response.StatusCode == http.StatusOK
	if hasEvents || isForObject(request) {
		most = mostOfObject
	}
	tooLarge := &cluster.AnswerTooLargeError{Server: HostOf(request.URL), Limit: most}
	if hasEvents {
		response.Body = &eventBody{ReadCloser: response.Body, most: most, tooLarge: tooLarge}
		return
	}
	response.Body = &limitedBody{ReadCloser: response.Body, left: most, tooLarge: tooLarge}
}

// limitedBody is a body that fails after a number of bytes.
type limitedBody struct {
	io.ReadCloser
	// left is the number of bytes that may still be read; negative if more were read.
	left     int64
	tooLarge error
}

func (b *limitedBody) Read(p []byte) (int, error) {
	if b.left < 0 {
		return 0, b.tooLarge
	}
	// One byte more than allowed tells a longer body from one that ends here.
	if int64(len(p)) > b.left+1 {
		p = p[:b.left+1]
	}
	n, err := b.ReadCloser.Read(p)
	if b.left -= int64(n); b.left < 0 {
		return n - 1, b.tooLarge
	}
	return n, err
}

// eventBody is a stream of JSON objects that fails when one of them is too large.
type eventBody struct {
	io.ReadCloser
	most     int64
	tooLarge error
	// size is how much was read since the end of the last object.
	size              int64
	depth             int
	inString, escaped bool
}

func (b *eventBody) Read(p []byte) (int, error) {
	if b.size > b.most {
		return 0, b.tooLarge
	}
	n, err := b.ReadCloser.Read(p)
	for i, c := range p[:n] {
		if b.size++; b.ends(c) {
			b.size = 0
		}
		if b.size > b.most {
			return i, b.tooLarge
		}
	}
	return n, err
}

// ends reports whether a byte is the last one of an object.
func (b *eventBody) ends(c byte) bool {
	switch {
	case b.escaped:
		b.escaped = false
	case b.inString:
		b.escaped, b.inString = c == '\\', c != '"'
	case c == '"':
		b.inString = true
	case c == '{':
		b.depth++
	case c == '}':
		b.depth--
		return b.depth == 0
	}
	return false
}
