package kube

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/apimachinery/pkg/version"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/rest"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster/kube/connect"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
)

// Client is one cluster, for the life of the process. It is safe for concurrent use; all its requests
// share one transport, which is HTTP/2 wherever the server speaks it.
//
// A request whose failure may pass is sent again; see retrier.
type Client struct {
	connection *connect.Connection
	rest       rest.Interface
	discovery  *discovery
	retrier    *retrier
	namespaces *readOnce[[]string]
	uid        *readOnce[string]
}

var _ cluster.Interface = (*Client)(nil)

// newClient makes a client and sends nothing. The error is a *connect.ConfigError.
func newClient(cfg connect.Config, opts connect.Options) (*Client, error) {
	connection, err := connect.Open(cfg, opts)
	if err != nil {
		return nil, err
	}
	// The dynamic client's configuration decodes everything into unstructured objects, integers as int64.
	restClient, err := rest.UnversionedRESTClientForConfigAndClient(dynamic.ConfigFor(connection.REST), connection.HTTP)
	if err != nil {
		return nil, connect.Unusable(err)
	}
	retries := &retrier{}
	served, err := newDiscovery(connection, retries)
	if err != nil {
		return nil, connect.Unusable(err)
	}
	return &Client{
		connection: connection, rest: restClient, discovery: served, retrier: retries,
		namespaces: newReadOnce[[]string](), uid: newReadOnce[string](),
	}, nil
}

// DefaultNamespace implements cluster.Interface.
func (c *Client) DefaultNamespace() string { return c.connection.Namespace }

// NamespaceSource implements cluster.Interface.
func (c *Client) NamespaceSource() cluster.NamespaceSource { return c.connection.Source }

// Connection returns what the client sends its requests through.
func (c *Client) Connection() *connect.Connection { return c.connection }

// Scope implements cluster.Interface.
func (c *Client) Scope(ctx context.Context, apiVersion, kind string) (cluster.Scope, error) {
	found, err := c.discovery.resolve(ctx, apiVersion, kind)
	if err != nil {
		return "", err
	}
	return found.kind.Scope, nil
}

// Kind implements cluster.Interface.
func (c *Client) Kind(ctx context.Context, apiVersion, kind string) (cluster.Kind, error) {
	found, err := c.discovery.resolve(ctx, apiVersion, kind)
	return found.kind, err
}

// Get implements cluster.Interface.
func (c *Client) Get(ctx context.Context, id manifest.Identity) (*unstructured.Unstructured, error) {
	served, path, err := c.resolve(ctx, id)
	if err != nil {
		return nil, c.confirmUnserved(ctx, id, err)
	}
	got, err := c.sendForObject(ctx, idempotent, c.rest.Get().AbsPath(path...), c.expect(http.MethodGet, served, id))
	if reason := cluster.ReasonOf(err); err == nil || reason == cluster.ReasonNotFound {
		see(ctx, id, got.object, true)
	}
	return got.object, c.confirmUnserved(ctx, id, err)
}

// Apply implements cluster.Interface.
func (c *Client) Apply(
	ctx context.Context, id manifest.Identity, body map[string]any, opts cluster.ApplyOptions,
) (cluster.Applied, error) {
	if mistyped := checkSecret(id, body); mistyped != nil {
		return cluster.Applied{}, mistyped
	}
	served, path, err := c.resolveWrite(ctx, id)
	if err != nil {
		return cluster.Applied{}, err
	}
	body, dropped := served.kind.Sendable(body, id.Subresource)
	creates := opts.New && !opts.DryRun
	if creates {
		body = asNew(body)
	}
	text, err := encodeBody(body)
	if err != nil {
		return cluster.Applied{}, unencodable(id, err)
	}
	request := c.rest.Patch(types.ApplyPatchType).AbsPath(path...)
	if opts.New && opts.DryRun {
		request = c.rest.Post().AbsPath(path[:len(path)-1]...)
	}
	request = request.Param("fieldManager", opts.FieldManager).
		Param("fieldValidation", metav1.FieldValidationStrict).
		Body(text)
	if opts.Force {
		request.Param("force", "true")
	}
	if opts.DryRun {
		request.Param("dryRun", metav1.DryRunAll)
	}
	repeat := idempotent
	if creates {
		repeat = notIdempotent
		request.MaxRetries(0) // After a 5xx with a Retry-After, client-go would send it again.
	}
	got, err := c.sendForObject(ctx, repeat, request, c.expect(http.MethodPatch, served, id).withUID(uidIn(body)))
	if failed, is := errors.AsType[*cluster.Error](err); is {
		if uidIn(body) == "" {
			aboutReference(failed, served.kind, body)
		}
		c.complete(ctx, failed, body, len(text))
	}
	if err != nil {
		return cluster.Applied{}, err
	}
	// The answer lacks the values that this apply has replaced, which a policy or a webhook may still quote.
	see(ctx, id, got.object, false)
	applied := cluster.Applied{Object: got.object, Outcome: cluster.Updated, Remarks: cluster.Remarks{
		Warnings: shownWarnings(ctx, id, got.warnings), Dropped: dropped, Bytes: len(text),
	}}
	if got.status == http.StatusCreated {
		applied.Outcome = cluster.Created
	}
	return applied, nil
}

// VersionOf returns the version of the server of a client: one GET.
func VersionOf(ctx context.Context, c *Client) (version.Info, error) {
	var info version.Info
	text, err := c.rest.Get().AbsPath("/version").Do(ctx).Raw()
	if err == nil {
		err = json.Unmarshal(text, &info)
	}
	return info, err
}

// resolveWrite does what resolve does, for requests that write to the subresource of id, if it names one.
func (c *Client) resolveWrite(ctx context.Context, id manifest.Identity) (resource, []string, error) {
	served, path, err := c.resolve(ctx, id)
	if err != nil || id.Subresource == "" {
		return served, path, err
	}
	if !served.kind.HasStatus {
		message := fmt.Sprintf("objects of the kind %s have no subresource %s", id.Kind, id.Subresource)
		return served, nil, &cluster.Error{
			Reason:  cluster.ReasonInvalid,
			Object:  id,
			Message: message,
			Details: &cluster.InvalidError{
				Causes: []metav1.StatusCause{{Type: metav1.CauseTypeFieldValueNotSupported, Message: message}},
			},
		}
	}
	return served, append(path, id.Subresource), nil
}

// resolve returns where the kind of an object is served, and the URL path of the object. A namespaced object without a
// namespace is in the default one.
func (c *Client) resolve(ctx context.Context, id manifest.Identity) (resource, []string, error) {
	served, err := c.discovery.resolve(ctx, id.APIVersion, id.Kind)
	if err != nil {
		return resource{}, nil, about(id, err)
	}
	collection, err := c.collectionPath(served, id)
	if err != nil {
		return resource{}, nil, err
	}
	if problems := rest.IsValidPathSegmentName(id.Name); id.Name == "" || len(problems) > 0 {
		return resource{}, nil, badName(id, "metadata.name", id.Name, problems)
	}
	return served, append(collection, id.Name), nil
}

// collectionPath returns the URL path of all objects of a kind in id's namespace.
func (c *Client) collectionPath(served resource, id manifest.Identity) ([]string, error) {
	path := served.path()
	if served.kind.Scope == cluster.ScopeNamespaced {
		namespace := c.namespaceOf(id)
		if problems := validation.IsDNS1123Label(namespace); len(problems) > 0 {
			return nil, badName(id, "metadata.namespace", namespace, problems)
		}
		path = append(path, "namespaces", namespace)
	}
	return append(path, served.kind.Plural), nil
}

// answer is a successful answer of the server.
type answer struct {
	status int
	// object is nil if the server answered with a metav1.Status.
	object   *unstructured.Unstructured
	decoded  runtime.Object
	warnings []string
}

// send sends a request, again where that may help, and decodes the answer. The error is a *cluster.Error.
func (c *Client) send(ctx context.Context, repeat repetition, request *rest.Request, want expected) (answer, error) {
	var got answer
	ctx = connect.Sending(connect.ForObject(context.WithValue(ctx, methodKey{}, want.method)), want.id.String())
	err := c.retrier.do(ctx, repeat, func() error {
		var err error
		got, err = attempt(ctx, request, want.method)
		return err
	})
	if err != nil {
		return answer{}, errorOf(ctx, want.id, err)
	}
	return got, nil
}

// attempt sends a request once, apart from the repetitions of client-go. The error is client-go's, or a
// *cluster.WrongAnswerError for an answer that cannot be decoded.
func attempt(ctx context.Context, request *rest.Request, method string) (answer, error) {
	var got answer
	var contentType string
	answered := request.Do(ctx).StatusCode(&got.status).ContentType(&contentType)
	for _, warning := range answered.Warnings() {
		if !slices.Contains(got.warnings, warning.Text) {
			got.warnings = append(got.warnings, warning.Text)
		}
	}
	decoded, err := answered.Get()
	if err != nil && answered.Error() == nil {
		// The error can quote the answer, and the answer can be a Secret.
		err = unreadable(request.URL(), method, contentType)
	}
	got.decoded = decoded
	got.object, _ = decoded.(*unstructured.Unstructured)
	return got, err
}

// sendForObject does what send does, and returns an error if the server answers without the object that is expected.
func (c *Client) sendForObject(
	ctx context.Context, repeat repetition, request *rest.Request, want expected,
) (answer, error) {
	got, err := c.send(ctx, repeat, request, want)
	if err != nil && want.method == http.MethodPatch && manifest.IsBuiltinGroup(want.id.Group()) {
		// Only the path of a custom kind may not be served yet while discovery lists it.
		err = c.confirmUnserved(ctx, want.id, err)
	}
	if err != nil {
		return answer{}, err
	}
	if problem := want.problem(got.decoded); problem != "" {
		return answer{}, want.wrongAnswer(request.URL(), problem)
	}
	return got, nil
}

// see reports a version of an object to the operation, nil if the object does not exist: [cluster.See].
func see(ctx context.Context, id manifest.Identity, object *unstructured.Unstructured, stored bool) {
	if object == nil {
		object = &unstructured.Unstructured{}
	}
	cluster.See(ctx, id, object.Object, stored)
}

// about returns an error of discovery as an error about the object of the request.
func about(id manifest.Identity, err error) error {
	failed := *errorOf(context.Background(), id, err)
	failed.Object = id
	return &failed
}

func badName(id manifest.Identity, field, name string, problems []string) *cluster.Error {
	message := fmt.Sprintf("%s: %q cannot be a name: %s", field, name, strings.Join(problems, ", "))
	if name == "" {
		message = field + " is empty"
	}
	return &cluster.Error{
		Reason:  cluster.ReasonInvalid,
		Object:  id,
		Message: message,
		Details: &cluster.InvalidError{
			Causes: []metav1.StatusCause{{Type: metav1.CauseTypeFieldValueInvalid, Field: field, Message: message}},
		},
	}
}

func unencodable(id manifest.Identity, err error) *cluster.Error {
	return &cluster.Error{
		Reason: cluster.ReasonBadRequest, Object: id, Message: "the request cannot be written as JSON", Cause: err,
	}
}

// Pool keeps one Client per distinct connect.Config for the life of the process. All resources of one cluster share its
// connections and its discovery. It is safe for concurrent use.
type Pool struct {
	opts connect.Options

	mu      sync.Mutex
	clients map[string]*Client
}

// NewPool makes an empty pool.
func NewPool(opts connect.Options) *Pool { return &Pool{opts: opts, clients: map[string]*Client{}} }

// Client returns the client of cfg, which the first call creates. It reads the file that cfg names and
// sends nothing. The error is a *connect.ConfigError; it is not cached, because the file may be written later.
func (p *Pool) Client(cfg connect.Config) (*Client, error) {
	key, err := cfg.Digest()
	if err != nil {
		return nil, connect.Unusable(err)
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if client, found := p.clients[key]; found {
		return client, nil
	}
	client, err := newClient(cfg, p.opts)
	if err != nil {
		return nil, err
	}
	p.clients[key] = client
	return client, nil
}
