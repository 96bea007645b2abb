package kube

import (
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"strings"

	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster/kube/connect"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster/kube/statuses"
)

// isTransport reports whether err happened on the way to the server rather than in its answer.
func isTransport(err error) bool {
	var urlErr *url.Error
	var netErr net.Error
	return errors.As(err, &urlErr) || errors.As(err, &netErr)
}

// reasonForLog returns why a request failed, for the log. It has nothing of the server's message, which may quote
// values.
func reasonForLog(err error) string {
	var answer apierrors.APIStatus
	if errors.As(err, &answer) {
		return fmt.Sprintf("the server answered %d %s", answer.Status().Code, answer.Status().Reason)
	}
	if !isTransport(err) {
		return "the answer cannot be read"
	}
	return innermost(err).Error()
}

// isHandshake reports whether the server accepted the connection but did not answer the TLS handshake. No request was
// sent then. The error has no type.
func isHandshake(err error) bool {
	return strings.HasSuffix(err.Error(), "net/http: TLS handshake timeout")
}

// isLasting reports whether a failure on the way to the server stays: the server is not the one that the connection
// expects, one of the two does not use TLS, or a proxy refuses to connect.
func isLasting(err error) bool {
	var untrusted *tls.CertificateVerificationError
	var noTLS tls.RecordHeaderError
	var protocol *cluster.ProtocolError
	if proxy, ok := errors.AsType[*cluster.ProxyError](err); ok {
		return proxy.Code < http.StatusInternalServerError && proxy.Code != http.StatusTooManyRequests
	}
	return errors.As(err, &untrusted) || errors.As(err, &noTLS) || errors.As(err, &protocol) ||
		errors.Is(err, http.ErrSchemeMismatch)
}

// isRefusedAnswer reports whether the connection refused the server's answer, which would be the same the next time.
func isRefusedAnswer(err error) bool {
	var redirect *cluster.RedirectError
	var busy *cluster.BusyError
	var tooLarge *cluster.AnswerTooLargeError
	return errors.As(err, &redirect) || errors.As(err, &busy) || errors.As(err, &tooLarge)
}

// isOutcomeUnknown reports whether the server may have acted on a request that failed with err.
func isOutcomeUnknown(err error) bool {
	var answer apierrors.APIStatus
	if errors.As(err, &answer) {
		status := answer.Status()
		// Admission comes before anything is stored.
		return status.Code >= http.StatusInternalServerError && !statuses.IsJudged(status) &&
			statuses.WebhookOf(status) == nil
	}
	var lookup *net.DNSError
	var plugin *connect.PluginError
	var redirect *cluster.RedirectError
	var proxy *cluster.ProxyError
	var throttled *cluster.ThrottledError
	if errors.As(err, &throttled) || errors.As(err, &lookup) || errors.As(err, &plugin) ||
		errors.As(err, &redirect) || errors.As(err, &proxy) || isLasting(err) ||
		isHandshake(err) {
		return false
	}
	if busy, is := errors.AsType[*cluster.BusyError](err); is {
		// The server answers 429 before it acts on a request.
		return busy.Status >= http.StatusInternalServerError
	}
	var network *net.OpError
	return !errors.As(err, &network) ||
		network.Op != "dial" && network.Op != "proxyconnect" && network.Op != "socks connect"
}

// serverOf names the server that a request went to, without the path and the query of the request.
func serverOf(err error) string {
	if sent, is := errors.AsType[*url.Error](err); is {
		if u, err := url.Parse(sent.URL); err == nil && u.Host != "" {
			return connect.HostOf(u)
		}
	}
	return "the API server"
}

// innermost returns the error inside of a *url.Error, which repeats the whole request line with its query.
func innermost(err error) error {
	if sent, is := errors.AsType[*url.Error](err); is {
		return sent.Err
	}
	return err
}
