package imports_test

import (
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
)

// The plan of an import block names the values that nobody owns and that its apply changes or removes.
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

// The same, where somebody owns the empty map around the value, and a patch of the object is planned in the same run.
func TestImportTellsValuesInAnEmptyMapOfOthers(t *testing.T) {
	s := story.New(t)
	s.InstallKind(story.WidgetDefinition)
	widget := func(spec string) string {
		return "apiVersion: NS.example.com/v1\nkind: Widget\nmetadata: {name: web, namespace: NS}\nspec: {" + spec + "}\n"
	}
	s.As("flux").Apply(widget(""))
	patch := s.PatchBlock("patch", "NS.example.com/v1 Widget web", "metadata: {labels: {a: b}}")
	s.Run(resource.TestStep{
		Config:           s.ImportBlock("apiVersion=NS.example.com/v1,kind=Widget,namespace=NS,name=web") + s.Config(widget("size: 5")) + patch,
		ConfigPlanChecks: story.PlanChecks(s.ExpectPlanSays(`spec.size: "3" -> "5"`)),
	})
}
