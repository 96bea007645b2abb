package connect

import (
	"context"
	"io"
	"net/http"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
)

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
	isWatch := request.URL.Query().Get("watch") == "true" && response.StatusCode == http.StatusOK
	if isWatch || isForObject(request) {
		most = mostOfObject
	}
	tooLarge := &cluster.AnswerTooLargeError{Server: HostOf(request.URL), Limit: most}
	if isWatch {
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
