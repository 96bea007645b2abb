package diagnostics

import (
	"crypto/x509"
	"errors"
	"fmt"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifest"
)

// untrusted returns the next step where the certificate of the API server is not accepted, "" where that is not the
// fault.
func untrusted(err error) string {
	var authority x509.UnknownAuthorityError
	var name x509.HostnameError
	var invalid x509.CertificateInvalidError
	switch {
	case errors.As(err, &authority):
		return "Set cluster_ca_certificate of the cluster connection (certificate-authority-data of a kubeconfig) to the certificate of the " +
			"authority that signed the API server's certificate."
	case errors.As(err, &name):
		return "Correct the address of the cluster connection, or set its tls_server_name to a name that the certificate is for" + namesOf(name.Certificate) + "."
	case errors.As(err, &invalid) && invalid.Reason == x509.Expired:
		return "Renew the certificate of the API server, or correct the clock of the machine that Terraform runs on."
	case errors.As(err, &invalid):
		return "Give the API server a certificate that is valid for it, or correct cluster_ca_certificate of the cluster connection."
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

// AlsoUnreachable says in short why an operation failed on a cluster of which another error has said
// in full that it is out of reach.
func AlsoUnreachable(operation Operation, id manifest.Identity, err *cluster.Error) diag.Diagnostic {
	return diag.NewErrorDiagnostic(explanations[cluster.ReasonUnreachable].summary, fmt.Sprintf(
		"%s could not be %s: no answer from %s.\n\nSee the first error about this server.", id, operation, err.Server))
}
