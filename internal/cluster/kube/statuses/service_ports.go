package statuses

import (
	"net/http"
	"regexp"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

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
