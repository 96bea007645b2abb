package kube

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	rbacv1 "k8s.io/api/rbac/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster/kube/connect"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster/kube/openapi"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster/terminating"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
)

// expected is the object that a request is about, as the answer has to have it.
type expected struct {
	method string
	// id is the object as the caller names it. It has no name where any object of the kind is expected.
	id manifest.Identity
	// namespace is the object's; "" for any.
	namespace string
	// uid is the object's; "" for any.
	uid string
	// needsUID is true for kinds whose objects are stored. Objects that an API server computes, PodMetrics for example,
	// may lack one.
	needsUID bool
}

// expect returns what the answer to a request about an object has to be.
func (c *Client) expect(method string, served resource, id manifest.Identity) expected {
	want := expected{method: method, id: id, needsUID: method != http.MethodGet || served.manageable}
	if served.kind.Scope == cluster.ScopeNamespaced {
		want.namespace = c.namespaceOf(id)
	}
	return want
}

// withUID returns e with the uid that the request names; "" for none.
func (e expected) withUID(uid string) expected {
	e.uid = uid
	return e
}

// uidIn returns the uid in the body of an apply; "" without one.
func uidIn(body map[string]any) string {
	uid, _, _ := unstructured.NestedString(body, "metadata", "uid")
	return uid
}

// aStatus is an answer that describes how the request ended, and has no object.
const aStatus = "a Status"

// problem describes what an answer is if it is not the object that is expected; "" if it is.
func (e expected) problem(answer runtime.Object) string {
	switch object := answer.(type) {
	case *unstructured.Unstructured:
		return e.problemOf(object)
	case *metav1.Status:
		return aStatus
	default:
		return "no object"
	}
}

// problemOf does what problem does for an object. A server may leave the namespace out.
func (e expected) problemOf(object *unstructured.Unstructured) string {
	metadata, isMap := object.Object["metadata"].(map[string]any)
	kind, want := object.GroupVersionKind().
		GroupKind(),
		schema.FromAPIVersionAndKind(e.id.APIVersion, e.id.Kind).
			GroupKind()
	name, namespace := object.GetName(), object.GetNamespace()
	uid, isString := metadata["uid"].(string)
	_, hasUID := metadata["uid"]
	switch {
	case object.IsList():
		return "a list, " + kindIn(object.Object)
	case !isMap:
		return kindIn(object.Object) + " without metadata"
	case kind != want,
		name == "",
		e.id.Name != "" && name != e.id.Name,
		namespace != "" && e.namespace != "" && namespace != e.namespace:
		return shownObject(object)
	case hasUID && !isString, (e.needsUID || e.uid != "") && uid == "":
		return shownObject(object) + " without a uid"
	case e.uid != "" && uid != e.uid:
		return shownObject(object) + " with the uid " + cluster.Shown(uid) + ", not " + cluster.Shown(e.uid)
	}
	return ""
}

// isAnother reports whether an event of a watch is about another object, as from servers that ignore a field selector.
func (e expected) isAnother(object *unstructured.Unstructured) bool {
	e.uid, e.needsUID = "", false
	return e.problemOf(object) != ""
}

// shownObject returns an object as an error names it: "ConfigMap ns/name (v1)".
func shownObject(object *unstructured.Unstructured) string {
	name := cluster.Shown(object.GetName())
	if namespace := object.GetNamespace(); namespace != "" {
		name = cluster.Shown(namespace) + "/" + name
	}
	return cluster.Shown(object.GetKind()) + " " + name + " (" + cluster.Shown(object.GetAPIVersion()) + ")"
}

func kindIn(answer map[string]any) string {
	kind, _ := answer["kind"].(string)
	version, _ := answer["apiVersion"].(string)
	return cluster.Shown(kind) + " (" + cluster.Shown(version) + ")"
}

// wrongAnswer returns the error about an answer. The server may have executed the request.
func (e expected) wrongAnswer(to *url.URL, problem string) *cluster.Error {
	wrong := &cluster.WrongAnswerError{Server: connect.HostOf(to), Method: e.method, Answer: problem}
	reason := cluster.ReasonWrongAnswer
	if problem == aStatus {
		reason = cluster.ReasonServer
	}
	return &cluster.Error{Reason: reason, Object: e.id, Message: wrong.Error(), Details: wrong, OutcomeUnknown: true}
}

// unreadable returns the error about an answer that cannot be decoded.
func unreadable(to *url.URL, method, contentType string) error {
	media, _, _ := strings.Cut(contentType, ";")
	what := "not a Kubernetes object in JSON"
	if media != "application/json" {
		what = fmt.Sprintf("of the type %s, %s", cluster.Shown(media), what)
	}
	return &cluster.WrongAnswerError{Server: connect.HostOf(to), Method: method, Answer: what}
}

// complete adds to the details of a failed apply or update the causes that the server does not report. body was sent,
// in size bytes. The last refusal before the deadline of ctx is the one that the user sees.
func (c *Client) complete(ctx context.Context, failed *cluster.Error, body map[string]any, size int) {
	ctx, cancel := cluster.Afterwards(ctx, 5*time.Second)
	defer cancel()
	id := failed.Object
	switch details := failed.Details.(type) { //nolint:errorlint // Details wrap nothing and are not wrapped.
	case *cluster.SchemaMismatchError:
		c.consultSchema(ctx, id, body, details)
	case *cluster.InvalidError:
		c.consultRules(ctx, id, details)
	case *cluster.NamespaceNotFoundError:
		details.Nearest = c.nearestNamespaces(ctx, id)
	case *cluster.NamespaceTerminatingError:
		details.Ending = c.endingOf(ctx, manifest.Identity{
			APIVersion: "v1", Kind: "Namespace", Name: c.namespaceOf(id),
		})
	case *cluster.NotYetAdmittedError:
		c.consultDefinition(ctx, id, details)
	case *cluster.TooLargeError:
		details.Bytes = size
	}
	if hidden := words(ctx, id); hidden != nil {
		hidden.HideDetails(failed.Details)
	}
}

// endingOf returns what blocks the end of a terminating object; nil if the object cannot be read, or is not
// terminating.
func (c *Client) endingOf(ctx context.Context, of manifest.Identity) *cluster.Ending {
	live, err := c.Get(ctx, of)
	if err != nil || live.GetDeletionTimestamp() == nil {
		return nil
	}
	return new(terminating.Of(ctx, c, live))
}

// aboutReference makes the 404 of an apply without a uid one about an object to which it refers: that apply creates an
// object that does not exist. For the binding of a role, the server does not report whether it looks for a Role or a
// ClusterRole, and names it as if it were a binding. Any other 404 that names the object itself, as a proxy may send
// it, stays one about that object.
func aboutReference(failed *cluster.Error, served cluster.Kind, body map[string]any) {
	var answer apierrors.APIStatus
	isAbout := failed.Reason == cluster.ReasonNotFound || failed.Reason == cluster.ReasonServer
	if !isAbout || !errors.As(failed.Cause, &answer) || !apierrors.IsNotFound(failed.Cause) {
		return
	}
	id, details := failed.Object, answer.Status().Details
	if details == nil || details.Name == "" {
		return
	}
	kind, _, _ := unstructured.NestedString(body, "roleRef", "kind")
	name, _, _ := unstructured.NestedString(body, "roleRef", "name")
	isRole := id.Group() == rbacv1.GroupName && name == details.Name
	if !isRole && details.Name == id.Name && details.Kind == served.Plural {
		return
	}
	missing := &cluster.NotYetAdmittedError{
		Awaited: details.Kind + " " + cluster.Shown(details.Name), Problem: "does not exist",
	}
	if isRole {
		missing.Missing = manifest.Identity{APIVersion: id.APIVersion, Kind: kind, Name: name}
		missing.Awaited = kind + " " + name
		if kind == "Role" {
			missing.Missing.Namespace, missing.Awaited = id.Namespace, kind+" "+id.Namespace+"/"+name
		}
	}
	failed.Reason, failed.Details = cluster.ReasonNotYetAdmitted, missing
}

// consultDefinition completes the refusal of an object whose definition is terminating.
func (c *Client) consultDefinition(ctx context.Context, id manifest.Identity, refused *cluster.NotYetAdmittedError) {
	if !refused.IsTerminating {
		return
	}
	served, err := c.discovery.resolve(ctx, id.APIVersion, id.Kind)
	if err != nil {
		return
	}
	refused.Missing = manifest.Identity{
		APIVersion: "apiextensions.k8s.io/v1", Kind: "CustomResourceDefinition",
		Name: served.kind.Plural + "." + id.Group(),
	}
	refused.Awaited, refused.Ending = "CustomResourceDefinition "+refused.Missing.Name, c.endingOf(ctx, refused.Missing)
}

// consultSchema reads the schema of an object whose manifest does not fit it, and adds all that does not fit. If it
// cannot read the schema, it adds nothing.
func (c *Client) consultSchema(
	ctx context.Context, id manifest.Identity, body map[string]any, mismatch *cluster.SchemaMismatchError,
) {
	if mismatch.Of != cluster.MismatchInManifest {
		return
	}
	published, err := openapi.Read(ctx, c.rest, schema.FromAPIVersionAndKind(id.APIVersion, id.Kind))
	if err != nil {
		return
	}
	mismatch.Undeclared = published.Undeclared(body)
	for _, found := range published.Mistyped(body) {
		isSame := func(p cluster.FieldProblem) bool { return openapi.IsSameField(p.Field, found.Field) }
		isKnown := openapi.IsSameField(mismatch.Field, found.Field) || slices.ContainsFunc(mismatch.More, isSame)
		switch {
		case mismatch.Field == "" && found.Problem == openapi.Unreadable:
			mismatch.Field = found.Field
		case !isKnown:
			mismatch.More = append(mismatch.More, found)
		}
	}
}

// consultRules reads the schema of an object that validation refuses, and adds the rules of its
// CustomResourceDefinition that it breaks. If it cannot read the schema, it notes that they are not clear.
func (c *Client) consultRules(ctx context.Context, id manifest.Identity, invalid *cluster.InvalidError) {
	kind := schema.FromAPIVersionAndKind(id.APIVersion, id.Kind)
	if manifest.IsBuiltinGroup(kind.Group) || !slices.ContainsFunc(invalid.Causes, openapi.MayBeRule) {
		return
	}
	published, err := openapi.Read(ctx, c.rest, kind)
	if invalid.RulesUnclear = err != nil; err == nil {
		invalid.Rules, invalid.RulesUnclear = published.BrokenRules(invalid.Causes)
	}
}
