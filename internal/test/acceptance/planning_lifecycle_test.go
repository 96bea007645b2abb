package acceptance_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/customresource"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
)

// A manifest that names another object replaces the old one.
func TestIdentityChangeReplaces(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]struct {
		body     string
		edit     []string
		old, new string
	}{
		"another name": {
			body: story.ConfigMap, edit: []string{"name: web", "name: shop"},
			old: "v1 ConfigMap web", new: "v1 ConfigMap shop",
		},
		"another namespace": {
			body: story.ConfigMap, edit: []string{"namespace: NS", "namespace: NS-inner"},
			old: "v1 ConfigMap web", new: "v1 ConfigMap NS-inner/web",
		},
		"another kind": {
			body: story.ConfigMap, edit: []string{"ConfigMap", "Secret", "\ndata:", "\nstringData:"},
			old: "v1 ConfigMap web", new: "v1 Secret web",
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := story.New(t)
			old := s.Sight(change.old)
			inner := s.Manifest("inner", story.InnerNamespace)
			s.Run(
				resource.TestStep{Config: s.Config(change.body) + inner, Check: old.See},
				resource.TestStep{
					Config: s.Config(strings.NewReplacer(change.edit...).Replace(change.body)) + inner,
					ConfigPlanChecks: story.PlanChecks(
						story.ExpectAction(plancheck.ResourceActionReplace),
						plancheck.ExpectUnknownValue(story.Address, story.PathOfUID),
					),
					Check: story.LiveChecks(old.ExpectReplaced, s.ExpectLive(change.new, map[string]any{"metadata.labels": story.Absent})),
				},
			)
		})
	}
}

// A field that the server does not let anybody change replaces the object, and a warning names it.
func TestImmutableFieldReplaces(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]struct {
		body   string
		edit   []string
		target string
		field  string
		live   map[string]any
	}{
		"a Deployment's selector": {
			body: story.Deployment, edit: []string{"app: web", "app: shop"}, target: "apps/v1 Deployment web",
			field: "spec.selector", live: map[string]any{"spec.selector.matchLabels.app": "shop"},
		},
		"a Job's template": {
			body: story.Job, edit: []string{"nginx:1.25", "nginx:1.26"}, target: "batch/v1 Job web",
			field: "spec.template", live: map[string]any{"metadata.name": "web"},
		},
		"the role of a binding": {
			body: "{apiVersion: rbac.authorization.k8s.io/v1, kind: RoleBinding, metadata: {name: web, namespace: NS}, " +
				"roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: view}}",
			edit: []string{"name: view", "name: edit"}, target: "rbac.authorization.k8s.io/v1 RoleBinding web",
			field: "roleRef", live: map[string]any{"roleRef.name": "edit"},
		},
		"the value of a priority class": {
			body: "{apiVersion: scheduling.k8s.io/v1, kind: PriorityClass, metadata: {name: NS-web}, value: 10}",
			edit: []string{"value: 10", "value: 20"}, target: "scheduling.k8s.io/v1 PriorityClass NS-web",
			field: `value: "10" -> "20"`, live: map[string]any{"kind": "PriorityClass"},
		},
		"the load balancer of a Service": {
			body: "{apiVersion: v1, kind: Service, metadata: {name: web, namespace: NS}, " +
				"spec: {type: LoadBalancer, loadBalancerClass: example.com/a, ports: [{port: 80}]}}",
			edit: []string{"example.com/a", "example.com/b"}, target: "v1 Service web",
			field: `spec.loadBalancerClass: "example.com/a" -> "example.com/b"`, live: map[string]any{"spec.loadBalancerClass": "example.com/b"},
		},
		"a field of a Pod": {
			body: "{apiVersion: v1, kind: Pod, metadata: {name: web, namespace: NS}, spec: {terminationGracePeriodSeconds: 0, " +
				`containers: [{name: app, image: "nginx:1.25", command: [a]}]}}`,
			edit: []string{"[a]", "[b]"}, target: "v1 Pod web",
			field: "command", live: map[string]any{"metadata.name": "web"},
		},
		"the containers of a Pod": {
			body: "{apiVersion: v1, kind: Pod, metadata: {name: web, namespace: NS}, spec: {terminationGracePeriodSeconds: 0, " +
				`containers: [{name: app, image: "nginx:1.25"}]}}`,
			edit: []string{`"}]}}`, `"}, {name: log, image: "nginx:1.25"}]}}`}, target: "v1 Pod web",
			field: `spec.containers[name="log"]: "(none)"`, live: map[string]any{"metadata.name": "web"},
		},
		"the source of a volume, which the server gives a name of its own": {
			body: "{apiVersion: v1, kind: PersistentVolume, metadata: {name: NS-web}, spec: {capacity: {storage: 1Gi}, " +
				"accessModes: [ReadWriteOnce], storageClassName: NS, hostPath: {path: /a}}}",
			edit: []string{"/a", "/b"}, target: "v1 PersistentVolume NS-web",
			field: `spec.hostPath.path: "/a" -> "/b"`, live: map[string]any{"spec.hostPath.path": "/b"},
		},
		"the node affinity of a volume, which the server names without its parent": {
			body: "{apiVersion: v1, kind: PersistentVolume, metadata: {name: NS-web}, spec: {capacity: {storage: 1Gi}, " +
				"accessModes: [ReadWriteOnce], storageClassName: NS, local: {path: /a}, nodeAffinity: {required: {nodeSelectorTerms: " +
				"[{matchExpressions: [{key: zone, operator: In, values: [here]}]}]}}}}",
			edit: []string{"[here]", "[there]"}, target: "v1 PersistentVolume NS-web",
			field: "spec.nodeAffinity.required", live: map[string]any{"spec.local.path": "/a"},
		},
		"a field that a rule of its definition protects": {
			body: story.WidgetHere, edit: []string{"red", "blue"}, target: "NS.example.com/v1 Widget web",
			field: "spec.colour", live: map[string]any{"spec.colour": "blue"},
		},
		"a field whose rule has words of its own": {
			body: strings.Replace(story.WidgetHere, "colour: red", "shape: round", 1), edit: []string{"round", "flat"},
			target: "NS.example.com/v1 Widget web",
			field:  `spec.shape: "round" -> "flat"`, live: map[string]any{"spec.shape": "flat"},
		},
		"an address that the server keeps": {
			body: "{apiVersion: v1, kind: Service, metadata: {name: web, namespace: NS}, " +
				"spec: {clusterIP: None, ports: [{port: 80}]}}",
			edit: []string{"clusterIP: None", "type: NodePort"}, target: "v1 Service web",
			field: "spec.clusterIPs", live: map[string]any{"spec.type": "NodePort"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := story.New(t)
			old := s.Sight(change.target)
			definition := s.Manifest("definition", story.WidgetDefinition)
			s.Run(
				resource.TestStep{Config: s.Config(change.body) + definition, Check: old.See},
				resource.TestStep{
					PreConfig: s.NextStep(),
					Config:    s.Config(strings.NewReplacer(change.edit...).Replace(change.body)) + definition,
					ConfigPlanChecks: story.PlanChecks(
						story.ExpectAction(plancheck.ResourceActionReplace),
						s.ExpectOnlyWarning("Immutable Field", "web", change.field, "deletes the object and creates it again"),
					),
					Check: story.LiveChecks(old.ExpectReplaced, s.ExpectLive(change.target, change.live)),
				},
			)
		})
	}
}

// A rule about growth, presence or the items of a list does not replace the object, although its words are those of an
// immutable field: the error prints the rule, and the object stays.
func TestRuleThatOnlySaysImmutable(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct{ properties, before, after, says string }{
		"growth": {
			"size: {type: integer, x-kubernetes-validations: [{rule: self >= oldSelf, message: cannot decrease value once set}]}",
			"size: 5", "size: 3", "spec.size: self >= oldSelf",
		},
		"presence": {
			"size: {type: integer}\n    arch: {type: string}\n  x-kubernetes-validations: " +
				`[{rule: "!has(oldSelf.arch) || has(self.arch)", message: Arch is required once set}]`,
			"size: 5, arch: arm64", "size: 5", "spec: !has(oldSelf.arch) || has(self.arch)",
		},
		"the items of a list": {
			"names: {type: array, maxItems: 9, items: {type: string, maxLength: 9}, x-kubernetes-validations: " +
				`[{rule: "oldSelf.all(n, n in self)", message: names is immutable}]}`,
			"names: [a, b]", "names: [a]", "spec.names: oldSelf.all(n, n in self)",
		},
		"growth or the same value": {
			"size: {type: integer, x-kubernetes-validations: [{rule: self == oldSelf || self > oldSelf, message: size is immutable}]}",
			"size: 5", "size: 3", "spec.size: self == oldSelf || self > oldSelf",
		},
		"growth, in computed words": {
			"size: {type: integer, x-kubernetes-validations: [{rule: self >= oldSelf, messageExpression: \"'size is immutable downwards'\"}]}",
			"size: 5", "size: 3", "size is immutable downwards",
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := story.New(t)
			s.InstallKind(customresource.Definition("NS.example.com", "Gizmo", "spec:\n  type: object\n  properties:\n    "+tc.properties))
			s.AwaitPublished("Gizmo")
			old := s.Sight("NS.example.com/v1 Gizmo one")
			s.Run(
				resource.TestStep{Config: s.Config(gizmo("one", tc.before)), Check: old.See},
				resource.TestStep{
					Config:      s.Config(gizmo("one", tc.after)),
					ExpectError: story.Saying(tc.says, "terraform taint"),
				},
				resource.TestStep{Config: s.Config(gizmo("one", tc.before)), Check: old.ExpectKept},
			)
		})
	}
}

// A change that the server refuses in words of its own, although it takes the manifest for a new object, is an error that
// says so. One because of the status of the object does not send the user to the manifest.
func TestChangeThatTheServerRefuses(t *testing.T) {
	t.Parallel()
	definition := "{apiVersion: apiextensions.k8s.io/v1, kind: CustomResourceDefinition, metadata: {name: rafts.NS.example.org}, spec: " +
		"{group: NS.example.org, scope: Namespaced, names: {plural: rafts, singular: raft, kind: Raft}, " +
		"versions: [{name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object}}}]}}"
	for name, test := range map[string]struct{ body, before, after, says string }{
		"a time that may only get shorter": {
			"{apiVersion: v1, kind: Pod, metadata: {name: web, namespace: NS}, spec: {terminationGracePeriodSeconds: 0, " +
				"activeDeadlineSeconds: 500, containers: [{name: app, image: nginx}]}}", "500", "600",
			"run terraform taint with the address of the resource",
		},
		"a version that objects are stored in": {definition, "name: v1", "name: v2", "which yaml_body does not set. Do first what the message asks for"},
	} {
		t.Run(name, func(t *testing.T) {
			s := story.New(t)
			s.Run(
				resource.TestStep{Config: s.Config(test.body)},
				resource.TestStep{
					PreConfig:   s.NextStep(),
					Config:      s.Config(strings.Replace(test.body, test.before, test.after, 1)),
					ExpectError: story.Saying("Invalid Object", test.says),
				},
				resource.TestStep{Config: s.Config(test.body)},
			)
		})
	}
}

// A policy that calls a field immutable names none, and may be about growth or for a time: the object stays, and no message advises to delete it.
func TestPolicyThatSaysImmutable(t *testing.T) {
	s := story.New(t)
	old := s.Sight("v1 ConfigMap web")
	labelled := strings.Replace(story.ConfigMap, "metadata: {", "metadata: {labels: {team: a}, ", 1)
	changed := strings.Replace(labelled, "team: a", "team: b", 1)
	same := "!has(oldObject.metadata.labels) || object.metadata.labels.team == oldObject.metadata.labels.team"
	s.Run(
		resource.TestStep{Config: s.Config(labelled), Check: old.See},
		resource.TestStep{
			PreConfig: func() {
				policy{on: "configmaps", operation: "UPDATE", allows: same, quoting: "'the label team is immutable'"}.install(s, func(ctx context.Context) error {
					_, err := s.DryRun(ctx, changed, true)
					return err
				})
			},
			Config: s.Config(changed), ExpectError: story.Saying("Invalid Object", "the label team is immutable", "A policy of this cluster refuses the object"),
		},
		resource.TestStep{Config: s.Config(labelled), Check: old.ExpectKept},
	)
}

// What concerns the provider alone is recorded without a request that writes.
func TestSettingsChangeWritesNothing(t *testing.T) {
	s := story.New(t)
	old := s.Sight("v1 ConfigMap web")
	requests := s.Meter()
	first, second := s.Kubeconfig(s.AddUser(s.Namespace+"-a")), s.Kubeconfig(s.AddUser(s.Namespace+"-b"))
	api := func(kubeconfig []byte) string { return fmt.Sprintf("cluster = { kubeconfig = %q }", kubeconfig) }
	timeouts := `timeouts {
    create = "3m"
    read   = "4m"
    update = "5m"
    delete = "6m"
  }`
	const read = "get configmaps NS/web 200"
	s.Run(
		resource.TestStep{Config: s.Config(story.ConfigMap, api(first)), Check: old.See},
		resource.TestStep{
			PreConfig: requests.Start,
			Config:    s.Config(story.ConfigMap, api(first), timeouts),
			ConfigPlanChecks: story.PlanChecks(story.ExpectAction(plancheck.ResourceActionUpdate), story.ExpectUnknown(story.Address),
				story.ExpectOnly(story.FieldOwnership), requests.Plans(read)),
			Check: story.LiveChecks(requests.Applies(read), resource.TestCheckResourceAttr(story.Address, "timeouts.delete", "6m")),
		},
		resource.TestStep{
			PreConfig: requests.Start,
			Config:    s.Config(story.ConfigMap, api(second), timeouts),
			ConfigPlanChecks: story.PlanChecks(story.ExpectAction(plancheck.ResourceActionUpdate), story.ExpectUnknown(story.Address),
				story.ExpectOnly(story.FieldOwnership), requests.Plans(read, read)),
			Check: story.LiveChecks(requests.Applies(read, read, read), old.ExpectKept),
		},
		resource.TestStep{
			PreConfig:        requests.Start,
			Config:           s.Config(story.ConfigMap, timeouts),
			ConfigPlanChecks: story.PlanChecks(story.ExpectAction(plancheck.ResourceActionUpdate), requests.Plans(read, read)),
			Check:            story.LiveChecks(requests.Applies(read, read, read), old.ExpectKept),
		},
	)
}
