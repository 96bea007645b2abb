package acceptance_test

import (
	"os"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/terraform"
	authenticationv1 "k8s.io/api/authentication/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
)

// bound returns a token of a ServiceAccount that is valid as long as a new Secret exists, as a projected token is as long as its pod
// exists. revoke deletes the Secret, and waits until the server does not accept the token any more.
func bound(s *story.Story, account, secret string) (token string, revoke func()) {
	s.T.Helper()
	secrets := s.Typed.CoreV1().Secrets(s.Namespace)
	made, err := secrets.Create(s.T.Context(), &corev1.Secret{ObjectMeta: metav1.ObjectMeta{Name: secret}}, metav1.CreateOptions{})
	story.Must(s.T, err)
	request, err := s.Typed.CoreV1().ServiceAccounts(s.Namespace).CreateToken(s.T.Context(), account, &authenticationv1.TokenRequest{
		Spec: authenticationv1.TokenRequestSpec{
			BoundObjectRef: &authenticationv1.BoundObjectReference{APIVersion: "v1", Kind: "Secret", Name: secret, UID: made.UID},
		},
	}, metav1.CreateOptions{})
	story.Must(s.T, err)
	token = request.Status.Token
	return token, func() {
		s.T.Helper()
		story.Must(s.T, secrets.Delete(s.T.Context(), secret, metav1.DeleteOptions{}))
		expectRefused(s, token)
	}
}

// expectRefused waits until the server, which remembers tokens for a while, does not accept one any more.
func expectRefused(s *story.Story, token string) {
	s.T.Helper()
	config := story.ControlPlane().RESTConfig()
	config.CertData, config.KeyData, config.BearerToken = nil, nil, token
	client, err := kubernetes.NewForConfig(config)
	story.Must(s.T, err)
	s.Await("the token is refused", func() bool {
		_, err := client.CoreV1().Secrets(s.Namespace).List(s.T.Context(), metav1.ListOptions{})
		return apierrors.IsUnauthorized(err)
	})
}

// withTokenFile returns a connection to the control plane with the token of a file.
func withTokenFile(path string) string {
	config := story.ControlPlane().RESTConfig()
	return story.Cluster(story.Attributes("host", config.Host, "cluster_ca_certificate", string(config.CAData), "token_file", path))
}

// A token that is replaced while the CLI runs is used from the next request on, and costs no request more. In the first apply, the
// file changes and its token ends between the plan and the apply of one run of the provider's resource; in the second, the file
// changes while the request with the old token is refused.
func TestTokenFileIsRotated(t *testing.T) {
	t.Parallel()
	for name, config := range map[string]func(s *story.Story, path, body string) string{
		"of the provider": func(s *story.Story, path, body string) string {
			return story.ProviderWith(withTokenFile(path)) + s.Manifest("test", body)
		},
		"of the resource": func(s *story.Story, path, body string) string { return s.Manifest("test", body, withTokenFile(path)) },
	} {
		t.Run(name, func(t *testing.T) {
			s := story.New(t)
			_, user := s.Token("deployer")
			requests := s.Meter()
			first, revokeFirst := bound(s, "deployer", "first")
			second, revokeSecond := bound(s, "deployer", "second")
			path := s.File("token", []byte(first+"\n"), 0o600)
			rotate := func(token string, revoke func()) func() {
				return func() {
					story.Must(t, os.WriteFile(path, []byte(token), 0o600))
					revoke()
				}
			}
			third, _ := bound(s, "deployer", "third")
			s.Run(
				resource.TestStep{
					PreConfig:        requests.Start,
					Config:           config(s, path, story.ConfigMap),
					ConfigPlanChecks: story.PlanChecks(story.Meanwhile(rotate(second, revokeFirst))),
					Check: story.LiveChecks(
						requests.ExpectUser(user),
						requests.Applies("patch configmaps NS/web dry-run 201", "patch configmaps NS/web dry-run 201", "patch configmaps NS/web 201"),
						s.ExpectLive("v1 ConfigMap web", map[string]any{"data.colour": "red"}),
					),
				},
				resource.TestStep{
					PreConfig: requests.Start,
					Config:    config(s, path, story.ConfigMapIn("web", `data: {colour: blue}`)),
					ConfigPlanChecks: story.PlanChecks(story.Meanwhile(func() {
						rotate(third, revokeSecond)()
					})),
					Check: story.LiveChecks(
						requests.ExpectUser(user),
						s.ExpectLive("v1 ConfigMap web", map[string]any{"data.colour": "blue"}),
						func(state *terraform.State) error { return undisclosed(s, state, first, second, third) },
					),
				},
			)
		})
	}
}

// undisclosed returns an error if one of the tokens is in the state or in what the provider said.
func undisclosed(s *story.Story, state *terraform.State, tokens ...string) error {
	var all []map[string]any
	for _, module := range state.Modules {
		for _, r := range module.Resources {
			attributes := map[string]any{}
			for name, value := range r.Primary.Attributes {
				attributes[name] = value
			}
			all = append(all, attributes)
		}
	}
	return s.CheckRedacted(tokens, all...)
}
