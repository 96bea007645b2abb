package manifestresource_test

import (
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
)

// A plan with a release asks the server for what the apply will send: half an item that others would be left with
// is refused in the plan, not in the apply.
func TestPlanWithReleaseIsRefused(t *testing.T) {
	s := newStory(t)
	env := "\napiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web, namespace: NS}\nspec: {template: {spec: {containers: [{name: log, env: [{name: A, value: \"1\"}]}]}}}\n"
	refused := saying("Invalid Object", "could not be planned", "image: Required value")
	s.run(
		resource.TestStep{Config: s.config(sidecar)},
		resource.TestStep{PreConfig: s.anew(func() { s.as("flux").apply(env) }), Config: s.config(withoutSidecar), PlanOnly: true, ExpectError: refused},
		resource.TestStep{Config: s.config(withoutSidecar, `ignore_fields = ["spec.template.spec.containers[name=\"app\"].args"]`), PlanOnly: true, ExpectError: refused},
		resource.TestStep{
			Config: s.config(withoutSidecar, `ignore_fields = ["spec.template.spec.containers[name=\"app\"].args", "spec.template.spec.containers[name=\"log\"]"]`),
			Check:  s.expectJSONPath(web, map[string]string{`{.spec.template.spec.containers[*].name}`: "app log"}),
		},
	)
}

// The same holds where the plan takes over what kubectl wrote, and so cannot ask as the manager that the apply has.
func TestPlanWithTakeOverIsRefused(t *testing.T) {
	s := newStory(t)
	m := s.meter()
	env := "\napiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web, namespace: NS}\nspec: {template: {spec: {containers: [{name: log, env: [{name: A, value: \"1\"}]}]}}}\n"
	kubectl := func() {
		s.as("kubectl-client-side-apply").strategicPatch(web, `{"spec":{"template":{"spec":{"containers":[{"name":"log","args":["-v"]}]}}}}`)
	}
	others := func() {
		kubectl()
		s.as("flux").apply(env)
	}
	s.run(
		resource.TestStep{Config: s.config(sidecar)},
		resource.TestStep{
			PreConfig: s.anew(others), Config: s.config(withoutSidecar),
			ExpectError: saying("Invalid Object", "could not be planned", "image: Required value"),
		},
		resource.TestStep{PreConfig: s.anew(func() {
			s.as("flux").apply("\napiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web, namespace: NS}\n")
		}), Config: s.config(sidecar)},
		resource.TestStep{PreConfig: s.anew(kubectl, m.start), Config: s.config(withoutSidecar),
			ConfigPlanChecks: checks(m.plans("get deployments NS/web 200", "patch deployments NS/web dry-run 200")), Check: s.expectJSONPath(web, map[string]string{`{.spec.template.spec.containers[*].name}`: "app"})},
	)
}

// Such a plan asks twice more: for the body as a new object, and for the object without what is removed.
func TestRequestsOfPlanWithTakeOver(t *testing.T) {
	s := newStory(t)
	m := s.meter()
	kubectl := func() {
		s.as("kubectl-client-side-apply").strategicPatch(web, `{"spec":{"template":{"spec":{"containers":[{"name":"app","livenessProbe":{"periodSeconds":20}}]}}}}`)
	}
	s.run(
		resource.TestStep{Config: s.config(probed(httpProbe))},
		resource.TestStep{
			PreConfig: s.anew(kubectl, m.start), Config: s.config(probed("")),
			ConfigPlanChecks: checks(m.plans(
				"get deployments NS/web 200", "patch deployments NS/web dry-run 422", "patch deployments NS/web-rehearsal dry-run 201", "patch deployments NS/web dry-run 200",
			)),
			Check: s.expectJSONPath(web, map[string]string{"{.spec.template.spec.containers[0].livenessProbe}": ""}),
		},
	)
}

// A released field that changes in the same edit is judged with the value that it keeps.
func TestReleasedImmutableField(t *testing.T) {
	s := newStory(t)
	job := "\napiVersion: batch/v1\nkind: Job\nmetadata: {name: one, namespace: NS, labels: {a: v-LABEL}}\nspec:\n  suspend: true\n  completions: COMPLETIONS\n" +
		"  template: {spec: {restartPolicy: Never, containers: [{name: main, image: nginx}]}}\n"
	with := func(label, completions string) string {
		return strings.NewReplacer("LABEL", label, "COMPLETIONS", completions).Replace(job)
	}
	s.run(
		resource.TestStep{Config: s.config(with("x", "1"))},
		resource.TestStep{
			Config: s.config(with("y", "2"), `ignore_fields = ["spec.completions"]`),
			Check:  s.expectLive("batch/v1 Job one", map[string]any{"spec.completions": 1, "metadata.labels.a": "v-y"}),
		},
	)
}

// A map below a key with a dot is emptied like any other.
func TestEmptiedMapBelowKeyWithDot(t *testing.T) {
	s := newStory(t)
	s.installGadgets()
	gadget := func(free string) string {
		return "\napiVersion: NS.example.com/v1\nkind: Gadget\nmetadata: {name: one, namespace: NS}\nspec: {size: 1, nest: " + free + "}\n"
	}
	s.run(
		resource.TestStep{Config: s.config(gadget(`{"a.a": {b: 1}}`))},
		resource.TestStep{
			Config: s.config(gadget(`{"a.a": {}}`)),
			Check:  s.expectLiveJSON(s.gadgetTarget(), `{"a.a":{}}`, "spec", "nest"),
		},
	)
}

// What kubectl created and an adoption took over leaves no claim on the map itself behind, and a claim on a map
// alone does not make it atomic.
func TestClaimOnMapAloneIsNotAtomic(t *testing.T) {
	t.Run("after a take-over", func(t *testing.T) {
		s := newStory(t)
		const ignored = `ignore_fields = ["data.a"]`
		s.run(
			resource.TestStep{
				PreConfig: s.anew(func() { s.as("kubectl-create").create(configMapIn("kept", `data: {a: "1"}`)) }),
				Config:    s.config(configMapIn("kept", `data: {a: "1"}`), "adopt_existing = true"),
				Check:     s.expectNoOwner(keptMap, "data"),
			},
			resource.TestStep{Config: s.config(configMapIn("kept", `data: {a: "1"}`), ignored)},
			resource.TestStep{
				Config: s.config(configMapIn("kept", `data: {a: "1"}`, "labels: {x: z}"), ignored),
				Check:  s.expectLiveJSON(keptMap, `{"a":"1"}`, "data"),
			},
		)
	})
	t.Run("of somebody else", func(t *testing.T) {
		s := newStory(t)
		const ignored = `ignore_fields = ["data.a"]`
		s.run(
			resource.TestStep{Config: s.config(configMapIn("kept", `data: {a: "1"}`), ignored)},
			resource.TestStep{
				PreConfig: s.anew(func() { s.as("flux").apply(configMapIn("kept", "data: {}")) }),
				Config:    s.config(configMapIn("kept", `data: {a: "1"}`, "labels: {x: z}"), ignored),
				Check:     s.expectLiveJSON(keptMap, `{"a":"1"}`, "data"),
			},
		)
	})
}

// A list item is matched by its key as the server holds it, with the keys that yaml_body leaves to their defaults.
func TestIgnoredItemByDefaultedKey(t *testing.T) {
	s := newStory(t)
	const service = "v1 Service svc"
	const ignored = `ignore_fields = ["spec.ports[protocol=\"TCP\"]"]`
	body := func(affinity, port string) string {
		return "\napiVersion: v1\nkind: Service\nmetadata: {name: svc, namespace: NS}\nspec:\n  selector: {app: x}\n  sessionAffinity: " + affinity +
			"\n  ports: [{name: web, port: 80, targetPort: " + port + "}]\n"
	}
	s.run(
		resource.TestStep{Config: s.config(body("None", "8080"))},
		resource.TestStep{Config: s.config(body("None", "8080"), ignored)},
		resource.TestStep{
			Config:           s.config(body("ClientIP", "9999"), ignored),
			ConfigPlanChecks: checks(expectOnly(managedState, "spec.sessionAffinity: None -> ClientIP")),
			Check:            s.expectLiveJSON(service, `[{"name":"web","port":80,"protocol":"TCP","targetPort":8080}]`, "spec", "ports"),
		},
	)
}

// An owner who writes in another version of the kind loses what our apply changes: that is a conflict, in the plan.
func TestOwnerInAnotherVersion(t *testing.T) {
	s := newStory(t)
	hpa := "\napiVersion: autoscaling/v2\nkind: HorizontalPodAutoscaler\nmetadata: {name: h, namespace: NS}\nspec:\n  maxReplicas: 5\n" +
		"  scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: none}\n" +
		"  metrics: [{type: Resource, resource: {name: cpu, target: {type: Utilization, averageUtilization: 50}}}]\n"
	old := "\napiVersion: autoscaling/v1\nkind: HorizontalPodAutoscaler\nmetadata: {name: h, namespace: NS}\nspec: {targetCPUUtilizationPercentage: 70}\n"
	write := func() { s.as("flux").apply(old) }
	s.run(
		resource.TestStep{Config: s.config(hpa, orFail)},
		resource.TestStep{
			PreConfig: s.anew(write), Config: s.config(hpa, orFail), PlanOnly: true,
			ExpectError: saying("Field Ownership Conflict", "nothing is applied", "spec.metrics", `owned by "flux"`, `ignore_fields = ["spec.metrics"]`),
		},
		resource.TestStep{
			PreConfig: s.anew(), Config: s.config(hpa),
			ConfigPlanChecks: checks(s.expectWarning("spec.metrics", `owned by "flux"`)),
		},
	)
}
