package examples_test

import (
	"os"
	"strings"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
)

// The address of a load balancer is an output as soon as somebody has written it into the status.
func TestReadingStatus(t *testing.T) {
	if os.Getenv("TF_ACC") == "" {
		t.Skip("acceptance tests run with TF_ACC=1, as make test does")
	}
	s := newStory(t, newCLI(t), "reading-status")
	s.apply()
	s.plan(nothing)
	if code, output := s.cli.run(t, s.dir, "output", "-raw", "cluster_ip"); code != 0 || !strings.HasPrefix(output, "10.") {
		t.Errorf("the address in the cluster is %q, exit code %d", output, code)
	}

	service := target{"services.v1.", "default", "storefront"}
	_, err := service.client(t).Patch(t.Context(), service.name, types.MergePatchType,
		[]byte(`{"status":{"loadBalancer":{"ingress":[{"ip":"203.0.113.7"}]}}}`), metav1.PatchOptions{FieldManager: "cloud-controller-manager"}, "status")
	must(t, err)
	s.plan(changes)
	s.apply()
	if _, output := s.cli.run(t, s.dir, "output", "-raw", "address"); output != "203.0.113.7" {
		t.Errorf("the address is %q", output)
	}
	s.plan(nothing)
}
