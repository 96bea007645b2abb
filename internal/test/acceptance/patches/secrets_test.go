package patches_test

import (
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
	hidden := story.States(s.ExpectStateUndisclosed(theirs, ours, sent))
	s.Run(
		resource.TestStep{
			Config:            config("1"),
			ConfigPlanChecks:  story.Checks(s.ExpectUndisclosed(theirs, ours, sent), s.ExpectWarning("Field Ownership Conflict", "data.a")),
			ConfigStateChecks: hidden,
			Check:             s.ExpectLiveJSON("v1 Secret token", `{"a":"aHVudGVyLXdv"}`, "data"),
		},
		s.Noop(config("1")),
		resource.TestStep{
			PreConfig:         s.NextStep(func() { s.As("eve").Patch("v1 Secret token", `{"data": {"a": "`+theirs+`"}}`) }),
			Config:            config("1"),
			ConfigPlanChecks:  story.Checks(s.ExpectUndisclosed(theirs, ours, sent), s.ExpectWarning("Field Ownership Conflict", "data.a")),
			ConfigStateChecks: hidden,
			Check:             s.ExpectLiveJSON("v1 Secret token", `{"a":"aHVudGVyLXdv"}`, "data"),
		},
		resource.TestStep{ // The value stays, since it was there before.
			Config: s.ProviderBlock(),
			Check: story.Lives(
				s.ExpectLiveJSON("v1 Secret token", `{"a":"aHVudGVyLXdv"}`, "data"), expectNoEntry(s, "v1 Secret token", "patch"),
			),
		},
	)
}
