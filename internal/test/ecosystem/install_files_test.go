package ecosystem_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/projects"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
)

func read(t *testing.T, module, version string, patterns ...string) string {
	t.Helper()
	text, err := projects.Read(t.Context(), module, version, patterns...)
	story.Must(t, err)
	return text
}

var image = regexp.MustCompile(`(?m)^(\s*(?:- )?image: [^\s"']+)$`)

// upgraded returns what the upgrade makes of the text.
func upgraded(t *testing.T, f projects.InstallFile, text string) string {
	t.Helper()
	switch {
	case f.Next != "":
		return read(t, f.Module, f.Next, f.Files...)
	case f.Other != "":
		return read(t, f.Module, f.Version, f.Other)
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
// upgrade warns of nothing that other managers own, and the destroy waits for nothing that it has deleted itself.
func TestInstallFiles(t *testing.T) {
	if os.Getenv(enabled) == "" {
		t.Skip("make test-ecosystem runs this test")
	}
	for name, file := range projects.InstallFiles {
		t.Run(name, func(t *testing.T) {
			s := story.New(t)
			w := s.HostedWorkspace()
			namespace := file.Namespace
			head := ""
			if namespace == "" {
				namespace = s.Namespace
			} else {
				head = "apiVersion: v1\nkind: Namespace\nmetadata: {name: " + namespace + "}\n---\n"
			}
			if file.Rules != "" {
				namespaceAdmin(w, file.Rules)
			}
			install := func(text string) {
				story.Must(t, os.WriteFile(filepath.Join(w.Dir, "install.yaml"), []byte(head+text), 0o600))
			}
			text := read(t, file.Module, file.Version, file.Files...)
			install(text)
			call := `provider::k8sconnect::documents(file("${path.module}/install.yaml"), { namespace = "` + namespace + `", format = "json", secrets = "`
			w.Configure("resource \"k8sconnect_manifests\" \"all\" {\n  manifests        = " + call + "none\" })\n" +
				"  secret_manifests = " + call + "only\" })\n}\n")
			w.Do("apply", "-auto-approve")
			w.Do("plan", "-detailed-exitcode")
			install(upgraded(t, file, text))
			if out := w.Do("apply", "-auto-approve"); strings.Contains(out, "deprecated.daemonset") {
				t.Errorf("the upgrade tells what the server counts:\n%s", out)
			}
			w.Do("plan", "-detailed-exitcode")
			w.Do("destroy", "-auto-approve")
			w.Exits(story.Changes, "plan", "-detailed-exitcode")
		})
	}
}
