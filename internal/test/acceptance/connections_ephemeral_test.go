package acceptance_test

import (
	"archive/zip"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
)

// A token that an ephemeral resource reads is the token of another provider block: the plan and the apply each read it, so the apply of
// a saved plan has the token of its own time. Neither the plan nor the state has one.
func TestTokenOfAnEphemeralResource(t *testing.T) {
	s := story.New(t)
	w := s.HostedWorkspace()
	s.Token("deployer")
	first, revoke := bound(s, "deployer", "first")
	second, _ := bound(s, "deployer", "second")
	secrets := s.Typed.CoreV1().Secrets(s.Namespace)
	kept, err := secrets.Create(t.Context(), &corev1.Secret{ObjectMeta: metav1.ObjectMeta{Name: "deployer"}}, metav1.CreateOptions{})
	story.Must(t, err)
	keep := func(token string) {
		kept.Data = map[string][]byte{"token": []byte(token)}
		kept, err = secrets.Update(t.Context(), kept, metav1.UpdateOptions{})
		story.Must(t, err)
	}
	keep(first)
	w.Configure(
		s.Expand("ephemeral \"k8sconnect_object\" \"deployer\" {\n  api_version = \"v1\"\n  kind = \"Secret\"\n  namespace = \"NS\"\n  name = \"deployer\"\n}\n"),
		story.ProviderWith(`alias = "deployer"`, story.Cluster(atHost(), `token = ephemeral.k8sconnect_object.deployer.secret_data["token"]`)),
		redConfigMap(s, "web", "provider = k8sconnect.deployer"))
	mark := story.AuditLog(t).Mark()
	w.Do("plan", "-out=saved.plan")
	keep(second)
	revoke()
	w.Do("apply", "saved.plan")
	expectSent(s, mark, "deployer: patch configmaps NS/web dry-run 201", "deployer: patch configmaps NS/web dry-run 201", "deployer: patch configmaps NS/web 201")
	state, err := os.ReadFile(filepath.Join(w.Dir, "terraform.tfstate"))
	story.Must(t, err)
	for _, text := range []string{string(state), planned(t, filepath.Join(w.Dir, "saved.plan"))} {
		if !strings.Contains(text, "k8sconnect_manifest") || strings.Contains(text, first) || strings.Contains(text, second) {
			t.Errorf("a token is in the state or in the plan:\n%s", text)
		}
	}
	w.Exits(story.Nothing, "plan", "-detailed-exitcode")
	w.Do("destroy", "-auto-approve")
}

// planned returns what a saved plan, which is an archive, holds.
func planned(t *testing.T, path string) string {
	t.Helper()
	archive, err := zip.OpenReader(path)
	story.Must(t, err)
	defer func() { story.Must(t, archive.Close()) }()
	var all strings.Builder
	for _, file := range archive.File {
		reader, err := file.Open()
		story.Must(t, err)
		content, err := io.ReadAll(reader)
		story.Must(t, err)
		all.Write(content)
	}
	return all.String()
}
