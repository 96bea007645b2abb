package acceptance_test

import (
	"fmt"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
)

// A patch tells no secret: neither those of the object, nor its own.
func TestSecretsOfAPatch(t *testing.T) {
	s := story.New(t)
	const theirs, ours, sent = "aHVudGVyLXR3bw==", "aHVudGVyLW9uZQ==", "hunter-wo"
	s.As("bob").Apply("apiVersion: v1\nkind: Secret\nmetadata: {name: token, namespace: NS}\ndata: {a: " + theirs + "}\n")
	config := func(version string) string {
		return s.PatchConfig("v1 Secret token", "metadata: {labels: {team: x}}",
			`yaml_body_wo = yamlencode({ stringData = { a = "`+sent+`" } })`, `yaml_body_wo_version = "`+version+`"`, `field_manager = "patch"`)
	}
	hidden := story.StateChecks(s.ExpectStateRedacted(theirs, ours, sent))
	s.Run(
		resource.TestStep{
			Config:            config("1"),
			ConfigPlanChecks:  story.PlanChecks(s.ExpectRedacted(theirs, ours, sent), s.ExpectWarning("Field Ownership Conflict", "data.a")),
			ConfigStateChecks: hidden,
			Check:             s.ExpectLiveJSON("v1 Secret token", `{"a":"aHVudGVyLXdv"}`, "data"),
		},
		s.Noop(config("1")),
		resource.TestStep{
			PreConfig:         s.NextStep(func() { s.As("eve").Patch("v1 Secret token", `{"data": {"a": "`+theirs+`"}}`) }),
			Config:            config("1"),
			ConfigPlanChecks:  story.PlanChecks(s.ExpectRedacted(theirs, ours, sent), s.ExpectWarning("Field Ownership Conflict", "data.a")),
			ConfigStateChecks: hidden,
			Check:             s.ExpectLiveJSON("v1 Secret token", `{"a":"aHVudGVyLXdv"}`, "data"),
		},
		resource.TestStep{ // The value stays, since it was there before.
			Config: s.ProviderBlock(),
			Check: story.LiveChecks(
				s.ExpectLiveJSON("v1 Secret token", `{"a":"aHVudGVyLXdv"}`, "data"), expectNoEntry(s, "v1 Secret token", "patch"),
			),
		},
	)
}

// A value in a list item with secret keys stays like any other, when it leaves the body and when the patch is destroyed.
func TestValuesInSecretItemsStay(t *testing.T) {
	const service = "v1 Service web"
	s := story.New(t)
	s.As("bob").Apply("apiVersion: v1\nkind: Service\nmetadata: {name: web, namespace: NS}\n" +
		"spec: {ports: [{name: a, port: 80, targetPort: 8080}, {name: b, port: 81, targetPort: 8081}]}")
	config := func(ports string) string {
		return s.PatchConfig(service, "metadata: {labels: {a: b}}\nspec: {ports: ["+ports+"]}", `sensitive_fields = ["spec.ports[*].port"]`, ours)
	}
	targets := func(first, second int) resource.TestCheckFunc {
		return s.ExpectLiveJSON(service, fmt.Sprintf(`[{"name":"a","port":80,"protocol":"TCP","targetPort":%d},{"name":"b","port":81,"protocol":"TCP","targetPort":%d}]`,
			first, second), "spec", "ports")
	}
	const first, second = "{port: 80, protocol: TCP, targetPort: 9080}", "{port: 81, protocol: TCP, targetPort: 9081}"
	s.Run(
		resource.TestStep{Config: config(first + ", " + second), Check: targets(9080, 9081)},
		resource.TestStep{Config: config(first), Check: targets(9080, 9081)},
		resource.TestStep{Config: s.ProviderBlock(), Check: story.LiveChecks(targets(9080, 9081), expectNoEntry(s, service, "patch"))},
	)
}
