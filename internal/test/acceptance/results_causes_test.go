package acceptance_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/golden"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
)

// kubelet writes the events of a kubelet about each pod that a story has, until the test ends.
func kubelet(s *story.Story, events ...corev1.Event) {
	ctx, stop := context.WithCancel(s.T.Context())
	s.T.Cleanup(stop)
	go func() {
		told := map[string]bool{}
		for ctx.Err() == nil {
			pods, err := s.Typed.CoreV1().Pods(s.Namespace).List(ctx, metav1.ListOptions{})
			if err != nil {
				return
			}
			for _, pod := range pods.Items {
				if told[pod.Name] {
					continue
				}
				told[pod.Name] = true
				for _, event := range events {
					event.GenerateName, event.Namespace, event.Type, event.Count = pod.Name+".", s.Namespace, "Warning", 3
					event.Source.Component, event.LastTimestamp = "kubelet", metav1.Now()
					about := &event.InvolvedObject
					about.Kind, about.APIVersion, about.Namespace = "Pod", "v1", s.Namespace
					about.Name, about.UID = pod.Name, pod.UID
					_, _ = s.Typed.CoreV1().Events(s.Namespace).Create(ctx, &event, metav1.CreateOptions{})
				}
			}
			time.Sleep(200 * time.Millisecond)
		}
	}()
}

// ofApp returns an event about the container app.
func ofApp(reason, message string) corev1.Event {
	return corev1.Event{Reason: reason, Message: message, InvolvedObject: corev1.ObjectReference{FieldPath: "spec.containers{app}"}}
}

// A wait that fails says why in the kubelet's words, with the pod, the container and the probe, and prints the commands that show what it
// withholds. kwok plays the pods, and the story the events.
func TestCausesOfFailedWaits(t *testing.T) {
	t.Parallel()
	template := func(plays, container string) string {
		return strings.NewReplacer("metadata: {labels: {app: web}}", "metadata: {labels: {app: web, example.com/plays: "+plays+"}}",
			`"nginx:1.25"`, `"nginx:1.25"`+container).Replace(story.Deployment)
	}
	const http = `, readinessProbe: {httpGet: {path: "/healthz?token=hunter2", port: 8080}}`
	for name, test := range map[string]struct {
		body   string
		before func(*story.Story)
		events []corev1.Event
	}{
		"readiness": {body: template("never-ready", http), events: []corev1.Event{
			ofApp("Unhealthy", "Readiness probe failed: HTTP probe failed with statuscode: 503"),
		}},
		"exec-probe": {body: template("never-ready", `, readinessProbe: {exec: {command: [check, hunter2]}}`), events: []corev1.Event{
			ofApp("Unhealthy", "Readiness probe failed: password=hunter2"), ofApp("ProbeWarning", "password=hunter2"),
		}},
		"liveness": {body: template("crashes", `, livenessProbe: {tcpSocket: {port: 5432}}`), events: []corev1.Event{
			ofApp("Unhealthy", "Liveness probe failed: dial tcp 10.0.0.1:5432: connect: connection refused"), ofApp("BackOff", "Back-off restarting failed container app"),
		}},
		"image": {body: template("pull-fails", ""), events: []corev1.Event{
			ofApp("Failed", `Failed to pull image "nginx:1.25": rpc error: code = NotFound desc = failed to resolve reference: manifest unknown`), ofApp("Failed", "Error: ImagePullBackOff"),
		}},
		"volume": {
			body: strings.Replace(template("no-volume", ", volumeMounts: [{name: data, mountPath: /data}, {name: settings, mountPath: /etc/settings}]"), "      containers:",
				"      volumes: [{name: data, persistentVolumeClaim: {claimName: data}}, {name: settings, configMap: {name: absent}}]\n      nodeName: k8sconnect-test-node\n      containers:", 1),
			before: func(s *story.Story) {
				s.As("admin").Create("apiVersion: v1\nkind: PersistentVolumeClaim\nmetadata: {name: data, namespace: NS}\n" +
					"spec: {storageClassName: NS-none, accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}")
			},
			events: []corev1.Event{{Reason: "FailedMount", Message: `MountVolume.SetUp failed for volume "settings" : configmap "absent" not found`}},
		},
		"quota": {
			body: "apiVersion: apps/v1\nkind: StatefulSet\nmetadata: {name: db, namespace: NS}\nspec: {serviceName: db, selector: {matchLabels: {app: db}}, " +
				"template: {metadata: {labels: {app: db}}, spec: {containers: [{name: app, image: \"db:1\"}]}}}",
			before: (*story.Story).ForbidPods,
		},
		"job": {body: "apiVersion: batch/v1\nkind: Job\nmetadata: {name: once, namespace: NS}\nspec: {backoffLimit: 0, template: {metadata: {labels: {example.com/plays: exits}}, " +
			"spec: {restartPolicy: Never, containers: [{name: app, image: \"app:1\"}]}}}"},
		"job-pending": {body: "apiVersion: batch/v1\nkind: Job\nmetadata: {name: once, namespace: NS}\nspec: {template: {spec: {restartPolicy: Never, nodeSelector: {no: node}, " +
			"containers: [{name: app, image: \"app:1\"}]}}}"},
	} {
		t.Run(name, func(t *testing.T) {
			s := story.New(t)
			if test.before != nil {
				test.before(s)
			}
			// An autoscaler of the same name says much, and nothing of this.
			s.As("autoscaler").Create("apiVersion: v1\nkind: Event\nmetadata: {name: web.1, namespace: NS}\ntype: Warning\nreason: FailedGetResourceMetric\n" +
				"involvedObject: {kind: HorizontalPodAutoscaler, name: web, namespace: NS, uid: another}\nlastTimestamp: \"2100-01-01T00:00:00Z\"")
			kubelet(s, test.events...)
			w := s.Workspace()
			w.Configure(s.Manifest("test", test.body, `wait = { on_failure = "report" }`, "timeouts {\n create = \"30s\"\n}"))
			printed, err := w.Try("apply", "-auto-approve", "-no-color")
			story.Must(t, err)
			warning := warningIn(t, s, printed)
			if strings.Contains(warning, "hunter2") {
				t.Errorf("the output of a container is shown:\n%s", warning)
			}
			golden.Compare(t, "results/waits/"+name+".txt", warning)
			w.Do("destroy", "-auto-approve", "-no-color")
		})
	}
}

// wait = { logs = N } shows the last lines of the container that failed, without the secret values that the resource knows.
func TestWaitShowsALog(t *testing.T) {
	s := story.New(t)
	var asked url.URL
	server := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked = *r.URL
		_, _ = w.Write([]byte("starting\n\x1b[31mpanic: cannot log in with hunter2-hunter2\x1b[0m\n" + strings.Repeat("x", 1000) + "\n"))
	}))
	t.Cleanup(server.Close)
	to, _ := url.Parse(server.URL)
	port, _ := strconv.Atoi(to.Port())
	node := &corev1.Node{
		ObjectMeta: metav1.ObjectMeta{Name: s.Namespace},
		Spec:       corev1.NodeSpec{Taints: []corev1.Taint{{Key: "example.com/story", Effect: corev1.TaintEffectNoSchedule}}},
		Status: corev1.NodeStatus{
			Addresses:       []corev1.NodeAddress{{Type: corev1.NodeHostName, Address: "127.0.0.1"}, {Type: corev1.NodeInternalIP, Address: "127.0.0.1"}},
			DaemonEndpoints: corev1.NodeDaemonEndpoints{KubeletEndpoint: corev1.DaemonEndpoint{Port: int32(port)}},
		},
	}
	_, err := s.Typed.CoreV1().Nodes().Create(t.Context(), node, metav1.CreateOptions{})
	story.Must(t, err)
	t.Cleanup(func() {
		_ = s.Typed.CoreV1().Nodes().Delete(context.WithoutCancel(t.Context()), node.Name, metav1.DeleteOptions{})
	})
	body := strings.NewReplacer("metadata: {labels: {app: web}}", "metadata: {labels: {app: web, example.com/plays: crashes}}",
		"      containers:", "      nodeName: NS\n      containers:", `"nginx:1.25"`, `"nginx:1.25", env: [{name: PASSWORD, value: hunter2-hunter2}]`).Replace(story.Deployment)
	w := s.Workspace()
	w.Configure(s.Manifest("test", body, `wait = { on_failure = "report", logs = 3 }`, `sensitive_fields = ["spec.template.spec.containers[*].env[*].value"]`,
		"timeouts {\n create = \"20s\"\n}"))
	requests, _ := w.Cost("apply", "-auto-approve")
	printed := w.Do("apply", "-auto-approve", "-no-color")
	golden.Compare(t, "results/waits/log.txt", warningIn(t, s, printed))
	if got := asked.Path + "?" + asked.RawQuery; !strings.HasSuffix(got, "/app?limitBytes=1048576&previous=true&tailLines=3") {
		t.Errorf("the kubelet was asked for %s", got)
	}
	logs := 0
	for _, line := range requests {
		if strings.Contains(line, "pods/log") || strings.Contains(line, "/log ") {
			logs++
		}
	}
	if logs != 1 {
		t.Errorf("%d logs in %q", logs, requests)
	}
	w.Do("destroy", "-auto-approve", "-no-color")
}

// A user who interrupts a wait keeps what was applied: the object, its state and ready = false. Nothing is tainted, and the next apply waits again.
// So does a pipeline that ends the CLI and the provider at the same time.
func TestInterruptedWait(t *testing.T) {
	s := story.New(t)
	w := s.Workspace()
	nowhere := strings.Replace(story.Deployment, "      containers:", "      nodeSelector: {example.com/pool: none}\n      containers:", 1)
	w.Configure(s.Manifest("test", nowhere, "wait = {}"))
	printed := interrupted(w, "1", func(group int) error { return syscall.Kill(-group, syscall.SIGTERM) })
	for _, want := range []string{"Wait Interrupted", "was interrupted after", "0 of 3 new pods are ready.", "The resource is not tainted"} {
		if !strings.Contains(strings.Join(strings.Fields(strings.ReplaceAll(printed, "│", "")), " "), want) {
			t.Errorf("the apply does not say %q:\n%s", want, printed)
		}
	}
	if plan := w.Exits(story.Changes, "plan", "-detailed-exitcode"); !strings.Contains(plan, "updated in-place") || strings.Contains(plan, "tainted") {
		t.Errorf("the plan after the interruption is:\n%s", plan)
	}
	uid := s.Live(story.Web).GetUID()
	// An update that is interrupted is in the state, too.
	w.Configure(s.Manifest("test", strings.Replace(nowhere, "nginx:1.25", "nginx:1.26", 1), "wait = {}"))
	interrupted(w, "2", func(cli int) error { return syscall.Kill(cli, syscall.SIGINT) })
	if plan := w.Exits(story.Changes, "plan", "-detailed-exitcode"); strings.Contains(plan, "nginx") {
		t.Errorf("the plan after the interruption is:\n%s", plan)
	}
	if s.Live(story.Web).GetUID() != uid {
		t.Error("the object was replaced")
	}
	w.Do("destroy", "-auto-approve")
}

// interrupted runs an apply that interrupt ends, by the number of its process and its process group, while it waits for the generation of the
// Deployment.
func interrupted(w *story.Workspace, generation string, interrupt func(process int) error) string {
	w.T.Helper()
	command := exec.CommandContext(w.T.Context(), w.CLI.Path, "apply", "-no-color", "-auto-approve")
	command.Dir, command.Env = w.Dir, w.Env
	command.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	var out strings.Builder
	command.Stdout, command.Stderr = &out, &out
	watches := make(chan struct{})
	w.OnceSent(1, "watch deployments", func() { close(watches) })
	story.Must(w.T, command.Start())
	w.Await("the Deployment is applied", func() bool {
		live, err := w.Typed.AppsV1().Deployments(w.Namespace).Get(w.T.Context(), "web", metav1.GetOptions{})
		return err == nil && strconv.FormatInt(live.Generation, 10) == generation && live.Status.ObservedGeneration == live.Generation
	})
	<-watches
	time.Sleep(3 * time.Second)
	story.Must(w.T, interrupt(command.Process.Pid))
	if err := command.Wait(); err == nil {
		w.T.Error("the apply ended well")
	}
	return out.String()
}
