package testcluster

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestKubernetesModuleOf(t *testing.T) {
	t.Parallel()
	servers := t.TempDir()
	for module, version := range map[string]string{"kubernetes": "v1.36.3", "kubernetes-1.35": "v1.35.4", "kubernetes-1.3": "v1.3.9"} {
		dir := filepath.Join(servers, module)
		if err := os.Mkdir(dir, 0o750); err != nil {
			t.Fatal(err)
		}
		goMod := "module example.com/" + module + "\n\nrequire k8s.io/kubernetes " + version + "\n"
		for name, text := range map[string]string{"go.mod": goMod, "go.sum": ""} {
			if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
	}
	tests := map[string]struct {
		minor, want, wantErr string
	}{
		"none asked for":     {want: "kubernetes"},
		"the default one":    {minor: "1.36", want: "kubernetes"},
		"another one":        {minor: "1.35", want: "kubernetes-1.35"},
		"one that begins so": {minor: "1.3", want: "kubernetes-1.3"},
		"one that is not pinned": {minor: "1.33",
			wantErr: "K8SCONNECT_TEST_KUBERNETES asks for Kubernetes 1.33; pinned are v1.3.9, v1.35.4, v1.36.3"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, err := kubernetesModuleOf(servers, tt.minor)
			var message string
			if err != nil {
				message = err.Error()
			}
			if diff := cmp.Diff([]string{tt.want, tt.wantErr}, []string{got, message}); diff != "" {
				t.Errorf("module and error (-want +got):\n%s", diff)
			}
		})
	}
}

// Each module of Kubernetes pins one version and builds all servers from it.
func TestKubernetesModulesArePinned(t *testing.T) {
	servers, err := serversDir()
	if err != nil {
		t.Fatal(err)
	}
	for minor, module := range map[string]string{"1.34": "kubernetes-1.34", "1.35": "kubernetes-1.35", "1.36": "kubernetes"} {
		t.Run(minor, func(t *testing.T) {
			t.Setenv(envKubernetes, minor)
			found, err := kubernetesRecipe(servers)
			if err != nil {
				t.Fatal(err)
			}
			if found.module != module || len(found.programs) != 3 {
				t.Errorf("Kubernetes %s is %+v, want the module %s", minor, found, module)
			}
		})
	}
}
