package acceptance_test

import (
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
)

// The API server runs admission on our own applies, create included, after it has recorded who owns what:
// what a policy adds is nobody's, stays, and is no change.
func TestAdmissionPolicy(t *testing.T) {
	s := story.New(t)
	s.InstallStamp()
	const target = "v1 ConfigMap web"
	bigger := strings.Replace(story.ConfigMap, "{colour: red}", "{colour: red, size: large}", 1)
	labelled := strings.Replace(story.ConfigMap, "namespace: NS", "namespace: NS, labels: {team: shop}", 1)
	stamped := story.LiveChecks(
		s.ExpectLiveJSON(target, `"yes"`, "metadata", "labels", "stamp"),
		s.ExpectLiveJSON(target, `"yes"`, "metadata", "annotations", "stamp"),
		s.ExpectNoOwner(target, "metadata.labels.stamp"),
	)
	var steps []resource.TestStep
	for _, body := range []string{story.ConfigMap, bigger, labelled, story.ConfigMap} {
		steps = append(steps, resource.TestStep{
			PreConfig: s.NextStep(),
			Config:    s.Config(body),
			ConfigPlanChecks: story.PlanChecks(
				story.ExpectValue("metadata.labels.stamp", story.Absent, story.Absent),
				story.ExpectOwner("metadata.labels.stamp", story.Absent, story.Absent),
				story.ExpectOwner("metadata.annotations.stamp", story.Absent, story.Absent),
				s.ExpectPrediction(body),
				s.ExpectNoWarning(),
			),
			ConfigStateChecks: story.StateChecks(s.ExpectServersOwners(target)),
			Check:             stamped,
		})
	}
	s.Run(steps...)
}
