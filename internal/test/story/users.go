package story

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

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

// groups are the API groups of the resources that the stories about permissions name; the others are in the core group.
var groups = map[string]string{"deployments": "apps", "replicasets": "apps", "jobs": "batch", "cronjobs": "batch",
	"roles": "rbac.authorization.k8s.io", "rolebindings": "rbac.authorization.k8s.io"}

// Limited returns the attribute cluster of a new ServiceAccount. It has the verbs on the resources in the story's
// namespace, and may get the namespace kube-system.
func (s *Story) Limited(account string, verbs map[string][]string) string {
	s.T.Helper()
	rules := ""
	for _, resource := range slices.Sorted(maps.Keys(verbs)) {
		rules += fmt.Sprintf("- {apiGroups: [%q], resources: [%s], verbs: [%s]}\n", groups[resource], resource,
			strings.Join(verbs[resource], ", "))
	}
	who := s.As("kubectl")
	const group = "rbac.authorization.k8s.io"
	subject := "subjects: [{kind: ServiceAccount, name: " + account + ", namespace: NS}]\n"
	who.Create("apiVersion: v1\nkind: ServiceAccount\nmetadata: {name: " + account + ", namespace: NS}\n")
	who.Create("apiVersion: " + group + "/v1\nkind: Role\nmetadata: {name: " + account + ", namespace: NS}\nrules:\n" +
		rules)
	who.Create("apiVersion: " + group + "/v1\nkind: RoleBinding\nmetadata: {name: " + account + ", namespace: NS}\n" +
		subject +
		"roleRef: {kind: Role, apiGroup: " + group + ", name: " + account + "}\n")
	system := s.Namespace + "-" + account
	for _, body := range []string{
		"apiVersion: " + group + "/v1\nkind: Role\nmetadata: {name: " + system +
			", namespace: kube-system}\nrules: [{apiGroups: [\"\"], resources: [namespaces], resourceNames: " +
			"[kube-system], verbs: [get]}]\n",
		"apiVersion: " + group + "/v1\nkind: RoleBinding\nmetadata: {name: " + system + ", namespace: kube-system}\n" +
			subject + "roleRef: {kind: Role, apiGroup: " + group + ", name: " + system + "}\n",
	} {
		who.Create(body)
	}
	request, err := s.Typed.CoreV1().ServiceAccounts(s.Namespace).CreateToken(s.T.Context(), account,
		&authenticationv1.TokenRequest{}, metav1.CreateOptions{})
	Must(s.T, err)
	server := ControlPlane().RESTConfig()
	return "{\n  host = " + fmt.Sprintf("%q", server.Host) + "\n  cluster_ca_certificate = " +
		fmt.Sprintf("%q", server.CAData) + "\n  token = " + fmt.Sprintf("%q", request.Status.Token) + "\n}"
}
