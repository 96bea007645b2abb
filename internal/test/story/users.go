package story

import (
	"os"
	"path/filepath"

	authenticationv1 "k8s.io/api/authentication/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/rest"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/testcluster"
)

// AddUser returns the client configuration of a new user of the control plane. Without groups, the user is an
// administrator.
func (s *Story) AddUser(name string, groups ...string) *rest.Config {
	s.T.Helper()
	if len(groups) == 0 {
		groups = []string{"system:masters"}
	}
	config, err := ControlPlane().User(name, groups...)
	Must(s.T, err)
	return config
}

// Kubeconfig returns a kubeconfig with a context for each of users; the first one is the current context.
func (s *Story) Kubeconfig(users ...*rest.Config) []byte {
	s.T.Helper()
	text, err := testcluster.KubeconfigOf(users...)
	Must(s.T, err)
	return text
}

// File writes a file of the test and returns its path.
func (s *Story) File(name string, content []byte, mode os.FileMode) string {
	s.T.Helper()
	path := filepath.Join(s.T.TempDir(), name)
	Must(s.T, os.WriteFile(path, content, mode))
	return path
}

// Token returns a token of a new ServiceAccount that may do anything in the namespace, and the account's user name.
func (s *Story) Token(account string) (token, user string) {
	s.T.Helper()
	s.As("kubectl").Create("apiVersion: v1\nkind: ServiceAccount\nmetadata: {name: " + account + ", namespace: NS}\n")
	s.As("kubectl").Create("apiVersion: rbac.authorization.k8s.io/v1\nkind: RoleBinding\nmetadata: {name: " + account +
		", namespace: NS}\nsubjects: [{kind: ServiceAccount, name: " + account + ", namespace: NS}]\n" +
		"roleRef: {kind: ClusterRole, apiGroup: rbac.authorization.k8s.io, name: cluster-admin}\n")
	request, err := s.Typed.CoreV1().ServiceAccounts(s.Namespace).CreateToken(s.T.Context(), account,
		&authenticationv1.TokenRequest{}, metav1.CreateOptions{})
	Must(s.T, err)
	return request.Status.Token, "system:serviceaccount:" + s.Namespace + ":" + account
}
