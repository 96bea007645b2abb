package faults_test

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"strconv"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// fault is one thing that can happen to a request.
type fault struct {
	name string
	play func(player, http.ResponseWriter, *http.Request)
	// durations are the durations to test. A fault after which the request is not sent again need not last.
	durations []duration
	// outlook says whether a request that met the fault once is sent again.
	outlook outlook
}

// outlook is what becomes of a request that met a fault once.
type outlook string

const (
	// survived is a fault that leaves no trace: the request is sent again, or its effect is looked up.
	survived outlook = "survived"
	// told is a fault that ends the operation with an error, for some of the requests at least.
	told outlook = "told"
)

// player plays a fault; forward has the real server act and answer.
type player struct {
	object  string
	forward http.Handler
}

// stall is how long a stalled request is held.
var stall = stallTime()

func stallTime() time.Duration {
	if set, err := time.ParseDuration(os.Getenv("K8SCONNECT_STALL")); err == nil {
		return set
	}
	return 30 * time.Second
}

var (
	justOnce       = []duration{once}
	onceAndLasting = []duration{once, lasting}
)

var faults = []fault{
	{"reset-before", func(player, http.ResponseWriter, *http.Request) { reset() }, onceAndLasting, survived},
	{"reset-after", func(p player, _ http.ResponseWriter, r *http.Request) {
		p.answer(r)
		reset()
	}, onceAndLasting, survived},
	{"stall-before", func(p player, w http.ResponseWriter, r *http.Request) {
		hold(r)
		p.forward.ServeHTTP(w, r)
	}, justOnce, survived},
	{"stall-after", func(p player, w http.ResponseWriter, r *http.Request) {
		answer := p.answer(r)
		hold(r)
		pass(w, answer, answer.Body.Bytes())
	}, onceAndLasting, survived},
	{"truncated", func(p player, w http.ResponseWriter, r *http.Request) {
		answer := p.answer(r)
		pass(w, answer, half(answer))
	}, justOnce, survived},
	{"cut-off", func(p player, w http.ResponseWriter, r *http.Request) {
		answer := p.answer(r)
		answer.Header().Set("Content-Length", strconv.Itoa(answer.Body.Len()))
		pass(w, answer, half(answer))
		_ = http.NewResponseController(w).Flush()
		reset()
	}, justOnce, survived},
	status(http.StatusUnauthorized, metav1.StatusReasonUnauthorized, "Unauthorized", onceAndLasting, told),
	status(http.StatusForbidden, metav1.StatusReasonForbidden, `configmaps %q is forbidden: User "faulty" cannot do this to resource "configmaps"`, justOnce, told),
	status(http.StatusNotFound, metav1.StatusReasonNotFound, "configmaps %q not found", justOnce, told),
	status(http.StatusConflict, metav1.StatusReasonConflict, "Operation cannot be fulfilled on configmaps %q: the object has been modified; please apply your changes to the latest version and try again", onceAndLasting, told),
	status(http.StatusGone, metav1.StatusReasonExpired, "The provided resource version of configmaps %q is too old", justOnce, told),
	status(http.StatusRequestEntityTooLarge, metav1.StatusReasonRequestEntityTooLarge, "configmaps %q: request is too large", justOnce, told),
	status(http.StatusUnprocessableEntity, metav1.StatusReasonInvalid, `ConfigMap %q is invalid: data.colour: Invalid value: "red": it is not liked today`, justOnce, told),
	status(http.StatusTooManyRequests, metav1.StatusReasonTooManyRequests, "too many requests for configmaps %q, please try again later", justOnce, survived),
	status(http.StatusInternalServerError, metav1.StatusReasonInternalError, "Internal error occurred: configmaps %q: etcdserver: request timed out", justOnce, survived),
	status(http.StatusServiceUnavailable, metav1.StatusReasonServiceUnavailable, "configmaps %q: the server is currently unable to handle the request", onceAndLasting, survived),
	{"not-kubernetes", func(_ player, w http.ResponseWriter, _ *http.Request) {
		http.Error(w, "404 page not found", http.StatusNotFound)
	}, justOnce, told},
}

// reset ends the request without an answer: a closed connection, or a reset stream of HTTP/2.
func reset() { panic(http.ErrAbortHandler) }

// hold waits for the time of a stall. A client that has gone by then asks for nothing any more.
func hold(r *http.Request) {
	select {
	case <-time.After(stall):
	case <-r.Context().Done():
		reset()
	}
}

// streamed is how much of a watch an answer holds.
const streamed = time.Second

// answer has the server act, and keeps its answer.
func (p player) answer(r *http.Request) *httptest.ResponseRecorder {
	// The server acts, whatever the client does in the meantime.
	ctx := context.WithoutCancel(r.Context())
	if signatureOf(r) == watching {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, streamed)
		defer cancel()
	}
	recorded := httptest.NewRecorder()
	func() {
		defer func() { _ = recover() }() // An ended watch is aborted.
		p.forward.ServeHTTP(recorded, r.WithContext(ctx))
	}()
	return recorded
}

func half(answer *httptest.ResponseRecorder) []byte {
	return answer.Body.Bytes()[:answer.Body.Len()/2]
}

func pass(w http.ResponseWriter, answer *httptest.ResponseRecorder, body []byte) {
	maps.Copy(w.Header(), answer.Header())
	w.WriteHeader(answer.Code)
	_, _ = w.Write(body)
}

// status returns an answer of the API server that is an error, before it acted. message has a place for the
// name of the object.
func status(code int, reason metav1.StatusReason, message string, durations []duration, outlook outlook) fault {
	return fault{fmt.Sprint(code), func(p player, w http.ResponseWriter, _ *http.Request) {
		answer := metav1.Status{
			TypeMeta: metav1.TypeMeta{Kind: "Status", APIVersion: "v1"},
			Status:   metav1.StatusFailure,
			Message:  message,
			Reason:   reason,
			Details:  &metav1.StatusDetails{Name: p.object, Kind: "configmaps"},
			Code:     int32(code),
		}
		switch code {
		case http.StatusUnauthorized:
			answer.Details = nil
		case http.StatusTooManyRequests:
			answer.Details.RetryAfterSeconds = 1
			w.Header().Set("Retry-After", "1")
		case http.StatusUnprocessableEntity:
			answer.Details.Kind = "ConfigMap"
			answer.Details.Causes = []metav1.StatusCause{{Type: metav1.CauseTypeFieldValueInvalid, Field: "data.colour",
				Message: `Invalid value: "red": it is not liked today`}}
		}
		if answer.Details != nil {
			answer.Message = fmt.Sprintf(message, p.object)
		}
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(code)
		_ = json.NewEncoder(w).Encode(answer)
	}, durations, outlook}
}
