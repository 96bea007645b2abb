package manifestresource_test

import (
	"os"
	"path/filepath"

	authenticationv1 "k8s.io/api/authentication/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/rest"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/testcluster"
)

// addUser signs a new user of the control plane, an administrator where it is in no other group.
func (s *story) addUser(name string, groups ...string) *rest.Config {
	s.t.Helper()
	if len(groups) == 0 {
		groups = []string{"system:masters"}
	}
	config, err := controlPlane().User(name, groups...)
	must(s.t, err)
	return config
}

// kubeconfig has a context for each of users; the first is the current one.
func (s *story) kubeconfig(users ...*rest.Config) []byte {
	s.t.Helper()
	text, err := testcluster.KubeconfigOf(users...)
	must(s.t, err)
	return text
}

// file writes a file of the test and returns its path.
func (s *story) file(name string, content []byte, mode os.FileMode) string {
	s.t.Helper()
	path := filepath.Join(s.t.TempDir(), name)
	must(s.t, os.WriteFile(path, content, mode))
	return path
}

// token returns a token of a new ServiceAccount that may do anything, and the account's user name.
func (s *story) token() (token, user string) {
	s.t.Helper()
	s.as("kubectl").create("apiVersion: v1\nkind: ServiceAccount\nmetadata: {name: deployer, namespace: NS}\n")
	s.as("kubectl").create("apiVersion: rbac.authorization.k8s.io/v1\nkind: RoleBinding\nmetadata: {name: deployer, namespace: NS}\n" +
		"subjects: [{kind: ServiceAccount, name: deployer, namespace: NS}]\n" +
		"roleRef: {kind: ClusterRole, apiGroup: rbac.authorization.k8s.io, name: cluster-admin}\n")
	request, err := s.typed.CoreV1().ServiceAccounts(s.namespace).CreateToken(s.t.Context(), "deployer",
		&authenticationv1.TokenRequest{}, metav1.CreateOptions{})
	must(s.t, err)
	return request.Status.Token, "system:serviceaccount:" + s.namespace + ":deployer"
}
