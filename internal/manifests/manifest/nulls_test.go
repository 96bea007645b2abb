package manifest_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
)

// Null is absent where the Go types of the API server know no null.
func TestNulls(t *testing.T) {
	t.Parallel()
	tests := map[string]struct{ text, want string }{
		"metadata of a built-in kind": {
			"{apiVersion: v1, kind: ConfigMap, metadata: {name: a, annotations: null, labels: null}}",
			"{apiVersion: v1, kind: ConfigMap, metadata: {name: a}}",
		},
		"fields, also in items of lists": {
			"{apiVersion: v1, kind: Pod, metadata: {name: a}, spec: {volumes: null, containers: [{name: c, env: null}]}}",
			"{apiVersion: v1, kind: Pod, metadata: {name: a}, spec: {containers: [{name: c}]}}",
		},
		"a union": {
			"{apiVersion: apps/v1, kind: Deployment, metadata: {name: a}, spec: {strategy: {type: Recreate, rollingUpdate: null}}}",
			"{apiVersion: apps/v1, kind: Deployment, metadata: {name: a}, spec: {strategy: {type: Recreate}}}",
		},
		"items of lists stay": {
			"{apiVersion: v1, kind: Pod, metadata: {name: a}, spec: {containers: [null]}}",
			"{apiVersion: v1, kind: Pod, metadata: {name: a}, spec: {containers: [null]}}",
		},
		"entries of maps of strings stay": {
			"{apiVersion: v1, kind: ConfigMap, metadata: {name: a, labels: {b.c/d: null}}, data: {a.b: null}}",
			"{apiVersion: v1, kind: ConfigMap, metadata: {name: a, labels: {b.c/d: null}}, data: {a.b: null}}",
		},
		"a custom resource": {
			"{apiVersion: example.com/v1, kind: Gadget, metadata: {name: a, annotations: null}, spec: {note: null}}",
			"{apiVersion: example.com/v1, kind: Gadget, metadata: {name: a}, spec: {note: null}}",
		},
		"schemas": {
			"{apiVersion: apiextensions.k8s.io/v1, kind: CustomResourceDefinition, metadata: {name: a}, spec: {conversion: null, versions: [{schema: {default: null}}]}}",
			"{apiVersion: apiextensions.k8s.io/v1, kind: CustomResourceDefinition, metadata: {name: a}, spec: {versions: [{schema: {default: null}}]}}",
		},
		"parameters of drivers": {
			"{apiVersion: resource.k8s.io/v1, kind: DeviceClass, metadata: {name: a}, spec: {selectors: null, config: [{opaque: {parameters: {a: null}}}]}}",
			"{apiVersion: resource.k8s.io/v1, kind: DeviceClass, metadata: {name: a}, spec: {config: [{opaque: {parameters: {a: null}}}]}}",
		},
		"data of a revision": {
			"{apiVersion: apps/v1, kind: ControllerRevision, metadata: {name: a}, data: {spec: {a: null}}}",
			"{apiVersion: apps/v1, kind: ControllerRevision, metadata: {name: a}, data: {spec: {a: null}}}",
		},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, err := manifest.Parse(tt.text)
			if err != nil {
				t.Fatal(err)
			}
			want, err := manifest.Decode(tt.want)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(want, any(got.Object)); diff != "" {
				t.Errorf("object (-want +got):\n%s", diff)
			}
		})
	}
}
