package outages_test

import (
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
)

// A namespace whose content cannot be discovered, because an aggregated API does not answer, is not deleted. The error
// names the APIService, its service and the command that shows it, and does not advise force_destroy.
func TestNamespaceBehindDeadAPI(t *testing.T) {
	s := story.New(t)
	// Other tests restart the API server: kube-controller-manager then takes a minute or more to come back.
	const service = "apiregistration.k8s.io/v1 APIService v1beta1.NS.example.com"
	s.Run(
		resource.TestStep{Config: s.Config(story.InnerNamespace, `timeouts { delete = "150s" }`)},
		resource.TestStep{
			PreConfig: func() {
				s.As("kubectl").Create("apiVersion: apiregistration.k8s.io/v1\nkind: APIService\nmetadata: {name: v1beta1.NS.example.com}\n" +
					"spec: {group: NS.example.com, version: v1beta1, groupPriorityMinimum: 100, versionPriority: 100, service: {namespace: kube-system, name: nobody}}\n")
			},
			Config: s.ProviderBlock(), Destroy: true,
			ExpectError: story.Saying("Deletion Blocked", "NamespaceDeletionDiscoveryFailure=True",
				s.Expand("the APIService v1beta1.NS.example.com is not available"), "kube-system/nobody",
				s.Expand("kubectl get apiservice v1beta1.NS.example.com"), "Then destroy again."),
		},
		resource.TestStep{
			PreConfig: func() { s.As("kubectl").Remove(service) },
			Config:    s.ProviderBlock(), Check: s.ExpectGone("v1 Namespace NS-inner"),
		},
	)
}
