package acceptance_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/testcluster"
)

// expectSent asserts the requests for ConfigMaps of the namespace since mark, and that the server refused none. Requests of a
// ServiceAccount of the namespace are written "user: request".
func expectSent(s *story.Story, mark testcluster.Position, want ...string) {
	s.T.Helper()
	accounts := "system:serviceaccount:" + s.Namespace + ":"
	here := func(r testcluster.Request) bool {
		return r.Namespace == s.Namespace || strings.HasPrefix(r.User, accounts)
	}
	sent, err := story.AuditLog(s.T).Since(mark, testcluster.ByResource("configmaps"), here)
	story.Must(s.T, err)
	var got []string
	for _, request := range sent {
		if request.Code == 401 && request.Namespace == s.Namespace {
			got = append(got, request.String())
		}
		if account, isOurs := strings.CutPrefix(request.User, accounts); isOurs {
			got = append(got, account+": "+strings.ReplaceAll(request.String(), s.Namespace, "NS"))
		}
	}
	if !slices.Equal(want, got) {
		s.T.Errorf("requests\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// atHost returns the attributes of a connection to the control plane, without credentials.
func atHost() string {
	config := story.ControlPlane().RESTConfig()
	return story.Attributes("host", config.Host, "cluster_ca_certificate", string(config.CAData))
}

// redConfigMap returns a ConfigMap resource without changes to its body, and further lines.
func redConfigMap(s *story.Story, name string, lines ...string) string {
	return s.Manifest(name, story.ConfigMapIn(name, `data: {colour: red}`), lines...)
}

// In the middle of an apply, the token is replaced and the old one expires. Later requests have the new token, and no request
// is refused or sent twice. The process of the provider is the same.
func TestTokenFileIsRotatedDuringAnApply(t *testing.T) {
	s := story.New(t)
	w := s.HostedWorkspace()
	s.Token("deployer")
	first, revoke := bound(s, "deployer", "first")
	second, _ := bound(s, "deployer", "second")
	path := filepath.Join(w.Dir, "token")
	story.Must(t, os.WriteFile(path, []byte(first), 0o600))
	// The pause of the CLI between the two objects.
	const pause = "resource \"terraform_data\" \"pause\" {\n  depends_on = [k8sconnect_manifest.before]\n" +
		"  provisioner \"local-exec\" {\n    command = \"touch reached; until [ -e rotated ]; do sleep 0.1; done\"\n  }\n}\n"
	w.ConfigureProvider("{\n"+atHost()+"\ntoken_file = \"./token\"\n}",
		redConfigMap(s, "before"), pause, redConfigMap(s, "after", "depends_on = [terraform_data.pause]"))
	w.Do("plan", "-out=saved.plan")
	mark := story.AuditLog(t).Mark()
	rotated := make(chan struct{})
	go func() {
		defer close(rotated)
		for exists(filepath.Join(w.Dir, "reached")) != nil && t.Context().Err() == nil {
			time.Sleep(50 * time.Millisecond)
		}
		// As the kubelet does it.
		story.Must(t, os.WriteFile(path+".new", []byte(second), 0o600))
		story.Must(t, os.Rename(path+".new", path))
		revoke()
		story.Must(t, os.WriteFile(filepath.Join(w.Dir, "rotated"), nil, 0o600))
	}()
	w.Do("apply", "saved.plan")
	<-rotated
	const dryRun, patch = "deployer: patch configmaps NS/%s dry-run 201", "deployer: patch configmaps NS/%s 201"
	expectSent(s, mark, fmt.Sprintf(dryRun, "before"), fmt.Sprintf(patch, "before"), fmt.Sprintf(dryRun, "after"), fmt.Sprintf(patch, "after"))
	w.Exits(story.Nothing, "plan", "-detailed-exitcode")
	w.Do("destroy", "-auto-approve")
}

func exists(path string) error {
	_, err := os.Stat(path)
	return err
}
