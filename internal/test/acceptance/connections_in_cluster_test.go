package acceptance_test

import (
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/testcluster/workdir"
)

// mounts is where the provider of workspaceInPod has the service account: below the directory that the CLI runs in.
const mounts = "serviceaccount"

// workspaceInPod returns a workspace that is like a pod with a service account of the story's namespace.
func workspaceInPod(t *testing.T, token string) *story.Workspace {
	t.Helper()
	s := story.New(t)
	provider, err := workdir.Build(t.Context(), t.TempDir(),
		"-ldflags=-X github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster/kube/connect.serviceAccountDirectory="+mounts)
	story.Must(t, err)
	w := s.WorkspaceWith(provider)
	config := story.ControlPlane().RESTConfig()
	server, err := url.Parse(config.Host)
	story.Must(t, err)
	w.Env = append(w.Env, "KUBERNETES_SERVICE_HOST="+server.Hostname(), "KUBERNETES_SERVICE_PORT="+server.Port())
	story.Must(t, os.Mkdir(filepath.Join(w.Dir, mounts), 0o700))
	for name, content := range map[string]string{"ca.crt": string(config.CAData), "namespace": s.Namespace, "token": token} {
		story.Must(t, os.WriteFile(filepath.Join(w.Dir, mounts, name), []byte(content), 0o600))
	}
	return w
}

const inCluster = "{ in_cluster = true }"

// A provider in a pod has the rights of the pod's service account, its namespace and its present token.
func TestInCluster(t *testing.T) {
	w := workspaceInPod(t, "")
	s := w.Story
	s.Token("runner")
	first, revoke := bound(s, "runner", "first")
	second, _ := bound(s, "runner", "second")
	mount := func(token string) {
		story.Must(t, os.WriteFile(filepath.Join(w.Dir, mounts, "token"), []byte(token), 0o600))
	}
	mount(first)
	here := s.Manifest("test", "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: web}\ndata: {colour: red}\n")
	w.ConfigureProvider(inCluster, here)
	mark := story.AuditLog(t).Mark()
	w.Do("plan", "-out=saved.plan")
	mount(second)
	revoke()
	w.Do("apply", "saved.plan")
	expectSent(s, mark, "runner: patch configmaps NS/web dry-run 201", "runner: patch configmaps NS/web dry-run 201", "runner: patch configmaps NS/web 201")
	story.Must(t, s.ExpectLive("v1 ConfigMap web", map[string]any{"data.colour": "red"})(nil))

	w.ConfigureProvider(inCluster, here, s.Manifest("elsewhere", strings.ReplaceAll(story.ConfigMapIn("web", "data: {}"), "NS", "default")))
	if said := w.Exits(story.Refused, "plan"); !strings.Contains(said, "Forbidden") || !strings.Contains(said, "system:serviceaccount:"+s.Namespace+":runner") {
		t.Errorf("an object of another namespace: %s", said)
	}

	// The environment says the same, and without it nothing is used unasked.
	story.Must(t, w.Write(here))
	if said := w.Exits(story.Refused, "plan"); !strings.Contains(said, "No Cluster Configured") || !strings.Contains(said, "in_cluster = true") {
		t.Errorf("without a connection: %s", said)
	}
	w.Env = append(w.Env, "KUBE_IN_CLUSTER_CONFIG=true")
	w.Exits(story.Nothing, "plan", "-detailed-exitcode")
	w.Do("destroy", "-auto-approve")

	story.Must(t, os.Remove(filepath.Join(w.Dir, mounts, "token")))
	if said := w.Exits(story.Refused, "plan"); !strings.Contains(said, "KUBE_IN_CLUSTER_CONFIG") || !strings.Contains(said, "service account") {
		t.Errorf("without a token: %s", said)
	}
}
