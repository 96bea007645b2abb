package manifestresource_test

import (
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
)

// A map that everybody left empty so far is no atomic one: a key that it gains may be ignored alone.
func TestKeyOfAnEmptyMapIsIgnored(t *testing.T) {
	s := newStory(t)
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
	s.run(
		resource.TestStep{
			Config:           s.config(before),
			ConfigPlanChecks: checks(expectOwner("metadata.annotations", absent, "k8sconnect")),
		},
		resource.TestStep{
			Config: s.config(after, `ignore_fields = ["metadata.annotations.note"]`),
			ConfigPlanChecks: checks(
				expectOwner("metadata.annotations.other", absent, "k8sconnect"),
				expectOwner("metadata.annotations.note", absent, absent),
			),
			Check: s.expectLive(target, map[string]any{"metadata.annotations.other": "ours", "metadata.annotations.note": absent}),
		},
	)
}
