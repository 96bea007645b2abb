package acceptance_test

import (
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
)

// No manager owns a value that an admission policy adds. If it is pinned, we own it from the create on, and an edit of
// it is drift.
func TestPinPolicysChoice(t *testing.T) {
	s := story.New(t)
	s.InstallStamp()
	const target, pins = "v1 ConfigMap web", `pin_fields = ["metadata.annotations.stamp"]`
	s.Run(
		resource.TestStep{
			Config:            s.Config(story.ConfigMap, pins),
			ConfigStateChecks: story.StateChecks(story.ExpectState("pinned", "metadata.annotations.stamp: yes")),
			Check:             s.ExpectOwners(target, "metadata.annotations.stamp", "k8sconnect"),
		},
		s.Noop(s.Config(story.ConfigMap, pins)),
	)
}

// A value that moves from yaml_body to pin_fields stays, and stays ours.
func TestPinWhatWasDeclared(t *testing.T) {
	s := story.New(t)
	declared := strings.Replace(service, "port: 80}", "port: 80, nodePort: 31080}", 1)
	s.Run(
		resource.TestStep{Config: s.Config(declared)},
		resource.TestStep{
			Config:            s.Config(service, ports),
			ConfigStateChecks: story.StateChecks(story.ExpectState("pinned", nodePort+": 31080")),
			Check:             s.ExpectOwners(serviceTarget, nodePort, "k8sconnect"),
		},
		s.Noop(s.Config(service, ports)),
		resource.TestStep{
			Config:           s.Config(declared),
			ConfigPlanChecks: story.PlanChecks(story.ExpectValue(nodePort, "31080", "31080")),
			Check:            s.ExpectOwners(serviceTarget, nodePort, "k8sconnect"),
		},
	)
}

// The apply that pins sends one PATCH more. A plan without changes sends what it sends without pins.
func TestRequestsOfPins(t *testing.T) {
	s := story.New(t)
	m := s.Meter()
	s.Run(
		resource.TestStep{
			PreConfig: s.NextStep(m.Start), Config: s.Config(service, ports),
			ConfigPlanChecks: story.PlanChecks(m.Plans("patch services NS/web dry-run 201")),
			Check:            m.Applies("patch services NS/web 200", "patch services NS/web 201", "patch services NS/web dry-run 201", "patch services NS/web dry-run 201"),
		},
		resource.TestStep{
			PreConfig: s.NextStep(m.Start), Config: s.Config(service, ports),
			ConfigPlanChecks: story.PlanChecks(m.Plans("get services NS/web 200")),
		},
	)
}

// What cannot be pinned is refused before any call.
func TestPinBadInput(t *testing.T) {
	s := story.New(t)
	const secret = "{apiVersion: v1, kind: Secret, metadata: {name: web, namespace: NS}}"
	var steps []resource.TestStep
	for _, bad := range []struct {
		body, pins string
		says       []string
	}{
		{service, `pin_fields = ["spec.type"]`, []string{"pin_fields: spec.type is in yaml_body", "Remove it from one of the two"}},
		{service, `pin_fields = ["spec.ports[*].port"]`, []string{"pin_fields: spec.ports[*].port is in yaml_body"}},
		{service, `pin_fields = ["status"]`, []string{"pin_fields: status is written by the API server and by controllers alone"}},
		{service, `pin_fields = ["metadata.uid"]`, []string{"metadata.uid is written by the API server", "Remove it"}},
		{service, `pin_fields = ["metadata.name"]`, []string{"metadata.name is part of the object's identity and cannot be pinned"}},
		{service, `pin_fields = ["spec.ports[0].nodePort"]`, []string{"spec.ports[0].nodePort names a list item by its position", "Name it by its key"}},
		{service, `remove_fields = ["metadata.finalizers[0]"]`, []string{"metadata.finalizers[0] names a list item by its position"}},
		{service, `pin_fields = ["spec.clusterIP["]`, []string{"pin_fields: field path"}},
		{service, `pin_fields = ["spec.clusterIP"]` + "\n" + `ignore_fields = ["spec.clusterIP"]`, []string{"spec.clusterIP is left to others by spec.clusterIP in ignore_fields"}},
		{service, `pin_fields = ["spec.clusterIP"]` + "\n" + `sensitive_fields = ["spec"]`, []string{"spec.clusterIP is secret by spec in sensitive_fields"}},
		{secret, `pin_fields = ["data.token"]`, []string{"data.token is secret, and the state would store its value"}},
	} {
		steps = append(steps, resource.TestStep{Config: s.Config(bad.body, bad.pins), PlanOnly: true, ExpectError: story.Saying(bad.says...)})
	}
	s.Run(steps...)
}
