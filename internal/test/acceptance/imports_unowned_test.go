package acceptance_test

import (
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
)

// The plan of an import block names the values that no manager owns and that its apply changes or removes.
func TestImportTellsValuesThatNobodyOwns(t *testing.T) {
	s := story.New(t)
	service := func(spec string) string {
		return "apiVersion: v1\nkind: Service\nmetadata: {name: web, namespace: NS}\nspec: {" + spec + ", selector: {a: b}, ports: [{port: 80}]}\n"
	}
	s.As("flux").Apply(service("type: NodePort"))
	s.Run(resource.TestStep{
		Config: s.ImportBlock("apiVersion=v1,kind=Service,namespace=NS,name=web") + s.Config(service("type: ClusterIP, sessionAffinity: ClientIP")),
		ConfigPlanChecks: story.PlanChecks(s.ExpectPlanSays(
			`spec.sessionAffinity: "None" -> "ClientIP"`, `spec.ports[port=80,protocol="TCP"].nodePort: "3`, `spec.externalTrafficPolicy: "Cluster"`,
		)),
	})
}
