package acceptance_test

import (
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
)

// The server refuses an apply that removes the last entry of a custom resource's map, so the provider empties the map
// and applies again. The apply still says what other managers wrote before its first try.
func TestWriteBeforeARefusedApply(t *testing.T) {
	s := story.New(t)
	s.InstallGadgets()
	gadget := func(spec string) string {
		return strings.Replace(story.Gadget(spec), "namespace: NS}", "namespace: NS, labels: {team: ours}}", 1)
	}
	s.Run(
		resource.TestStep{Config: s.Config(gadget("nest: {x: {b: 1}}, steps: [a]"))},
		resource.TestStep{
			PreConfig: s.NextStep(func() {
				s.As("eve").Patch(s.GadgetTarget(), `{"spec": {"steps": ["z"]}}`) // The plan takes it, so the apply is forced.
				s.Provider.BeforeApply(func() {
					s.Provider.Take() // The warnings of the plans.
					s.As("bob").Patch(s.GadgetTarget(), `{"metadata": {"labels": {"team": "theirs"}}}`)
				})
			}),
			Config: s.Config(gadget("nest: {}, steps: [b]")),
			Check: story.LiveChecks(
				s.ExpectOverwritten("metadata.labels.team"),
				s.ExpectLiveJSON(s.GadgetTarget(), `{"team":"ours"}`, "metadata", "labels"), s.ExpectLiveJSON(s.GadgetTarget(), `["b"]`, "spec", "steps"),
			),
		},
	)
}
