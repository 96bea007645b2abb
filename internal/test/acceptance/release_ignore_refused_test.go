package acceptance_test

import (
	"fmt"
	"regexp"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/testcluster"
)

const refusedBody = `
apiVersion: apps/v1
kind: Deployment
metadata: {name: web, namespace: NS}
spec:
  replicas: 1
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec:
      containers:
      - {name: app, image: "nginx:1.25", args: [one, two], ports: [{containerPort: 80}]}
`

// What cannot be ignored is an error that says what can, for a new object and for an existing one, and
// the object stays as it is.
func TestIgnoredFieldIsRefused(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		pattern string
		want    *regexp.Regexp
	}{
		"an item of an atomic list": {
			pattern: story.AppContainer + ".args[0]",
			want: story.Saying("Field Cannot Be Ignored Alone", `args[0]", but `+story.AppContainer+".args is atomic",
				`ignore_fields = ["spec.template.spec.containers[name=\"app\"].args"]`),
		},
		"a key of an atomic map": {
			pattern: "spec.selector.matchLabels.app",
			want:    story.Saying("Field Cannot Be Ignored Alone", "spec.selector is atomic", `ignore_fields = ["spec.selector"]`),
		},
		"the key of a list item": {
			pattern: story.AppContainer + ".name",
			want:    story.Saying("Field Cannot Be Ignored Alone", `list item`, `ignore_fields = ["spec.template.spec.containers[name=\"app\"]"]`),
		},
		"one of two keys of a list item": {
			pattern: story.AppContainer + ".ports[*].containerPort",
			want: story.Saying("Field Cannot Be Ignored Alone", `list item`,
				`ports[containerPort=80,protocol=\"TCP\"]"]`),
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := story.New(t)
			ignore := fmt.Sprintf("ignore_fields = [%q]", test.pattern)
			s.Run(
				resource.TestStep{Config: s.Config(refusedBody, ignore), ExpectError: test.want},
				resource.TestStep{
					PreConfig: s.NextStep(func() {
						if !s.Gone(story.Web) {
							t.Error("a refused plan created the object")
						}
					}),
					Config:           s.Config(refusedBody),
					ConfigPlanChecks: story.PlanChecks(s.ExpectPrediction(refusedBody), s.ExpectNoWarning()),
				},
				resource.TestStep{Config: s.Config(refusedBody, ignore), ExpectError: test.want},
				resource.TestStep{
					Config:           s.Config(refusedBody),
					ConfigPlanChecks: story.PlanChecks(plancheck.ExpectEmptyPlan()),
					Check: s.ExpectJSONPath(story.Web, map[string]string{
						"{.spec.template.spec.containers[0].args}": `["one","two"]`, "{.spec.selector.matchLabels.app}": "web",
					}),
				},
			)
		})
	}
}

// A path that says nothing, or names the object's identity, is an error before anything is asked of the
// cluster.
func TestIgnoreFieldsAreValidated(t *testing.T) {
	s := story.New(t)
	mark := story.AuditLog(t).Mark()
	var steps []resource.TestStep
	for _, test := range map[string]struct {
		pattern string
		want    *regexp.Regexp
	}{
		"an open bracket":      {`spec.containers[name="app"`, story.Saying("Invalid Field Path", "ignore_fields:", "the bracket is not closed", "add ]")},
		"an empty bracket":     {`spec.containers[]`, story.Saying("Invalid Field Path", "the bracket is empty", "[*]")},
		"an unquoted dot key":  {`data[nginx.conf]`, story.Saying("Invalid Field Path", "neither a map key nor a list item", `["nginx.conf"]`)},
		"an empty path":        {``, story.Saying("Invalid Field Path", "the path is empty", "spec.replicas")},
		"the API version":      {`apiVersion`, story.Saying("Invalid Field Path", "apiVersion is part of the object's identity")},
		"the kind":             {`kind`, story.Saying("Invalid Field Path", "kind is part of the object's identity")},
		"the name":             {`metadata.name`, story.Saying("Invalid Field Path", "metadata.name is part of the object's identity")},
		"the namespace":        {`.metadata["namespace"]`, story.Saying("Invalid Field Path", "is part of the object's identity")},
		"anything of metadata": {`metadata[*]`, story.Saying("Invalid Field Path", "is part of the object's identity")},
		"the whole of it":      {`[*]`, story.Saying("Invalid Field Path", "covers the whole object, and its identity cannot be ignored")},
	} {
		steps = append(steps, resource.TestStep{
			Config: s.Config(refusedBody, fmt.Sprintf("ignore_fields = [%q]", test.pattern)), PlanOnly: true, ExpectError: test.want,
		})
	}
	s.Run(steps...)
	sent, err := story.AuditLog(t).Since(mark, testcluster.ByUserAgent("/"+s.UserAgent))
	story.Must(t, err)
	if len(sent) > 0 {
		t.Errorf("validation sent requests:\n%s", testcluster.Lines(sent))
	}
}

// A path that covers nothing is a warning in the plan, at create and at update, and no obstacle.
func TestIgnoredFieldIsNotFound(t *testing.T) {
	s := story.New(t)
	const typo = `ignore_fields = ["spec.replica", "spec.replicas"]`
	warning := s.ExpectOnlyWarning("Ignored Field Not Found", "Deployment", `matches "spec.replica" in ignore_fields.`, `did you mean "spec.replicas"?`, "Correct the path, or remove it")
	s.Run(
		resource.TestStep{
			Config:           s.Config(story.Deployment, typo),
			ConfigPlanChecks: story.PlanChecks(warning),
			Check:            s.ExpectJSONPath(story.Web, map[string]string{"{.spec.replicas}": "3"}),
		},
		resource.TestStep{
			PreConfig: s.NextStep(),
			Config:    s.Config(story.Deployment+"  minReadySeconds: 1\n", typo),
			ConfigPlanChecks: story.PlanChecks(
				plancheck.ExpectResourceAction(story.Address, plancheck.ResourceActionUpdate),
				s.ExpectPrediction(story.Unscaled(story.Deployment+"  minReadySeconds: 1\n")),
				warning,
			),
			ConfigStateChecks: story.StateChecks(story.ExpectState(story.ManagedState, "spec.minReadySeconds: 1")),
			Check:             s.ExpectJSONPath(story.Web, map[string]string{"{.spec.replicas}": "3", "{.spec.minReadySeconds}": "1"}),
		},
	)
}
