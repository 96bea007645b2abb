package manifestresource_test

import (
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
)

// The keys of an import ID may be in any order; the state has the one that the provider writes.
func TestImportIDInAnyOrder(t *testing.T) {
	s := newStory(t)
	s.run(resource.TestStep{
		PreConfig:        func() { s.as("kubectl-create").create(configMap) },
		Config:           s.importBlock("name=web,namespace=NS,kind=ConfigMap,apiVersion=v1") + s.config(configMap),
		ConfigPlanChecks: checks(plancheck.ExpectResourceAction(address, plancheck.ResourceActionUpdate), expectOnly(managedState)),
		Check:            resource.TestCheckResourceAttr(address, "id", s.expand(configMapID)),
	})
}

func TestImportIDIsEmpty(t *testing.T) {
	w := newStory(t).workspace()
	w.configure(w.manifest("test", configMap))
	out, err := w.try("import", address, "")
	if err == nil || !saying("Invalid Import ID", "The import ID is empty.", "Write apiVersion=apps/v1,kind=Deployment,namespace=default,name=web").MatchString(out) {
		t.Errorf("%v\n%s", err, out)
	}
	if strings.Contains(out, "Conversion Error") || strings.Contains(out, "crashed") {
		t.Errorf("the provider failed:\n%s", out)
	}
}
