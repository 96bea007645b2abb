package readying_test

import (
	"context"
	"strings"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/readiness"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
)

const podTemplate = `{metadata: {labels: {app: web}}, spec: {containers: [{name: app, image: "app:1", resources: {requests: {cpu: 1m}}}]}}`

// created returns what creates an object and waits until a controller has seen it. An empty status is the API server's.
func created(body string) func(*story.Story) {
	return func(s *story.Story) {
		s.As("admin").Create(body)
		s.Await("a controller has seen what comes first", func() bool {
			o := s.Parse(body)
			live, err := s.ResourceOf(o).Get(s.T.Context(), o.GetName(), metav1.GetOptions{})
			if err != nil {
				return false
			}
			status, _ := live.Object["status"].(map[string]any)
			return len(status) > 0
		})
	}
}

// objects are followed from their creation until they are ready or have failed. holds is what must be true of a ready object.
var objects = map[string]struct {
	before func(*story.Story)
	body   string
	want   readiness.State
	field  []string
	holds  any
}{
	"Deployment": {nil, "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web, namespace: NS}\nspec: {replicas: 2, selector: {matchLabels: {app: web}}, template: " + podTemplate + "}",
		readiness.Ready, []string{"status", "availableReplicas"}, int64(2)},
	"StatefulSet": {nil, "apiVersion: apps/v1\nkind: StatefulSet\nmetadata: {name: web, namespace: NS}\nspec: {replicas: 2, serviceName: web, selector: {matchLabels: {app: web}}, template: " + podTemplate + "}",
		readiness.Ready, []string{"status", "readyReplicas"}, int64(2)},
	"Job": {nil, "apiVersion: batch/v1\nkind: Job\nmetadata: {name: once, namespace: NS}\nspec: {template: {spec: {restartPolicy: Never, containers: [{name: app, image: \"app:1\"}]}}}",
		readiness.Ready, []string{"status", "succeeded"}, int64(1)},
	"Job that fails": {nil, "apiVersion: batch/v1\nkind: Job\nmetadata: {name: late, namespace: NS}\nspec: {activeDeadlineSeconds: 1, template: {spec: {restartPolicy: Never, nodeSelector: {no: node}, containers: [{name: app, image: \"app:1\"}]}}}",
		readiness.Failed, nil, nil},
	"quota": {(*story.Story).ForbidPods, "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web, namespace: NS}\nspec: {selector: {matchLabels: {app: web}}, template: " + podTemplate + "}",
		readiness.Failed, nil, nil},
	"DaemonSet": {nil, "apiVersion: apps/v1\nkind: DaemonSet\nmetadata: {name: web, namespace: NS}\nspec: {selector: {matchLabels: {app: web}}, template: " + podTemplate + "}",
		readiness.Ready, []string{"status", "numberReady"}, int64(1)},
	"autoscaler of nothing": {
		created("apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: none, namespace: NS}\nspec: {replicas: 0, selector: {matchLabels: {app: web}}, template: " + podTemplate + "}"),
		"apiVersion: autoscaling/v2\nkind: HorizontalPodAutoscaler\nmetadata: {name: web, namespace: NS}\nspec: {maxReplicas: 2, scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: none}}",
		readiness.Ready, []string{"status", "desiredReplicas"}, int64(0),
	},
	"autoscaler of nothing in version v1": {
		created("apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: none, namespace: NS}\nspec: {replicas: 0, selector: {matchLabels: {app: web}}, template: " + podTemplate + "}"),
		"apiVersion: autoscaling/v1\nkind: HorizontalPodAutoscaler\nmetadata: {name: web, namespace: NS}\nspec: {maxReplicas: 2, scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: none}}",
		readiness.Ready, []string{"status", "desiredReplicas"}, int64(0),
	},
	"claim": {
		created("apiVersion: v1\nkind: PersistentVolume\nmetadata: {name: NS}\nspec: {capacity: {storage: 1Gi}, accessModes: [ReadWriteOnce], storageClassName: NS, hostPath: {path: /nowhere}}"),
		"apiVersion: v1\nkind: PersistentVolumeClaim\nmetadata: {name: web, namespace: NS}\nspec: {storageClassName: NS, accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}",
		readiness.Ready, []string{"status", "phase"}, "Bound",
	},
	"definition": {nil, "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {name: readings.NS.example.com}\n" +
		"spec: {group: NS.example.com, scope: Namespaced, names: {plural: readings, kind: Reading}, versions: [{name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object}}}]}",
		readiness.Ready, []string{"status", "acceptedNames", "kind"}, "Reading"},
	"Namespace": {nil, "apiVersion: v1\nkind: Namespace\nmetadata: {name: NS-inner}", readiness.Ready, []string{"status", "phase"}, "Active"},
	"PodDisruptionBudget": {nil, "apiVersion: policy/v1\nkind: PodDisruptionBudget\nmetadata: {name: web, namespace: NS}\nspec: {minAvailable: 0, selector: {matchLabels: {app: web}}}",
		readiness.Ready, []string{"status", "observedGeneration"}, int64(1)},
	"Service": {nil, "apiVersion: v1\nkind: Service\nmetadata: {name: web, namespace: NS}\nspec: {ports: [{port: 80}]}",
		readiness.Ready, []string{"spec", "type"}, "ClusterIP"},
}

func TestRealObjects(t *testing.T) {
	for name, tt := range objects {
		t.Run(name, func(t *testing.T) {
			s := story.New(t)
			if tt.before != nil {
				tt.before(s)
			}
			if last := walk(t, s, tt.body, func() { s.As("somebody").Create(tt.body) }, func(live map[string]any) {
				if value, _, _ := unstructured.NestedFieldNoCopy(live, tt.field...); value != tt.holds {
					t.Errorf("ready too early, with %v of %v", value, tt.holds)
				}
			}); last.State != tt.want {
				t.Errorf("ended with %+v, want %s", last, tt.want)
			}
		})
	}
}

// walk does something to an object and logs what it says of itself, from the first version on that the test has watched
// until it is ready or has failed. isReady looks at a version that is ready.
func walk(t *testing.T, s *story.Story, body string, do func(), isReady func(live map[string]any)) readiness.Status {
	t.Helper()
	object := s.Parse(body)
	ctx, cancel := context.WithTimeout(t.Context(), 90*time.Second)
	defer cancel()
	options := metav1.ListOptions{FieldSelector: "metadata.name=" + object.GetName()}
	before, err := s.ResourceOf(object).List(ctx, options)
	story.Must(t, err)
	options.ResourceVersion = before.GetResourceVersion()
	events, err := s.ResourceOf(object).Watch(ctx, options)
	story.Must(t, err)
	defer events.Stop()
	do()
	var last readiness.Status
	for event := range events.ResultChan() {
		live, isObject := event.Object.(*unstructured.Unstructured)
		if !isObject {
			continue
		}
		last = readiness.Of(live, false)
		t.Logf("%s %s: %s", last.State, last.Reason, last.Message)
		if last.State == readiness.Ready {
			isReady(live.Object)
		}
		if last.State != readiness.InProgress {
			break
		}
	}
	return last
}

// An update of a workload makes it ready only when its new pods are.
func TestUpdatesOfRealObjects(t *testing.T) {
	for _, name := range []string{"Deployment", "StatefulSet", "DaemonSet"} {
		t.Run(name, func(t *testing.T) {
			s := story.New(t)
			body := objects[name].body
			walk(t, s, body, func() { s.As("somebody").Create(body) }, func(map[string]any) {})
			number := func(live map[string]any, field string) int64 {
				n, _, _ := unstructured.NestedInt64(live, "status", field)
				return n
			}
			last := walk(t, s, body, func() { s.As("somebody").Apply(strings.Replace(body, "app:1", "app:2", 1)) }, func(live map[string]any) {
				if number(live, "observedGeneration") != 2 || number(live, "updatedReplicas")+number(live, "updatedNumberScheduled") < max(1, number(live, "replicas")) {
					t.Errorf("ready too early, with the status %v", live["status"])
				}
			})
			if last.State != readiness.Ready {
				t.Errorf("ended with %+v", last)
			}
		})
	}
}
