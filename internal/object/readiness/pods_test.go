package readiness_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/readiness"
)

func waiting(t *testing.T, reason, restarts string) *unstructured.Unstructured {
	return parse(t, `{kind: Pod, metadata: {name: a}, status: {containerStatuses: [{name: app, restartCount: `+restarts+
		`, state: {waiting: {reason: `+reason+`, message: said}}, lastState: {terminated: {exitCode: 3, message: secret}}}]}}`)
}

func TestPodsTrouble(t *testing.T) {
	crashed, fresh := waiting(t, "CrashLoopBackOff", "3"), waiting(t, "CrashLoopBackOff", "2")
	began := time.Now()
	pull, another := waiting(t, "ImagePullBackOff", "0"), waiting(t, "ImagePullBackOff", "0")
	pull.SetUID("1")
	another.SetUID("2")
	tests := map[string]struct {
		pods      []*unstructured.Unstructured
		pullsFail time.Duration
		want      string
	}{
		"all crash":           {[]*unstructured.Unstructured{crashed, crashed}, 0, "CrashLoopBackOff"},
		"one restarts again":  {[]*unstructured.Unstructured{crashed, fresh}, 0, ""},
		"pulls fail at first": {[]*unstructured.Unstructured{pull}, 59 * time.Second, ""},
		"pulls fail for long": {[]*unstructured.Unstructured{pull}, time.Minute, "ImagePullBackOff"},
		"another pod's pulls": {[]*unstructured.Unstructured{another}, time.Minute, ""},
		"image name":          {[]*unstructured.Unstructured{waiting(t, "InvalidImageName", "0")}, 0, "InvalidImageName"},
		"no pods":             {nil, time.Hour, ""},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			found := readiness.PodsTrouble(tt.pods, nil, map[types.UID]time.Time{"1": began}, began.Add(tt.pullsFail))
			status, hopeless := found.Status("Deployment")
			if hopeless != (tt.want != "") || status.Reason != tt.want || len(found.Causes) > 1 {
				t.Errorf("found %+v, and the status %+v", found, status)
			}
			for _, cause := range found.Causes {
				if strings.Contains(cause.Message, "secret") || *cause.ExitCode != 3 {
					t.Errorf("found %+v", cause)
				}
			}
		})
	}
}

// A Job decides by itself how often its pods may fail.
func TestCrashingPodsOfAJob(t *testing.T) {
	found := readiness.PodsTrouble([]*unstructured.Unstructured{waiting(t, "CrashLoopBackOff", "9")}, nil, nil, time.Time{})
	if status, hopeless := found.Status("Job"); hopeless {
		t.Errorf("the status is %+v", status)
	}
}

func TestWarnings(t *testing.T) {
	job := parse(t, `{kind: Job, metadata: {name: a, uid: "1"}, status: {conditions: [{type: Failed, status: "True", reason: DeadlineExceeded}, {type: ReplicaFailure, reason: FailedCreate}]}}`)
	pod, other := parse(t, `{kind: Pod, metadata: {name: a-x, uid: "2"}}`), parse(t, `{kind: Pod, metadata: {name: a-y, uid: "4"}}`)
	about := func(subject, rest string) *unstructured.Unstructured {
		return parse(t, `{type: Warning, involvedObject: `+subject+`, `+rest+`}`)
	}
	const theJob, thePod = `{kind: Job, name: a, uid: "1"}`, `{kind: Pod, name: a-x, uid: "2", fieldPath: "spec.containers{app}"}`
	events := readiness.Warnings(job, []*unstructured.Unstructured{other, pod}, []*unstructured.Unstructured{
		about(`{kind: Pod, name: a-y, uid: "4"}`, `reason: FailedPostStartHook, message: secret, lastTimestamp: "2026-01-01T00:00:02Z"`),
		about(theJob, `reason: DeadlineExceeded, message: Job was active longer than specified deadline, lastTimestamp: "2026-01-01T00:00:04Z"`),
		about(thePod, `reason: FailedPostStartHook, message: secret, lastTimestamp: "2026-01-01T00:00:02Z", count: 4`),
		about(theJob, `reason: FailedCreate, message: quota, lastTimestamp: "2026-01-01T00:00:03Z"`),
		about(thePod, `reason: Failed, source: {component: kubelet}, message: "Error: ImagePullBackOff", lastTimestamp: "2026-01-01T00:00:09Z"`),
		about(thePod, `reason: Failed, source: {component: kubelet}, message: 'Failed to pull image "b": not found', lastTimestamp: "2026-01-01T00:00:01Z"`),
		about(`{kind: HorizontalPodAutoscaler, name: a, uid: "3"}`, `reason: FailedGetResourceMetric, lastTimestamp: "2026-01-01T00:00:09Z"`),
		about(`{kind: Job, name: a, uid: "0"}`, `reason: FailedMount, message: an earlier Job, lastTimestamp: "2026-01-01T00:00:09Z"`),
		parse(t, `{type: Normal, reason: Pulled}`),
	}, []readiness.Cause{{Pod: "a-x", Container: "app", Reason: "ImagePullBackOff"}}, 3)
	want := []readiness.Event{
		{Text: "FailedCreate: quota", Of: manifest.Identity{Kind: "Job", Name: "a"}},
		{Text: "FailedPostStartHook (pod a-x) (4 times)", Withheld: true, Of: manifest.Identity{Kind: "Pod", Name: "a-x"}},
		{Text: `Failed (pod a-x): Failed to pull image "b": not found`, Of: manifest.Identity{Kind: "Pod", Name: "a-x"}},
	}
	if diff := cmp.Diff(want, events); diff != "" {
		t.Errorf("the warnings (-want +got):\n%s", diff)
	}
}

// A pod without a node is a cause, with what the scheduler has found last. What it found before, for any pod, is not said.
func TestWarningsOfTheScheduler(t *testing.T) {
	object, first, second := parse(t, `{kind: Deployment, metadata: {name: a}}`), parse(t, `{kind: Pod, metadata: {name: a-x}}`), parse(t, `{kind: Pod, metadata: {name: a-y}}`)
	event := parse(t, `{type: Warning, reason: FailedScheduling, message: "0/2 nodes are available", involvedObject: {kind: Pod, name: a-y}}`)
	for reason, want := range map[string]int{"Unschedulable": 0, "NotReady": 1} {
		causes := []readiness.Cause{{Pod: "a-x", Reason: reason, Message: "0/3 nodes are available"}}
		if got := readiness.Warnings(object, []*unstructured.Unstructured{first, second}, []*unstructured.Unstructured{event}, causes, 3); len(got) != want {
			t.Errorf("beside %s: %v", reason, got)
		}
	}
}

// Each container that keeps its pod from being ready says why, in the words of the kubelet, and never in those of a container.
func TestCauses(t *testing.T) {
	const http, exec, grpc = `readinessProbe: {httpGet: {port: 8080, path: "/healthz?token=secret"}}`, `readinessProbe: {exec: {command: [secret]}}`, `readinessProbe: {grpc: {port: 9000}}`
	const runs, crashed = `state: {running: {}}`, `state: {waiting: {reason: CrashLoopBackOff, message: "back-off 10s"}}, restartCount: 4`
	ended := func(reason string) string {
		return `{terminated: {reason: ` + reason + `, exitCode: 137, message: "exec: /nope: not found"}}`
	}
	for name, test := range map[string]struct{ spec, status, event, want string }{
		"readiness":            {http, runs, "Readiness probe failed: HTTP probe failed with statuscode: 503", "NotReady: its readiness probe (GET :8080/healthz) fails: HTTP probe failed with statuscode: 503|PresentRun"},
		"not ready yet":        {http, runs, "", "NotReady: its readiness probe (GET :8080/healthz) has not succeeded|PresentRun"},
		"a command":            {exec, runs, "Readiness probe failed: secret", "NotReady: its readiness probe (a command) fails|PresentRun|withheld"},
		"gRPC":                 {grpc, runs, `Readiness probe failed: service unhealthy (responded with "NOT_SERVING")`, `NotReady: its readiness probe (gRPC :9000) fails: service unhealthy (responded with "NOT_SERVING")|PresentRun`},
		"gRPC, a server's":     {grpc, runs, "Readiness probe failed: error: health rpc probe failed: secret", "NotReady: its readiness probe (gRPC :9000) fails|PresentRun|withheld"},
		"no connection":        {"readinessProbe: {tcpSocket: {port: 5432}}", runs, "Readiness probe errored and resulted in unknown state: refused", "NotReady: its readiness probe (TCP :5432) fails: refused|PresentRun"},
		"startup":              {"startupProbe: {httpGet: {port: web, path: /}}", runs, "Startup probe failed: 500", "NotReady: its startup probe (GET :web/) fails: 500|PresentRun"},
		"liveness":             {"livenessProbe: {httpGet: {port: web, path: /}}", crashed + ", lastState: " + ended("Error"), "Liveness probe failed: 500", "CrashLoopBackOff(137): its liveness probe (GET :web/) fails: 500|PreviousRun"},
		"no probe":             {"", runs, "", "NotReady|PresentRun"},
		"ready":                {"", runs + ", ready: true", "", ""},
		"starting":             {"", "state: {waiting: {reason: ContainerCreating}}", "", ""},
		"ended well":           {"", "state: {terminated: {exitCode: 0, reason: Completed}}", "", ""},
		"ended":                {"", "state: " + ended("Error"), "", "Error(137)|PresentRun"},
		"memory":               {"resources: {limits: {memory: 64Mi}}", crashed + ", lastState: " + ended("OOMKilled"), "", "OOMKilled(137): its memory limit is 64Mi|PreviousRun"},
		"memory, runs again":   {"", runs + ", lastState: " + ended("OOMKilled"), "", "OOMKilled(137): it has no memory limit of its own|PreviousRun"},
		"no executable":        {"", crashed + ", lastState: " + ended("StartError"), "", "StartError(137): exec: /nope: not found"},
		"no executable, first": {"", "state: {waiting: {reason: RunContainerError, message: 'exec: /nope: not found'}}", "", "RunContainerError: exec: /nope: not found"},
		"no ConfigMap":         {"", `state: {waiting: {reason: CreateContainerConfigError, message: 'configmap "x" not found'}}`, "", `CreateContainerConfigError: configmap "x" not found`},
		"a hook":               {"", "state: {waiting: {reason: PostStartHookError, message: secret}}", "", "PostStartHookError|withheld"},
		"another's event":      {http, runs, "0", "NotReady: its readiness probe (GET :8080/healthz) has not succeeded|PresentRun"},
	} {
		t.Run(name, func(t *testing.T) {
			pod := parse(t, `{kind: Pod, metadata: {name: a, uid: "1"}, spec: {containers: [{name: other}, {name: app, `+test.spec+`}]}, status: {containerStatuses: [{name: app, `+test.status+`}]}}`)
			event := parse(t, `{type: Warning, reason: Unhealthy, involvedObject: {kind: Pod, name: a, uid: "1", fieldPath: "spec.containers{app}"}}`)
			if event.Object["message"] = test.event; test.event == "0" {
				event.Object["message"] = "Readiness probe failed: another pod's"
				_ = unstructured.SetNestedField(event.Object, "2", "involvedObject", "uid")
			}
			var got string
			for _, c := range readiness.PodsTrouble([]*unstructured.Unstructured{pod}, []*unstructured.Unstructured{event}, nil, time.Time{}).Causes {
				got += c.Reason
				if c.ExitCode != nil {
					got += fmt.Sprintf("(%d)", *c.ExitCode)
				}
				if c.Message != "" {
					got += ": " + c.Message
				}
				if c.Output != readiness.NoOutput {
					got += "|" + string(c.Output)
				}
				if c.Withheld {
					got += "|withheld"
				}
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("the cause (-want +got):\n%s", diff)
			}
		})
	}
}

func TestExpectations(t *testing.T) {
	object := parse(t, `{kind: Service, apiVersion: v1, spec: {type: LoadBalancer}, status: {loadBalancer: {ingress: [{ip: 10.0.0.1}]},
conditions: [{type: Available, status: "True"}]}}`)
	ip := "status.loadBalancer.ingress[0].ip"
	for want, state := range map[string]readiness.State{"*": "Ready", "/^10\\./": "Ready", "10.0.0.1": "Ready", "10.0.0.2": "InProgress"} {
		e, err := readiness.Expect(map[string]string{"Available": "True"}, map[string]string{ip: want})
		if err != nil {
			t.Fatal(err)
		}
		if found := e.Of(object, true); found.State != state {
			t.Errorf("%s: found %+v", want, found)
		}
	}
	mistyped, err := readiness.Expect(map[string]string{"Avail": "True"}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if found := mistyped.Of(object, true); found.Message != "Condition Avail is not True yet: the object has Available." {
		t.Errorf("a condition that the object lacks: %+v", found)
	}
	object.SetManagedFields([]metav1.ManagedFieldsEntry{{FieldsV1: metav1.NewFieldsV1(`{"f:spec":{"f:type":{}}}`)}})
	for path, want := range map[string]string{
		"spec.typ": "Field spec.typ has no value yet: the object has spec.type.", "status.ready": "Field status.ready has no value yet.",
	} {
		if mistyped, err = readiness.Expect(nil, map[string]string{path: "*"}); err != nil {
			t.Fatal(err)
		}
		if found := mistyped.Of(object, true); found.Message != want {
			t.Errorf("%s: %+v", path, found)
		}
	}
	for _, bad := range []map[string]string{{"a[": "*"}, {ip: "/(/"}} {
		var input *readiness.InputError
		if _, err := readiness.Expect(nil, bad); !errors.As(err, &input) || input.Attribute != "fields" || input.Suggestion == "" {
			t.Errorf("%v: %v", bad, err)
		}
	}
}
