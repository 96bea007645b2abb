package acceptance_test

import (
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
)

// awaitFailure waits until a Deployment has a condition with a reason.
func awaitFailure(s *story.Story, reason string) {
	s.T.Helper()
	s.Await(reason, func() bool {
		conditions, _, _ := unstructured.NestedSlice(s.Live(story.Web).Object, "status", "conditions")
		for _, item := range conditions {
			if c, _ := item.(map[string]any); c["reason"] == reason {
				return true
			}
		}
		return false
	})
}

// The API server has refused the pods of a template, or too many pods. The controller carries that condition over into the
// status of the change that mends it, which a wait follows to its end.
func TestWaitForTheMendOfRefusedPods(t *testing.T) {
	t.Parallel()
	one := func(memory string) string {
		return strings.Replace(story.WithReplicas(1), `image: "nginx:1.25"`, `image: "nginx:1.25", resources: {limits: {memory: `+memory+`}}`, 1)
	}
	for name, c := range map[string]struct{ limit, before, after string }{
		"another template": {
			"apiVersion: v1\nkind: LimitRange\nmetadata: {name: small, namespace: NS}\nspec: {limits: [{type: Container, max: {memory: 1Gi}}]}",
			one("2Gi"), one("512Mi"),
		},
		"fewer pods": {
			"apiVersion: v1\nkind: ResourceQuota\nmetadata: {name: two, namespace: NS}\nspec: {hard: {pods: '2'}}",
			story.WithReplicas(3), story.WithReplicas(2),
		},
		"another template and fewer pods": {
			"apiVersion: v1\nkind: LimitRange\nmetadata: {name: small, namespace: NS}\nspec: {limits: [{type: Container, max: {memory: 1Gi}}]}",
			strings.Replace(one("2Gi"), "replicas: 1", "replicas: 3", 1), one("512Mi"),
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := story.New(t)
			s.As("admin").Create(c.limit)
			s.Run(
				resource.TestStep{Config: s.Config(c.before)},
				resource.TestStep{
					PreConfig: s.NextStep(func() { awaitFailure(s, "FailedCreate") }),
					Config:    s.Config(c.after, "wait = {}"),
					Check:     resource.TestCheckResourceAttr(story.Address, "ready", "true"),
				},
			)
		})
	}
}

// A change that does not mend it ends the wait early all the same.
func TestWaitForAChangeThatIsRefusedToo(t *testing.T) {
	s := story.New(t)
	s.ForbidPods()
	s.Run(
		resource.TestStep{Config: s.Config(story.WithReplicas(1))},
		resource.TestStep{
			PreConfig:   s.NextStep(func() { awaitFailure(s, "FailedCreate") }),
			Config:      s.Config(strings.Replace(story.WithReplicas(1), "nginx:1.25", "nginx:1.26", 1), "wait = {}"),
			ExpectError: story.Saying("Object Not Ready", "cannot become ready", "exceeded quota"),
		},
	)
}

// A k8sconnect_wait beside the manifest follows the change to its end just so.
func TestWaitResourceForTheMendOfRefusedPods(t *testing.T) {
	s := story.New(t)
	s.As("admin").Create("apiVersion: v1\nkind: LimitRange\nmetadata: {name: small, namespace: NS}\nspec: {limits: [{type: Container, max: {memory: 1Gi}}]}")
	config := func(memory string) string {
		return s.Config(strings.Replace(story.WithReplicas(1), `image: "nginx:1.25"`, `image: "nginx:1.25", resources: {limits: {memory: `+memory+`}}`, 1))
	}
	s.Run(
		resource.TestStep{Config: config("2Gi")},
		resource.TestStep{
			PreConfig:         s.NextStep(func() { awaitFailure(s, "FailedCreate") }),
			Config:            config("512Mi") + waitBlock(s, "test", story.Web, "triggers = k8sconnect_manifest.test.managed_state", `exports = { available = "status.availableReplicas" }`),
			ConfigStateChecks: waitHas(true, map[string]string{"available": "1"}),
		},
	)
}
