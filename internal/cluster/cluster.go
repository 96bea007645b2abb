// Package cluster is the port to a Kubernetes API server. A use case takes an [Interface], which package kube
// implements, and calls [Locate] first, which completes the identity of an object; then [Get], [Create], [ListAll] or a
// method of the Interface. It knows nothing of Terraform and nothing of client-go.
//
// Each failure is an *Error with a Reason. Details contains more about some reasons, in a type for each of them:
// errors.As finds *KindNotServedError, *InvalidError and the others in an *Error and in errors that wrap it.
package cluster

import (
	"context"
	"errors"
	"strings"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
)

// Interface is the access to a Kubernetes API server that the use cases need. Every method sends at most the requests
// that its comment names, and returns an *Error for everything that went wrong on the way.
type Interface interface {
	// Scope reports whether a kind is namespaced. It sends nothing while the discovery that the process holds has the
	// kind, and reads discovery again when it does not. An unserved kind is an *Error with ReasonKindNotServed.
	Scope(ctx context.Context, apiVersion, kind string) (Scope, error)

	// Kind returns the discovery record of a kind, the scope included. It sends the requests of Scope.
	Kind(ctx context.Context, apiVersion, kind string) (Kind, error)

	// Kinds returns every kind whose objects can be managed, as discovery knows them. It sends nothing while the
	// process holds discovery.
	Kinds(ctx context.Context) (Kinds, error)

	// Capabilities returns the data about the server that a Helm chart can read. It sends one GET, and the requests of
	// Kinds.
	Capabilities(ctx context.Context) (Capabilities, error)

	// DefaultNamespace returns the namespace of objects that name none: the connection's own, else its context's, else
	// "default". NamespaceSource shows which of them.
	DefaultNamespace() string
	NamespaceSource() NamespaceSource

	// UID returns the uid of the namespace kube-system, which tells clusters apart. It sends one GET in the life of the
	// process, and returns "" if the user may not read that namespace, or the cluster has none. Errors are about the
	// object of the operation, which of identifies.
	UID(ctx context.Context, of manifest.Identity) (string, error)

	// Get sends one GET. If the object is missing, it returns an *Error with ReasonNotFound. If its kind is not served
	// any more, it reads discovery again and returns an *Error with ReasonKindNotServed.
	Get(ctx context.Context, id manifest.Identity) (*unstructured.Unstructured, error)

	// List sends one LIST, and returns a page of the objects that a query selects. If the page continues a list that
	// the server does not hold any more, it returns an *Error with ReasonExpired. ListAll reads all pages.
	List(ctx context.Context, query ListQuery) (Page, error)

	// Logs sends one GET, and returns the last lines that a container of a pod has written.
	Logs(ctx context.Context, query LogQuery) (string, error)

	// Apply sends one server-side apply PATCH with fieldValidation=Strict. It sends what Kind.Sendable returns. A
	// failure may cost two GETs, of the kind's schema, or one LIST, of the namespaces.
	Apply(ctx context.Context, id manifest.Identity, body map[string]any, opts ApplyOptions) (Applied, error)

	// Patch sends one JSON PATCH. If id has a subresource, edits of metadata go to the object and the others to the
	// subresource, in up to two PATCHes. Each is guarded by resourceVersion: if the object has changed, it returns an
	// *Error with ReasonConflict. A refused removal may cost one GET.
	Patch(ctx context.Context, id manifest.Identity, patch Patch) (*unstructured.Unstructured, error)

	// Update sends one JSON, merge or strategic merge PATCH with fieldValidation=Strict, guarded by uid and
	// resourceVersion: if the object has changed, it returns an *Error with ReasonConflict. A failure may cost two
	// GETs, of the kind's schema.
	Update(ctx context.Context, id manifest.Identity, update Update) (Applied, error)

	// TryMerge sends one merge PATCH with dryRun=All, and returns the object that merge makes. It returns an *Error if
	// the server would refuse that object.
	TryMerge(
		ctx context.Context, id manifest.Identity, fieldManager string, merge map[string]any,
	) (map[string]any, error)

	// Delete sends one DELETE with the uid as its precondition. A nil object means that the server has removed it
	// already; otherwise it is the object that the server is still terminating. Errors are those of Get.
	Delete(ctx context.Context, id manifest.Identity, removal Removal) (*unstructured.Unstructured, error)

	// Follow calls visit with each version of an object from now on until visit returns true: a WATCH from the
	// resourceVersion of live, and a GET and another WATCH whenever it ends. If the user may not watch, it is a GET
	// from time to time. The end of ctx is an *Error with ReasonTimeout, an object that was created again is one with
	// ReasonConflict; other errors are those of Get.
	Follow(
		ctx context.Context, live *unstructured.Unstructured, visit func(live *unstructured.Unstructured) (done bool),
	) (Followed, error)

	// FollowName is Follow for any object that has a name. It follows from live on. If live is nil, the WATCH begins
	// with the object that exists now, if one does. It calls visit with nil when the object is deleted, and when a GET
	// does not find it.
	FollowName(
		ctx context.Context, id manifest.Identity, live *unstructured.Unstructured,
		visit func(live *unstructured.Unstructured) (done bool),
	) (Followed, error)

	// AwaitDeletion watches a terminating object until the server has removed it or ctx ends, which is an
	// *Error with ReasonDeletionBlocked.
	AwaitDeletion(ctx context.Context, terminating *unstructured.Unstructured) error
}

// Capabilities are what a server is and serves.
type Capabilities struct {
	// Version is that of Kubernetes, v1.36.3 for instance.
	Version string
	// APIVersions are the versions that the server serves, and the kinds in them: apps/v1 and apps/v1/Deployment. They
	// have no order, and some repeat.
	APIVersions []string
}

// Scope is where objects of a kind live.
type Scope string

// The scopes that discovery knows.
const (
	ScopeCluster    Scope = "Cluster"
	ScopeNamespaced Scope = "Namespaced"
)

// NamespaceSource is the origin of a connection's default namespace.
type NamespaceSource string

// The sources of a default namespace.
const (
	// NamespaceConfigured: the connection names it.
	NamespaceConfigured NamespaceSource = "Configured"
	// NamespaceOfContext: the context of the kubeconfig names it.
	NamespaceOfContext NamespaceSource = "Context"
	// NamespaceAssumed: nothing names it, and it is "default".
	NamespaceAssumed NamespaceSource = "Assumed"
)

// ApplyOptions are the options of one server-side apply.
type ApplyOptions struct {
	// FieldManager owns what is applied.
	FieldManager string
	// New is true if the apply creates the object; as a dry-run, it is sent as a create. If the object exists, nothing
	// changes, and the *Error has ReasonConflict or ReasonFieldManagerConflict. It is not sent again if its answer was
	// lost, because that would hide who created the object: the *Error has OutcomeUnknown then.
	New bool
	// DryRun asks the server for the result and persists nothing.
	DryRun bool
	// Force takes fields that other managers hold with other values. Without it they are an *Error with
	// ReasonFieldManagerConflict.
	Force bool
}

// Applied is the server's answer to an apply or an update.
type Applied struct {
	Object *unstructured.Unstructured
	// Outcome tells a new object (HTTP 201) from one that was there (HTTP 200).
	Outcome Outcome
	Remarks
}

// Remarks are what an apply shows apart from its result.
type Remarks struct {
	// Warnings are the server's Warning headers, a deprecated API for instance.
	Warnings []string
	// Dropped are the paths of the body that were not sent; see [Kind.Sendable].
	Dropped []string
	// Bytes is the size of the request's body.
	Bytes int
}

// Followed is how an object was followed.
type Followed struct {
	// Refusal is why the server did not let us watch; nil if it did.
	Refusal *Error
}

// Outcome is the effect of an apply on the object.
type Outcome string

// The outcomes of an apply.
const (
	Created Outcome = "Created"
	Updated Outcome = "Updated"
)

// Removal describes how an object is to be deleted.
type Removal struct {
	// UID is the object's; another object of its name is left alone.
	UID         string
	Propagation Propagation
}

// Propagation is the API server's name for what happens to the dependents of a deleted object, a Deployment's
// ReplicaSets for instance.
type Propagation string

// The ways to delete an object that owns others.
const (
	// Background: the server removes the object at once, and the objects that it owns afterwards.
	Background Propagation = "Background"
	// Foreground: the server removes the object once the objects that it owns are gone.
	Foreground Propagation = "Foreground"
	// Orphan: the objects that it owns stay.
	Orphan Propagation = "Orphan"
)

// Update is a patch that a user has written, of an object that is still at ResourceVersion.
type Update struct {
	Type types.PatchType
	// Body is JSON of that type.
	Body []byte
	// FieldManager owns the fields that get another value.
	FieldManager         string
	UID, ResourceVersion string
	// DryRun asks the server for the result and persists nothing.
	DryRun bool
}

// Patch sets fields of an object that is still at ResourceVersion.
type Patch struct {
	// FieldManager owns the fields that get another value.
	FieldManager    string
	ResourceVersion string
	Edits           []Edit
	// DryRun asks the server for the result and persists nothing.
	DryRun bool
}

// Edit sets the value of one field, or removes the field.
type Edit struct {
	// Pointer are the steps of a JSON pointer to the field, not escaped.
	Pointer []string
	Value   any
	// Remove is true if the field is removed; Value is not used then. Add is true if the field may be missing.
	Remove, Add bool
}

// SetManagedFields returns the edit that replaces metadata.managedFields. The server drops entries without fields.
func SetManagedFields(entries []metav1.ManagedFieldsEntry) Edit {
	if len(entries) == 0 {
		// The documented way to report that no entry is left.
		entries = []metav1.ManagedFieldsEntry{{}}
	}
	return Edit{Pointer: []string{"metadata", "managedFields"}, Value: entries, Add: true}
}

// SetFinalizers returns the edit that replaces metadata.finalizers.
func SetFinalizers(finalizers []string) Edit {
	return Edit{Pointer: []string{"metadata", "finalizers"}, Value: finalizers}
}

const (
	// DryRunSuffix ends the names of objects that dry-runs create.
	DryRunSuffix = "-dry-run"
	// shortestLimit is the length of the longest name of a CronJob. Other kinds allow longer names.
	shortestLimit = 52
)

// DryRunName returns the name under which a dry-run creates an object that exists: a long one is cut.
func DryRunName(name string) string {
	short := strings.ToValidUTF8(name[:min(len(name), shortestLimit-len(DryRunSuffix))], "")
	return strings.TrimRight(short, "-.") + DryRunSuffix
}

// Afterwards returns a context for the requests that collect the details of a message about an operation. They get time
// of their own, because the message is often about the expired deadline of ctx. It ends if ctx is cancelled.
func Afterwards(ctx context.Context, within time.Duration) (context.Context, context.CancelFunc) {
	later, cancel := context.WithTimeout(context.WithoutCancel(ctx), within)
	stop := context.AfterFunc(ctx, func() {
		if errors.Is(ctx.Err(), context.Canceled) {
			cancel()
		}
	})
	return later, func() {
		stop()
		cancel()
	}
}
