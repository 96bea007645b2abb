package outages_test

import (
	"fmt"
	"testing"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
)

// The error about a certificate that is not accepted names the attribute to set, and is not reported as a network problem.
func TestCertificatesThatAreNotAccepted(t *testing.T) {
	t.Parallel()
	config := func() (host, ca string) {
		rest := story.ControlPlane().RESTConfig()
		return rest.Host, string(rest.CAData)
	}
	for name, test := range map[string]struct {
		lines func() []string
		says  string
	}{
		"an authority that is not known": {func() []string {
			host, _ := config()
			return []string{fmt.Sprintf("host = %q", host)}
		}, "Set cluster_ca_certificate of the cluster connection"},
		"another name": {func() []string {
			host, ca := config()
			return []string{fmt.Sprintf("host = %q", host), fmt.Sprintf("cluster_ca_certificate = %q", ca), `tls_server_name = "elsewhere.example.com"`}
		}, "set its tls_server_name to a name in the certificate: "},
	} {
		t.Run(name, func(t *testing.T) {
			s := newStage(t)
			lines := "token = \"none\""
			for _, line := range test.lines() {
				lines += "\n" + line
			}
			s.ConfigureProvider("{\n"+lines+"\n}", s.sized("small"))
			said := s.exits(story.Refused, "plan")
			s.says(said, "Cluster Unreachable", "certificate", test.says)
			s.lacks(said, "the network path to it")
		})
	}
}
