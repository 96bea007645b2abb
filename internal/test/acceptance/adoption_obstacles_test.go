package acceptance_test

import (
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
)

// An object of kubectl comes with defaults that kubectl owns for ever. A union that is switched in the adoption, in the
// plan of an import, or later, removes them.
func TestObstaclesOfAdoptedObjects(t *testing.T) {
	t.Parallel()
	recreate := strings.Replace(story.Deployment, "spec:\n", "spec:\n  strategy: {type: Recreate}\n", 1)
	after := map[string]any{"spec.strategy.type": "Recreate", "spec.strategy.rollingUpdate": story.Absent}
	says := []string{"spec.strategy.rollingUpdate.maxSurge: \"25%\"", `owned by "kubectl-client-side-apply"`}
	for name, steps := range map[string]func(s *story.Story) []resource.TestStep{
		"in the adoption": func(s *story.Story) []resource.TestStep {
			return []resource.TestStep{{Config: s.Config(recreate, story.Adopting)}}
		},
		"in an import": func(s *story.Story) []resource.TestStep {
			return []resource.TestStep{{Config: s.ImportBlock(story.WebID) + s.Config(recreate)}}
		},
		"after the adoption": func(s *story.Story) []resource.TestStep {
			return []resource.TestStep{
				{Config: s.Config(story.Deployment, story.Adopting)}, {Config: s.Config(recreate, story.Adopting)},
			}
		},
		"after an import": func(s *story.Story) []resource.TestStep {
			return []resource.TestStep{
				{Config: s.ImportBlock(story.WebID) + s.Config(story.Deployment)}, {Config: s.Config(recreate)},
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := story.New(t)
			all := steps(s)
			last := &all[len(all)-1]
			first := all[0].PreConfig
			all[0].PreConfig = func() {
				if s.As("kubectl-client-side-apply").ApplyClientSide(story.Deployment); first != nil {
					first()
				}
			}
			if len(all) > 1 {
				last.PreConfig = s.NextStep()
			}
			last.ConfigPlanChecks = story.PlanChecks(s.ExpectWarning(says...))
			last.Check = story.LiveChecks(s.ExpectLive(story.Web, after), s.ExpectNotOverwritten())
			s.Run(append(all, s.Noop(last.Config))...)
		})
	}
}
