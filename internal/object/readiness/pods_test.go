package readiness_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/readiness"
)

func waiting(t *testing.T, reason, restarts string) *unstructured.Unstructured {
	return parse(t, `{kind: Pod, metadata: {name: a}, status: {containerStatuses: [{name: app, restartCount: `+restarts+
		`, state: {waiting: {reason: `+reason+`, message: said}}, lastState: {terminated: {exitCode: 3, message: secret}}}]}}`)
}

func TestPodsTrouble(t *testing.T) {
	crashed, fresh := waiting(t, "CrashLoopBackOff", "3"), waiting(t, "CrashLoopBackOff", "2")
	pull := waiting(t, "ImagePullBackOff", "0")
	tests := map[string]struct {
		pods      []*unstructured.Unstructured
		pullsFail time.Duration
		want      string
	}{
		"all crash":           {[]*unstructured.Unstructured{crashed, crashed}, 0, "CrashLoopBackOff"},
		"one restarts again":  {[]*unstructured.Unstructured{crashed, fresh}, 0, ""},
		"pulls fail at first": {[]*unstructured.Unstructured{pull}, 59 * time.Second, ""},
		"pulls fail for long": {[]*unstructured.Unstructured{pull}, time.Minute, "ImagePullBackOff"},
		"image name":          {[]*unstructured.Unstructured{waiting(t, "InvalidImageName", "0")}, 0, "InvalidImageName"},
		"no pods":             {nil, time.Hour, ""},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			found := readiness.PodsTrouble(tt.pods, tt.pullsFail)
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
	found := readiness.PodsTrouble([]*unstructured.Unstructured{waiting(t, "CrashLoopBackOff", "9")}, 0)
	if status, hopeless := found.Status("Job"); hopeless {
		t.Errorf("the status is %+v", status)
	}
}

func TestWarnings(t *testing.T) {
	job := parse(t, `{kind: Job, status: {conditions: [{type: Failed, status: "True", reason: DeadlineExceeded}, {type: ReplicaFailure, reason: FailedCreate}]}}`)
	lines := readiness.Warnings(job, []*unstructured.Unstructured{
		parse(t, `{type: Warning, reason: DeadlineExceeded, message: Job was active longer than specified deadline, lastTimestamp: "2026-01-01T00:00:04Z"}`),
		parse(t, `{type: Warning, reason: Unhealthy, message: secret, lastTimestamp: "2026-01-01T00:00:02Z", count: 4}`),
		parse(t, `{type: Normal, reason: Pulled}`),
		parse(t, `{type: Warning, reason: FailedCreate, message: quota, lastTimestamp: "2026-01-01T00:00:03Z"}`),
	}, 2)
	if got := strings.Join(lines, "|"); got != "FailedCreate: quota|Unhealthy (4 times)" {
		t.Error(got)
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
	for _, bad := range []map[string]string{{"a[": "*"}, {ip: "/(/"}} {
		var input *readiness.InputError
		if _, err := readiness.Expect(nil, bad); !errors.As(err, &input) || input.Attribute != "fields" || input.Suggestion == "" {
			t.Errorf("%v: %v", bad, err)
		}
	}
}
