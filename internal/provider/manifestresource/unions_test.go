package manifestresource_test

import (
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
)

// What kubectl made and the server filled in keeps nobody from removing a field that is a whole of its own, or
// from choosing another member of a union. What goes beside it is told.
func TestTakenOverUnions(t *testing.T) {
	says := func(texts ...string) func(*story) plancheck.PlanCheck {
		return func(s *story) plancheck.PlanCheck { return s.expectOnlyWarning(texts...) }
	}
	const probe = "{.spec.template.spec.containers[0].livenessProbe"
	tests := map[string]struct {
		line string
		want map[string]string
		said func(*story) plancheck.PlanCheck
	}{
		"a probe is removed": {
			"", map[string]string{probe + "}": ""},
			says("the apply removes 5 fields that yaml_body does not have", `livenessProbe.periodSeconds: "10", owned by "kubectl-client-side-apply"`),
		},
		"a probe of another kind": {
			"livenessProbe: {tcpSocket: {port: 80}}", map[string]string{probe + ".httpGet}": "", probe + ".tcpSocket.port}": "80"},
			says("the apply removes a field that yaml_body does not have", `livenessProbe.httpGet.scheme: "HTTP", owned by "kubectl-client-side-apply"`),
		},
		"another port of the probe": {
			strings.Replace(httpProbe, "80", "81", 1), map[string]string{probe + ".httpGet.port}": "81"},
			(*story).expectNoWarning,
		},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			s := newStory(t)
			after := deployment
			if tt.line != "" {
				after = probed(tt.line)
			}
			s.run(
				resource.TestStep{
					PreConfig: func() { s.as("kubectl-client-side-apply").applyClientSide(probed(httpProbe)) },
					Config:    s.importBlock(webID) + s.config(probed(httpProbe)),
				},
				resource.TestStep{
					PreConfig:        s.anew(),
					Config:           s.config(after),
					ConfigPlanChecks: checks(tt.said(s)),
					Check:            s.expectJSONPath(web, tt.want),
				},
			)
		})
	}
}

// A union that is switched in the apply that also rewrites claims is dry-run as a new object.
func TestUnionsBesideRewrittenClaims(t *testing.T) {
	for name, argument := range map[string]string{
		"a renamed manager": `field_manager = "platform"`,
		"a released field":  `ignore_fields = ["spec.replicas"]`,
	} {
		t.Run(name, func(t *testing.T) {
			s := newStory(t)
			s.run(
				resource.TestStep{Config: s.config(probed(httpProbe))},
				resource.TestStep{
					Config: s.config(probed("livenessProbe: {tcpSocket: {port: 80}}"), argument),
					Check: s.expectJSONPath(web, map[string]string{
						"{.spec.template.spec.containers[0].livenessProbe.httpGet}":        "",
						"{.spec.template.spec.containers[0].livenessProbe.tcpSocket.port}": "80", "{.spec.replicas}": "3",
					}),
				},
			)
		})
	}
}

// A map that leaves the manifest takes along what we declared in it, and nothing that kubectl put there.
func TestTakenOverMapKeepsWhatIsNotDeclared(t *testing.T) {
	s := newStory(t)
	labelled := strings.Replace(deployment, "name: web,", "name: web, labels: {team: shop},", 1)
	s.run(
		resource.TestStep{
			PreConfig: func() {
				s.as("kubectl-create").create(strings.Replace(labelled, "team: shop", "team: shop, theirs: x", 1))
			},
			Config: s.importBlock(webID) + s.config(labelled),
		},
		resource.TestStep{
			Config: s.config(deployment),
			Check: lives(
				s.expectLive(web, map[string]any{"metadata.labels.team": absent, "metadata.labels.theirs": "x"}),
				s.expectOwners(web, "metadata.labels.theirs", "kubectl-create"),
			),
		},
	)
}

// An object without managers is no conflict to refuse: the server makes the other manager up.
func TestFailWithNobody(t *testing.T) {
	s := newStory(t)
	s.run(
		resource.TestStep{Config: s.config(settings, orFail)},
		resource.TestStep{
			PreConfig: s.anew(func() {
				s.as("velero").stripManagedFields(settingsTarget, "[{}]")
				s.as("velero").patch(settingsTarget, `{"data":{"mode":"off"}}`)
			}),
			Config: s.config(settings, orFail),
			Check:  s.expectOwners(settingsTarget, "data.mode", "k8sconnect"),
		},
	)
}
