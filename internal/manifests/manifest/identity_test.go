package manifest_test

import (
	"testing"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
)

func TestKubectl(t *testing.T) {
	for want, id := range map[string]manifest.Identity{
		"kubectl edit service/web -n shop":                        {APIVersion: "v1", Kind: "Service", Namespace: "shop", Name: "web"},
		"kubectl edit service.v1.serving.knative.dev/web -n shop": {APIVersion: "serving.knative.dev/v1", Kind: "Service", Namespace: "shop", Name: "web"},
		`kubectl edit clusterrole.v1.rbac.authorization.k8s.io/'Bob'\''s $HOME'`: {
			APIVersion: "rbac.authorization.k8s.io/v1", Kind: "ClusterRole", Name: "Bob's $HOME",
		},
	} {
		if got := id.Kubectl("edit"); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
}
