package patching_test

import (
	"context"
	"fmt"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/client-go/dynamic"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/patches"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
)

// A suspended CronJob has a pod, and no controller writes to it.
const cronJob = `
apiVersion: batch/v1
kind: CronJob
metadata: {name: %s, namespace: NS, labels: {app: web}, finalizers: [example.com/a, example.com/b]}
spec:
  suspend: true
  schedule: "0 0 * * *"
  jobTemplate:
    spec:
      backoffLimit: 3
      template:
        metadata: {labels: {app: web}}
        spec:
          restartPolicy: Never
          nodeSelector: {disk: ssd}
          tolerations: [{key: spot, operator: Exists}]
          volumes: [{name: cache, emptyDir: {}}]
          containers:
          - name: app
            image: app:1
            args: [serve, --verbose]
            env: [{name: MODE, value: production}, {name: LEVEL, value: "1"}]
            ports: [{containerPort: 80}]
          - {name: proxy, image: "proxy:1"}
`

const configMap = `
apiVersion: v1
kind: ConfigMap
metadata: {name: %s, namespace: NS}
data: {a: x, b.c: "<&>"}
`

const secret = `
apiVersion: v1
kind: Secret
metadata: {name: %s, namespace: NS}
data: {a: eA==}
`

const gadget = `
apiVersion: NS.example.com/v1
kind: Gadget
metadata: {name: %s, namespace: NS}
spec: {size: 9007199254740993, ratio: 2.0, note: x, steps: [a, b], colours: [red], routes: [{host: a}], free: {a: {b: null}, c: 1}}
`

// eachObject runs a table of tests, each with an object of its own.
func eachObject[T any](t *testing.T, tests map[string]T, objectOf func(T) string, check func(T, *testing.T, client)) {
	s := story.New(t)
	s.InstallGadgets()
	number := 0
	for name, tt := range tests {
		number++
		object := s.Parse(fmt.Sprintf(objectOf(tt), fmt.Sprintf("object-%d", number)))
		c := client{s.ResourceOf(object), object.GetName()}
		t.Run(name, func(t *testing.T) {
			_, err := c.objects.Create(t.Context(), object, metav1.CreateOptions{FieldManager: "somebody"})
			story.Must(t, err)
			t.Cleanup(c.release)
			check(tt, t, c)
		})
	}
}

// client is of one object.
type client struct {
	objects dynamic.ResourceInterface
	name    string
}

// release removes the finalizers, as no other client does.
func (c client) release() {
	_, _ = c.send(context.Background(), patches.Merge, []byte(`{"metadata":{"finalizers":null}}`))
}

func (c client) live(t *testing.T) *unstructured.Unstructured {
	t.Helper()
	live, err := c.objects.Get(t.Context(), c.name, metav1.GetOptions{})
	story.Must(t, err)
	return live
}

func (c client) send(ctx context.Context, kind patches.Type, body []byte) (*unstructured.Unstructured, error) {
	return c.objects.Patch(ctx, c.name, kind.MediaType(), body,
		metav1.PatchOptions{FieldManager: "patcher", FieldValidation: metav1.FieldValidationStrict})
}
