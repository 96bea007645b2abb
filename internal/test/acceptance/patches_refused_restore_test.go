package acceptance_test

import (
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/customresource"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
)

const engineTarget = "NS.example.com/v1 Engine one"

// engines defines a kind with fields that the server accepts only together, and with a status.
var engines = strings.Replace(customresource.Definition("NS.example.com", "Engine", `
spec:
  type: object
  x-kubernetes-validations:
    - {rule: "self.mode == 'advanced' || !has(self.level)", message: "only an advanced engine has a level"}
    - {rule: "!has(self.extra) || has(self.size)", message: "extra needs a size"}
  properties: {mode: {type: string}, level: {type: integer}, size: {type: integer}, extra: {type: string}}
status:
  type: object
  properties: {note: {type: string}, load: {type: string}}
`), "    served: true\n", "    served: true\n    subresources: {status: {}}\n", 1)

const basicEngine = "{apiVersion: NS.example.com/v1, kind: Engine, metadata: {name: one, namespace: NS}, spec: {mode: basic}}"

// A destroy restores values together with the removals, as its plan has tried it: the server may accept neither alone.
func TestDestroyRestoresAndRemovesTogether(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct{ target, object, patch string }{
		"a rule of the kind": {engineTarget, basicEngine, "{mode: advanced, level: 5}"},
		"a Service": {
			serviceTarget, "{apiVersion: v1, kind: Service, metadata: {name: web, namespace: NS}, spec: {ports: [{port: 80}]}}",
			"{type: LoadBalancer, loadBalancerSourceRanges: [10.0.0.0/8]}",
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := story.New(t)
			s.InstallKind(engines)
			s.As("bob").Create(test.object)
			before := story.AsJSON(s.Live(test.target).Object["spec"])
			s.Run(
				resource.TestStep{Config: s.PatchConfig(test.target, "spec: "+test.patch, ours, `on_destroy = "restore"`)},
				resource.TestStep{
					Config:           s.ProviderBlock(),
					ConfigPlanChecks: story.PlanChecks(s.ExpectWarning("Patch Removed", "It removes what this resource added", "It restores the earlier values of these fields")),
					Check: story.LiveChecks(
						s.ExpectLiveJSON(test.target, before, "spec"), expectNoEntry(s, test.target, "patch"),
					),
				},
			)
		})
	}
}

// Where the server refuses the removals alone, the destroy restores the values, and does not say that they stay.
func TestRefusedDestroyTellsWhatItHasRestored(t *testing.T) {
	s := story.New(t)
	s.InstallKind(engines)
	s.As("bob").Create(basicEngine)
	w := s.HostedWorkspace()
	w.Configure(s.PatchBlock("test", engineTarget, "spec: {mode: middling, size: 5}", ours, `on_destroy = "restore"`))
	w.Do("apply", "-auto-approve")
	s.As("eve").Patch(engineTarget, `{"spec": {"extra": "hers"}}`)
	w.Configure()
	out := w.Do("apply", "-auto-approve")
	says(t, out, "Fields Not Removed", "extra needs a size")
	if _, kept, _ := strings.Cut(out, "These fields keep their values"); !strings.Contains(kept, "spec.size") || strings.Contains(kept, "spec.mode") {
		t.Errorf("the destroy says:\n%s", out)
	}
	story.Must(t, s.ExpectLiveJSON(engineTarget, `{"extra":"hers","mode":"basic","size":5}`, "spec")(nil))
	story.Must(t, expectNoEntry(s, engineTarget, "patch")(nil))
}
