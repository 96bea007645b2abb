package acceptance_test

import (
	"strings"
	"testing"
	"time"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
)

// If another resource of Terraform may manage the object, an import is dangerous: the apply that destroys that resource
// deletes the object. The refusal of a create says so before it names the import block, and names the owner even if our
// apply would evict it. The plan of an import or an adoption warns.
func TestExistingObjectOfTerraform(t *testing.T) {
	t.Parallel()
	applies := func(name, body string) func(*story.Story) { return func(s *story.Story) { s.As(name).Apply(body) } }
	creates := func(name, body string) func(*story.Story) { return func(s *story.Story) { s.As(name).Create(body) } }
	theirs := story.ConfigMapIn("settings", `data: {a: theirs}`)
	cases := map[string]struct {
		make  func(*story.Story)
		owner string
		warns bool
	}{
		"a typed resource of hashicorp/kubernetes": {creates("HashiCorp", theirs), `"HashiCorp" using v1 (the hashicorp/kubernetes provider)`, true},
		"kubernetes_manifest":                      {applies("Terraform", theirs), `"Terraform" (the hashicorp/kubernetes provider)`, true},
		"kubectl_manifest with server_side_apply":  {applies("kubectl", theirs), `"kubectl"`, false},
		"a configuration with the same manager": {func(s *story.Story) {
			applies("k8sconnect", theirs)(s)
			s.As("bob").Patch(story.SettingsTarget, `{"data":{"b":"1"}}`)
		}, `"k8sconnect"`, true},
		"a set of another configuration":             {applies("k8sconnect-6cejfu4dl0dl", theirs), `"k8sconnect-6cejfu4dl0dl"`, true},
		"a configuration with its own field manager": {applies("k8sconnect", theirs), `"k8sconnect"`, true},
	}
	body := story.ConfigMapIn("settings", `data: {a: ours}`)
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			s := story.New(t)
			c.make(s)
			arguments := []string{}
			if name == "a configuration with its own field manager" {
				arguments = append(arguments, `field_manager = "second"`)
			}
			adopting := s.Config(body, append([]string{story.Adopting}, arguments...)...)
			adoption := resource.TestStep{Config: adopting}
			if c.warns {
				adoption.ConfigPlanChecks = story.PlanChecks(s.ExpectPlanSays("Object May Be Managed Twice", c.owner, "moved {"))
			}
			if name == "a configuration with the same manager" {
				adoption.ConfigPlanChecks.PreApply = append(adoption.ConfigPlanChecks.PreApply, s.ExpectPlanSays(
					"changes a value that this field manager has set, but not from this state:", `data.a: "theirs" -> "ours"`))
			}
			s.Run(
				resource.TestStep{
					Config: s.Config(body, arguments...),
					ExpectError: story.Saying("Object Already Exists", "no k8sconnect_manifest in this state manages it",
						"its owners include "+c.owner, "Write a moved block instead", "import {"),
				},
				adoption,
			)
		})
	}
}

// The plan of an import warns of the resource that may manage the object already. Once it is imported, no plan does, even
// if the import had nothing to apply.
func TestImportedObjectOfTerraform(t *testing.T) {
	t.Parallel()
	for name, manager := range map[string]string{"whose state was lost": "k8sconnect", "of kubernetes_manifest": "Terraform"} {
		t.Run(name, func(t *testing.T) {
			s := story.New(t)
			s.As(manager).Apply(story.ConfigMapIn("settings", `data: {a: ours}`))
			w := s.HostedWorkspace()
			resource := s.Manifest("test", story.ConfigMapIn("settings", `data: {a: ours}`))
			w.Configure(resource, s.Expand("import {\n  to = "+story.Address+"\n  id = \"apiVersion=v1,kind=ConfigMap,namespace=NS,name=settings\"\n}\n"))
			says(t, w.Do("plan", "-no-color"), "Object May Be Managed Twice", "1 to import")
			w.Do("apply", "-auto-approve")
			w.Configure(resource)
			if out := w.Do("plan", "-detailed-exitcode", "-no-color"); strings.Contains(out, "Object May Be Managed Twice") {
				t.Errorf("the plan after the import warns:\n%s", out)
			}
		})
	}
}

// Two configurations under one field manager remove each other's fields. The plan that sees it names the cause.
func TestFieldManagerUsedTwice(t *testing.T) {
	t.Parallel()
	for name, write := range map[string]string{
		"other fields":   `data: {b: theirs}`,
		"other values":   `data: {a: theirs}`,
		"more fields":    `data: {a: ours, b: theirs}`,
		"no data at all": `immutable: false`,
	} {
		t.Run(name, func(t *testing.T) {
			s := story.New(t)
			config := s.Config(story.ConfigMapIn("settings", `data: {a: ours}`))
			s.Run(
				resource.TestStep{Config: config, ConfigPlanChecks: story.PlanChecks(s.ExpectNoWarning())},
				s.Noop(config),
				resource.TestStep{
					PreConfig: s.NextStep(func() {
						waitASecond()
						s.As("k8sconnect").Apply(story.ConfigMapIn("settings", write))
					}),
					Config: config,
					ConfigPlanChecks: story.PlanChecks(s.ExpectPlanSays("Field Manager Used Twice",
						`the field manager "k8sconnect" of this resource has written to the object, and this state does not know of it`)),
				},
				s.Noop(config),
			)
		})
	}
}

// waitASecond separates two writes: managedFields have times in seconds.
func waitASecond() { time.Sleep(1100 * time.Millisecond) }
