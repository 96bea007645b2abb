package acceptance_test

import (
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
)

// The keys of an import ID may be in any order; the state has the one that the provider writes.
func TestImportIDInAnyOrder(t *testing.T) {
	s := story.New(t)
	s.Run(resource.TestStep{
		PreConfig:        func() { s.As("kubectl-create").Create(story.ConfigMap) },
		Config:           s.ImportBlock("name=web,namespace=NS,kind=ConfigMap,apiVersion=v1") + s.Config(story.ConfigMap),
		ConfigPlanChecks: story.PlanChecks(plancheck.ExpectResourceAction(story.Address, plancheck.ResourceActionUpdate), story.ExpectOnly(story.ManagedState)),
		Check:            resource.TestCheckResourceAttr(story.Address, "id", s.Expand(story.ConfigMapID)),
	})
}

func TestImportIDIsEmpty(t *testing.T) {
	w := story.New(t).HostedWorkspace()
	w.Configure(w.Manifest("test", story.ConfigMap))
	out, err := w.Try("import", story.Address, "")
	if err == nil || !story.Saying("Invalid Import ID", "The import ID is empty.", "Write apiVersion=apps/v1,kind=Deployment,namespace=default,name=web").MatchString(out) {
		t.Errorf("%v\n%s", err, out)
	}
	if strings.Contains(out, "Conversion Error") || strings.Contains(out, "crashed") {
		t.Errorf("the provider failed:\n%s", out)
	}
}
