package readying_test

import (
	"context"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/readiness"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
)

const podTemplate = `{metadata: {labels: {app: web}}, spec: {containers: [{name: app, image: "app:1", resources: {requests: {cpu: 1m}}}]}}`

const quota = "apiVersion: v1\nkind: ResourceQuota\nmetadata: {name: none, namespace: NS}\nspec: {hard: {pods: \"0\"}}"

// objects are walked from their creation to an end. holds is what has to be true of one that is ready.
var objects = map[string]struct {
	before, body string
	want         readiness.State
	field        []string
	holds        any
}{
	"Deployment": {"", "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web, namespace: NS}\nspec: {replicas: 2, selector: {matchLabels: {app: web}}, template: " + podTemplate + "}",
		readiness.Ready, []string{"status", "availableReplicas"}, int64(2)},
	"StatefulSet": {"", "apiVersion: apps/v1\nkind: StatefulSet\nmetadata: {name: web, namespace: NS}\nspec: {replicas: 2, serviceName: web, selector: {matchLabels: {app: web}}, template: " + podTemplate + "}",
		readiness.Ready, []string{"status", "readyReplicas"}, int64(2)},
	"Job": {"", "apiVersion: batch/v1\nkind: Job\nmetadata: {name: once, namespace: NS}\nspec: {template: {spec: {restartPolicy: Never, containers: [{name: app, image: \"app:1\"}]}}}",
		readiness.Ready, []string{"status", "succeeded"}, int64(1)},
	"Job that fails": {"", "apiVersion: batch/v1\nkind: Job\nmetadata: {name: late, namespace: NS}\nspec: {activeDeadlineSeconds: 1, template: {spec: {restartPolicy: Never, nodeSelector: {no: node}, containers: [{name: app, image: \"app:1\"}]}}}",
		readiness.Failed, nil, nil},
	"quota": {quota, "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web, namespace: NS}\nspec: {selector: {matchLabels: {app: web}}, template: " + podTemplate + "}",
		readiness.Failed, nil, nil},
	"Service": {"", "apiVersion: v1\nkind: Service\nmetadata: {name: web, namespace: NS}\nspec: {ports: [{port: 80}]}",
		readiness.Ready, []string{"spec", "type"}, "ClusterIP"},
}

func TestRealObjects(t *testing.T) {
	for name, tt := range objects {
		t.Run(name, func(t *testing.T) {
			s := story.New(t)
			if tt.before != "" {
				s.As("admin").Create(tt.before)
				s.Await("the quota", func() bool {
					o := s.Parse(tt.before)
					live, err := s.ResourceOf(o).Get(t.Context(), o.GetName(), metav1.GetOptions{})
					return err == nil && live.Object["status"] != nil
				})
			}
			object := s.Parse(tt.body)
			ctx, cancel := context.WithTimeout(t.Context(), 25*time.Second)
			defer cancel()
			objects := s.ResourceOf(object)
			events, err := objects.Watch(ctx, metav1.ListOptions{FieldSelector: "metadata.name=" + object.GetName()})
			story.Must(t, err)
			defer events.Stop()
			s.As("somebody").Create(tt.body)
			var last readiness.Status
			for event := range events.ResultChan() {
				live, isObject := event.Object.(*unstructured.Unstructured)
				if !isObject {
					continue
				}
				last = readiness.Of(live, false)
				t.Logf("%s %s: %s", last.State, last.Reason, last.Message)
				if last.State == readiness.Ready {
					if value, _, _ := unstructured.NestedFieldNoCopy(live.Object, tt.field...); value != tt.holds {
						t.Errorf("ready too early, with %v of %v", value, tt.holds)
					}
				}
				if last.State != readiness.InProgress {
					break
				}
			}
			if last.State != tt.want {
				t.Errorf("ended with %+v, want %s", last, tt.want)
			}
		})
	}
}
