package statuses

import (
	"net/http"
	"net/url"
	"regexp"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
)

// callFailed is how the API server shows that it got no answer from an admission webhook. It answers 500 with the
// reason of any internal error.
var callFailed = regexp.MustCompile(`failed calling webhook "([^"]*)": failed to call webhook: (?:Post "([^"]*)": )?`)

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
