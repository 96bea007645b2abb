package sample_test

import (
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/sample"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
)

var update = flag.Bool("update", false, "record the objects below testdata")

func TestMain(m *testing.M) { os.Exit(story.Main(m)) }

const deployment = `
apiVersion: apps/v1
kind: Deployment
metadata:
  name: sample
  namespace: default
  labels: {app: sample, team: shop}
  annotations: {example.com/owner: shop}
spec:
  replicas: 1
  selector: {matchLabels: {app: sample}}
  template:
    metadata: {labels: {app: sample}}
    spec:
      containers:
      - name: app
        image: registry.example.com/shop/app:1.0
        args: [serve, --port=8080]
        env:
        - {name: MODE, value: production}
        - {name: POD, valueFrom: {fieldRef: {fieldPath: metadata.name}}}
        ports: [{name: http, containerPort: 8080}]
        resources: {requests: {cpu: 100m, memory: 64Mi}}
        readinessProbe: {httpGet: {path: /ready, port: http}, periodSeconds: 5}
`

// A policy engine shares the image, and owns what it sets.
const policy = `
apiVersion: apps/v1
kind: Deployment
metadata: {name: sample, namespace: default, annotations: {policy.example.com/checked: "true"}}
spec:
  template:
    spec:
      containers:
      - name: app
        image: registry.example.com/shop/app:1.0
        securityContext: {allowPrivilegeEscalation: false, readOnlyRootFilesystem: true}
        resources: {limits: {memory: 128Mi}}
`

const configMap = `
apiVersion: v1
kind: ConfigMap
metadata: {name: sample, namespace: default, labels: {app: sample}}
data: {entry: "key = value\n"}
`

// TestAccRecord holds that the samples have the managers that a server records, and records them with
// -update.
func TestAccRecord(t *testing.T) {
	s := story.In(t, metav1.NamespaceDefault)
	const (
		deploymentTarget = "apps/v1 Deployment sample"
		configMapTarget  = "v1 ConfigMap sample"
	)
	s.As(sample.FieldManager).Apply(deployment)
	s.As("policy-engine").Apply(policy)
	s.As("kubectl-edit").StrategicPatch(deploymentTarget, `{"spec":{"template":{"spec":{"containers":[{"name":"app","terminationMessagePolicy":"FallbackToLogsOnError"}]}}}}`)
	s.As("horizontal-autoscaler").Scale(deploymentTarget, 2)
	s.Await("the rollout is over", func() bool { return rolledOut(s.Live(deploymentTarget), 2) })
	compare(t, "deployment", s.Live(deploymentTarget), sample.Deployment)

	pod := "v1 Pod " + podOf(s)
	s.As("kubectl-label").StrategicPatch(pod, `{"metadata":{"labels":{"canary":"true"}}}`)
	compare(t, "pod", s.Live(pod), func(int) (*unstructured.Unstructured, error) { return sample.Pod() })

	s.As(sample.FieldManager).Apply(configMap)
	s.As("gitops").Apply(configMap)
	s.As("kubectl-edit").Patch(configMapTarget, `{"data":{"entry":"key = value\n"},"metadata":{"annotations":{"example.com/note":"edited"}}}`)
	compare(t, "configmap", s.Live(configMapTarget), sample.ConfigMap)
}

// rolledOut reports whether a Deployment has that many pods of its last template, all available, and no others.
func rolledOut(deployment *unstructured.Unstructured, replicas int64) bool {
	status := func(field string) int64 {
		value, _, _ := unstructured.NestedInt64(deployment.Object, "status", field)
		return value
	}
	return status("observedGeneration") == deployment.GetGeneration() && status("replicas") == replicas &&
		status("updatedReplicas") == replicas && status("availableReplicas") == replicas
}

// podOf returns the name of a pod of the Deployment that runs and stays: after a rollout, pods of the old
// template are still there for a moment.
func podOf(s *story.Story) (name string) {
	s.T.Helper()
	pods := s.Resource("v1", "Pod", s.Namespace)
	s.Await("a pod runs", func() bool {
		list, err := pods.List(s.T.Context(), metav1.ListOptions{LabelSelector: "app=sample"})
		story.Must(s.T, err)
		for _, pod := range list.Items {
			_, runs, _ := unstructured.NestedString(pod.Object, "status", "podIP")
			if runs && pod.GetDeletionTimestamp() == nil {
				name = pod.GetName()
				return true
			}
		}
		return false
	})
	return name
}

// hasty is the entry of the scheduler, which writes to a pod only if it does not know yet that the node is ready.
const hasty = "Update kube-scheduler status"

func compare(t *testing.T, kind string, live *unstructured.Unstructured, sampled func(int) (*unstructured.Unstructured, error)) {
	t.Helper()
	if *update {
		text, err := json.MarshalIndent(live.Object, "", " ")
		story.Must(t, err)
		story.Must(t, os.WriteFile(filepath.Join("testdata", kind+".json"), append(text, '\n'), 0o600))
		return
	}
	object, err := sampled(1)
	story.Must(t, err)
	got, want := managers(object), managers(live)
	for name := range want {
		if !got[name] && name != hasty {
			t.Errorf("the %s of the sample lacks the manager %s; run go test -update", kind, name)
		}
	}
}

func managers(object *unstructured.Unstructured) map[string]bool {
	names := map[string]bool{}
	for _, entry := range object.GetManagedFields() {
		names[string(entry.Operation)+" "+entry.Manager+" "+entry.Subresource] = true
	}
	return names
}
