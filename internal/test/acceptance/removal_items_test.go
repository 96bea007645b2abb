package acceptance_test

import (
	"strconv"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
)

// An item that leaves, and of which another manager that applies owns a part, goes with remove_fields. The plan says what
// goes and whose it was, and on_conflict = "fail" refuses it. Without, the error has the line.
func TestRemoveFieldsOfAnItemOfAnApplier(t *testing.T) {
	t.Parallel()
	const (
		bundle = "LS0tLS1CRUdJTiBDRVJUSUZJQ0FURS0tLS0tCi0tLS0tRU5EIENFUlRJRklDQVRFLS0tLS0K"
		hooks  = "\napiVersion: admissionregistration.k8s.io/v1\nkind: ValidatingWebhookConfiguration\nmetadata: {name: NS-web}\nwebhooks:\n"
		hook   = "- {name: a.example.com, sideEffects: None, admissionReviewVersions: [v1], clientConfig: {service: {name: x, namespace: NS}}}\n"
		second = "- {name: b.example.com, sideEffects: None, admissionReviewVersions: [v1], clientConfig: {service: {name: x, namespace: NS}}}\n"
	)
	for name, test := range map[string]struct{ target, before, after, applied, item, part, left, want string }{
		"a webhook with an injected bundle": {
			"admissionregistration.k8s.io/v1 ValidatingWebhookConfiguration NS-web", hooks + hook + second, hooks + hook,
			hooks + "- {name: a.example.com, clientConfig: {caBundle: " + bundle + "}}\n- {name: b.example.com, clientConfig: {caBundle: " + bundle + "}}\n",
			`webhooks[name="b.example.com"]`, "clientConfig.caBundle", `{.webhooks[*].name} {.webhooks[0].clientConfig.caBundle}`,
			"a.example.com " + bundle,
		},
		"a sidecar with a variable": {
			story.Web, story.Sidecar, story.WithoutSidecar,
			"\napiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web, namespace: NS}\n" +
				"spec: {template: {spec: {containers: [{name: log, env: [{name: A, value: \"1\"}]}]}}}\n",
			`spec.template.spec.containers[name="log"]`, `env[name="A"].value`, `{.spec.template.spec.containers[*].name}`, "app",
		},
		"a port with a target": {
			"v1 Service web", "\napiVersion: v1\nkind: Service\nmetadata: {name: web, namespace: NS}\nspec: {ports: [{name: a, port: 80}, {name: b, port: 81}]}\n",
			"\napiVersion: v1\nkind: Service\nmetadata: {name: web, namespace: NS}\nspec: {ports: [{name: a, port: 80}]}\n",
			"\napiVersion: v1\nkind: Service\nmetadata: {name: web, namespace: NS}\nspec: {ports: [{port: 81, protocol: TCP, targetPort: 8081}]}\n",
			`spec.ports[port=81,protocol="TCP"]`, "targetPort", `{.spec.ports[*].name}`, "a",
		},
		"a probe with a period": {
			story.Web, story.Probed(story.HTTPProbe), story.Probed(""),
			"\napiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web, namespace: NS}\n" +
				"spec: {template: {spec: {containers: [{name: app, livenessProbe: {periodSeconds: 20}}]}}}\n",
			`spec.template.spec.containers[name="app"].livenessProbe`, "periodSeconds", `{.spec.template.spec.containers[0].livenessProbe}`, "",
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := story.New(t)
			with := "removed with the list item "
			if !strings.HasSuffix(test.item, "]") {
				with = "removed with "
			}
			line := "remove_fields = [" + strconv.Quote(test.item) + "]"
			s.Run(
				resource.TestStep{Config: s.Config(test.before)},
				resource.TestStep{
					PreConfig: s.NextStep(func() { s.As("injector").Apply(test.applied) }),
					Config:    s.Config(test.after), ExpectError: story.Saying("Field Cannot Be Removed", test.item+"."+test.part, "Or remove it, whoever owns parts of it:", line),
				},
				resource.TestStep{PreConfig: s.NextStep(), Config: s.Config(test.after, line, story.OrFail), ExpectError: story.Saying("nothing is applied", test.item)},
				resource.TestStep{
					PreConfig: s.NextStep(), Config: s.Config(test.after, line),
					ConfigPlanChecks: story.PlanChecks(s.ExpectOnlyWarning(test.item+"."+test.part, with+test.item+`, owned by "injector"`,
						"To keep a field, remove its path from remove_fields.")),
					Check: story.LiveChecks(s.ExpectNotOverwritten(), s.ExpectJSONPath(test.target, map[string]string{test.left: test.want})),
				},
				s.Noop(s.Config(test.after, line)),
			)
		})
	}
}

// In a set, the rule of the message removes such an item.
func TestRuleRemovesAnItemOfAnApplier(t *testing.T) {
	s := newSet(t)
	s.has(map[string]string{"web": story.Sidecar})
	s.Do("apply", "-auto-approve")
	s.As("injector").Apply("\napiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web, namespace: NS}\n" +
		"spec: {template: {spec: {containers: [{name: log, env: [{name: A, value: \"1\"}]}]}}}\n")
	s.has(map[string]string{"web": story.WithoutSidecar})
	const rule = `{ kinds = ["Deployment"], namespaces = ["NS"], names = ["web"], remove_fields = ["spec.template.spec.containers[name=\"log\"]"] }`
	s.expect(s.Exits(story.Refused, "plan", "-no-color"), "Field Cannot Be Removed", rule)
	s.has(map[string]string{"web": story.WithoutSidecar}, "rules = ["+s.Expand(rule)+"]")
	s.expect(s.Do("apply", "-auto-approve", "-no-color"), "To keep a field, remove its path from remove_fields of rules[0]")
	s.settled()
	story.Must(t, s.ExpectJSONPath(story.Web, map[string]string{`{.spec.template.spec.containers[*].name}`: "app"})(nil))
}
