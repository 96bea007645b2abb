package outages_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
)

const sized = `
apiVersion: v1
kind: ConfigMap
metadata: {name: sized, namespace: NS}
data: {size: %s}
`

const sizedTarget = "v1 ConfigMap sized"

// token returns a token of a new ServiceAccount that may do anything in the stage's namespace.
func (s *stage) token(account string) string {
	s.T.Helper()
	token, _ := s.Token(account)
	return token
}

// revoke deletes a ServiceAccount, and waits until the server, which remembers tokens for a while, does not
// accept its token any more.
func (s *stage) revoke(account, token string) {
	s.T.Helper()
	story.Must(s.T, s.Typed.CoreV1().ServiceAccounts(s.Namespace).Delete(s.T.Context(), account, metav1.DeleteOptions{}))
	config := story.ControlPlane().RESTConfig()
	config.CertData, config.KeyData, config.BearerToken = nil, nil, token
	client, err := kubernetes.NewForConfig(config)
	story.Must(s.T, err)
	s.Await("the token is refused", func() bool {
		_, err := client.Discovery().ServerVersion()
		_, list := client.CoreV1().ConfigMaps(s.Namespace).List(s.T.Context(), metav1.ListOptions{})
		return apierrors.IsUnauthorized(list) && err != nil
	})
}

// with returns a connection with these lines beside the address.
func with(lines ...string) string {
	config := story.ControlPlane().RESTConfig()
	return fmt.Sprintf("{\nhost = %q\ncluster_ca_certificate = %q\n%s\n}", config.Host, config.CAData, strings.Join(lines, "\n"))
}

func withToken(token string) string { return with(fmt.Sprintf("token = %q", token)) }

func (s *stage) sized(size string, arguments ...string) string {
	return s.Manifest("test", fmt.Sprintf(sized, size), arguments...)
}

func (s *stage) expectSize(want string) {
	s.T.Helper()
	if got := s.configMaps("sized")["sized"].Data["size"]; got != want {
		s.T.Errorf("the size on the server is %q, want %q", got, want)
	}
}

const address = "k8sconnect_manifest.test"

// The provider's credentials end between a plan and its apply, which plans again first: nothing is done,
// nothing is lost, and the next apply with fresh ones does it.
func TestCredentialsExpireBeforeApply(t *testing.T) {
	s := newStage(t)
	first, second, third := s.token("first"), s.token("second"), s.token("third")

	s.ConfigureProvider(withToken(first), s.sized("small"))
	s.exits(story.Nothing, "plan", "-out=create.plan")
	s.revoke("first", first)
	said := s.exits(story.Refused, "apply", "create.plan")
	s.says(said, "Unauthorized", "ConfigMap "+s.Namespace+"/sized (v1) could not be planned: the server did not accept the credentials",
		"Renew the credentials")
	s.expectSize("")
	if len(s.state()) != 0 {
		t.Errorf("the state holds %v", s.state())
	}

	s.ConfigureProvider(withToken(second), s.sized("small"))
	s.exits(story.Nothing, "apply", "-auto-approve")
	s.ConfigureProvider(withToken(second), s.sized("large"))
	s.exits(story.Nothing, "plan", "-out=update.plan")
	s.exits(story.Nothing, "plan", "-destroy", "-out=destroy.plan")
	s.revoke("second", second)
	for saved, verb := range map[string]string{"update": "planned", "destroy": "deleted"} {
		before := s.state()[address]
		said = s.exits(story.Refused, "apply", saved+".plan")
		s.says(said, "Unauthorized", "could not be "+verb, "the server did not accept the credentials")
		s.expectSize("small")
		if after := s.state()[address]; after == "" || after != before {
			t.Errorf("%s: the state had the uid %q and has %q", saved, before, after)
		}
	}
	s.ConfigureProvider(withToken(third), s.sized("large"))
	s.exits(story.Nothing, "apply", "-auto-approve")
	s.expectSize("large")
	s.settled()
	s.exits(story.Nothing, "destroy", "-auto-approve")
}

// The credentials in the state have ended since the last apply. A refresh keeps the state, and the plan
// goes on with those of the configuration.
func TestStoredCredentialsExpire(t *testing.T) {
	s := newStage(t)
	old, fresh, last := s.token("old"), s.token("fresh"), s.token("last")
	own := func(token string) string { return "cluster = " + withToken(token) }
	s.Configure(s.sized("small", own(old)))
	s.exits(story.Nothing, "apply", "-auto-approve")
	uid := s.state()[address]
	s.revoke("old", old)

	said := s.exits(story.Refused, "plan")
	s.says(said, "Stored Credentials Refused", "with "+address, "cluster = {", "ConfigMap "+s.Namespace+"/sized (v1) could not be planned",
		"Set new credentials in `cluster`")
	s.says(s.exits(story.Refused, "destroy", "-auto-approve"), "Stored Credentials Refused", "Set new credentials in `cluster`")
	s.exits(story.Nothing, "apply", "-refresh-only", "-auto-approve")
	if s.state()[address] != uid {
		t.Fatalf("the state has the uid %q after the refresh, want %q", s.state()[address], uid)
	}

	s.Configure(s.sized("small", own(fresh)))
	said = s.exits(story.Changes, "plan", "-detailed-exitcode")
	s.says(said, "Object Not Refreshed", "ConfigMap "+s.Namespace+"/sized (v1) could not be read", "the server did not accept the credentials",
		"will be updated in-place", "Plan: 0 to add, 1 to change, 0 to destroy")
	said = s.exits(story.Refused, "destroy", "-auto-approve")
	s.says(said, "Stored Credentials Refused", "could not be deleted", "First apply the resource with new credentials in its `cluster`")
	s.expectSize("small")
	s.exits(story.Nothing, "apply", "-auto-approve")
	s.exits(story.Nothing, "plan", "-detailed-exitcode", "-refresh=false")
	s.settled()

	s.revoke("fresh", fresh)
	s.Configure(s.sized("large", own(last)))
	s.exits(story.Nothing, "apply", "-auto-approve")
	s.expectSize("large")
	if s.state()[address] != uid {
		t.Errorf("the object was replaced")
	}
	s.settled()
	s.revoke("last", last)
	said = s.exits(story.Refused, "destroy", "-auto-approve", "-refresh=false")
	s.says(said, "Stored Credentials Refused", "could not be deleted", "First apply the resource with new credentials in its `cluster`")
	s.expectSize("large")

	s.Configure(s.sized("large"))
	s.exits(story.Nothing, "apply", "-auto-approve")
	s.settled()
	s.exits(story.Nothing, "destroy", "-auto-approve")
}

// The server of the connection in the state has moved. The error says how the connection of the configuration gets into the
// state.
func TestStoredServerMoves(t *testing.T) {
	s := newStage(t)
	old, moved := s.newGate(), s.newGate()
	own := func(name string, through *gate) string {
		return s.sized("small", fmt.Sprintf("cluster = { config_path = %q }", s.kubeconfig(name, through)))
	}
	s.Configure(own("old.yaml", old))
	s.exits(story.Nothing, "apply", "-auto-approve")
	uid := s.state()[address]
	old.refuse()
	s.Configure(own("new.yaml", moved))
	for _, args := range [][]string{{"plan"}, {"destroy", "-auto-approve"}} {
		s.says(s.exits(story.Refused, args...), "Cluster Unreachable", "The refresh uses the `cluster` in the state",
			"apply it once with -refresh=false, also before a destroy")
	}
	s.exits(story.Nothing, "apply", "-auto-approve", "-refresh=false")
	if s.state()[address] != uid {
		t.Error("the object was replaced")
	}
	s.settled()
	s.exits(story.Nothing, "destroy", "-auto-approve")
}

// A file that the state's connection names is gone: it counts as credentials that ended.
func TestStoredFileIsGone(t *testing.T) {
	s := newStage(t)
	here := s.file("here.yaml", string(story.ControlPlane().Kubeconfig()), 0o600)
	own := func(path string) string { return fmt.Sprintf("cluster = { config_path = %q }", path) }
	s.Configure(s.sized("small", own(here)))
	s.exits(story.Nothing, "apply", "-auto-approve")
	story.Must(t, os.Remove(here))
	s.says(s.exits(story.Refused, "plan"), "there is no such file")
	s.Configure(s.sized("large", own(story.ControlPlane().KubeconfigPath())))
	s.says(s.exits(story.Changes, "plan", "-detailed-exitcode"), "Object Not Refreshed", "there is no such file", "1 to change, 0 to destroy")
	s.exits(story.Nothing, "apply", "-auto-approve")
	s.expectSize("large")
	s.settled()
}

// The credentials of a patch have ended, and other managers have written to its object since. Its new field is compared
// with those of the other resources all the same.
func TestSharedFieldAfterCredentialsExpire(t *testing.T) {
	s := newStage(t)
	old, fresh := s.token("old"), s.token("fresh")
	s.As("flux").Create(story.ConfigMapIn("settings", `data: {kept: "1"}`))
	patches := func(token, body string) []string {
		return []string{
			s.PatchBlock("one", story.SettingsTarget, body, `field_manager = "one"`, "cluster = "+withToken(token)),
			s.PatchBlock("two", story.SettingsTarget, "data: {b: two}", `field_manager = "two"`),
		}
	}
	s.Configure(patches(old, "data: {a: one}")...)
	s.exits(story.Nothing, "apply", "-auto-approve")
	s.revoke("old", old)
	s.As("eve").Patch(story.SettingsTarget, `{"data": {"a": "hers"}}`)
	s.Configure(patches(fresh, "data: {a: one, b: one}")...)
	s.says(s.exits(story.Refused, "plan"), "Field Managed Twice", "data.b")
}
