package acceptance_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
)

// The wait of an update fails after the patch was applied. The next plan has something to apply, whether the configuration goes back or
// forward, and the patch still knows what it added and which values were there before it.
func TestPatchAfterAnUpdateThatWasNotReady(t *testing.T) {
	t.Parallel()
	type data = map[string]any
	ways := map[string]struct {
		then            data
		policy          string
		says            string
		applied, ending string
	}{
		"back": {
			then: data{"a": "ours"}, says: `data.level: "5", owned by nobody else`, applied: `{"a":"ours","level":"5","ready":"yes"}`, ending: `{"level":"5","ready":"yes"}`,
		},
		"forward": {
			then: data{"a": "ours", "level": "4"}, applied: `{"a":"ours","level":"4","ready":"yes"}`, ending: `{"level":"4","ready":"yes"}`,
		},
		"forward, restoring": {
			then: data{"a": "ours", "level": "4", "added": "y"}, policy: "restore",
			applied: `{"a":"ours","added":"y","level":"4","ready":"yes"}`, ending: `{"level":"3","ready":"yes"}`,
		},
		"the same": {
			then: data{"a": "ours", "level": "5", "added": "x"}, applied: `{"a":"ours","added":"x","level":"5","ready":"yes"}`,
			ending: `{"level":"5","ready":"yes"}`,
		},
	}
	for form, config := range patchForms() {
		for name, way := range ways {
			t.Run(form+", "+name, func(t *testing.T) {
				s := story.New(t)
				s.As("bob").Create(story.ConfigMapIn("settings", `data: {level: "3", ready: "yes"}`))
				with := func(data data) string {
					arguments := []string{`wait = { fields = { "data.ready" = "yes" } }`, "timeouts {\n update = \"15s\"\n}"}
					if way.policy != "" {
						arguments = append(arguments, fmt.Sprintf("on_destroy = %q", way.policy))
					}
					return config(s, data, arguments...)
				}
				is := func(ready string) func() {
					return s.NextStep(func() { s.As("bob").Patch(story.SettingsTarget, `{"data": {"ready": "`+ready+`"}}`) })
				}
				checks := story.PlanChecks(plancheck.ExpectResourceAction(story.PatchAddress, plancheck.ResourceActionUpdate))
				if way.says != "" {
					checks.PreApply = append(checks.PreApply, s.ExpectPlanSays(way.says))
				}
				then := with(way.then) // The operations of a JSON patch have no order here.
				s.Run(
					resource.TestStep{Config: with(data{"a": "ours"})},
					resource.TestStep{
						PreConfig: is("no"), Config: with(data{"a": "ours", "level": "5", "added": "x"}),
						ExpectError: story.Saying("Object Not Ready", "the next plan has the change again"),
					},
					resource.TestStep{
						PreConfig: is("yes"), Config: then,
						ConfigPlanChecks: checks,
						Check:            s.ExpectLiveJSON(story.SettingsTarget, way.applied, "data"),
					},
					s.Noop(then),
					resource.TestStep{
						Config: s.ProviderBlock(),
						Check: story.LiveChecks(
							s.ExpectLiveJSON(story.SettingsTarget, way.ending, "data"), expectNoEntry(s, story.SettingsTarget, "patch"),
						),
					},
				)
			})
		}
	}
}

// Back again, a field that the update took keeps its value, also if the server has a default for it or needs it.
func TestNeededFieldsAfterAnUpdateThatWasNotReady(t *testing.T) {
	s := story.New(t)
	s.As("bob").Create(story.Deployment)
	config := func(body string) string {
		return s.PatchConfig(story.Web, body, ours, `wait = { fields = { "metadata.labels.ready" = "yes" } }`, "timeouts {\n update = \"15s\"\n}")
	}
	label := func(ready string) func() {
		return s.NextStep(func() { s.As("bob").Patch(story.Web, `{"metadata": {"labels": {"ready": "`+ready+`"}}}`) })
	}
	s.Run(
		resource.TestStep{PreConfig: label("yes"), Config: config("metadata: {labels: {a: ours}}")},
		resource.TestStep{
			PreConfig: label("no"), Config: config("{metadata: {labels: {a: ours}}, spec: {replicas: 5, template: {spec: {nodeSelector: {disk: ssd}, " +
				"containers: [{name: app, image: 'nginx:2'}]}}}}"),
			ExpectError: story.Saying("Object Not Ready"),
		},
		resource.TestStep{
			PreConfig: label("yes"), Config: config("metadata: {labels: {a: ours}}"),
			ConfigPlanChecks: story.PlanChecks(s.ExpectPlanSays(`spec.replicas: "5", owned by nobody else`, `image: "nginx:2", owned by nobody else`)),
			Check:            s.ExpectLive(story.Web, map[string]any{"spec.replicas": 5, "spec.template.spec.nodeSelector": story.Absent}),
		},
		s.Noop(config("metadata: {labels: {a: ours}}")),
	)
}

// keepingPolicy allows nobody to remove data.x of ConfigMaps. It lets other changes through.
const keepingPolicy = `
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: {name: keeping.NS}
spec:
  matchConstraints:
    namespaceSelector: {matchLabels: {kubernetes.io/metadata.name: NS}}
    resourceRules:
    - {apiGroups: [""], apiVersions: [v1], operations: [UPDATE], resources: [configmaps]}
  validations:
  - {expression: "!('x' in oldObject.data) || 'x' in object.data", reason: Forbidden, message: "x has to stay"}
`

// installKeepingPolicy creates the policy, waits until it is in effect, and returns what removes it.
func installKeepingPolicy(s *story.Story) (remove func()) {
	s.T.Helper()
	policy := s.As("kubectl-create").Create(keepingPolicy)
	binding := s.As("kubectl-create").Create(`{apiVersion: admissionregistration.k8s.io/v1, kind: ValidatingAdmissionPolicyBinding,
metadata: {name: keeping.NS}, spec: {policyName: keeping.NS, validationActions: [Deny]}}`)
	denies := func() bool {
		_, err := s.Resource("v1", "ConfigMap", s.Namespace).Patch(context.Background(), "settings", types.MergePatchType,
			[]byte(`{"data":{"x":null}}`), metav1.PatchOptions{DryRun: []string{metav1.DryRunAll}})
		return err != nil
	}
	uninstall := func() {
		_ = s.ResourceOf(binding).Delete(context.Background(), binding.GetName(), metav1.DeleteOptions{})
		_ = s.ResourceOf(policy).Delete(context.Background(), policy.GetName(), metav1.DeleteOptions{})
	}
	s.T.Cleanup(uninstall)
	s.Await("the policy denies", denies)
	return func() {
		uninstall()
		s.Await("the policy no longer denies", func() bool { return !denies() })
	}
}

// The server refuses to remove what leaves a patch, after it has taken the rest. The patch still knows what it has added,
// and the apply says what it has overwritten.
func TestPatchWhoseApplyFailsHalfway(t *testing.T) {
	t.Parallel()
	forms := patchForms()
	delete(forms, "apply") // One request does both.
	for form, config := range forms {
		t.Run(form, func(t *testing.T) {
			s := story.New(t)
			s.As("bob").Create(story.ConfigMapIn("settings", `data: {kept: "1"}`))
			then := config(s, map[string]any{"a": "ours"})
			remove := func() {}
			s.Run(
				resource.TestStep{Config: config(s, map[string]any{"a": "ours", "x": "ours"})},
				resource.TestStep{
					PreConfig: s.NextStep(func() {
						s.Provider.BeforeApply(func() {
							s.As("eve").Patch(story.SettingsTarget, `{"data": {"a": "theirs"}}`)
							remove = installKeepingPolicy(s)
						})
					}),
					Config: config(s, map[string]any{"a": "ours", "new": "ours"}), ExpectError: story.Saying("x has to stay"),
				},
				resource.TestStep{
					PreConfig: s.NextStep(func() {
						story.Must(t, s.Warned("Object Changed During Apply", `data.a: "theirs", written by "eve"`))
						story.Must(t, s.ExpectLiveJSON(story.SettingsTarget, `{"a":"ours","kept":"1","new":"ours","x":"ours"}`, "data")(nil))
						remove()
					}),
					Config: then, Check: s.ExpectLiveJSON(story.SettingsTarget, `{"a":"ours","kept":"1"}`, "data"),
				},
				s.Noop(then),
			)
		})
	}
}
