package diagnostics

import (
	"crypto/x509"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
)

// conversionFails matches the message of an API server that cannot convert an object to another version.
var conversionFails = regexp.MustCompile(`conversion webhook for .+ (?:failed|returned)\b`)

// lasting are the failures of an API server that another attempt does not end, with the next step.
var lasting = []struct {
	message *regexp.Regexp
	next    string
}{
	// pkg/registry/core/service/storage/alloc.go
	{regexp.MustCompile(`failed to allocate a (?:HealthCheck N|n)odePort.*range is full`),
		"All node ports of the cluster are in use. Delete Services of the types NodePort and LoadBalancer " +
			"that nobody needs, set allocateLoadBalancerNodePorts: false in those of the type LoadBalancer, " +
			"or raise --service-node-port-range of the API server."},
	{regexp.MustCompile(`failed to allocate a serviceIP.*range is full`),
		"All cluster IP addresses of Services are in use. Delete Services that nobody needs, set clusterIP: None " +
			"in those that only need a DNS name, or add a ServiceCIDR to the cluster."},
	{regexp.MustCompile(`mvcc: database space exceeded`),
		"The storage of the cluster (etcd) is full, so nothing can be written until its operator has compacted and " +
			"defragmented it, or raised --quota-backend-bytes, and has cleared the alarm NOSPACE."},
	{regexp.MustCompile(`unable to transform key|no matching prefix found`),
		"The API server cannot decrypt the stored object: the key is missing in its " +
			"--encryption-provider-config. Ask the operator of the cluster to add it."},
	{conversionFails,
		"Repair the conversion webhook of the CustomResourceDefinition, or ask its owner. Until it answers, " +
			"no object of the kind can be read or changed."},
}

// afterFailure returns the next step after a failure of the API server without a Reason of its own; "" if another
// server may have answered. body is the attribute with the body of the request, or "". whenBusy is the step if the
// server is overloaded.
func afterFailure(err *cluster.Error, body, whenBusy string) string {
	for _, failure := range lasting {
		if failure.message.MatchString(err.Said()) {
			return failure.next
		}
	}
	answer, isAnswer := err.Cause.(apierrors.APIStatus)
	switch {
	case !isAnswer:
		return ""
	case apierrors.IsTooManyRequests(err.Cause):
		return whenBusy
	case answer.Status().Code >= leastOfServer:
		return Paragraphs("The provider has repeated the request, and the API server failed each time. Its log says "+
			"why. Plan again when it has recovered.", behind(err.Object, answer))
	case body == "":
		return "Correct what the message names."
	default:
		return "Correct what the message names, in " + body + " or in the cluster connection."
	}
}

// behind returns the command that shows the API server behind a kind that is unavailable; "" for kinds that
// kube-apiserver serves itself.
func behind(id manifest.Identity, answer apierrors.APIStatus) string {
	if answer.Status().Code != unavailable || manifest.IsBuiltinGroup(id.Group()) {
		return ""
	}
	return "The group may have an API server of its own:\n\n  kubectl get apiservice " +
		strings.TrimPrefix(id.APIVersion, id.Group()+"/") + "." + id.Group()
}

// leastOfServer is the least HTTP status of a failure of the server, and unavailable that of one behind it.
const (
	leastOfServer = 500
	unavailable   = 503
)

// statusOption returns the option with which kubectl edits fields, if all of them are in the status; "" otherwise.
func statusOption(fields []string) string {
	isSpec := func(field string) bool { return !strings.HasPrefix(field, manifest.Status+".") }
	if len(fields) == 0 || slices.ContainsFunc(fields, isSpec) {
		return ""
	}
	return " --subresource=" + manifest.Status
}

// alreadyAllocated ends the message of a cause about a port or an address that a Service has already.
const alreadyAllocated = " is already allocated"

// nodePorts is the field of a cause about two ports of one Service with the same node port.
const nodePorts = "spec.ports[*].nodePort"

// positions matches the positions of list items.
var positions = regexp.MustCompile(`\[\d+\]`)

// allocated returns the next step about ports or addresses that a Service has already; "" if a refusal is about
// something else. inBody is " in yaml_body", or "".
func allocated(err *cluster.Error, inBody string) string {
	var fields []string
	for _, cause := range cluster.CausesOf(err) {
		if cause.Type == metav1.CauseTypeFieldValueDuplicate && cause.Field == nodePorts {
			return "Two ports of the Service have this node port. If somebody has changed the number of a " +
				"port on the cluster, use that number" + inBody + ", or give the port its number back:\n\n  " +
				err.Object.Kubectl("edit")
		}
		field := positions.ReplaceAllString(cause.Field, "[*]")
		if strings.HasSuffix(cause.Message, alreadyAllocated) && !slices.Contains(fields, field) {
			fields = append(fields, field)
		}
	}
	if len(fields) == 0 {
		return ""
	}
	return "Another Service has the value, or another port of this one. This command lists the Services with their " +
		"values:\n\n  kubectl get services --all-namespaces \\\n    -o " +
		"'custom-columns=NAMESPACE:.metadata.namespace,NAME:.metadata.name,VALUE:." +
		strings.Join(fields, ",VALUE:.") + "'\n\nWrite a value that is free" + inBody +
		", or leave the field out: the API server then chooses one. If that Service gives up the value with the same " +
		"apply, apply its change first."
}

// isOfStatus reports whether a refusal of a whole object only names fields of its status: the versions in which objects
// of a CustomResourceDefinition are stored, for instance.
func isOfStatus(err *cluster.Error) bool {
	var fields []string
	for _, cause := range cluster.CausesOf(err) {
		fields = append(fields, cause.Field)
	}
	return err.Object.Subresource == "" && statusOption(fields) != ""
}

// unserved returns what to do about a kind that is missing from a group that no CustomResourceDefinition can add
// to; "" for other kinds.
func unserved(err *cluster.Error) string {
	const correct = "Correct apiVersion and kind"
	unserved, is := errors.AsType[*cluster.KindNotServedError](err)
	switch {
	case !is || !unserved.BuiltinGroup:
		return ""
	case strings.HasPrefix(err.Object.Kind, "ValidatingAdmissionPolicy"):
		return correct + ", or upgrade the cluster: Kubernetes has the kind since 1.30."
	case len(unserved.Nearest) > 0:
		return correct + "."
	}
	return correct + ", or upgrade the cluster: a newer Kubernetes may have the kind."
}

// untrusted returns the next step if the client does not accept the API server's certificate, and "" for other
// errors.
func untrusted(err error) string {
	var authority x509.UnknownAuthorityError
	var name x509.HostnameError
	var invalid x509.CertificateInvalidError
	switch {
	case errors.As(err, &authority):
		return "Set cluster_ca_certificate of the cluster connection (certificate-authority-data of a kubeconfig) to " +
			"the certificate of the authority that signed the API server's certificate."
	case errors.As(err, &name):
		return "Correct the address of the cluster connection, or set its tls_server_name to a name in the " +
			"certificate" + namesOf(name.Certificate) + "."
	case errors.As(err, &invalid) && invalid.Reason == x509.Expired:
		return "Renew the certificate of the API server, or correct the clock of the machine that runs Terraform."
	case errors.As(err, &invalid):
		return "Install a valid certificate on the API server, or correct cluster_ca_certificate of the cluster " +
			"connection."
	default:
		return ""
	}
}

// namesOf lists the names of a certificate: ": a, b"; "" without any.
func namesOf(certificate *x509.Certificate) string {
	if certificate == nil || len(certificate.DNSNames) == 0 {
		return ""
	}
	return ": " + strings.Join(certificate.DNSNames, ", ")
}

// incomplete returns the advice about fields that the server misses in a body in addition to other faults; "" if it
// misses none.
func incomplete(body string, lacking []string) string {
	if len(lacking) == 0 {
		return ""
	}
	return "Correct " + body + ", too: the API server misses a value of " + strings.Join(lacking, " and ") + "."
}

// sizeOf returns a number of bytes in a readable unit.
func sizeOf(bytes int) string {
	if bytes < 1<<17 {
		return fmt.Sprintf("%d bytes", bytes)
	}
	return fmt.Sprintf("%.1f MiB", float64(bytes)/(1<<20))
}
