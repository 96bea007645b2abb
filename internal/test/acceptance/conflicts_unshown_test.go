package acceptance_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/terraform"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
)

// Two configurations with the same field manager: the second adopts the object, and its plan says what the apply removes.
func TestAdoptionTellsWhatGoes(t *testing.T) {
	s := story.New(t)
	s.Run(resource.TestStep{
		PreConfig: s.NextStep(func() { s.As("k8sconnect").Apply(story.ConfigMapIn("kept", `data: {a: "1", b: "2"}`)) }),
		Config:    s.Config(story.ConfigMapIn("kept", `data: {b: "2"}`), "adopt_existing = true"),
		ConfigPlanChecks: story.PlanChecks(
			s.ExpectPlanSays("the apply removes a field that yaml_body does not have:", `data.a: "1", owned by "k8sconnect"`),
			s.ExpectPlanSays("If another configuration manages the object", "set another field_manager here"),
		),
		Check: s.ExpectLiveJSON(story.KeptMap, `{"b":"2"}`, "data"),
	})
}

// The plan shows the change of a value without an owner: kubectl scaled a field that no manager owned.
func TestUnownedValueThatChanges(t *testing.T) {
	s := story.New(t)
	s.Run(
		resource.TestStep{Config: s.Config(story.Busy("0"), `ignore_fields = ["spec.replicas"]`)},
		resource.TestStep{
			PreConfig: s.NextStep(func() { s.As("kubectl").Scale(story.Web, 5) }),
			Config:    s.Config(story.Busy("0")),
			ConfigPlanChecks: story.PlanChecks(
				s.ExpectWarning("the apply changes a value that nobody owns:\n\n  spec.replicas: \"5\" -> \"3\""), story.ExpectValue("spec.replicas", story.Absent, "3"),
			),
			Check: s.ExpectLive(story.Web, map[string]any{"spec.replicas": 3}),
		},
	)
}

// The API server's defaults in a probe are removed with the probe, and the plan says so.
func TestDefaultsThatGo(t *testing.T) {
	s := story.New(t)
	probe := strings.Replace(story.Busy("0"), `image: "nginx:1.25"`, `image: "nginx:1.25", livenessProbe: {httpGet: {path: /, port: 80}}`, 1)
	s.Run(
		resource.TestStep{Config: s.Config(probe)},
		resource.TestStep{
			PreConfig: s.NextStep(),
			Config:    s.Config(story.Busy("0")),
			ConfigPlanChecks: story.PlanChecks(s.ExpectOnlyWarning(
				"the apply removes 5 values that nobody owns, because what contains them leaves yaml_body:",
				`spec.template.spec.containers[name="app"].livenessProbe.periodSeconds: "10"`,
			)),
		},
	)
}

// What the API server drops beside a new value is not said to leave with something of the manifest.
func TestDefaultsThatTheServerDrops(t *testing.T) {
	s := story.New(t)
	affine := "{apiVersion: v1, kind: Service, metadata: {name: web, namespace: NS}, spec: {sessionAffinity: ClientIP, ports: [{port: 80}]}}"
	s.Run(
		resource.TestStep{Config: s.Config(affine)},
		resource.TestStep{
			PreConfig: s.NextStep(),
			Config:    s.Config(strings.Replace(affine, "ClientIP", "None", 1)),
			ConfigPlanChecks: story.PlanChecks(s.ExpectOnlyWarning(
				"the apply removes a value that nobody owns, because the API server drops it with this change:",
				`spec.sessionAffinityConfig.clientIP.timeoutSeconds: "10800"`,
			)),
		},
	)
}

// The plan shows the former value of another owner, however long it is.
func TestLongValueBefore(t *testing.T) {
	t.Parallel()
	for name, image := range map[string]string{
		"a digest":            "registry.example.com/team/shop/frontend@sha256:" + strings.Repeat("ab", 32),
		"more than is stored": strings.Repeat("a", 200) + "/" + strings.Repeat("b", 200),
	} {
		t.Run(name, func(t *testing.T) {
			s := story.New(t)
			s.Run(
				resource.TestStep{Config: s.Config(story.Busy("0"), `ignore_fields = ["spec.template.spec.containers[name=\"app\"].image"]`)},
				resource.TestStep{
					PreConfig: s.NextStep(func() {
						s.As("kubectl-set").StrategicPatch(story.Web, `{"spec":{"template":{"spec":{"containers":[{"name":"app","image":"`+image+`"}]}}}}`)
					}),
					Config:           s.Config(story.Busy("0")),
					ConfigPlanChecks: story.PlanChecks(s.ExpectWarning(`"` + image + `" -> "nginx:1.25"`)),
				},
			)
		})
	}
}

// A plan takes one field. If other managers write to another field before the apply, or write to the first one again,
// the apply warns of what it overwrote.
func TestWritesAfterAPlanThatTakes(t *testing.T) {
	s := story.New(t)
	m := s.Meter()
	body := story.ConfigMapIn("kept", `data: {a: "1", b: "2"}`)
	take := func(write func()) resource.TestStep {
		return resource.TestStep{
			PreConfig: func() {
				s.As("bob").Patch(story.KeptMap, `{"data":{"a":"9"}}`)
				m.Start()
			},
			Config:           s.Config(body),
			ConfigPlanChecks: story.PlanChecks(s.ExpectWarning(`data.a: "9" -> "1"`), story.Meanwhile(write)),
		}
	}
	quiet, noisy := take(func() {}), take(func() { s.As("carol").Patch(story.KeptMap, `{"data":{"a":"7","b":"8"}}`) })
	quiet.Check = m.Applies(
		"get configmaps NS/kept 200", "patch configmaps NS/kept 200", "patch configmaps NS/kept dry-run 200", "patch configmaps NS/kept dry-run 200",
	)
	noisy.Check = resource.ComposeTestCheckFunc(
		func(*terraform.State) error {
			return s.Warned(`data.a: "7", written by "carol"`, `data.b: "8", written by "carol"`)
		},
		s.ExpectLiveJSON(story.KeptMap, `{"a":"1","b":"2"}`, "data"),
	)
	s.Run(resource.TestStep{Config: s.Config(body)}, quiet, noisy)
}

// What the API server counts by itself with each change of a workload is a value without an owner, and no plan tells
// it: neither that of a manifest, nor those of patches, nor that of their end.
func TestCountersOfWorkloads(t *testing.T) {
	const template = `template: {metadata: {labels: {a: w}}, spec: {containers: [{name: w, image: "w:VERSION"}]}}`
	workloads := map[string]string{
		"apps/v1 Deployment":       "spec: {replicas: 0, selector: {matchLabels: {a: w}}, " + template + "}",
		"apps/v1 DaemonSet":        "spec: {selector: {matchLabels: {a: w}}, " + template + "}",
		"apps/v1 StatefulSet":      "spec: {replicas: 0, selector: {matchLabels: {a: w}}, serviceName: w, " + template + "}",
		"apps/v1 ReplicaSet":       "spec: {replicas: 0, selector: {matchLabels: {a: w}}, " + template + "}",
		"v1 ReplicationController": "spec: {replicas: 0, selector: {a: w}, " + template + "}",
		"batch/v1 CronJob": "spec: {schedule: '0 0 1 1 *', jobTemplate: {spec: {" +
			strings.Replace(template, "spec: {", "spec: {restartPolicy: Never, ", 1) + "}}}",
		"v1 PodTemplate": template,
	}
	for name, patch := range map[string]string{"none": "", "apply": "apply", "strategic": "strategic"} {
		t.Run(name, func(t *testing.T) {
			s := story.New(t)
			configure := func(version, patched string) string {
				text := s.ProviderBlock()
				for target, spec := range workloads {
					apiVersion, kind, _ := strings.Cut(target, " ")
					block := strings.ToLower(kind)
					text += s.Manifest(block, "apiVersion: "+apiVersion+"\nkind: "+kind+"\nmetadata: {name: "+block+", namespace: NS}\n"+
						strings.ReplaceAll(spec, "VERSION", version))
					env := `{"spec": {"template": {"spec": {"containers": [{"name": "w", "env": [{"name": "P", "value": "` + patched + `"}]}]}}}}`
					after := "depends_on = [k8sconnect_manifest." + block + "]"
					switch {
					case patched == "" || patch == "" || kind == "CronJob" || kind == "PodTemplate":
					case patch == "strategic":
						text += s.TypedPatchBlock(block, target+" "+block, patch, env, after)
					default:
						text += s.PatchBlock(block, target+" "+block, env, after)
					}
				}
				return text
			}
			s.Run(
				resource.TestStep{Config: configure("1", "")},
				resource.TestStep{
					PreConfig: s.NextStep(), Config: configure("2", ""),
					ConfigPlanChecks: story.PlanChecks(s.ExpectNoWarning()),
				},
				resource.TestStep{PreConfig: s.NextStep(), Config: configure("2", "1")},
				resource.TestStep{
					PreConfig: s.NextStep(), Config: configure("2", "2"),
					ConfigPlanChecks: story.PlanChecks(s.ExpectNoWarning()),
				},
				resource.TestStep{
					PreConfig: s.NextStep(), Config: configure("2", ""),
					ConfigPlanChecks: story.PlanChecks(s.ExpectNoWarningBut("Patch Removed")),
					Check: func(*terraform.State) error {
						for _, warning := range s.Provider.Take() {
							if strings.Contains(warning, "generation") {
								return fmt.Errorf("unexpected: %s", warning)
							}
						}
						return nil
					},
				},
			)
		})
	}
}
