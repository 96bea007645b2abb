package acceptance_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/tfversion"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
)

const (
	restartedAt = "spec.template.metadata.annotations.kubectl.kubernetes.io/restartedAt"
	started     = "Restarting the pods of "
)

// pods returns the UIDs of the pods that are not being deleted.
func (i invoker) pods() []string {
	i.T.Helper()
	list, err := i.Typed.CoreV1().Pods(i.Namespace).List(i.T.Context(), metav1.ListOptions{})
	story.Must(i.T, err)
	var all []string
	for _, pod := range list.Items {
		if pod.DeletionTimestamp == nil {
			all = append(all, string(pod.UID))
		}
	}
	slices.Sort(all)
	return all
}

// replaced fails unless all pods are new, and returns their UIDs.
func (i invoker) replaced(before []string) []string {
	i.T.Helper()
	now := i.pods()
	for _, uid := range now {
		if slices.Contains(before, uid) {
			i.T.Errorf("the pod %s is still there", uid)
		}
	}
	if len(now) == 0 || len(before) == 0 {
		i.T.Errorf("there were %d pods, and are %d now", len(before), len(now))
	}
	return now
}

// others are the owners of all fields but the annotation.
func (i invoker) others(target string) []string {
	i.T.Helper()
	held, err := story.HeldOnServer(i.Live(target))
	story.Must(i.T, err)
	var all []string
	for _, h := range held {
		if text := h.Path.String(); h.Manager != "kube-controller-manager" && !strings.Contains(text, "restartedAt") {
			all = append(all, h.Manager+" "+text)
		}
	}
	slices.Sort(all)
	return all
}

// A restart replaces all pods and waits for the new ones: one GET, one PATCH and one WATCH. No client loses a field,
// and the next plan of the manifest is empty. So it is after a second restart, and after one that kubectl rollout
// restart came before.
func TestRestart(t *testing.T) {
	i := newInvoker(t, story.Feature{TerraformVersionCheck: tfversion.SkipBelow(tfversion.Version1_14_0), Name: invocations})
	i.Configure(
		i.Manifest("web", story.Deployment, "wait = {}"),
		i.action("restart", "web", i.target(story.Web)),
		i.action("restart", "now", i.target(story.Web), "wait = false"),
	)
	i.Do("apply", "-auto-approve")
	pods, owners := i.pods(), i.others(story.Web)
	var progress []string
	i.ExpectCostOf("a restart", []string{"get deployments NS/web 200", "patch deployments NS/web 200", "watch deployments NS/web 200"}, func() {
		progress = i.invoke("restart.web")
	})
	if len(progress) < 3 || progress[0] != started+"Deployment NS/web (apps/v1)" || progress[len(progress)-1] != "3 of 3 new pods are ready." ||
		len(slices.Compact(slices.Clone(progress))) != len(progress) {
		t.Errorf("the progress is\n%s", strings.Join(progress, "\n"))
	}
	pods = i.replaced(pods)
	i.expect("the owners of the other fields", owners, i.others(story.Web))
	if by, err := i.LiveOwners(story.Web, restartedAt); err != nil || !slices.Equal(by, []string{"k8sconnect-restart"}) {
		t.Errorf("the annotation is owned by %q, %v", by, err)
	}
	i.settled()

	i.As("kubectl-rollout").StrategicPatch(story.Web, `{"spec":{"template":{"metadata":{"annotations":{"kubectl.kubernetes.io/restartedAt":"2026-01-01T00:00:00Z"}}}}}`)
	i.invoke("restart.web")
	pods = i.replaced(pods)
	if by, err := i.LiveOwners(story.Web, restartedAt); err != nil || !slices.Equal(by, []string{"k8sconnect-restart"}) {
		t.Errorf("after kubectl, the annotation is owned by %q, %v", by, err)
	}
	i.settled()

	i.ExpectCostOf("a restart without a wait", []string{"get deployments NS/web 200", "patch deployments NS/web 200"}, func() {
		i.expect("the progress without a wait", []string{started + "Deployment NS/web (apps/v1)"}, i.invoke("restart.now"))
	})
	i.settled()
	before := i.annotation()
	i.Configure(i.Manifest("web", strings.Replace(story.Deployment, "nginx:1.25", "nginx:1.26", 1), "wait = {}"))
	i.Do("apply", "-auto-approve")
	if after := i.annotation(); after != before {
		t.Errorf("an apply of the manifest changed the annotation from %q to %q", before, after)
	}
	i.replaced(pods)
}

func (i invoker) annotation() string {
	text, _, _ := unstructured.NestedString(i.Live(story.Web).Object, "spec", "template", "metadata", "annotations", "kubectl.kubernetes.io/restartedAt")
	return text
}

const (
	workload   = "spec:\n  selector: {matchLabels: {app: web}}\n  template: {metadata: {labels: {app: web}}, spec: {containers: [{name: app, image: \"nginx:1.25\"}]}}\n"
	daemonSet  = "apiVersion: apps/v1\nkind: DaemonSet\nmetadata: {name: web, namespace: NS}\n" + workload
	statefuls  = "apiVersion: apps/v1\nkind: StatefulSet\nmetadata: {name: web, namespace: NS}\n" + workload + "  serviceName: web\n"
	ofDaemons  = "apps/v1 DaemonSet web"
	ofStateful = "apps/v1 StatefulSet web"
)

// The other kinds restart like a Deployment.
func TestRestartOfOtherKinds(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct{ target, body string }{
		"a DaemonSet": {ofDaemons, daemonSet}, "a StatefulSet": {ofStateful, statefuls},
	} {
		t.Run(name, func(t *testing.T) {
			i := newInvoker(t, story.Feature{TerraformVersionCheck: tfversion.SkipBelow(tfversion.Version1_14_0), Name: invocations})
			i.Configure(i.Manifest("web", test.body, "wait = {}"), i.action("restart", "web", "target = k8sconnect_manifest.web.object_ref"))
			i.Do("apply", "-auto-approve")
			pods := i.pods()
			i.invoke("restart.web")
			i.replaced(pods)
			i.settled()
		})
	}
}

// What would not restart, or not for long, is refused with one GET, and nothing changes.
func TestRestartRefused(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		target, body string
		says         []string
	}{
		"a paused Deployment": {
			story.Web, strings.Replace(story.Deployment, "replicas: 3", "replicas: 3\n  paused: true", 1),
			[]string{"Not Restarted", "Deployment NS/web (apps/v1) was not restarted: its rollouts are paused", "kubectl rollout resume"},
		},
		"OnDelete": {
			ofDaemons, daemonSet + "  updateStrategy: {type: OnDelete}\n",
			[]string{"Not Restarted", "its update strategy is OnDelete", "Delete its pods"},
		},
		"a partition that spares all pods": {
			ofStateful, statefuls + "  updateStrategy: {rollingUpdate: {partition: 9}}\n",
			[]string{"Not Restarted", "the partition of its update strategy is not below its replicas", "Lower spec.updateStrategy.rollingUpdate.partition"},
		},
		"an annotation that the manifest has": {
			story.Web, strings.Replace(story.Deployment, "metadata: {labels: {app: web}}", `metadata: {labels: {app: web}, annotations: {kubectl.kubernetes.io/restartedAt: "1"}}`, 1),
			[]string{"Not Restarted", `"alice" applies the annotation kubectl.kubernetes.io/restartedAt`, "Remove the annotation from that manifest"},
		},
		"no object": {story.Web, "", []string{"Object Not Found", "Deployment NS/web (apps/v1) could not be restarted: it does not exist", "invoke the action after the object was created"}},
	} {
		t.Run(name, func(t *testing.T) {
			i := newInvoker(t, story.Feature{TerraformVersionCheck: tfversion.SkipBelow(tfversion.Version1_14_0), Name: invocations})
			status, generation := "404", int64(0)
			if test.body != "" {
				status, generation = "200", i.As("alice").Apply(test.body).GetGeneration()
			}
			i.Configure(i.action("restart", "web", i.target(test.target)))
			resource := map[string]string{story.Web: "deployments", ofDaemons: "daemonsets", ofStateful: "statefulsets"}[test.target]
			i.ExpectCostOf("a refused restart", []string{"get " + resource + " NS/web " + status}, func() { i.says(i.refuses("restart.web"), test.says...) })
			if test.body != "" && i.Live(test.target).GetGeneration() != generation {
				t.Error("the workload has changed")
			}
		})
	}
}

// A trigger restarts the pods after the ConfigMap that they read has changed, and not otherwise.
func TestRestartTriggered(t *testing.T) {
	i := newInvoker(t, story.Feature{TerraformVersionCheck: tfversion.SkipBelow(tfversion.Version1_14_0), Name: invocations})
	configure := func(colour string) {
		settings := i.Manifest("settings", story.ConfigMapIn("settings", "data: {colour: "+colour+"}"),
			"lifecycle {\n  action_trigger {\n    events = [after_update]\n    actions = [action.k8sconnect_restart.web]\n  }\n}")
		i.Configure(settings, i.Manifest("web", story.Deployment, "wait = {}"), i.action("restart", "web", "target = k8sconnect_manifest.web.object_ref"))
	}
	configure("red")
	i.expect("a create restarts", nil, i.progress(i.Do("apply", "-auto-approve")))
	pods := i.pods()
	configure("green")
	if progress := i.progress(i.Do("apply", "-auto-approve")); len(progress) == 0 || progress[len(progress)-1] != "3 of 3 new pods are ready." {
		t.Errorf("the progress of an update is %q", progress)
	}
	i.replaced(pods)
	i.settled()
}

// Pods that cannot start end the wait with the reason. The restart stays.
func TestRestartThatNeverEnds(t *testing.T) {
	i := newInvoker(t, story.Feature{TerraformVersionCheck: tfversion.SkipBelow(tfversion.Version1_14_0), Name: invocations})
	i.As("alice").Apply(strings.Replace(story.Deployment, "      containers:", "      nodeSelector: {none: here}\n      containers:", 1))
	i.Configure(i.action("restart", "web", i.target(story.Web), "timeouts {\n invoke = \"20s\"\n}"))
	i.says(i.refuses("restart.web"), "Object Not Ready", "Deployment NS/web (apps/v1) was not ready after", "Unschedulable", "The restart is not undone",
		"raise the timeouts")
}
