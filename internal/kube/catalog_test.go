package kube

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

func TestNearest(t *testing.T) {
	t.Parallel()
	var served []schema.GroupVersionKind
	for _, kind := range [][2]string{
		{"v1", "Pod"}, {"v1", "Secret"}, {"v1", "Service"}, {"v1", "ConfigMap"}, {"apps/v1", "Deployment"}, {"apps/v1", "DaemonSet"},
		{"apps/v1", "StatefulSet"}, {"networking.k8s.io/v1", "Ingress"}, {"networking.k8s.io/v1", "IngressClass"},
		{"autoscaling/v1", "HorizontalPodAutoscaler"}, {"autoscaling/v2", "HorizontalPodAutoscaler"}, {"serving.knative.dev/v1", "Service"},
	} {
		served = append(served, schema.FromAPIVersionAndKind(kind[0], kind[1]))
	}
	cases := map[string]struct {
		apiVersion, kind string
		want             []string
	}{
		"a letter is missing":                   {"apps/v1", "Deploymet", []string{"apps/v1 Deployment"}},
		"case does not count":                   {"apps/v1", "deployment", []string{"apps/v1 Deployment"}},
		"the group moved":                       {"extensions/v1beta1", "Ingress", []string{"networking.k8s.io/v1 Ingress"}},
		"the version is gone":                   {"autoscaling/v2beta2", "HorizontalPodAutoscaler", []string{"autoscaling/v1 HorizontalPodAutoscaler", "autoscaling/v2 HorizontalPodAutoscaler"}},
		"the same kind in other groups":         {"v2", "Service", []string{"v1 Service", "serving.knative.dev/v1 Service"}},
		"the same group comes before others":    {"serving.knative.dev/v1", "Servce", []string{"serving.knative.dev/v1 Service", "v1 Service"}},
		"nothing looks like it":                 {"example.com/v1", "Widget", nil},
		"a short kind matches on little":        {"v1", "Pot", []string{"v1 Pod"}},
		"a short kind does not match on letter": {"v1", "Dog", nil},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := nearest(schema.FromAPIVersionAndKind(tc.apiVersion, tc.kind), served)
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Errorf("nearest (-want +got):\n%s", diff)
			}
		})
	}
}

func TestBuiltinGroup(t *testing.T) {
	t.Parallel()
	for group, want := range map[string]bool{
		"": true, "apps": true, "networking.k8s.io": true, "rbac.authorization.k8s.io": true,
		"gateway.networking.k8s.io": false, "snapshot.storage.k8s.io": false, "metrics.k8s.io": false, "example.com": false,
	} {
		if got := isBuiltinGroup(group); got != want {
			t.Errorf("%q: want %t, got %t", group, want, got)
		}
	}
}
