package statuses

import (
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster/refusals"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
)

// unchecked is a cause that the server adds if the definition of a kind contains rules in CEL: it checks them only once
// the other faults are gone. It is not a fault of the object.
const unchecked = "some validation rules were not checked because the object was invalid"

func isUnchecked(cause metav1.StatusCause) bool { return strings.Contains(cause.Message, unchecked) }

// DetailsOf returns the details of the reason of an answer, as far as the answer contains them; nil without any.
func DetailsOf(reason cluster.Reason, id manifest.Identity, status metav1.Status) error {
	var causes []metav1.StatusCause
	if status.Details != nil {
		causes = status.Details.Causes
	}
	switch reason {
	case cluster.ReasonKindNotServed:
		return &cluster.KindNotServedError{BuiltinGroup: manifest.IsBuiltinGroup(id.Group())}
	case cluster.ReasonNamespaceNotFound:
		return &cluster.NamespaceNotFoundError{}
	case cluster.ReasonNamespaceTerminating:
		return &cluster.NamespaceTerminatingError{}
	case cluster.ReasonNotYetAdmitted:
		return refusals.Passing(status.Message, id.Namespace)
	case cluster.ReasonInvalid:
		if port := servicePort(status); port != nil {
			causes = []metav1.StatusCause{*port}
		}
		return &cluster.InvalidError{Causes: slices.DeleteFunc(slices.Clone(causes), isUnchecked)}
	case cluster.ReasonFieldManagerConflict:
		return &cluster.FieldManagerConflictError{Causes: causes}
	case cluster.ReasonSchemaMismatch:
		return SchemaMismatchOf(status)
	case cluster.ReasonUnconvertible:
		return UnconvertibleOf(status)
	case cluster.ReasonForbidden:
		// Policies and quotas forbid, too, and a nil pointer in an error would not be a nil error.
		if missing := refusals.MissingRight(status.Message); missing != nil {
			return missing
		}
		return nil
	case cluster.ReasonTooLarge:
		return &cluster.TooLargeError{}
	case cluster.ReasonWebhookUnreachable:
		return WebhookOf(status)
	default:
		return nil
	}
}

// ReasonOf returns the reason of an answer, and err is the error that the answer came as. Only the message tells the
// last four reasons apart from other failures of the server.
func ReasonOf(id manifest.Identity, status metav1.Status, err error) cluster.Reason {
	switch {
	// First the two causes: they come with 403 and 409, which have another meaning without them.
	case apierrors.HasStatusCause(err, corev1.NamespaceTerminatingCause):
		return cluster.ReasonNamespaceTerminating
	case apierrors.HasStatusCause(err, metav1.CauseTypeFieldManagerConflict):
		return cluster.ReasonFieldManagerConflict
	case apierrors.IsMethodNotSupported(err):
		return cluster.ReasonKindNotManageable
	case apierrors.IsNotFound(err):
		return notFoundReason(id, status.Details)
	case apierrors.IsConflict(err), apierrors.IsAlreadyExists(err):
		return cluster.ReasonConflict
	case refusals.Passing(status.Message, id.Namespace) != nil:
		return cluster.ReasonNotYetAdmitted
	case apierrors.IsInvalid(err):
		return invalidReason(status.Details)
	case servicePort(status) != nil:
		return cluster.ReasonInvalid
	case apierrors.IsBadRequest(err):
		return cluster.ReasonBadRequest
	case apierrors.IsForbidden(err):
		return cluster.ReasonForbidden
	case apierrors.IsUnauthorized(err):
		return cluster.ReasonUnauthorized
	case apierrors.IsResourceExpired(err):
		return cluster.ReasonExpired
	case IsTooLarge(status):
		return cluster.ReasonTooLarge
	case SchemaMismatchOf(status) != nil:
		return cluster.ReasonSchemaMismatch
	case UnconvertibleOf(status) != nil:
		return cluster.ReasonUnconvertible
	case WebhookOf(status) != nil:
		return cluster.ReasonWebhookUnreachable
	default:
		return cluster.ReasonServer
	}
}

// notFoundReason returns what a 404 is about. The details name the resource that is missing: the object's own,
// "namespaces" for its namespace, or what the object refers to. They name none if the path is not served. The server
// also answers so in the moment after a CustomResourceDefinition was created, and so do proxies on the way to it.
func notFoundReason(id manifest.Identity, details *metav1.StatusDetails) cluster.Reason {
	switch {
	case details == nil || details.Name == "":
		return cluster.ReasonKindNotServed
	case details.Kind == "namespaces" && details.Group == "" && !id.IsNamespace():
		return cluster.ReasonNamespaceNotFound
	case details.Name != id.Name:
		return cluster.ReasonServer
	default:
		return cluster.ReasonNotFound
	}
}

// invalidReason tells an object that was created again from one that is invalid: an apply with the uid of
// an object that is gone is answered 409, but 422 once another object has taken its name.
func invalidReason(details *metav1.StatusDetails) cluster.Reason {
	ofUID := func(cause metav1.StatusCause) bool { return cause.Field == "metadata.uid" }
	if details != nil && slices.ContainsFunc(details.Causes, ofUID) {
		return cluster.ReasonConflict
	}
	return cluster.ReasonInvalid
}

// The API server answers 500 without a cause if it cannot give a Service the ports that it asks for
// (pkg/registry/core/service/storage/alloc.go).
var (
	// repeatedNodePort is about two ports of one Service.
	repeatedNodePort = regexp.MustCompile(`^duplicate nodePort: \{\S+ (\d+)\}$`)
	// refusedHealthCheckPort is about a port that another Service has, or that is out of range.
	refusedHealthCheckPort = regexp.MustCompile(`failed to allocate requested HealthCheck NodePort (\d+): (.+)$`)
)

// servicePort returns the port that an answer refuses, as a cause of an invalid object; nil if the answer is about
// something else.
func servicePort(status metav1.Status) *metav1.StatusCause {
	if status.Code != http.StatusInternalServerError {
		return nil
	}
	if found := repeatedNodePort.FindStringSubmatch(status.Message); found != nil {
		return &metav1.StatusCause{
			Type: metav1.CauseTypeFieldValueDuplicate, Field: "spec.ports[*].nodePort",
			Message: "Duplicate value: " + found[1],
		}
	}
	if found := refusedHealthCheckPort.FindStringSubmatch(status.Message); found != nil {
		return &metav1.StatusCause{
			Type: metav1.CauseTypeFieldValueInvalid, Field: "spec.healthCheckNodePort",
			Message: "Invalid value: " + found[1] + ": " + found[2],
		}
	}
	return nil
}

// IsJudged reports whether an answer with the code of an accident is a judgement about the object, which would be the
// same the next time.
func IsJudged(status metav1.Status) bool {
	return SchemaMismatchOf(status) != nil || UnconvertibleOf(status) != nil || servicePort(status) != nil ||
		IsTooLarge(status)
}

// callFailed is how the API server shows that it got no answer from an admission webhook. It answers 500 with the
// reason of any internal error.
var callFailed = regexp.MustCompile(`^(?:Internal error occurred: )?failed calling webhook "([^"]*)": ` +
	`failed to call webhook: (?:Post "([^"]*)": )?`)

// WebhookOf returns the webhook that could not be reached; nil if an answer is about something else.
func WebhookOf(status metav1.Status) *cluster.WebhookUnreachableError {
	if status.Code != http.StatusInternalServerError {
		return nil
	}
	found := callFailed.FindStringSubmatch(status.Message)
	if found == nil {
		return nil
	}
	return &cluster.WebhookUnreachableError{Name: found[1], Address: addressOf(found[2])}
}

// addressOf returns "service cert-manager/webhook" for the URL by which the API server calls a service, and
// scheme and host of any other URL.
func addressOf(text string) string {
	called, err := url.Parse(text)
	if err != nil || called.Host == "" {
		return ""
	}
	labels := strings.Split(called.Hostname(), ".")
	if len(labels) == 3 && labels[2] == "svc" {
		return "service " + labels[1] + "/" + labels[0]
	}
	return called.Scheme + "://" + called.Host
}
