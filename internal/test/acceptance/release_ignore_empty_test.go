package acceptance_test

import (
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
)

// A map that everybody left empty so far is no atomic one: a key that it gains may be ignored alone.
func TestKeyOfAnEmptyMapIsIgnored(t *testing.T) {
	s := story.New(t)
	const (
		target = "v1 ConfigMap web"
		before = `
apiVersion: v1
kind: ConfigMap
metadata: {name: web, namespace: NS, annotations: {}}
data: {colour: red}
`
		after = `
apiVersion: v1
kind: ConfigMap
metadata: {name: web, namespace: NS, annotations: {note: ours, other: ours}}
data: {colour: red}
`
	)
	s.Run(
		resource.TestStep{
			Config:           s.Config(before),
			ConfigPlanChecks: story.PlanChecks(story.ExpectOwner("metadata.annotations", story.Absent, "k8sconnect")),
		},
		resource.TestStep{
			Config: s.Config(after, `ignore_fields = ["metadata.annotations.note"]`),
			ConfigPlanChecks: story.PlanChecks(
				story.ExpectOwner("metadata.annotations.other", story.Absent, "k8sconnect"),
				story.ExpectOwner("metadata.annotations.note", story.Absent, story.Absent),
			),
			Check: s.ExpectLive(target, map[string]any{"metadata.annotations.other": "ours", "metadata.annotations.note": story.Absent}),
		},
	)
}
