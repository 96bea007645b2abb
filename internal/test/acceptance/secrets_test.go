package acceptance_test

import (
	"cmp"
	"encoding/base64"
	"fmt"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
)

const (
	planted = "hunter2-correct-horse"
	edited  = "hunter3-battery-staple"
)

const credentials = "v1 Secret credentials"

func encoded(text string) string { return base64.StdEncoding.EncodeToString([]byte(text)) }

// secret returns a Secret with these lines below its metadata.
func secret(lines string) string {
	return "apiVersion: v1\nkind: Secret\nmetadata: {name: credentials, namespace: NS}\n" + lines
}

// expectSecretDigest asserts that a field of the state is a digest.
func expectSecretDigest(field string) story.StateCheck {
	return func(attributes map[string]any) error {
		if got := story.Entry(attributes, story.ManagedState, field); !strings.HasPrefix(got, "(sensitive, hmac-sha256:") {
			return fmt.Errorf("state: managed_state[%s] is %s, want a digest", field, got)
		}
		return nil
	}
}

// Secret values never show, in data or in stringData, in what the provider computes or says, and drift of
// them does.
func TestSecretsStayUndisclosed(t *testing.T) {
	t.Parallel()
	stories := map[string]struct{ body, sent, field, key string }{
		"data": {
			body:  secret("data: {password: " + encoded(planted) + "}\n"),
			field: "data.password", key: "password",
		},
		"stringData": {
			body:  secret("stringData: {password: " + planted + "}\n"),
			sent:  secret("data: {password: " + encoded(planted) + "}\n"),
			field: "data.password", key: "password",
		},
		"a dotted key": {
			body: secret("type: kubernetes.io/dockerconfigjson\ndata: {.dockerconfigjson: " +
				encoded(`{"auths":{"r":{"auth":"`+planted+`"}}}`) + "}\n"),
			field: "data..dockerconfigjson", key: ".dockerconfigjson",
		},
	}
	for name, test := range stories {
		t.Run(name, func(t *testing.T) {
			playSecret(story.New(t), test.body, cmp.Or(test.sent, test.body), test.field, test.key)
		})
	}
}

func playSecret(s *story.Story, body, sent, field, key string) {
	value := planted
	change := edited
	if key == ".dockerconfigjson" {
		value, change = `{"auths":{"r":{"auth":"`+planted+`"}}}`, `{"auths":{"r":{"auth":"`+edited+`"}}}`
	}
	hidden := s.ExpectRedacted(planted, edited, value, change)
	live := s.ExpectLiveJSON(credentials, `"`+encoded(value)+`"`, "data", key)
	s.Run(
		resource.TestStep{
			Config:            s.Config(body),
			ConfigPlanChecks:  story.PlanChecks(story.ExpectOwner(field, story.Absent, "k8sconnect"), s.ExpectPrediction(sent), hidden),
			ConfigStateChecks: story.StateChecks(expectSecretDigest(field), s.ExpectStateRedacted(planted, value)),
			Check:             live,
		},
		resource.TestStep{
			PreConfig: s.NextStep(func() {
				s.As("kubectl-edit").Patch(credentials, fmt.Sprintf(`{"data":{%q:%q}}`, key, encoded(change)))
			}),
			Config: s.Config(body),
			ConfigPlanChecks: story.PlanChecks(
				plancheck.ExpectResourceAction(story.Address, plancheck.ResourceActionUpdate),
				s.ExpectPrediction(sent),
				hidden,
			),
			ConfigStateChecks: story.StateChecks(expectSecretDigest(field), s.ExpectStateRedacted(planted, edited, value, change)),
			Check:             live,
		},
	)
}

// What the server says of a Secret that it refuses can quote the values.
func TestRefusedSecretsStayUndisclosed(t *testing.T) {
	t.Parallel()
	bodies := map[string]string{
		"a value that is a number":           secret("data: {password: 271828182845}\n"),
		"a value that is not base64":         secret("data: {password: \"271828182845!\"}\n"),
		"a value that is a map":              secret("stringData: {password: {inner: \"271828182845\"}}\n"),
		"stringData that is a text":          secret("stringData: \"271828182845\"\n"),
		"data that is a list of values":      secret("data: [\"271828182845\"]\n"),
		"a value that does not fit the type": secret("type: kubernetes.io/dockerconfigjson\nstringData: {.dockerconfigjson: \"271828182845{\"}\n"),
	}
	for name, body := range bodies {
		t.Run(name, func(t *testing.T) {
			s := story.New(t)
			s.Run(resource.TestStep{Config: s.Config(body), ExpectError: story.Saying("could not be planned")})
			if err := s.CheckRedacted([]string{"271828182845"}); err != nil {
				t.Error(err)
			}
			if s.Provider.Everything() == nil {
				t.Error("the provider said nothing")
			}
		})
	}
}
