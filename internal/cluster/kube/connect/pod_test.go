package connect

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
)

// mountServiceAccount makes the process look like one in a pod whose service account has these files.
func mountServiceAccount(t *testing.T, files map[string]string) {
	t.Helper()
	t.Setenv("KUBERNETES_SERVICE_HOST", "fd00::1")
	t.Setenv("KUBERNETES_SERVICE_PORT", "443")
	before := serviceAccountDirectory
	serviceAccountDirectory = t.TempDir()
	t.Cleanup(func() { serviceAccountDirectory = before })
	for name, content := range files {
		put(t, filepath.Join(serviceAccountDirectory, name), content)
	}
}

func TestInCluster(t *testing.T) {
	ca := newPair(t).certificate
	mountServiceAccount(t, map[string]string{"token": "t\n", "ca.crt": ca, "namespace": "atlantis\n"})
	connection, err := Open(Config{InCluster: true}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if got := connection.REST; got.Host != "https://[fd00::1]:443" || string(got.CAData) != ca || got.BearerToken != "" {
		t.Errorf("the connection is %#v", got)
	}
	if connection.Namespace != "atlantis" || connection.Source != cluster.NamespaceOfContext {
		t.Errorf("the namespace is %s, by %s", connection.Namespace, connection.Source)
	}
	connection, err = Open(
		Config{InCluster: true, Namespace: "mine", Insecure: true, TLSServerName: "kubernetes"},
		Options{},
	)
	if err != nil {
		t.Fatal(err)
	}
	if got := connection; got.Namespace != "mine" || len(got.REST.CAData) > 0 || !got.REST.Insecure ||
		got.REST.ServerName != "kubernetes" {
		t.Errorf("with other settings: %#v", got.REST)
	}
}

func TestInClusterWithoutAServiceAccount(t *testing.T) {
	ca := newPair(t).certificate
	for name, tc := range map[string]struct {
		files map[string]string
		want  string
	}{
		"no files":           {nil, `ca.crt", and there is no such file.`},
		"no token":           {map[string]string{"ca.crt": ca}, `token", and there is no such file.`},
		"an empty token":     {map[string]string{"ca.crt": ca, "token": ""}, `token", which is empty.`},
		"an empty authority": {map[string]string{"ca.crt": "", "token": "t"}, `ca.crt", which has no certificate in PEM.`},
	} {
		t.Run(name, func(t *testing.T) {
			mountServiceAccount(t, tc.files)
			_, err := Open(Config{InCluster: true}, Options{})
			if err == nil ||
				!strings.Contains(err.Error(), "`in_cluster` is true, but the pod has no usable service account: ") ||
				!strings.Contains(err.Error(), tc.want) {
				t.Errorf("want %q, got %v", tc.want, err)
			}
		})
	}
	t.Run("no pod", func(t *testing.T) {
		mountServiceAccount(t, map[string]string{"ca.crt": ca, "token": "t"})
		t.Setenv("KUBERNETES_SERVICE_PORT", "")
		if _, err := Open(Config{InCluster: true}, Options{}); err == nil ||
			!strings.Contains(err.Error(), "Terraform does not run in a pod") {
			t.Errorf("got %v", err)
		}
	})
}
