package acceptance_test

import (
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/customresource"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
)

// A plan with a release dry-runs what the apply will send. If the apply would leave others with half a list item,
// the plan fails, not the apply.
func TestPlanWithReleaseIsRefused(t *testing.T) {
	s := story.New(t)
	env := "\napiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web, namespace: NS}\nspec: {template: {spec: {containers: [{name: log, env: [{name: A, value: \"1\"}]}]}}}\n"
	refused := story.Saying("Invalid Object", "could not be planned", "image: Required value")
	s.Run(
		resource.TestStep{Config: s.Config(story.Sidecar)},
		resource.TestStep{PreConfig: s.NextStep(func() { s.As("flux").Apply(env) }), Config: s.Config(story.WithoutSidecar), PlanOnly: true, ConfigPlanChecks: story.WithoutRefresh(), ExpectError: refused},
		resource.TestStep{Config: s.Config(story.WithoutSidecar, `ignore_fields = ["spec.template.spec.containers[name=\"app\"].args"]`), PlanOnly: true, ConfigPlanChecks: story.WithoutRefresh(), ExpectError: refused},
		resource.TestStep{
			Config: s.Config(story.WithoutSidecar, `ignore_fields = ["spec.template.spec.containers[name=\"app\"].args", "spec.template.spec.containers[name=\"log\"]"]`),
			Check:  s.ExpectJSONPath(story.Web, map[string]string{`{.spec.template.spec.containers[*].name}`: "app log"}),
		},
	)
}

// The same holds where the plan takes over what kubectl wrote, and so cannot ask as the manager that the apply has.
func TestPlanWithTakeOverIsRefused(t *testing.T) {
	s := story.New(t)
	m := s.Meter()
	env := "\napiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web, namespace: NS}\nspec: {template: {spec: {containers: [{name: log, env: [{name: A, value: \"1\"}]}]}}}\n"
	kubectl := func() {
		s.As("kubectl-client-side-apply").StrategicPatch(story.Web, `{"spec":{"template":{"spec":{"containers":[{"name":"log","args":["-v"]}]}}}}`)
	}
	others := func() {
		kubectl()
		s.As("flux").Apply(env)
	}
	const line = `take_over_managers = ["kubectl-client-side-apply", "kubectl-create", "kubectl-run", "kubectl-expose", "kubectl-autoscale", "before-first-apply", "flux"]`
	s.Run(
		resource.TestStep{Config: s.Config(story.Sidecar)},
		resource.TestStep{
			PreConfig: s.NextStep(others), Config: s.Config(story.WithoutSidecar),
			ExpectError: story.Saying("Field Cannot Be Removed", "could not be planned", "image: Required value", `owned by "flux" (the flux command)`,
				"Keep it in yaml_body, or have that manager give up its fields.", "If the tool is in use, its next apply owns the others again:", line),
		},
		resource.TestStep{PreConfig: s.NextStep(func() {
			s.As("flux").Apply("\napiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web, namespace: NS}\n")
		}), Config: s.Config(story.Sidecar)},
		resource.TestStep{PreConfig: s.NextStep(kubectl, s.AwaitRollouts, m.Start), Config: s.Config(story.WithoutSidecar),
			ConfigPlanChecks: story.PlanChecks(m.Plans("get deployments NS/web 200", "patch deployments NS/web dry-run 200")), Check: s.ExpectJSONPath(story.Web, map[string]string{`{.spec.template.spec.containers[*].name}`: "app"})},
	)
}

// A value that is not known yet may hide that refusal from the first plan. Then the plan of the apply finds it, and not the apply.
func TestApplyWithTakeOverIsRefusedByItsPlan(t *testing.T) {
	s := story.New(t)
	others := func() {
		s.As("kubectl-client-side-apply").StrategicPatch(story.Web, `{"spec":{"template":{"spec":{"containers":[{"name":"log","tty":true}]}}}}`)
		s.As("flux").Apply("\napiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web, namespace: NS}\n" +
			"spec: {template: {spec: {containers: [{name: log, env: [{name: A, value: \"1\"}]}]}}}\n")
	}
	before, log, found := strings.Cut(deploymentObject, `            { name = "log"`)
	_, after, _ := strings.Cut(log, "\n")
	if !found {
		t.Fatal("the object has no container log")
	}
	s.Run(
		resource.TestStep{Config: objectConfig(s, deploymentObject)},
		resource.TestStep{
			PreConfig: s.NextStep(others), Config: objectConfig(s, before+after, "NOTE: "+laterText) + later("two"),
			ExpectError: story.Saying("Field Cannot Be Removed", "could not be planned", "image: Required value",
				`spec.template.spec.containers[name="log"].env[name="A"].value, owned by "flux"`),
		},
	)
}

// A manager that applies is taken over as the error says, and the item goes.
func TestItemOfAnApplierIsTakenOver(t *testing.T) {
	s := story.New(t)
	applied := func() {
		s.As("flux").Apply("\napiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web, namespace: NS}\n" +
			"spec: {template: {spec: {containers: [{name: log, env: [{name: A, value: \"1\"}]}]}}}\n")
	}
	const line = `take_over_managers = ["kubectl-client-side-apply", "kubectl-create", "kubectl-run", "kubectl-expose", "kubectl-autoscale", "before-first-apply", "flux"]`
	s.Run(
		resource.TestStep{Config: s.Config(story.Sidecar)},
		resource.TestStep{PreConfig: s.NextStep(applied), Config: s.Config(story.WithoutSidecar), ExpectError: story.Saying("Field Cannot Be Removed", line)},
		resource.TestStep{
			Config: s.Config(story.WithoutSidecar, line),
			Check:  s.ExpectJSONPath(story.Web, map[string]string{`{.spec.template.spec.containers[*].name}`: "app"}),
		},
		s.Noop(s.Config(story.WithoutSidecar, line)),
	)
}

// The error about half an item says who keeps it, and its line lets the item go.
func TestHalfAnItemIsTakenOver(t *testing.T) {
	s := story.New(t)
	tuner := func() {
		s.As("tuner").StrategicPatch(story.Web, `{"spec":{"template":{"spec":{"containers":[{"name":"log","image":"fluent:0","args":["-v"]}]}}}}`)
	}
	const line = `take_over_managers = ["kubectl-client-side-apply", "kubectl-create", "kubectl-run", "kubectl-expose", "kubectl-autoscale", "before-first-apply", "tuner"]`
	s.Run(
		resource.TestStep{Config: s.Config(story.WithoutSidecar)},
		resource.TestStep{PreConfig: s.NextStep(tuner), Config: s.Config(story.Sidecar)},
		resource.TestStep{
			Config: s.Config(story.WithoutSidecar),
			ExpectError: story.Saying("Field Cannot Be Removed", "could not be planned", "image: Required value",
				`yaml_body no longer has spec.template.spec.containers[name="log"], but it stays on the object without your fields, because others own fields in it:`,
				`spec.template.spec.containers[name="log"].args, owned by "tuner" using apps/v1`,
				"Keep it in yaml_body, or have that manager give up its fields.", "Or take over the fields that they own, so that the apply removes them too:", line),
		},
		resource.TestStep{
			Config: s.Config(story.WithoutSidecar, line),
			Check:  s.ExpectJSONPath(story.Web, map[string]string{`{.spec.template.spec.containers[*].name}`: "app"}),
		},
	)
}

// Such a plan sends two more dry-runs: the body as a new object, and the object without the removed fields.
func TestRequestsOfPlanWithTakeOver(t *testing.T) {
	s := story.New(t)
	m := s.Meter()
	kubectl := func() {
		s.As("kubectl-client-side-apply").StrategicPatch(story.Web, `{"spec":{"template":{"spec":{"containers":[{"name":"app","livenessProbe":{"periodSeconds":20}}]}}}}`)
	}
	s.Run(
		resource.TestStep{Config: s.Config(story.Probed(story.HTTPProbe))},
		resource.TestStep{
			PreConfig: s.NextStep(kubectl, m.Start), Config: s.Config(story.Probed("")),
			ConfigPlanChecks: story.PlanChecks(m.Plans(
				"get deployments NS/web 200", "patch deployments NS/web dry-run 422", "patch deployments NS/web-dry-run dry-run 201", "patch deployments NS/web dry-run 200",
			)),
			Check: s.ExpectJSONPath(story.Web, map[string]string{"{.spec.template.spec.containers[0].livenessProbe}": ""}),
		},
	)
}

// A released field that changes in the same edit is judged with the value that it keeps.
func TestReleasedImmutableField(t *testing.T) {
	s := story.New(t)
	job := "\napiVersion: batch/v1\nkind: Job\nmetadata: {name: one, namespace: NS, labels: {a: v-LABEL}}\nspec:\n  suspend: true\n  completions: COMPLETIONS\n" +
		"  template: {spec: {restartPolicy: Never, containers: [{name: main, image: nginx}]}}\n"
	with := func(label, completions string) string {
		return strings.NewReplacer("LABEL", label, "COMPLETIONS", completions).Replace(job)
	}
	s.Run(
		resource.TestStep{Config: s.Config(with("x", "1"))},
		resource.TestStep{
			Config: s.Config(with("y", "2"), `ignore_fields = ["spec.completions"]`),
			Check:  s.ExpectLive("batch/v1 Job one", map[string]any{"spec.completions": 1, "metadata.labels.a": "v-y"}),
		},
	)
}

// A map below a key with a dot is emptied like any other.
func TestEmptiedMapBelowKeyWithDot(t *testing.T) {
	s := story.New(t)
	s.InstallGadgets()
	gadget := func(free string) string {
		return "\napiVersion: NS.example.com/v1\nkind: Gadget\nmetadata: {name: one, namespace: NS}\nspec: {size: 1, nest: " + free + "}\n"
	}
	s.Run(
		resource.TestStep{Config: s.Config(gadget(`{"a.a": {b: 1}}`))},
		resource.TestStep{
			Config: s.Config(gadget(`{"a.a": {}}`)),
			Check:  s.ExpectLiveJSON(s.GadgetTarget(), `{"a.a":{}}`, "spec", "nest"),
		},
	)
}

// A map that other managers have filled stays when the last of the maps around it leaves the manifest: the server would
// make them null. With one of several maps, the server removes what other managers have in it, and the plan says so.
func TestMapThatOthersFilled(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct{ before, fill, after, arguments, want string }{
		"it leaves":                 {`{a: {}}`, `{"a":{"b":1}}`, "", "", `{"a":{"b":1}}`},
		"with a member of ours":     {`{a: {b: 1}, c: {}}`, `{"c":{"b":2}}`, "", "", `{"c":{"b":2}}`},
		"of several owners":         {`{a: {}, c: {}}`, `{"a":{"b":1},"c":{"b":2}}`, "", "", `{"a":{"b":1},"c":{"b":2}}`},
		"its members are ignored":   {`{a: {}}`, `{"a":{"b":1}}`, "", `ignore_fields = ["spec.nest.a.b"]`, `{"a":{"b":1}}`},
		"one of two maps leaves":    {`{a: {}, c: {}}`, `{"a":{"b":1}}`, `{c: {}}`, "", `{"c":{}}`},
		"below a key with a dot":    {`{"a.a": {}}`, `{"a.a":{"b":1}}`, "", "", `{"a.a":{"b":1}}`},
		"by a member that was ours": {`{a: {b: 1}}`, `{"a":{"b":2}}`, "", "on_conflict = \"fail\"", `{"a":{"b":2}}`},
	} {
		t.Run(name, func(t *testing.T) {
			s := story.New(t)
			s.InstallGadgets()
			gadget := func(nest string) string {
				if nest != "" {
					nest = ", nest: " + nest
				}
				return "\napiVersion: NS.example.com/v1\nkind: Gadget\nmetadata: {name: one, namespace: NS}\nspec: {size: 1" + nest + "}\n"
			}
			s.Run(
				resource.TestStep{Config: s.Config(gadget(test.before))},
				resource.TestStep{
					PreConfig: s.NextStep(func() { s.As("kubectl-edit").Patch(s.GadgetTarget(), `{"spec":{"nest":`+test.fill+`}}`) }),
					Config:    s.Config(gadget(test.after), test.arguments),
					Check:     s.ExpectLiveJSON(s.GadgetTarget(), test.want, "spec", "nest"),
				},
			)
		})
	}
}

// ruled defines a kind whose rules in CEL the server does not check beside a fault of another kind, which it says.
var ruled = customresource.Definition("NS.example.com", "Dial", `
spec:
  type: object
  x-kubernetes-validations: [{rule: "!has(self.nest) || self.size > 0", message: "size is positive"}]
  properties:
    size: {type: integer}
    nest:
      type: object
      maxProperties: 5
      additionalProperties: {type: object, properties: {b: {type: integer}, c: {type: integer}}}
    source:
      type: object
      oneOf: [{required: [git]}, {required: [http]}]
      properties:
        git: {type: string}
        http: {type: object, required: [url], properties: {url: {type: string}, retries: {type: integer, default: 3}}}
`)

// dial returns an object of the kind, with more fields of its spec.
func dial(spec string) string {
	return "\napiVersion: NS.example.com/v1\nkind: Dial\nmetadata: {name: one, namespace: NS}\nspec: {size: 1" + spec + "}\n"
}

const dialTarget = "NS.example.com/v1 Dial one"

// A map that the server refuses without our part of it goes as a whole when that leaves the manifest, with what no
// manager owns in it: if another manager owns the map itself, and if managedFields was reset.
func TestMapThatNeedsOurPart(t *testing.T) {
	t.Parallel()
	const http = ", source: {http: {url: b}}"
	setSource := func(s *story.Story, value map[string]any) func() {
		return func() {
			s.As("editor").Put(dialTarget, func(object map[string]any) { object["spec"].(map[string]any)["source"] = value })
		}
	}
	for name, begin := range map[string]func(s *story.Story) []resource.TestStep{
		"others own the map": func(s *story.Story) []resource.TestStep {
			return []resource.TestStep{
				{Config: s.Config(dial(""))},
				{PreConfig: s.NextStep(setSource(s, map[string]any{"git": "a"})), Config: s.Config(dial(http))},
			}
		},
		"managedFields was reset": func(s *story.Story) []resource.TestStep {
			return []resource.TestStep{{Config: s.Config(dial(http))}}
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := story.New(t)
			s.InstallKind(ruled)
			last := resource.TestStep{
				PreConfig: s.NextStep(), Config: s.Config(dial("")),
				ConfigPlanChecks: story.PlanChecks(s.ExpectWarning(`spec.source.http.retries: "3"`)),
				Check:            s.ExpectLiveJSON(dialTarget, "null", "spec", "source"),
			}
			if name == "managedFields was reset" {
				last.PreConfig = s.NextStep(func() { s.As("restore").StripManagedFields(dialTarget, "[{}]") })
			}
			s.Run(append(begin(s), last, s.Noop(s.Config(dial(""))))...)
		})
	}
}

// Terraform's second plan, which has not read the object, knows as the first one does that the server refuses what a
// manager to be taken over would keep of a map that leaves: if the map is another member of a union, and if other
// managers have reset managedFields, or have come to own our part, since the first plan.
func TestMapThatNeedsOurPartInSecondPlan(t *testing.T) {
	t.Parallel()
	const http = ", source: {http: {url: b}}"
	for name, test := range map[string]struct {
		argument, after string
		meanwhile       func(*story.Story)
	}{
		"another member of a union":   {"take_over_managers = []", ", source: {git: a}", func(*story.Story) {}},
		"managedFields is reset":      {"", "", func(s *story.Story) { s.As("restore").StripManagedFields(dialTarget, "[{}]") }},
		"others come to own our part": {"", "", func(s *story.Story) { s.As("flux").Apply(dial(http)) }},
	} {
		t.Run(name, func(t *testing.T) {
			s := story.New(t)
			s.InstallKind(ruled)
			s.As("kubectl-create").Create(dial(http))
			s.Run(
				resource.TestStep{Config: s.Config(dial(http), story.Adopting, test.argument)},
				resource.TestStep{
					PreConfig: s.NextStep(), Config: s.Config(dial(test.after)),
					ConfigPlanChecks: story.PlanChecks(s.ExpectWarning(`spec.source.http.retries: "3"`),
						story.Meanwhile(func() { test.meanwhile(s) })),
				},
			)
		})
	}
}

// Maps that the apply would make null are emptied, or left to others, beside rules in CEL, too.
func TestEmptiedMapBesideRules(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct{ before, fill, after, want string }{
		"the last member leaves":           {`{a: {b: 1}}`, `{}`, `, nest: {a: {}}`, `{"a":{}}`},
		"others own the map":               {`{a: {b: 1}}`, `{"a":{"c":1}}`, `, nest: {a: {}}`, `{"a":{"c":1}}`},
		"others have filled what leaves":   {`{a: {}}`, `{"a":{"b":1}}`, "", `{"a":{"b":1}}`},
		"others have filled one of two":    {`{a: {b: 1}, c: {}}`, `{"c":{"b":2}}`, "", `{"c":{"b":2}}`},
		"others have changed a member":     {`{a: {b: 1}}`, `{"a":{"b":2}}`, "", `{"a":{"b":2}}`},
		"others have filled, key with dot": {`{"a.a": {}}`, `{"a.a":{"b":1}}`, "", `{"a.a":{"b":1}}`},
	} {
		t.Run(name, func(t *testing.T) {
			s := story.New(t)
			s.InstallKind(ruled)
			s.Run(
				resource.TestStep{Config: s.Config(dial(", nest: " + test.before))},
				resource.TestStep{
					PreConfig: s.NextStep(func() { s.As("kubectl-edit").Patch(dialTarget, `{"spec":{"nest":`+test.fill+`}}`) }),
					Config:    s.Config(dial(test.after)),
					Check:     s.ExpectLiveJSON(dialTarget, test.want, "spec", "nest"),
				},
				s.Noop(s.Config(dial(test.after))),
			)
		})
	}
}

// What kubectl created and an adoption took over leaves no claim on the map itself behind, and a claim on a map
// alone does not make it atomic.
func TestClaimOnMapAloneIsNotAtomic(t *testing.T) {
	t.Parallel()
	t.Run("after a take-over", func(t *testing.T) {
		s := story.New(t)
		const ignored = `ignore_fields = ["data.a"]`
		s.Run(
			resource.TestStep{
				PreConfig: s.NextStep(func() { s.As("kubectl-create").Create(story.ConfigMapIn("kept", `data: {a: "1"}`)) }),
				Config:    s.Config(story.ConfigMapIn("kept", `data: {a: "1"}`), "adopt_existing = true"),
				Check:     s.ExpectNoOwner(story.KeptMap, "data"),
			},
			resource.TestStep{Config: s.Config(story.ConfigMapIn("kept", `data: {a: "1"}`), ignored)},
			resource.TestStep{
				Config: s.Config(story.ConfigMapIn("kept", `data: {a: "1"}`, "labels: {x: z}"), ignored),
				Check:  s.ExpectLiveJSON(story.KeptMap, `{"a":"1"}`, "data"),
			},
		)
	})
	t.Run("of somebody else", func(t *testing.T) {
		s := story.New(t)
		const ignored = `ignore_fields = ["data.a"]`
		s.Run(
			resource.TestStep{Config: s.Config(story.ConfigMapIn("kept", `data: {a: "1"}`), ignored)},
			resource.TestStep{
				PreConfig: s.NextStep(func() { s.As("flux").Apply(story.ConfigMapIn("kept", "data: {}")) }),
				Config:    s.Config(story.ConfigMapIn("kept", `data: {a: "1"}`, "labels: {x: z}"), ignored),
				Check:     s.ExpectLiveJSON(story.KeptMap, `{"a":"1"}`, "data"),
			},
		)
	})
}

// A list item is matched by its key as the server holds it, with the keys that yaml_body leaves to their defaults.
func TestIgnoredItemByDefaultedKey(t *testing.T) {
	s := story.New(t)
	const service = "v1 Service svc"
	const ignored = `ignore_fields = ["spec.ports[protocol=\"TCP\"]"]`
	body := func(affinity, port string) string {
		return "\napiVersion: v1\nkind: Service\nmetadata: {name: svc, namespace: NS}\nspec:\n  selector: {app: x}\n  sessionAffinity: " + affinity +
			"\n  ports: [{name: web, port: 80, targetPort: " + port + "}]\n"
	}
	s.Run(
		resource.TestStep{Config: s.Config(body("None", "8080"))},
		resource.TestStep{Config: s.Config(body("None", "8080"), ignored)},
		resource.TestStep{
			Config:           s.Config(body("ClientIP", "9999"), ignored),
			ConfigPlanChecks: story.PlanChecks(story.ExpectOnly(story.ManagedState, "spec.sessionAffinity: None -> ClientIP")),
			Check:            s.ExpectLiveJSON(service, `[{"name":"web","port":80,"protocol":"TCP","targetPort":8080}]`, "spec", "ports"),
		},
	)
}

// An owner who writes in another version of the kind loses what our apply changes: that is a conflict, in the plan.
func TestOwnerInAnotherVersion(t *testing.T) {
	s := story.New(t)
	hpa := "\napiVersion: autoscaling/v2\nkind: HorizontalPodAutoscaler\nmetadata: {name: h, namespace: NS}\nspec:\n  maxReplicas: 5\n" +
		"  scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: none}\n" +
		"  metrics: [{type: Resource, resource: {name: cpu, target: {type: Utilization, averageUtilization: 50}}}]\n"
	old := "\napiVersion: autoscaling/v1\nkind: HorizontalPodAutoscaler\nmetadata: {name: h, namespace: NS}\nspec: {targetCPUUtilizationPercentage: 70}\n"
	write := func() { s.As("flux").Apply(old) }
	s.Run(
		resource.TestStep{Config: s.Config(hpa, story.OrFail)},
		resource.TestStep{
			PreConfig: s.NextStep(write), Config: s.Config(hpa, story.OrFail), PlanOnly: true,
			ExpectError: story.Saying("Field Ownership Conflict", "nothing is applied", "spec.metrics", `owned by "flux"`, `ignore_fields = ["spec.metrics"]`),
		},
		resource.TestStep{
			PreConfig: s.NextStep(), Config: s.Config(hpa),
			ConfigPlanChecks: story.PlanChecks(s.ExpectWarning("spec.metrics", `owned by "flux"`)),
		},
	)
}
