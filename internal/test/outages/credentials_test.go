package outages_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	authenticationv1 "k8s.io/api/authentication/v1"
	corev1 "k8s.io/api/core/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
)

const sized = `
apiVersion: v1
kind: ConfigMap
metadata: {name: sized, namespace: NS}
data: {size: %s}
`

// token returns a token of a new ServiceAccount that may do anything in the stage's namespace.
func (s *stage) token(account string) string {
	s.Helper()
	accounts := s.typed.CoreV1().ServiceAccounts(s.namespace)
	_, err := accounts.Create(s.Context(), &corev1.ServiceAccount{ObjectMeta: metav1.ObjectMeta{Name: account}}, metav1.CreateOptions{})
	must(s.T, err)
	_, err = s.typed.RbacV1().RoleBindings(s.namespace).Create(s.Context(), &rbacv1.RoleBinding{
		ObjectMeta: metav1.ObjectMeta{Name: account},
		RoleRef:    rbacv1.RoleRef{APIGroup: rbacv1.GroupName, Kind: "ClusterRole", Name: "cluster-admin"},
		Subjects:   []rbacv1.Subject{{Kind: rbacv1.ServiceAccountKind, Name: account, Namespace: s.namespace}},
	}, metav1.CreateOptions{})
	must(s.T, err)
	request, err := accounts.CreateToken(s.Context(), account, &authenticationv1.TokenRequest{}, metav1.CreateOptions{})
	must(s.T, err)
	return request.Status.Token
}

// revoke deletes a ServiceAccount, and waits until the server, which remembers tokens for a while, does not
// accept its token any more.
func (s *stage) revoke(account, token string) {
	s.Helper()
	must(s.T, s.typed.CoreV1().ServiceAccounts(s.namespace).Delete(s.Context(), account, metav1.DeleteOptions{}))
	config := controlPlane.RESTConfig()
	config.CertData, config.KeyData, config.BearerToken = nil, nil, token
	client, err := kubernetes.NewForConfig(config)
	must(s.T, err)
	s.await("the token is refused", func() bool {
		_, err := client.Discovery().ServerVersion()
		_, list := client.CoreV1().ConfigMaps(s.namespace).List(s.Context(), metav1.ListOptions{})
		return apierrors.IsUnauthorized(list) && err != nil
	})
}

// with returns a connection with these lines beside the address.
func with(lines ...string) string {
	config := controlPlane.RESTConfig()
	return fmt.Sprintf("{\nhost = %q\ncluster_ca_certificate = %q\n%s\n}", config.Host, config.CAData, strings.Join(lines, "\n"))
}

func withToken(token string) string { return with(fmt.Sprintf("token = %q", token)) }

func (s *stage) sized(size string, arguments ...string) string {
	return s.manifest("test", fmt.Sprintf(sized, size), arguments...)
}

func (s *stage) expectSize(want string) {
	s.Helper()
	if got := s.configMaps("sized")["sized"].Data["size"]; got != want {
		s.Errorf("the size on the server is %q, want %q", got, want)
	}
}

const address = "k8sconnect_manifest.test"

// The provider's credentials end between a plan and its apply, which plans again first: nothing is done,
// nothing is lost, and the next apply with fresh ones does it.
func TestCredentialsExpireBeforeApply(t *testing.T) {
	s := newStage(t)
	first, second, third := s.token("first"), s.token("second"), s.token("third")

	s.configureProvider(withToken(first), s.sized("small"))
	s.exits(nothing, "plan", "-out=create.plan")
	s.revoke("first", first)
	said := s.exits(refused, "apply", "create.plan")
	s.says(said, "Unauthorized", "ConfigMap "+s.namespace+"/sized (v1) could not be planned: the server did not accept the credentials",
		"Renew the credentials")
	s.expectSize("")
	if len(s.state()) != 0 {
		t.Errorf("the state holds %v", s.state())
	}

	s.configureProvider(withToken(second), s.sized("small"))
	s.exits(nothing, "apply", "-auto-approve")
	s.configureProvider(withToken(second), s.sized("large"))
	s.exits(nothing, "plan", "-out=update.plan")
	s.exits(nothing, "plan", "-destroy", "-out=destroy.plan")
	s.revoke("second", second)
	for saved, verb := range map[string]string{"update": "planned", "destroy": "deleted"} {
		before := s.state()[address]
		said = s.exits(refused, "apply", saved+".plan")
		s.says(said, "Unauthorized", "could not be "+verb, "the server did not accept the credentials")
		s.expectSize("small")
		if after := s.state()[address]; after == "" || after != before {
			t.Errorf("%s: the state had the uid %q and has %q", saved, before, after)
		}
	}
	s.configureProvider(withToken(third), s.sized("large"))
	s.exits(nothing, "apply", "-auto-approve")
	s.expectSize("large")
	s.settled()
	s.exits(nothing, "destroy", "-auto-approve")
}

// The credentials in the state have ended since the last apply. A refresh keeps the state, and the plan
// goes on with those of the configuration.
func TestStoredCredentialsExpire(t *testing.T) {
	s := newStage(t)
	old, fresh, last := s.token("old"), s.token("fresh"), s.token("last")
	own := func(token string) string { return "cluster = " + withToken(token) }
	s.configure(s.sized("small", own(old)))
	s.exits(nothing, "apply", "-auto-approve")
	uid := s.state()[address]
	s.revoke("old", old)

	said := s.exits(refused, "plan")
	s.says(said, "Stored Credentials Refused", "with "+address, "cluster = {", "ConfigMap "+s.namespace+"/sized (v1) could not be planned",
		"Write new credentials into `cluster`")
	s.says(s.exits(refused, "destroy", "-auto-approve"), "Stored Credentials Refused", "Write new credentials into `cluster`")
	s.exits(nothing, "apply", "-refresh-only", "-auto-approve")
	if s.state()[address] != uid {
		t.Fatalf("the state has the uid %q after the refresh, want %q", s.state()[address], uid)
	}

	s.configure(s.sized("small", own(fresh)))
	said = s.exits(changes, "plan", "-detailed-exitcode")
	s.says(said, "Object Not Refreshed", "ConfigMap "+s.namespace+"/sized (v1) could not be read", "the server did not accept the credentials",
		"will be updated in-place", "Plan: 0 to add, 1 to change, 0 to destroy")
	said = s.exits(refused, "destroy", "-auto-approve")
	s.says(said, "Stored Credentials Refused", "could not be deleted", "First apply the resource with new credentials in its `cluster`")
	s.expectSize("small")
	s.exits(nothing, "apply", "-auto-approve")
	s.exits(nothing, "plan", "-detailed-exitcode", "-refresh=false")
	s.settled()

	s.revoke("fresh", fresh)
	s.configure(s.sized("large", own(last)))
	s.exits(nothing, "apply", "-auto-approve")
	s.expectSize("large")
	if s.state()[address] != uid {
		t.Errorf("the object was replaced")
	}
	s.settled()
	s.revoke("last", last)
	said = s.exits(refused, "destroy", "-auto-approve", "-refresh=false")
	s.says(said, "Stored Credentials Refused", "could not be deleted", "First apply the resource with new credentials in its `cluster`")
	s.expectSize("large")

	s.configure(s.sized("large"))
	s.exits(nothing, "apply", "-auto-approve")
	s.settled()
	s.exits(nothing, "destroy", "-auto-approve")
}

// A file that the state's connection names is gone: it counts as credentials that ended.
func TestStoredFileIsGone(t *testing.T) {
	s := newStage(t)
	here := s.file("here.yaml", string(controlPlane.Kubeconfig()), 0o600)
	own := func(path string) string { return fmt.Sprintf("cluster = { config_path = %q }", path) }
	s.configure(s.sized("small", own(here)))
	s.exits(nothing, "apply", "-auto-approve")
	must(t, os.Remove(here))
	s.says(s.exits(refused, "plan"), "there is no such file")
	s.configure(s.sized("large", own(controlPlane.KubeconfigPath())))
	s.says(s.exits(changes, "plan", "-detailed-exitcode"), "Object Not Refreshed", "there is no such file", "1 to change, 0 to destroy")
	s.exits(nothing, "apply", "-auto-approve")
	s.expectSize("large")
	s.settled()
}
