package loopback

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
)

// A request through the proxy takes the time of one round trip more, and the first one of a connection that of two. A
// long answer arrives whole.
func TestDistance(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("x", 5<<20)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = io.WriteString(w, long)
	}))
	t.Cleanup(server.Close)
	const delay = 50 * time.Millisecond
	d, err := NewDistance(strings.TrimPrefix(server.URL, "http://"), delay)
	story.Must(t, err)
	t.Cleanup(func() { story.Must(t, d.Close()) })
	for _, least := range []time.Duration{4 * delay, 2 * delay} {
		began := time.Now()
		response, err := http.Get("http://" + d.Address())
		story.Must(t, err)
		took := time.Since(began)
		body, err := io.ReadAll(response.Body)
		story.Must(t, err)
		story.Must(t, response.Body.Close())
		if string(body) != long {
			t.Errorf("%d bytes have arrived of %d", len(body), len(long))
		}
		if took < least {
			t.Errorf("the answer came after %s, before light could bring it: %s", took, least)
		}
	}
}
