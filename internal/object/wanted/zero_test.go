package wanted

import (
	"testing"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/paths"
)

func TestDropsZero(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		apiVersion, kind string
		path             paths.Path
		want             bool
	}{
		{"apps/v1", "Deployment", paths.Path{paths.Field("spec"), paths.Field("paused")}, true},
		{"apps/v1", "Deployment", paths.Path{paths.Field("spec"), paths.Field("minReadySeconds")}, true},
		{"apps/v1", "Deployment", paths.Path{paths.Field("spec"), paths.Field("replicas")}, false},
		{"v1", "Service", paths.Path{paths.Field("spec"), paths.Field("ports"), paths.Index(0), paths.Field("nodePort")}, true},
		{"v1", "Service", paths.Path{paths.Field("spec"), paths.Field("ports"), paths.Index(0), paths.Field("port")}, false},
		{"v1", "Service", paths.Path{paths.Field("spec"), paths.Field("ports"), paths.Index(0), paths.Field("targetPort")}, false},
		{"v1", "Service", paths.Path{paths.Field("spec"), paths.Field("ports"), paths.Index(0), paths.Field("name")}, false},
		{"v1", "ConfigMap", paths.Path{paths.Field("data"), paths.Field("a")}, false},
		{"v1", "ConfigMap", paths.Path{paths.Field("nothing"), paths.Field("a")}, false},
		{"example.com/v1", "Widget", paths.Path{paths.Field("spec"), paths.Field("paused")}, false},
	} {
		if got := dropsZero(tt.apiVersion, tt.kind, tt.path); got != tt.want {
			t.Errorf("%s %s %s: %t, want %t", tt.apiVersion, tt.kind, paths.Format(tt.path), got, tt.want)
		}
	}
}
