package ecosystem_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/guard"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
)

// release is a release of Helm with one Deployment.
type release struct {
	*story.Story
	helm, chart, home string
}

// chartTemplate is the template of the chart: the values of a release are its replicas and image.
const chartTemplate = `apiVersion: apps/v1
kind: Deployment
metadata: {name: web, namespace: {{ .Release.Namespace }}, labels: {team: shop, app.kubernetes.io/managed-by: Helm{{ with .Values.tier }}, tier: {{ . }}{{ end }}}}
spec:
  {{ with .Values.replicas }}replicas: {{ . }}{{ end }}
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec: {containers: [{name: app, image: {{ .Values.image | quote }}}]}
`

func newRelease(s *story.Story, helm string) *release {
	r := &release{Story: s, helm: helm, chart: s.T.TempDir(), home: s.T.TempDir()}
	story.Must(s.T, os.Mkdir(filepath.Join(r.chart, "templates"), 0o700))
	for name, content := range map[string]string{
		"Chart.yaml":         "apiVersion: v2\nname: web\nversion: 0.1.0\n",
		"values.yaml":        "replicas: 2\nimage: nginx:1\ntier: front\n",
		"templates/web.yaml": chartTemplate,
	} {
		story.Must(s.T, os.WriteFile(filepath.Join(r.chart, name), []byte(content), 0o600))
	}
	return r
}

// try runs helm with the chart, "upgrade" for instance, and further arguments.
func (r *release) try(command string, args ...string) (string, error) {
	all := append([]string{command, "web", r.chart, "--namespace", r.Namespace}, args...)
	if command == "uninstall" {
		all = append([]string{command, "web", "--namespace", r.Namespace}, args...)
	}
	run := exec.CommandContext(r.T.Context(), r.helm, all...)
	run.Env = append(os.Environ(), "HOME="+r.home, "KUBECONFIG="+story.ControlPlane().KubeconfigPath())
	out, err := run.CombinedOutput()
	r.T.Logf("helm %s: %v\n%s", strings.Join(all, " "), err, out)
	return string(out), err
}

func (r *release) do(command string, args ...string) {
	r.T.Helper()
	if _, err := r.try(command, args...); err != nil {
		r.T.Fatal(err)
	}
}

// released is the Deployment of the chart, as a manifest.
var released = strings.Replace(shop, "team: shop,", "team: shop, app.kubernetes.io/managed-by: Helm,", 1)

// The two ways in which Helm 4 writes: server-side apply, and the update of Helm 3.
var ways = map[string]string{"server-side": "--server-side=true", "client-side": "--server-side=false"}

// A release is adopted without a change of a value. Both own what they declare, until one of them changes it.
func TestAdoptARelease(t *testing.T) {
	for name, flag := range ways {
		t.Run(name, func(t *testing.T) {
			s, found := begin(t)
			r := newRelease(s, found.Helm)
			r.do("install", flag)
			generation := s.Live(story.Web).GetGeneration()
			config := s.Config(released, "adopt_existing = true")
			beside := settled(s, config) // Helm has annotated the object with the release and its namespace.
			beside.ConfigPlanChecks.PreApply = append(beside.ConfigPlanChecks.PreApply, expectAdded("helm", 2))
			s.Run(
				resource.TestStep{
					Config: config,
					Check: story.LiveChecks(
						checking(func() {
							if after := s.Live(story.Web).GetGeneration(); after != generation {
								t.Errorf("generation %d, was %d", after, generation)
							}
						}),
						s.ExpectOwners(story.Web, "spec.replicas", "helm", "k8sconnect"),
					),
				},
				beside,
			)
		})
	}
}

// helm upgrade beside a patch of ours: what the chart does not set stays, and what both set is a conflict that names us.
func TestUpgradeBesideAPatch(t *testing.T) {
	for name, flag := range ways {
		t.Run(name, func(t *testing.T) {
			s, found := begin(t)
			r := newRelease(s, found.Helm)
			r.do("install", flag, "--set", "replicas=")
			config := s.PatchConfig(story.Web, "metadata: {annotations: {example.com/owner: sre}}\nspec: {replicas: 3}", `field_manager = "patch"`)
			s.Run(
				resource.TestStep{Config: config},
				resource.TestStep{
					PreConfig: s.NextStep(func() { r.do("upgrade", flag, "--set", "replicas=", "--set", "image=nginx:2") }),
					Config:    config, PlanOnly: true,
				},
				resource.TestStep{
					Config: config,
					Check: story.LiveChecks(
						s.ExpectLive(story.Web, map[string]any{"spec.replicas": 3}),
						s.ExpectJSONPath(story.Web, map[string]string{
							"{.spec.template.spec.containers[0].image}": "nginx:2", `{.metadata.annotations.example\.com/owner}`: "sre",
						}),
					),
				},
			)
		})
	}
}

// The chart changes a field that we took: Helm that applies is refused, with our name. Helm that updates does not
// notice us, and the next plan takes the value back and names Helm.
func TestUpgradeOfAFieldOfOurs(t *testing.T) {
	ours := strings.Replace(released, "nginx:1", "nginx:ours", 1)
	for name, flag := range ways {
		t.Run(name, func(t *testing.T) {
			s, found := begin(t)
			r := newRelease(s, found.Helm)
			r.do("install", flag)
			config := s.Config(ours, "adopt_existing = true")
			steps := []resource.TestStep{{
				Config:           config,
				ConfigPlanChecks: story.PlanChecks(s.ExpectWarning(`image: "nginx:1" -> "nginx:ours"`, `"helm"`)),
				Check: checking(func() {
					out, err := r.try("upgrade", flag, "--set", "image=nginx:2")
					if refused := err != nil; refused != (name == "server-side") {
						t.Errorf("the upgrade: %v\n%s", err, out)
					} else if refused && !strings.Contains(out, `"k8sconnect"`) {
						t.Errorf("the refusal does not name us: %s", out)
					}
				}),
				ExpectNonEmptyPlan: name != "server-side",
			}}
			if name != "server-side" {
				steps = append(steps, resource.TestStep{
					PreConfig: s.NextStep(), Config: config,
					ConfigPlanChecks: story.PlanChecks(s.ExpectWarning(`image: "nginx:2" -> "nginx:ours"`, `"helm"`)),
				})
			}
			s.Run(append(steps, settled(s, config))...)
		})
	}
}

// A release is taken over, and handed back: the next upgrade is no conflict, and what its chart drops leaves the object.
func TestReleaseIsTakenOverAndHandedBack(t *testing.T) {
	s, found := begin(t)
	r := newRelease(s, found.Helm)
	r.do("install", "--server-side=true")
	arguments := []string{"adopt_existing = true", `take_over_managers = ["helm"]`, handOver, `successor = "helm"`}
	s.Run(
		resource.TestStep{
			Config: s.Config(released, arguments...),
			Check: story.LiveChecks(s.ExpectOwners(story.Web, "spec.replicas", "k8sconnect"),
				s.ExpectOwners(story.Web, "metadata.labels.tier", "k8sconnect")),
		},
		resource.TestStep{
			Config:           s.ProviderBlock(),
			ConfigPlanChecks: story.PlanChecks(s.ExpectWarning("Object Handed Over: ", `"k8sconnect" -> "helm"`)),
			Check: story.LiveChecks(
				s.ExpectOwners(story.Web, "spec.replicas", "helm"),
				checking(func() { r.do("upgrade", "--server-side=true", "--set", "tier=", "--set", "image=nginx:2") }),
				s.ExpectLive(story.Web, map[string]any{"metadata.labels.tier": story.Absent}),
				s.ExpectJSONPath(story.Web, map[string]string{"{.spec.template.spec.containers[0].image}": "nginx:2"}),
			),
		},
	)
}

// With a guard, Helm in both ways is told by the API server what it may not change, and whose it is.
func TestUpgradeMeetsAGuard(t *testing.T) {
	for name, flag := range ways {
		t.Run(name, func(t *testing.T) {
			s, found := begin(t)
			r := newRelease(s, found.Helm)
			r.do("install", flag)
			config := s.Config(strings.Replace(released, "nginx:1", "nginx:ours", 1), "adopt_existing = true", `take_over_managers = ["helm"]`)
			s.Run(
				resource.TestStep{Config: config, Check: checking(func() {
					protect(s, guard.Options{Namespaces: []string{s.Namespace}})
					awaitGuard(s, story.Web, `{"metadata": {"labels": {"team": "theirs"}}}`)
					args := []string{flag, "--set", "image=nginx:2"}
					if name == "server-side" {
						args = append(args, "--force-conflicts")
					}
					if out, err := r.try("upgrade", args...); err == nil || !strings.Contains(out, `that "k8sconnect" owns`) {
						t.Errorf("the upgrade: %v\n%s", err, out)
					}
				})},
				settled(s, config),
			)
		})
	}
}
