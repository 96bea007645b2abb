package manifestresource_test

import (
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
)

const ()

// deploymentWith returns the Deployment web with further lines of its spec.
func deploymentWith(lines string) string { return deployment + lines }

// keepsOver returns two more applies that change another field; what holds of the live object before holds
// after both. sent makes of a body what is sent of it.
func keepsOver(s *story, sent func(string) string, live map[string]string, arguments ...string) []resource.TestStep {
	var steps []resource.TestStep
	for _, line := range []string{"  minReadySeconds: 1\n", "  minReadySeconds: 2\n"} {
		live := withEntry(live, "{.spec.minReadySeconds}", strings.TrimSpace(strings.TrimPrefix(line, "  minReadySeconds:")))
		steps = append(steps, resource.TestStep{
			PreConfig: s.anew(),
			Config:    s.config(deploymentWith(line), arguments...),
			ConfigPlanChecks: checks(
				plancheck.ExpectResourceAction(address, plancheck.ResourceActionUpdate),
				s.expectPrediction(sent(deploymentWith(line))),
				s.expectNoWarning(),
			),
			Check: s.expectJSONPath(web, live),
		})
	}
	return steps
}

func withEntry(values map[string]string, key, value string) map[string]string {
	out := map[string]string{key: value}
	for k, v := range values {
		out[k] = v
	}
	return out
}

// A field that is ignored from the start is sent once, as an initial value, and has no owner afterwards.
func TestIgnoredFieldAtCreateIsAnInitialValue(t *testing.T) {
	s := newStory(t)
	create := resource.TestStep{
		Config: s.config(deployment, ignoreReplicas),
		ConfigPlanChecks: checks(
			expectOwner("spec.replicas", absent, absent),
			expectValue("spec.replicas", absent, absent),
			expectOwner(imageField, absent, "k8sconnect"),
			s.expectNoWarning(),
		),
		ConfigStateChecks: states(
			expectState(fieldOwnership, "spec.replicas: "+absent, imageField+": k8sconnect"),
			expectState(managedState, "spec.replicas: "+absent),
		),
		Check: lives(
			s.expectJSONPath(web, map[string]string{"{.spec.replicas}": "3"}),
			s.expectNoOwner(web, "spec.replicas"),
		),
	}
	more := keepsOver(s, unscaled, map[string]string{"{.spec.replicas}": "3"}, ignoreReplicas)
	s.run(append([]resource.TestStep{create}, more...)...)
}

// released returns the texts of a warning of a field that we alone owned and release.
func released(field, value string) []string {
	return []string{
		"Field Ownership Change: ", "the apply releases a field, and its value stays:\n",
		field + `: "` + value + `", owned by nobody else`,
	}
}

// A path that is added later releases the field, which nobody else owns, and the value stays.
func TestIgnoredFieldAddedLaterKeepsItsValue(t *testing.T) {
	s := newStory(t)
	live := map[string]string{"{.spec.replicas}": "3"}
	steps := []resource.TestStep{
		{Config: s.config(deployment), ConfigPlanChecks: checks(s.expectPrediction(deployment))},
		{
			PreConfig: s.anew(),
			Config:    s.config(deployment, ignoreReplicas),
			ConfigPlanChecks: checks(
				plancheck.ExpectResourceAction(address, plancheck.ResourceActionUpdate),
				expectOnly(fieldOwnership, "spec.replicas: k8sconnect -> (absent)"),
				expectOnly(managedState, "spec.replicas: 3 -> (absent)"),
				expectOnly(coOwners),
				s.expectOnlyWarning(released("spec.replicas", "3")...),
			),
			ConfigStateChecks: states(
				expectState(fieldOwnership, "spec.replicas: "+absent),
				expectState(managedState, "spec.replicas: "+absent),
			),
			Check: lives(s.expectJSONPath(web, live), s.expectNoOwner(web, "spec.replicas"), s.expectRepeated("releases a field")),
		},
	}
	s.run(append(steps, keepsOver(s, unscaled, live, ignoreReplicas)...)...)
}

// A required field can be released too; what kubectl then writes to it survives our applies.
func TestRequiredFieldIsReleased(t *testing.T) {
	s := newStory(t)
	steps := []resource.TestStep{
		{Config: s.config(deployment), ConfigPlanChecks: checks(s.expectPrediction(deployment))},
		{
			PreConfig: s.anew(),
			Config:    s.config(deployment, ignoreImage),
			ConfigPlanChecks: checks(
				expectOnly(fieldOwnership, imageField+": k8sconnect -> (absent)"),
				expectOnly(managedState, imageField+": nginx:1.25 -> (absent)"),
				s.expectOnlyWarning(released(imageField, "nginx:1.25")...),
			),
			ConfigStateChecks: states(expectState(fieldOwnership, imageField+": "+absent)),
			Check: lives(
				s.expectJSONPath(web, map[string]string{imagePath: "nginx:1.25"}),
				s.expectNoOwner(web, imageField),
			),
		},
		{
			PreConfig: s.anew(func() {
				s.as("kubectl-edit").patch(web, `{"spec":{"template":{"spec":{"containers":[{"name":"app","image":"nginx:1.27"}]}}}}`)
			}),
			Config:            s.config(deployment, ignoreImage),
			ConfigPlanChecks:  checks(plancheck.ExpectEmptyPlan(), s.expectNoWarning()),
			ConfigStateChecks: states(expectState(managedState, imageField+": "+absent)),
			Check:             s.expectJSONPath(web, map[string]string{imagePath: "nginx:1.27"}),
		},
	}
	withoutImage := func(body string) string { return strings.Replace(body, `, image: "nginx:1.25"`, "", 1) }
	more := keepsOver(s, withoutImage, map[string]string{imagePath: "nginx:1.27"}, ignoreImage)
	more[0].ConfigStateChecks = states(expectState(fieldOwnership, imageField+": kubectl-edit"))
	s.run(append(steps, more...)...)
}

// Removing a path takes the field back: the plan shows its owner and its value, and warns of whoever
// loses it.
func TestIgnoredFieldIsTakenBack(t *testing.T) {
	for name, test := range map[string]struct {
		write func(*story)
		// from is the owner before.
		from    string
		warning []string
	}{
		"nobody owns the field": {write: func(*story) {}, from: absent},
		// The scale subresource records no owner for a field that had none.
		"kubectl scaled the field, which still has no owner": {
			write: func(s *story) { s.as("kubectl").scale(web, 7) }, from: absent,
			warning: []string{"the apply changes a value that nobody owns:\n\n  spec.replicas: \"7\" -> \"3\""},
		},
		"somebody else owns another value": {
			write: func(s *story) { s.as("kubectl-edit").patch(web, `{"spec":{"replicas":7}}`) }, from: "kubectl-edit",
			warning: []string{
				"the apply takes a field from another owner and changes its value:\n",
				`spec.replicas: "7" -> "3", owned by "kubectl-edit" using apps/v1 (kubectl edit, last write `, ignoreReplicas,
			},
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := newStory(t)
			warns := s.expectNoWarning()
			if test.warning != nil {
				warns = s.expectOnlyWarning(test.warning...)
			}
			s.run(
				resource.TestStep{Config: s.config(deployment, ignoreReplicas)},
				resource.TestStep{
					PreConfig: s.anew(func() { test.write(s) }),
					Config:    s.config(deployment),
					ConfigPlanChecks: checks(
						plancheck.ExpectResourceAction(address, plancheck.ResourceActionUpdate),
						expectOnly(fieldOwnership, "spec.replicas: "+test.from+" -> k8sconnect"),
						expectOnly(managedState, "spec.replicas: (absent) -> 3"),
						s.expectPrediction(deployment),
						warns,
					),
					ConfigStateChecks: states(
						expectState(fieldOwnership, "spec.replicas: k8sconnect"),
						expectState(managedState, "spec.replicas: 3"),
						expectState(coOwners, "spec.replicas: "+absent),
					),
					Check: s.expectJSONPath(web, map[string]string{"{.spec.replicas}": "3"}),
				},
			)
		})
	}
}
