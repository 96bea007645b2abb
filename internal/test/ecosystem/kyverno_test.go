package ecosystem_test

import (
	"context"
	"fmt"
	"net"
	"strings"
	"sync"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/kubernetes"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/guard"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/testcluster"
)

const (
	// kyverno is the user as which Kyverno runs, and the name of everything that it has.
	kyverno = "kyverno"

	// Kyverno's webhooks for objects are about namespaces with this label only.
	selected  = `{"metadata": {"labels": {"kyverno": "yes"}}}`
	webhooked = `{"namespaceSelector": {"matchLabels": {"kyverno": "yes"}}}`

	// policed is a Deployment that no controller writes to.
	policed = `
apiVersion: apps/v1
kind: Deployment
metadata: {name: web, namespace: NS, labels: {team: shop}}
spec:
  paused: true
  replicas: 2
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec: {containers: [{name: app, image: "nginx:1"}]}
`
	// ofDeployments begins a policy that is written in CEL.
	ofDeployments = `
metadata: {name: NS}
spec:
  matchConstraints:
    namespaceSelector: {matchLabels: {kubernetes.io/metadata.name: NS}}
    resourceRules: [{apiGroups: [apps], apiVersions: [v1], operations: [CREATE, UPDATE], resources: [deployments]}]
`
	// match is the part of a rule of a ClusterPolicy that selects the same.
	match = `match: {any: [{resources: {kinds: [Deployment], namespaces: [NS]}}]}`

	imageField = `spec.template.spec.containers[name="app"].image`
	pullField  = `spec.template.spec.containers[name="app"].imagePullPolicy`
	imagePath  = "{.spec.template.spec.containers[0].image}"
	pullPath   = "{.spec.template.spec.containers[0].imagePullPolicy}"
)

// Kyverno has two kinds of each policy: of its own language, and of CEL.
var (
	adding = map[string]string{
		"ClusterPolicy": `
apiVersion: kyverno.io/v1
kind: ClusterPolicy
metadata: {name: NS}
spec:
  rules:
  - name: add
    ` + match + `
    mutate:
      patchStrategicMerge:
        metadata: {labels: {cost: shared}}
        spec: {template: {spec: {containers: [{(name): "*", imagePullPolicy: Always}]}}}
`,
		"MutatingPolicy": "apiVersion: policies.kyverno.io/v1\nkind: MutatingPolicy" + ofDeployments + `
  mutations:
  - patchType: ApplyConfiguration
    applyConfiguration:
      expression: >-
        Object{metadata: Object.metadata{labels: {"cost": "shared"}}, spec: Object.spec{template: Object.spec.template{
        spec: Object.spec.template.spec{containers: object.spec.template.spec.containers.map(one,
        Object.spec.template.spec.containers{name: one.name, imagePullPolicy: "Always"})}}}}
`,
	}
	rewriting = map[string]string{
		"ClusterPolicy": `
apiVersion: kyverno.io/v1
kind: ClusterPolicy
metadata: {name: NS}
spec:
  rules:
  - name: replicas
    ` + match + `
    mutate: {patchStrategicMerge: {spec: {replicas: 3}}}
  - name: registry
    ` + match + `
    mutate:
      foreach:
      - list: request.object.spec.template.spec.containers
        patchStrategicMerge:
          spec:
            template:
              spec:
                containers:
                - name: "{{ element.name }}"
                  image: "mirror.example.com/{{ replace_all(element.image, 'mirror.example.com/', '') }}"
`,
		"MutatingPolicy": "apiVersion: policies.kyverno.io/v1\nkind: MutatingPolicy" + ofDeployments + `
  mutations:
  - patchType: ApplyConfiguration
    applyConfiguration:
      expression: >-
        Object{spec: Object.spec{replicas: 3, template: Object.spec.template{spec: Object.spec.template.spec{
        containers: object.spec.template.spec.containers.map(one, Object.spec.template.spec.containers{name: one.name,
        image: "mirror.example.com/" + one.image.replace("mirror.example.com/", "")})}}}}
`,
	}
	refusing = map[string]string{
		"ClusterPolicy": `
apiVersion: kyverno.io/v1
kind: ClusterPolicy
metadata: {name: NS}
spec:
  background: false
  rules:
  - name: owner
    ` + match + `
    validate:
      failureAction: Enforce
      message: every Deployment names its owner
      pattern: {metadata: {annotations: {owner: "?*"}}}
`,
		"ValidatingPolicy": "apiVersion: policies.kyverno.io/v1\nkind: ValidatingPolicy" + ofDeployments + `
  validationActions: [Deny]
  validations:
  - expression: has(object.metadata.annotations) && "owner" in object.metadata.annotations
    message: every Deployment names its owner
`,
	}
)

// withKyverno begins a story in a namespace that Kyverno's webhooks are about.
func withKyverno(t *testing.T) *story.Story {
	t.Helper()
	s, _ := begin(t)
	story.Must(t, startKyverno())
	s.As("kubectl").Patch("v1 Namespace NS", selected)
	return s
}

// startKyverno starts Kyverno, on the loopback address, and waits until it checks policies.
var startKyverno = sync.OnceValue(func() error {
	found, err := writers()
	if err != nil {
		return err
	}
	plane := story.ControlPlane()
	if err := define(plane, found.Kyverno.Definitions); err != nil {
		return err
	}
	if err := configureKyverno(plane); err != nil {
		return err
	}
	address, port, err := unused()
	if err != nil {
		return err
	}
	program := found.Kyverno
	for _, name := range []string{
		"KYVERNO_NAMESPACE", "KYVERNO_DEPLOYMENT", "KYVERNO_POD_NAME", "KYVERNO_SERVICEACCOUNT_NAME", "KYVERNO_SVC",
		"INIT_CONFIG",
	} {
		program.Environment = append(program.Environment, name+"="+kyverno)
	}
	program.Environment = append(program.Environment, "METRICS_CONFIG=kyverno-metrics")
	// With the default of otelConfig, it serves metrics on all addresses even if they are disabled.
	if err := plane.StartWriter(program, kyverno, "--serverIP="+address, "--webhookServerHost=127.0.0.1",
		"--webhookServerPort="+port, "--webhookTimeout=30", "--caSecretName=ca", "--tlsSecretName=tls",
		"--tlsKeyAlgorithm=ECDSA", "--controllerRuntimeMetricsAddress=0", "--disableMetrics=true", "--otelConfig=none",
		"--admissionReports=false", "--enableReporting=", "--autoMemLimitEnabled=false",
		"--generateValidatingAdmissionPolicy=false",
		"--omitEvents=PolicyViolation,PolicyApplied,PolicyError,PolicySkipped"); err != nil {
		return err
	}
	return awaitKyverno(plane)
})

// configureKyverno creates its namespace and its configuration.
func configureKyverno(plane *testcluster.ControlPlane) error {
	client, err := kubernetes.NewForConfig(plane.RESTConfig())
	if err != nil {
		return err
	}
	ctx, meta := context.Background(), metav1.ObjectMeta{Name: kyverno}
	namespace := &corev1.Namespace{ObjectMeta: meta}
	if _, err := client.CoreV1().Namespaces().Create(ctx, namespace, metav1.CreateOptions{}); err != nil {
		return err
	}
	settings := &corev1.ConfigMap{ObjectMeta: meta, Data: map[string]string{"webhooks": webhooked}}
	_, err = client.CoreV1().ConfigMaps(kyverno).Create(ctx, settings, metav1.CreateOptions{})
	return err
}

// awaitKyverno waits until its webhooks for policies are there and answer.
func awaitKyverno(plane *testcluster.ControlPlane) error {
	client, err := dynamic.NewForConfig(plane.RESTConfig())
	if err != nil {
		return err
	}
	admission := schema.GroupVersion{Group: "admissionregistration.k8s.io", Version: "v1"}
	hooks := client.Resource(admission.WithResource("validatingwebhookconfigurations"))
	own := schema.GroupVersion{Group: "kyverno.io", Version: "v1"}
	policies := client.Resource(own.WithResource("clusterpolicies"))
	nothing := &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": "kyverno.io/v1", "kind": "ClusterPolicy",
		"metadata": map[string]any{"name": "nothing"}, "spec": map[string]any{"rules": []any{}},
	}}
	return story.Eventually("Kyverno checks policies", func() bool {
		_, err := hooks.Get(context.Background(), "kyverno-policy-validating-webhook-cfg", metav1.GetOptions{})
		if err != nil {
			return false
		}
		dryRun := metav1.CreateOptions{DryRun: []string{metav1.DryRunAll}}
		_, err = policies.Create(context.Background(), nothing, dryRun)
		return err == nil || !strings.Contains(err.Error(), "failed calling webhook")
	})(nil)
}

// unused returns an address on which no server listens, and its port.
func unused() (address, port string, err error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", "", err
	}
	address = listener.Addr().String()
	if err := listener.Close(); err != nil {
		return "", "", err
	}
	_, port, err = net.SplitHostPort(address)
	return address, port, err
}

// police installs a policy, and waits until the answer to a dry-run of the Deployment shows it.
func police(s *story.Story, policy string, shows func(answer *unstructured.Unstructured, err error) bool) {
	s.T.Helper()
	s.As("kubectl").CreateUntilEnd(policy)
	s.Await("the policy is in effect", func() bool { return shows(s.DryRun(s.T.Context(), policed, true)) })
}

// labelled and scaled report whether the policies adding and rewriting are in effect.
func labelled(answer *unstructured.Unstructured, err error) bool {
	return err == nil && answer.GetLabels()["cost"] == "shared"
}

func scaled(answer *unstructured.Unstructured, err error) bool {
	return err == nil && fmt.Sprint(at(answer.Object, "/spec/replicas")) == "3"
}

// ofImage is the Deployment policed with another image.
func ofImage(image string) string { return strings.Replace(policed, "nginx:1", image, 1) }

// What a policy adds is nobody's: no plan shows it, and it stays with every apply of ours.
func TestKyvernoAddsFields(t *testing.T) {
	for kind, policy := range adding {
		t.Run(kind, func(t *testing.T) {
			s := withKyverno(t)
			police(s, policy, labelled)
			var steps []resource.TestStep
			for _, image := range []string{"nginx:1", "nginx:2"} {
				steps = append(steps, resource.TestStep{
					PreConfig: s.NextStep(),
					Config:    s.Config(ofImage(image)),
					ConfigPlanChecks: story.PlanChecks(
						story.ExpectValue("metadata.labels.cost", story.Absent, story.Absent),
						story.ExpectOwner("metadata.labels.cost", story.Absent, story.Absent),
						story.ExpectValue(pullField, story.Absent, story.Absent),
						story.ExpectOwner(pullField, story.Absent, story.Absent),
						s.ExpectPrediction(ofImage(image)),
						s.ExpectNoWarning(),
					),
					Check: story.LiveChecks(
						s.ExpectLive(story.Web, map[string]any{
							"metadata.labels.cost": "shared", "metadata.labels.team": "shop",
						}),
						s.ExpectJSONPath(story.Web, map[string]string{imagePath: image, pullPath: "Always"}),
						s.ExpectNoOwner(story.Web, "metadata.labels.cost"),
						s.ExpectNoOwner(story.Web, pullField),
						s.ExpectOwners(story.Web, imageField, "k8sconnect"),
						s.ExpectSilence(),
					),
				}, settled(s, s.Config(ofImage(image))))
			}
			s.Run(steps...)
		})
	}
}

// What a policy makes of a value that we declare is in the plan, the apply agrees, and no diff is left.
func TestKyvernoRewritesValues(t *testing.T) {
	for kind, policy := range rewriting {
		t.Run(kind, func(t *testing.T) {
			s := withKyverno(t)
			police(s, policy, scaled)
			var steps []resource.TestStep
			replicas, before := story.Absent, story.Absent
			for _, image := range []string{"nginx:1", "nginx:2"} {
				after := "mirror.example.com/" + image
				steps = append(steps, resource.TestStep{
					PreConfig: s.NextStep(),
					Config:    s.Config(ofImage(image)),
					ConfigPlanChecks: story.PlanChecks(
						story.ExpectValue("spec.replicas", replicas, "3"),
						story.ExpectValue(imageField, before, after),
						story.ExpectForeseen(),
						s.ExpectPrediction(ofImage(image)),
						s.ExpectNoWarning(),
					),
					Check: story.LiveChecks(
						s.ExpectLive(story.Web, map[string]any{"spec.replicas": 3}),
						s.ExpectJSONPath(story.Web, map[string]string{imagePath: after}),
						s.ExpectOwners(story.Web, "spec.replicas", "k8sconnect"),
						s.ExpectOwners(story.Web, imageField, "k8sconnect"),
						s.ExpectSilence(),
					),
				}, settled(s, s.Config(ofImage(image))))
				replicas, before = "3", after
			}
			s.Run(steps...)
		})
	}
}

// A policy that comes after the object is no diff by itself. The next change shows what else the policy changes with it.
func TestKyvernoPolicyComesLater(t *testing.T) {
	for kind, policy := range rewriting {
		t.Run(kind, func(t *testing.T) {
			s := withKyverno(t)
			first, second := s.Config(policed), s.Config(ofImage("nginx:2"))
			later := settled(s, first)
			reads := later.PreConfig
			later.PreConfig = func() {
				police(s, policy, scaled)
				reads()
			}
			s.Run(
				resource.TestStep{Config: first},
				later,
				resource.TestStep{
					PreConfig: s.NextStep(),
					Config:    second,
					ConfigPlanChecks: story.PlanChecks(
						story.ExpectValue("spec.replicas", "2", "3"),
						story.ExpectValue(imageField, "nginx:1", "mirror.example.com/nginx:2"),
						story.ExpectForeseen(),
						s.ExpectNoWarning(),
					),
					Check: s.ExpectLive(story.Web, map[string]any{"spec.replicas": 3}),
				},
				settled(s, second),
			)
		})
	}
}

// A policy that refuses the object fails the plan, with its message: nothing is created, and nothing changes.
func TestKyvernoRefuses(t *testing.T) {
	const rule = "every Deployment names its owner"
	for kind, policy := range refusing {
		t.Run(kind, func(t *testing.T) {
			s := withKyverno(t)
			police(s, policy, func(_ *unstructured.Unstructured, err error) bool {
				return err != nil && story.Saying(rule).MatchString(err.Error())
			})
			config := func(web, level string) string {
				return s.Config(web) + s.Manifest("settings", story.SettingsWith("level: "+level))
			}
			owned := strings.Replace(policed, "namespace: NS", "namespace: NS, annotations: {owner: sre}", 1)
			refused := story.Saying("denied the request", rule,
				"A policy of this cluster refuses the object. In yaml_body, change")
			start := story.ControlPlane().AuditLog().Mark()
			s.Run(
				resource.TestStep{Config: config(policed, "low"), ExpectError: refused},
				resource.TestStep{
					PreConfig: s.NextStep(func() { expectNoWrites(s, start) }),
					Config:    config(owned, "low"),
					Check: story.LiveChecks(
						s.ExpectJSONPath(story.Web, map[string]string{"{.metadata.annotations.owner}": "sre"}),
						checking(func() { start = story.ControlPlane().AuditLog().Mark() }),
					),
				},
				resource.TestStep{Config: config(policed, "high"), ExpectError: refused},
				resource.TestStep{
					PreConfig: s.NextStep(func() { expectNoWrites(s, start) }),
					Config:    config(owned, "low"),
					Check:     s.ExpectLive(story.SettingsTarget, map[string]any{"data.level": "low"}),
				},
			)
		})
	}
}

// expectNoWrites asserts that the provider has written nothing since mark.
func expectNoWrites(s *story.Story, mark testcluster.Position) {
	s.T.Helper()
	for _, request := range s.Requests(mark) {
		if request.Verb != "get" && request.DryRun == testcluster.DryRunNone {
			s.T.Errorf("the provider has sent %s", request)
		}
	}
}

// A guard that refuses lets our applies pass beside a policy that changes our values with them, and refuses others.
func TestGuardBesideKyverno(t *testing.T) {
	const scale = `{"spec": {"replicas": 9}}`
	for kind, policy := range rewriting {
		t.Run(kind, func(t *testing.T) {
			s := withKyverno(t)
			police(s, policy, scaled)
			second := s.Config(ofImage("nginx:2"))
			kept := s.ExpectLive(story.Web, map[string]any{"spec.replicas": 3, "metadata.labels.team": "shop"})
			s.Run(
				resource.TestStep{Config: s.Config(policed), Check: story.LiveChecks(
					checking(func() { protect(s, guard.Options{Namespaces: []string{s.Namespace}}) }),
					checking(func() { awaitGuard(s, story.Web, scale) }),
					checking(func() {
						_, err := s.Resource("apps/v1", "Deployment", s.Namespace).Patch(t.Context(), "web",
							types.MergePatchType, []byte(scale), metav1.PatchOptions{FieldManager: "kubectl-edit"})
						if err == nil || !strings.Contains(err.Error(), `that "k8sconnect" owns: spec.replicas`) {
							t.Errorf("a write to a field of ours: %v", err)
						}
					}),
					checking(func() {
						s.As("kubectl-edit").Patch(story.Web, `{"metadata": {"labels": {"theirs": "yes"}}}`)
					}),
					kept,
				)},
				resource.TestStep{PreConfig: s.NextStep(), Config: second, Check: story.LiveChecks(
					kept,
					s.ExpectLive(story.Web, map[string]any{"metadata.labels.theirs": "yes"}),
					s.ExpectJSONPath(story.Web, map[string]string{imagePath: "mirror.example.com/nginx:2"}),
					s.ExpectOwners(story.Web, "spec.replicas", "k8sconnect"),
				)},
				s.Noop(second),
			)
		})
	}
}
