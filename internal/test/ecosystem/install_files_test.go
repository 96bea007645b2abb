package ecosystem_test

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
)

// installFile is what a project publishes for kubectl apply, in the Go module of the project.
type installFile struct {
	// module has a version, and next is the version of the upgrade; "" if the upgrade is one of the images.
	module, version, next string
	// files are patterns in the module, in the order in which they are joined. other replaces them for the upgrade.
	files []string
	other string
	// namespace is the one for which it is written; "" for one that it contains, or that of the story. rules are those
	// that its user has there beside the ClusterRole admin; without them the user is an administrator.
	namespace, rules string
}

var installFiles = map[string]installFile{
	"ingress-nginx": {
		module: "k8s.io/ingress-nginx", version: "v0.0.0-20240708192948-52c50467d67d",
		files: []string{"deploy/static/provider/baremetal/deploy.yaml"}, other: "deploy/static/provider/cloud/deploy.yaml",
	},
	"prometheus-operator": {
		module: "github.com/prometheus-operator/prometheus-operator", version: "v0.85.0", files: []string{"bundle.yaml"},
	},
	"metallb": {
		module: "go.universe.tf/metallb", version: "v0.15.2", next: "v0.16.2",
		files: []string{"config/manifests/metallb-frr.yaml"},
	},
	"contour": {
		module: "github.com/projectcontour/contour", version: "v1.32.0", next: "v1.33.8",
		files: []string{"examples/render/contour.yaml"},
	},
	"argo-cd": {
		module: "github.com/argoproj/argo-cd/v3", version: "v3.3.0", next: "v3.4.0",
		files: []string{"manifests/install.yaml"}, namespace: "argocd",
	},
	"argo-cd in a namespace": {
		module: "github.com/argoproj/argo-cd/v3", version: "v3.3.0", next: "v3.4.0",
		files: []string{"manifests/namespace-install.yaml"}, rules: `{apiGroups: [argoproj.io], resources: ["*"], verbs: ["*"]}`,
	},
	"argo-rollouts": {
		module: "github.com/argoproj/argo-rollouts", version: "v1.7.2", next: "v1.8.3",
		files: []string{"manifests/install.yaml"}, namespace: "argo-rollouts",
	},
	"flannel": {
		module: "github.com/flannel-io/flannel", version: "v0.27.4", next: "v0.28.10",
		files: []string{"Documentation/kube-flannel.yml"},
	},
	"local-path-provisioner": {
		module: "github.com/rancher/local-path-provisioner", version: "v0.0.30",
		files: []string{"deploy/local-path-storage.yaml"},
	},
	"snapshot-controller": {
		module: "github.com/kubernetes-csi/external-snapshotter/v8", version: "v8.7.0",
		files: []string{"deploy/kubernetes/snapshot-controller/*snapshot-controller.yaml"},
	},
	"descheduler": {
		module: "sigs.k8s.io/descheduler", version: "v0.36.0",
		files: []string{"kubernetes/base/rbac.yaml", "kubernetes/base/configmap.yaml", "kubernetes/deployment/deployment.yaml"},
	},
	"gateway-api": {
		module: "sigs.k8s.io/gateway-api", version: "v1.4.1", next: "v1.5.0", files: []string{"config/crd/standard/*.yaml"},
	},
}

// download returns the directory of a version of a module.
func download(t *testing.T, module, version string) string {
	t.Helper()
	list := exec.CommandContext(t.Context(), "go", "mod", "download", "-json", module+"@"+version)
	list.Dir = t.TempDir()
	text, err := list.Output()
	var found struct{ Dir, Error string }
	if failed := json.Unmarshal(text, &found); failed != nil || found.Dir == "" {
		t.Fatalf("go mod download %s@%s: %v %v %s", module, version, err, failed, found.Error)
	}
	return found.Dir
}

// read joins the files that patterns name in a version of the module.
func (f installFile) read(t *testing.T, version string, patterns ...string) string {
	t.Helper()
	var documents []string
	for _, pattern := range patterns {
		names, err := filepath.Glob(filepath.Join(download(t, f.module, version), filepath.FromSlash(pattern)))
		story.Must(t, err)
		if len(names) == 0 {
			t.Fatalf("%s@%s has no %s", f.module, version, pattern)
		}
		for _, name := range names {
			text, err := os.ReadFile(name)
			story.Must(t, err)
			documents = append(documents, string(text))
		}
	}
	return strings.Join(documents, "\n---\n")
}

var image = regexp.MustCompile(`(?m)^(\s*(?:- )?image: [^\s"']+)$`)

// upgraded returns what the upgrade makes of the text.
func (f installFile) upgraded(t *testing.T, text string) string {
	t.Helper()
	switch {
	case f.next != "":
		return f.read(t, f.next, f.files...)
	case f.other != "":
		return f.read(t, f.version, f.other)
	}
	changed := image.ReplaceAllString(text, "${1}-next")
	if changed == text {
		t.Fatal("the text has no image")
	}
	return changed
}

// namespaceAdmin makes a user with the ClusterRole admin and further rules in the namespace the workspace's user.
func namespaceAdmin(w *story.Workspace, rules string) {
	admin, who := w.AddUser(w.Namespace+"-admin", w.Namespace+"-admins"), w.As("kubectl")
	const rbac = "apiVersion: rbac.authorization.k8s.io/v1\nkind: "
	who.Create(rbac + "Role\nmetadata: {name: more, namespace: NS}\nrules: [" + rules + "]\n")
	for role, kind := range map[string]string{"admin": "ClusterRole", "more": "Role"} {
		who.Create(rbac + "RoleBinding\nmetadata: {name: the-" + role + ", namespace: NS}\n" +
			"subjects: [{kind: Group, apiGroup: rbac.authorization.k8s.io, name: " + w.Namespace + "-admins}]\n" +
			"roleRef: {apiGroup: rbac.authorization.k8s.io, kind: " + kind + ", name: " + role + "}\n")
	}
	story.Must(w.T, os.WriteFile(filepath.Join(w.Dir, "kubeconfig"), w.Kubeconfig(admin), 0o600))
}

// What projects publish for kubectl apply is one set: its first apply needs no second, the next plans are empty, an
// upgrade warns of nothing that others own, and the destroy waits for nothing that it has deleted itself.
func TestInstallFiles(t *testing.T) {
	if os.Getenv(enabled) == "" {
		t.Skip("make test-ecosystem runs this test")
	}
	for name, file := range installFiles {
		t.Run(name, func(t *testing.T) {
			s := story.New(t)
			w := s.HostedWorkspace()
			namespace := file.namespace
			head := ""
			if namespace == "" {
				namespace = s.Namespace
			} else {
				head = "apiVersion: v1\nkind: Namespace\nmetadata: {name: " + namespace + "}\n---\n"
			}
			if file.rules != "" {
				namespaceAdmin(w, file.rules)
			}
			install := func(text string) {
				story.Must(t, os.WriteFile(filepath.Join(w.Dir, "install.yaml"), []byte(head+text), 0o600))
			}
			text := file.read(t, file.version, file.files...)
			install(text)
			call := `provider::k8sconnect::documents(file("${path.module}/install.yaml"), { namespace = "` + namespace + `", format = "json", secrets = "`
			w.Configure("resource \"k8sconnect_manifests\" \"all\" {\n  manifests        = " + call + "none\" })\n" +
				"  secret_manifests = " + call + "only\" })\n}\n")
			w.Do("apply", "-auto-approve")
			w.Do("plan", "-detailed-exitcode")
			install(file.upgraded(t, text))
			if out := w.Do("apply", "-auto-approve"); strings.Contains(out, "deprecated.daemonset") {
				t.Errorf("the upgrade tells what the server counts:\n%s", out)
			}
			w.Do("plan", "-detailed-exitcode")
			w.Do("destroy", "-auto-approve")
			w.Exits(story.Changes, "plan", "-detailed-exitcode")
		})
	}
}
