package kube

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster/kube/connect"
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
