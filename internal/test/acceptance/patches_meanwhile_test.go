package acceptance_test

import (
	"errors"
	"testing"
	"time"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/terraform"
	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
)

// Another client adds a field after the plan of an apply has read the object, and the first apply of a patch overwrites
// it: the apply says so, and the field counts as one that was there before the patch.
func TestFieldAddedWhileAPatchIsCreated(t *testing.T) {
	t.Parallel()
	for name, block := range map[string]func(s *story.Story, policy string) string{
		"apply": func(s *story.Story, policy string) string {
			return s.PatchConfig(story.SettingsTarget, "data: {a: ours, new: ours}", ours, policy)
		},
		"merge": func(s *story.Story, policy string) string {
			return s.TypedPatchConfig(story.SettingsTarget, "merge", `{"data": {"a": "ours", "new": "ours"}}`, ours, policy)
		},
	} {
		for policy, left := range map[string]string{"remove": `{"a":"ours","b":"2"}`, "restore": `{"a":"theirs","b":"2"}`} {
			t.Run(name+", then "+policy, func(t *testing.T) {
				s := story.New(t)
				s.As("bob").Apply(story.ConfigMapIn("settings", `data: {b: "2"}`))
				config := block(s, `on_destroy = "`+policy+`"`)
				s.Run(
					resource.TestStep{
						PreConfig: s.NextStep(func() {
							s.Provider.BeforeApply(func() { s.As("eve").Patch(story.SettingsTarget, `{"data": {"a": "theirs"}}`) })
						}),
						Config: config,
						Check: story.LiveChecks(
							s.ExpectOverwritten("data.a"), s.ExpectLiveJSON(story.SettingsTarget, `{"a":"ours","b":"2","new":"ours"}`, "data"),
						),
						ConfigStateChecks: story.StateChecks(expectAdded("data.new")),
					},
					resource.TestStep{Config: s.ProviderBlock(), Check: s.ExpectLiveJSON(story.SettingsTarget, left, "data")},
				)
			})
		}
	}
}

// With on_conflict = "fail", a patch takes nothing that other managers wrote after its plan.
func TestPatchRefusesConflictsOfItsApply(t *testing.T) {
	t.Parallel()
	for name, block := range map[string]func(s *story.Story, value string) string{
		"apply": func(s *story.Story, value string) string {
			return s.PatchConfig(story.SettingsTarget, "data: {a: "+value+"}", ours, `on_conflict = "fail"`)
		},
		"merge": func(s *story.Story, value string) string {
			return s.TypedPatchConfig(story.SettingsTarget, "merge", `{"data": {"a": "`+value+`"}}`, ours, `on_conflict = "fail"`)
		},
		"json": func(s *story.Story, value string) string {
			return s.TypedPatchConfig(story.SettingsTarget, "json", `[{"op": "add", "path": "/data/a", "value": "`+value+`"}]`, ours, `on_conflict = "fail"`)
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := story.New(t)
			s.As("bob").Apply(story.ConfigMapIn("settings", `data: {b: "2"}`))
			const theirs = `{"a":"theirs","b":"2"}`
			write := func() { s.As("eve").Patch(story.SettingsTarget, `{"data": {"a": "theirs"}}`) }
			expectTheirs := func() {
				if err := s.ExpectLiveJSON(story.SettingsTarget, theirs, "data")(nil); err != nil {
					t.Error(err)
				}
			}
			s.Run(
				resource.TestStep{
					PreConfig:   func() { s.Provider.BeforeApply(write) },
					Config:      block(s, "ours"),
					ExpectError: story.Saying("Field Ownership Conflict", "eve"),
				},
				resource.TestStep{
					PreConfig: s.NextStep(expectTheirs, func() { s.As("eve").Patch(story.SettingsTarget, `{"data": {"a": null}}`) }),
					Config:    block(s, "ours"),
				},
				resource.TestStep{
					PreConfig:   func() { s.Provider.BeforeApply(write) },
					Config:      block(s, "changed"),
					ExpectError: story.Saying("Field Ownership Conflict", "eve"),
				},
				resource.TestStep{PreConfig: s.NextStep(expectTheirs), Config: s.ProviderBlock(), Check: s.ExpectLiveJSON(story.SettingsTarget, theirs, "data")},
			)
		})
	}
}

// An apply that waits for an admission webhook says what other managers wrote during the wait.
func TestFieldChangedWhileAPatchWaitsForAWebhook(t *testing.T) {
	s := story.New(t)
	s.As("bob").Apply(story.ConfigMapIn("settings", `data: {b: "2"}`))
	webhooks := s.Typed.AdmissionregistrationV1().ValidatingWebhookConfigurations()
	closed := false
	s.T.Cleanup(func() {
		if closed {
			return
		}
		story.Must(t, webhooks.Delete(t.Context(), s.Namespace, metav1.DeleteOptions{}))
	})
	config := func(value string) string {
		return s.TypedPatchConfig(story.SettingsTarget, "merge", `{"data": {"a": "`+value+`"}}`, ours)
	}
	s.Run(
		resource.TestStep{Config: config("ours")},
		resource.TestStep{
			PreConfig: s.NextStep(func() {
				s.Provider.BeforeApply(func() {
					_, err := webhooks.Create(t.Context(), unreachable(s.Namespace), metav1.CreateOptions{})
					story.Must(t, err)
					s.Await("the webhook counts", func() bool {
						_, err := s.Typed.CoreV1().ConfigMaps(s.Namespace).Patch(t.Context(), "settings", types.MergePatchType,
							[]byte(`{"data": {"probe": "yes"}}`), metav1.PatchOptions{FieldManager: "patch", DryRun: []string{metav1.DryRunAll}})
						return err != nil
					})
					time.AfterFunc(longerThanTheClient, func() {
						s.As("eve").Patch(story.SettingsTarget, `{"data": {"a": "theirs"}}`)
						closed = webhooks.Delete(t.Context(), s.Namespace, metav1.DeleteOptions{}) == nil
					})
				})
			}),
			Config: config("changed"),
			Check: story.LiveChecks(s.ExpectOverwritten("data.a"), func(*terraform.State) error {
				if !closed {
					return errors.New("the apply did not wait for the webhook")
				}
				return nil
			}),
		},
	)
}

// longerThanTheClient is longer than the client repeats a request by itself.
const longerThanTheClient = 14 * time.Second

// unreachable is a webhook on which no server listens, for the requests of the patch.
func unreachable(namespace string) *admissionregistrationv1.ValidatingWebhookConfiguration {
	none, url := admissionregistrationv1.SideEffectClassNone, "https://127.0.0.1:1/"
	return &admissionregistrationv1.ValidatingWebhookConfiguration{
		ObjectMeta: metav1.ObjectMeta{Name: namespace},
		Webhooks: []admissionregistrationv1.ValidatingWebhook{{
			Name: "closed.example.com", SideEffects: &none, AdmissionReviewVersions: []string{"v1"},
			ClientConfig:      admissionregistrationv1.WebhookClientConfig{URL: &url},
			NamespaceSelector: &metav1.LabelSelector{MatchLabels: map[string]string{"kubernetes.io/metadata.name": namespace}},
			MatchConditions:   []admissionregistrationv1.MatchCondition{{Name: "patch", Expression: `request.options.fieldManager == "patch"`}},
			Rules: []admissionregistrationv1.RuleWithOperations{{
				Operations: []admissionregistrationv1.OperationType{admissionregistrationv1.Update},
				Rule:       admissionregistrationv1.Rule{APIGroups: []string{""}, APIVersions: []string{"v1"}, Resources: []string{"configmaps"}},
			}},
		}},
	}
}
