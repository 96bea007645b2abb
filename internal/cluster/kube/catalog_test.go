package kube

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
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
		"a letter is missing": {"apps/v1", "Deploymet", []string{"apps/v1 Deployment"}},
		"case does not count": {"apps/v1", "deployment", []string{"apps/v1 Deployment"}},
		"the group moved":     {"extensions/v1beta1", "Ingress", []string{"networking.k8s.io/v1 Ingress"}},
		"the version is gone": {
			"autoscaling/v2beta2",
			"HorizontalPodAutoscaler",
			[]string{"autoscaling/v1 HorizontalPodAutoscaler", "autoscaling/v2 HorizontalPodAutoscaler"},
		},
		"the same kind in other groups": {"v2", "Service", []string{"v1 Service", "serving.knative.dev/v1 Service"}},
		"the same group comes before others": {
			"serving.knative.dev/v1",
			"Servce",
			[]string{"serving.knative.dev/v1 Service", "v1 Service"},
		},
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
		if got := manifest.IsBuiltinGroup(group); got != want {
			t.Errorf("%q: want %t, got %t", group, want, got)
		}
	}
}

// A kind whose objects can only be created is called that.
func TestCreateOnly(t *testing.T) {
	t.Parallel()
	for _, kind := range [][2]string{
		{"authorization.k8s.io/v1", "SelfSubjectAccessReview"}, {"authentication.k8s.io/v1", "TokenReview"}, {"v1", "Binding"},
	} {
		gvk := schema.FromAPIVersionAndKind(kind[0], kind[1])
		c := catalog{kinds: map[schema.GroupVersionKind]resource{gvk: {version: gvk.GroupVersion(), createOnly: true}}}
		_, err := c.find(gvk)
		if cluster.ReasonOf(err) != cluster.ReasonKindNotManageable || !strings.Contains(err.Error(), "can only be created") {
			t.Errorf("%s: %v", kind[1], err)
		}
	}
}

// Each kind that can be managed is listed once, in the version that the server prefers.
func TestManageable(t *testing.T) {
	t.Parallel()
	c := catalog{
		kinds:     map[schema.GroupVersionKind]resource{},
		preferred: map[string]string{"": "v1", "autoscaling": "v2", "example.com": "v1"},
		failed:    map[schema.GroupVersion]error{{Group: "metrics.k8s.io", Version: "v1beta1"}: errors.New("503")},
	}
	for kind, manageable := range map[[2]string]bool{
		{"v1", "ConfigMap"}: true, {"v1", "ComponentStatus"}: false,
		{"autoscaling/v1", "HorizontalPodAutoscaler"}: true, {"autoscaling/v2", "HorizontalPodAutoscaler"}: true,
		// The preferred version does not have it.
		{"example.com/v1beta1", "Gadget"}: true, {"example.com/v1alpha1", "Gadget"}: true, {"example.com/v1", "Widget"}: true,
	} {
		gvk := schema.FromAPIVersionAndKind(kind[0], kind[1])
		c.kinds[gvk] = resource{
			version:    gvk.GroupVersion(),
			kind:       cluster.Kind{Scope: cluster.ScopeNamespaced},
			manageable: manageable,
		}
	}
	got := c.manageable()
	var names []string
	for _, kind := range got.Served {
		names = append(names, kind.APIVersion+" "+kind.Kind)
	}
	want := []string{
		"autoscaling/v2 HorizontalPodAutoscaler",
		"example.com/v1 Widget",
		"example.com/v1beta1 Gadget",
		"v1 ConfigMap",
	}
	if diff := cmp.Diff(want, names); diff != "" {
		t.Errorf("kinds (-want +got):\n%s", diff)
	}
	if len(got.Failed) != 1 || got.Failed[0].Object.String() != "All objects (metrics.k8s.io/v1beta1)" {
		t.Errorf("the failed groups are %v", got.Failed)
	}
}
