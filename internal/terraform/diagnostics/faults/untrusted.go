package faults

import (
	"crypto/x509"
	"errors"
	"strings"
)

// Untrusted returns the next step if the client does not accept the API server's certificate, and "" for other
// errors.
func Untrusted(err error) string {
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
