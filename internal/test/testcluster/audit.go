package testcluster

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/url"
	"os"
	"slices"
	"strings"
	"time"
)

// AuditLog reads the API server's audit log. The server writes an event before it begins to handle a request,
// and another one when it has answered. So no request is missing whose answer a client has seen.
type AuditLog struct {
	path string
}

func newAuditLog(path string) *AuditLog { return &AuditLog{path: path} }

// Position is a place in the audit log, as Mark returns it. The zero value is its beginning.
type Position struct {
	offset int64
	err    error
}

// DryRun is the dryRun parameter of a request.
type DryRun string

// The values of the dryRun parameter.
const (
	// DryRunNone is a request that is persisted, or one that does not write at all.
	DryRunNone DryRun = ""
	// DryRunAll is a request that goes through all of the server's stages and is not persisted.
	DryRunAll DryRun = "All"
)

// Request is one request that the API server got.
type Request struct {
	// Verb is Kubernetes' own: get, list, watch, create, update, patch, delete, deletecollection.
	Verb string
	// Resource is the plural name, "deployments" for instance; empty for paths such as /version.
	Resource    string
	Subresource string
	Namespace   string
	// Name is the name in the URL. A create has none.
	Name      string
	DryRun    DryRun
	User      string
	UserAgent string
	// URI is the path with its query.
	URI string
	// Code is the HTTP status of the answer; 0 if the connection broke before the answer.
	Code int
	// RequestReceived is when the server got the request.
	RequestReceived time.Time
}

// String returns the request on one line: "patch deployments/scale default/web dry-run 200" for instance.
func (r Request) String() string {
	target := r.Resource
	if target == "" {
		target, _, _ = strings.Cut(r.URI, "?")
	}
	if r.Subresource != "" {
		target += "/" + r.Subresource
	}
	parts := []string{r.Verb, target}
	if name := strings.Trim(r.Namespace+"/"+r.Name, "/"); name != "" {
		parts = append(parts, name)
	}
	if r.DryRun != DryRunNone {
		parts = append(parts, "dry-run")
	}
	return strings.Join(append(parts, fmt.Sprint(r.Code)), " ")
}

// Mark returns the current end of the log, for Since: it returns the requests that the server receives after
// the mark. Since also returns an error of Mark.
func (l *AuditLog) Mark() Position {
	info, err := os.Stat(l.path)
	if err != nil {
		return Position{err: fmt.Errorf("mark the audit log: %w", err)}
	}
	return Position{offset: info.Size()}
}

// settleTimeout is how long Since waits for requests that are being handled.
const settleTimeout = 5 * time.Second

// Since returns the requests that every filter chooses among those that the server received between a position and this
// call, in order. It waits up to five seconds for the answers to those of them that the server is still handling. The
// Code of a request without an answer is 0. A watch counts as answered once it has begun.
func (l *AuditLog) Since(from Position, filters ...Filter) ([]Request, error) {
	read := l.Tail(from, filters...)
	requests, err := read()
	if err != nil {
		return nil, err
	}
	count := len(requests)
	for deadline := time.Now().Add(settleTimeout); anyUnanswered(requests) && time.Now().Before(deadline); {
		time.Sleep(20 * time.Millisecond)
		if requests, err = read(); err != nil {
			return nil, err
		}
		requests = requests[:count]
	}
	return requests, nil
}

func anyUnanswered(requests []Request) bool {
	return slices.ContainsFunc(requests, func(r Request) bool { return r.Code == 0 })
}

// Tail returns a function that returns the requests that every filter chooses, from a position to the end that the log
// has at the call. A request that is being handled has Code 0. Each call reads only what is new in the log.
func (l *AuditLog) Tail(from Position, filters ...Filter) func() ([]Request, error) {
	parsed := auditEvents{begun: map[string]int{}}
	offset, atStart := max(0, from.offset-1), from.offset == 0
	return func() (requests []Request, err error) {
		if from.err != nil {
			return nil, from.err
		}
		file, err := os.Open(l.path)
		if err != nil {
			return nil, fmt.Errorf("read the audit log: %w", err)
		}
		defer func() { err = errors.Join(err, file.Close()) }()
		if _, err := file.Seek(offset, io.SeekStart); err != nil {
			return nil, fmt.Errorf("read the audit log: %w", err)
		}
		reader := bufio.NewReader(file)
		if !atStart { // If the position is inside a line, the rest of that line belongs to an earlier request.
			rest, err := reader.ReadString('\n')
			if errors.Is(err, io.EOF) {
				return nil, nil
			}
			if err != nil {
				return nil, fmt.Errorf("read the audit log: %w", err)
			}
			offset, atStart = offset+int64(len(rest)), true
		}
		read, err := parsed.add(reader)
		offset += read
		return Matching(parsed.requests, filters...), err
	}
}

// auditEvent is the part of audit.k8s.io/v1 Event that requests are made of.
type auditEvent struct {
	AuditID    string `json:"auditID"`
	Stage      string `json:"stage"`
	RequestURI string `json:"requestURI"`
	Verb       string `json:"verb"`
	User       struct {
		Username string `json:"username"`
	} `json:"user"`
	UserAgent string `json:"userAgent"`
	ObjectRef struct {
		Resource    string `json:"resource"`
		Subresource string `json:"subresource"`
		Namespace   string `json:"namespace"`
		Name        string `json:"name"`
	} `json:"objectRef"`
	ResponseStatus struct {
		Code int `json:"code"`
	} `json:"responseStatus"`
	RequestReceivedTimestamp time.Time `json:"requestReceivedTimestamp"`
}

// stageReceived is the stage of the event that precedes the handling of a request.
const stageReceived = "RequestReceived"

// auditEvents joins the events of each request that begins in a stream. An answer whose request began before the stream
// is left out.
type auditEvents struct {
	requests []Request
	// begun are the indexes of requests by their audit IDs.
	begun map[string]int
}

// add reads whole lines, and returns how many bytes these have. A last line that is still being written is left out.
func (a *auditEvents) add(stream io.Reader) (read int64, err error) {
	reader := bufio.NewReader(stream)
	for {
		line, err := reader.ReadBytes('\n')
		if errors.Is(err, io.EOF) {
			return read, nil
		}
		if err != nil {
			return read, fmt.Errorf("read the audit log: %w", err)
		}
		read += int64(len(line))
		var event auditEvent
		if err := json.Unmarshal(bytes.TrimSpace(line), &event); err != nil {
			return read, fmt.Errorf("an audit event is not JSON: %w", err)
		}
		if event.Stage == stageReceived {
			request, err := event.request()
			if err != nil {
				return read, err
			}
			a.begun[event.AuditID] = len(a.requests)
			a.requests = append(a.requests, request)
		} else if at, ok := a.begun[event.AuditID]; ok {
			a.requests[at].Code = event.ResponseStatus.Code
		}
	}
}

func (e auditEvent) request() (Request, error) {
	uri, err := url.ParseRequestURI(e.RequestURI)
	if err != nil {
		return Request{}, fmt.Errorf("an audit event has no request URI: %w", err)
	}
	return Request{
		Verb:            e.Verb,
		Resource:        e.ObjectRef.Resource,
		Subresource:     e.ObjectRef.Subresource,
		Namespace:       e.ObjectRef.Namespace,
		Name:            e.ObjectRef.Name,
		DryRun:          DryRun(uri.Query().Get("dryRun")),
		User:            e.User.Username,
		UserAgent:       e.UserAgent,
		URI:             e.RequestURI,
		RequestReceived: e.RequestReceivedTimestamp,
	}, nil
}

// Filter chooses requests.
type Filter func(Request) bool

// Matching returns the requests that every filter chooses, in their order.
func Matching(requests []Request, filters ...Filter) []Request {
	var chosen []Request
next:
	for _, request := range requests {
		for _, filter := range filters {
			if !filter(request) {
				continue next
			}
		}
		chosen = append(chosen, request)
	}
	return chosen
}

// ByUserAgent chooses the requests of clients whose user agent contains a string.
func ByUserAgent(text string) Filter {
	return func(r Request) bool { return strings.Contains(r.UserAgent, text) }
}

// ByUser chooses the requests of a user.
func ByUser(name string) Filter {
	return func(r Request) bool { return r.User == name }
}

// ByResource chooses the requests for a plural resource name and its subresources.
func ByResource(resource string) Filter {
	return func(r Request) bool { return r.Resource == resource }
}

// ByObject chooses the requests that name an object; namespace is empty for a cluster-scoped one. A watch
// or a list that names the object in its field selector alone is chosen too.
func ByObject(namespace, name string) Filter {
	return func(r Request) bool { return r.Namespace == namespace && r.Name == name }
}

// Lines returns the requests as String writes them, for a comparison that reads well.
func Lines(requests []Request) []string {
	lines := make([]string, 0, len(requests))
	for _, request := range requests {
		lines = append(lines, request.String())
	}
	return lines
}
