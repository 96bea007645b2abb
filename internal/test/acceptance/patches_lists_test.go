package acceptance_test

import (
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
)

// A patch of a list item leaves the item as it was, whoever created it: by kubectl create, by server-side apply, and with
// no owner at all.
func TestPatchOfAListItem(t *testing.T) {
	t.Parallel()
	for name, create := range map[string]func(s *story.Story){
		"update": func(s *story.Story) { s.As("kubectl-create").Create(story.Deployment) },
		"apply":  func(s *story.Story) { s.As("helm").Apply(story.Deployment) },
		"nobody": func(s *story.Story) {
			s.As("helm").Apply(story.Deployment)
			s.As("etcd").StripManagedFields(story.Web, "[{}]")
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := story.New(t)
			const ours = `field_manager = "patch"`
			const body = "spec: {template: {spec: {containers: [{name: app, image: 'registry.example/app:2', env: [{name: PREFIX, value: 'true'}]}]}}}"
			const container = `{.spec.template.spec.containers[*].name} {.spec.template.spec.containers[0].image} {.spec.template.spec.containers[0].env}`
			create(s)
			image := `spec.template.spec.containers[name="app"].image`
			s.Run(
				resource.TestStep{
					Config:            s.PatchConfig(story.Web, body, ours),
					ConfigStateChecks: story.StateChecks(expectAdded(`spec.template.spec.containers[name="app"].env[name="PREFIX"]`)),
					Check: s.ExpectJSONPath(story.Web, map[string]string{
						container: `app registry.example/app:2 [{"name":"PREFIX","value":"true"}]`,
					}),
				},
				s.Noop(s.PatchConfig(story.Web, body, ours)),
				resource.TestStep{
					Config: s.ProviderBlock(),
					Check: story.LiveChecks(
						s.ExpectJSONPath(story.Web, map[string]string{container: `app registry.example/app:2 `}),
						expectNoEntry(s, story.Web, "patch"), s.ExpectNoOwner(story.Web, image),
					),
				},
			)
		})
	}
}

// The plan says that a list item is new: a typing error in its key would add one.
func TestPatchAddsAListItem(t *testing.T) {
	s := story.New(t)
	s.As("helm").Apply(story.Deployment)
	s.Run(resource.TestStep{
		Config:      s.PatchConfig(story.Web, "spec: {template: {spec: {containers: [{name: ap, env: [{name: A, value: a}]}]}}}", `field_manager = "patch"`),
		ExpectError: story.Saying("Invalid Object", "image: Required value", "A patch adds a list item whose key the object does not have"),
	}, resource.TestStep{
		Config: s.PatchConfig(story.Web, "spec: {template: {spec: {containers: [{name: ap, image: 'registry.example/app:2'}]}}}", `field_manager = "patch"`),
		ConfigPlanChecks: story.PlanChecks(
			s.ExpectWarning("List Item Added", `spec.template.spec.containers[name="ap"]`, `The list has spec.template.spec.containers[name="app"]`),
		),
		ConfigStateChecks: story.StateChecks(expectAdded(`spec.template.spec.containers[name="ap"]`)),
	}, resource.TestStep{
		Config: s.ProviderBlock(),
		Check:  s.ExpectJSONPath(story.Web, map[string]string{`{.spec.template.spec.containers[*].name}`: "app"}),
	})
}

// The plan shows the value before, also of a field that no manager owns: a default of the server, or a whole list.
func TestPatchOfWhatNobodyOwns(t *testing.T) {
	s := story.New(t)
	s.As("helm").Apply(story.WithReplicas(0))
	s.As("sidecar-injector").JSONPatch(story.Web, `[{"op": "add", "path": "/spec/template/spec/containers/0/args", "value": ["-g", "daemon off;"]}]`)
	s.Run(
		resource.TestStep{
			Config: s.PatchConfig(story.Web, "spec: {replicas: 4, template: {spec: {containers: [{name: app, args: [-v]}]}}}", `field_manager = "patch"`),
			ConfigPlanChecks: story.PlanChecks(
				s.ExpectPlanSays(`spec.replicas: "1" -> "4"`),
				s.ExpectPlanSays(`spec.template.spec.containers[name="app"].args: "[\"-g\",\"daemon off;\"]" -> "[\"-v\"]"`),
			),
			ConfigStateChecks: story.StateChecks(expectAdded()),
		},
	)
}
