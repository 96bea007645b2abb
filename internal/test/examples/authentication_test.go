package examples_test

import (
	"encoding/base64"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"testing"

	authenticationv1 "k8s.io/api/authentication/v1"
	corev1 "k8s.io/api/core/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/testcluster/workdir"
)

// plugins are the credential plugins of the examples, by name, with the arguments that each must get.
var plugins = map[string]string{
	"aws":                    "eks get-token --cluster-name hello --region eu-central-1 --output json",
	"gke-gcloud-auth-plugin": "",
	"kubelogin":              "get-token --login azurecli --server-id 6dae42f8-4368-4678-94ff-3960e28e3630",
}

// authenticating returns the environment in which the examples of examples/authentication, and those that create a
// cluster of a cloud, reach the control plane: the values of their variables, programs that have the names of the
// credential plugins and print a real token, and providers of clouds. surround adds to an example what the other
// examples do not have.
func authenticating(t *testing.T) (env []string, surround func(e *example)) {
	t.Helper()
	token, authority := serviceAccount(t), story.ControlPlane().RESTConfig().CAData
	bin, mounted := t.TempDir(), t.TempDir()
	for name, arguments := range plugins {
		script := fmt.Sprintf("#!/bin/sh\n[ \"$*\" = %q ] || exit 1\necho '%s'\n", arguments,
			`{"apiVersion":"client.authentication.k8s.io/v1beta1","kind":"ExecCredential","status":{"token":"`+token+`"}}`)
		story.Must(t, os.WriteFile(filepath.Join(bin, name), []byte(script), 0o700))
	}
	story.Must(t, os.WriteFile(filepath.Join(mounted, "token"), []byte(token), 0o600))
	story.Must(t, os.WriteFile(filepath.Join(mounted, "ca.crt"), authority, 0o600))
	host := story.ControlPlane().RESTConfig().Host
	return []string{
		"PATH=" + bin + string(os.PathListSeparator) + os.Getenv("PATH"),
		"TF_VAR_cluster_name=hello",
		"TF_VAR_region=eu-central-1",
		"TF_VAR_location=westeurope",
		"TF_VAR_project=example",
		`TF_VAR_subnet_ids=["subnet-1","subnet-2"]`,
		`TF_VAR_admin_group_ids=["00000000-0000-0000-0000-000000000000"]`,
		"TF_VAR_endpoint=" + host,
		"TF_VAR_certificate_authority=" + base64.StdEncoding.EncodeToString(authority),
		"TF_VAR_token=" + token,
		"TF_VAR_token_file=" + filepath.Join(mounted, "token"),
		`TF_VAR_tfc_kubernetes_dynamic_credentials={default={token_path="/nowhere"},aliases={STAGING={token_path="` + filepath.Join(mounted, "token") + `"}}}`,
		serveClouds(t, token, story.ControlPlane().RESTConfig()),
	}, surrounding(token, mounted)
}

// surrounding returns a function that gives an example what it needs around it, and no other example may have.
func surrounding(token, mounted string) func(e *example) {
	return func(e *example) {
		switch e.name {
		case "authentication/in-cluster":
			server, err := url.Parse(story.ControlPlane().RESTConfig().Host)
			story.Must(e.T, err)
			provider, err := workdir.Build(e.T.Context(), e.T.TempDir(),
				"-ldflags=-X github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster/kube/connect.serviceAccountDirectory="+mounted)
			story.Must(e.T, err)
			_, err = workdir.New(e.Dir, provider, e.CLI)
			story.Must(e.T, err)
			e.Env = append(e.Env, "KUBERNETES_SERVICE_HOST="+server.Hostname(), "KUBERNETES_SERVICE_PORT="+server.Port())
		case "authentication/dynamic-credentials":
			e.Env = append(e.Env, "KUBE_TOKEN="+token)
		}
	}
}

// serviceAccount makes a ServiceAccount that may do everything, and returns a token of it.
func serviceAccount(t *testing.T) string {
	t.Helper()
	client, err := kubernetes.NewForConfig(story.ControlPlane().RESTConfig())
	story.Must(t, err)
	const name = "examples"
	accounts := client.CoreV1().ServiceAccounts(metav1.NamespaceDefault)
	_, err = accounts.Create(t.Context(), &corev1.ServiceAccount{ObjectMeta: metav1.ObjectMeta{Name: name}}, metav1.CreateOptions{})
	story.Must(t, err)
	_, err = client.RbacV1().ClusterRoleBindings().Create(t.Context(), &rbacv1.ClusterRoleBinding{
		ObjectMeta: metav1.ObjectMeta{Name: name},
		RoleRef:    rbacv1.RoleRef{APIGroup: rbacv1.GroupName, Kind: "ClusterRole", Name: "cluster-admin"},
		Subjects:   []rbacv1.Subject{{Kind: rbacv1.ServiceAccountKind, Name: name, Namespace: metav1.NamespaceDefault}},
	}, metav1.CreateOptions{})
	story.Must(t, err)
	request, err := accounts.CreateToken(t.Context(), name, &authenticationv1.TokenRequest{}, metav1.CreateOptions{})
	story.Must(t, err)
	return request.Status.Token
}
