package sample_test

import (
	"context"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/client-go/dynamic"
	"sigs.k8s.io/yaml"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/sample"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/testcluster"
)

var update = flag.Bool("update", false, "record the objects below testdata")

var controlPlane *testcluster.ControlPlane

func TestMain(m *testing.M) {
	os.Exit(testcluster.Main(m, func(started *testcluster.ControlPlane) { controlPlane = started }))
}

const deployment = `
apiVersion: apps/v1
kind: Deployment
metadata:
  name: sample
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
metadata: {name: sample, annotations: {policy.example.com/checked: "true"}}
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
metadata: {name: sample, labels: {app: sample}}
data: {entry: "key = value\n"}
`

// TestAccRecord holds that the samples have the managers that a server records, and records them with
// -update.
func TestAccRecord(t *testing.T) {
	if controlPlane == nil {
		t.Skip("TF_ACC is not set")
	}
	client, err := dynamic.NewForConfig(controlPlane.RESTConfig())
	must(t, err)
	of := func(group, version, resource string) dynamic.ResourceInterface {
		return client.Resource(schema.GroupVersionResource{Group: group, Version: version, Resource: resource}).Namespace("default")
	}
	deployments, pods, configMaps := of("apps", "v1", "deployments"), of("", "v1", "pods"), of("", "v1", "configmaps")

	apply(t, deployments, sample.FieldManager, deployment)
	apply(t, deployments, "policy-engine", policy)
	patch(t, deployments, "kubectl-edit", types.StrategicMergePatchType, `{"spec":{"template":{"spec":{"containers":[{"name":"app","terminationMessagePolicy":"FallbackToLogsOnError"}]}}}}`)
	patch(t, deployments, "horizontal-autoscaler", types.MergePatchType, `{"spec":{"replicas":2}}`, "scale")
	compare(t, "deployment", await(t, deployments, "app=sample", "availableReplicas"), sample.Deployment)

	pod := await(t, pods, "app=sample", "podIP")
	_, err = pods.Patch(t.Context(), pod.GetName(), types.StrategicMergePatchType, []byte(`{"metadata":{"labels":{"canary":"true"}}}`),
		metav1.PatchOptions{FieldManager: "kubectl-label"})
	must(t, err)
	pod, err = pods.Get(t.Context(), pod.GetName(), metav1.GetOptions{})
	must(t, err)
	compare(t, "pod", pod, func(int) (*unstructured.Unstructured, error) { return sample.Pod() })

	apply(t, configMaps, sample.FieldManager, configMap)
	apply(t, configMaps, "gitops", configMap)
	patch(t, configMaps, "kubectl-edit", types.MergePatchType, `{"data":{"entry":"key = value\n"},"metadata":{"annotations":{"example.com/note":"edited"}}}`)
	configured, err := configMaps.Get(t.Context(), "sample", metav1.GetOptions{})
	must(t, err)
	compare(t, "configmap", configured, sample.ConfigMap)
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func apply(t *testing.T, objects dynamic.ResourceInterface, manager, text string) {
	t.Helper()
	object := &unstructured.Unstructured{}
	must(t, yaml.Unmarshal([]byte(text), &object.Object))
	_, err := objects.Apply(t.Context(), object.GetName(), object, metav1.ApplyOptions{FieldManager: manager})
	must(t, err)
}

func patch(t *testing.T, objects dynamic.ResourceInterface, manager string, kind types.PatchType, text string, subresources ...string) {
	t.Helper()
	_, err := objects.Patch(t.Context(), "sample", kind, []byte(text),
		metav1.PatchOptions{FieldManager: manager}, subresources...)
	must(t, err)
}

// await returns the first object with a label whose status has a field.
func await(t *testing.T, objects dynamic.ResourceInterface, selector, field string) *unstructured.Unstructured {
	t.Helper()
	var found *unstructured.Unstructured
	must(t, wait.PollUntilContextTimeout(t.Context(), 200*time.Millisecond, time.Minute, true, func(ctx context.Context) (bool, error) {
		list, err := objects.List(ctx, metav1.ListOptions{LabelSelector: selector})
		if err != nil || len(list.Items) == 0 {
			return false, err
		}
		found = &list.Items[0]
		_, has, err := unstructured.NestedFieldNoCopy(found.Object, "status", field)
		return has, err
	}))
	return found
}

// hasty is the scheduler, which writes into a pod only where it has not heard yet that the node is ready.
const hasty = "Update kube-scheduler status"

func compare(t *testing.T, kind string, live *unstructured.Unstructured, sampled func(int) (*unstructured.Unstructured, error)) {
	t.Helper()
	if *update {
		text, err := json.MarshalIndent(live.Object, "", " ")
		must(t, err)
		must(t, os.WriteFile(filepath.Join("testdata", kind+".json"), append(text, '\n'), 0o600))
		return
	}
	object, err := sampled(1)
	must(t, err)
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
