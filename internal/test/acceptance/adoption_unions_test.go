package acceptance_test

import (
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
)

// Fields that kubectl set and the server defaulted do not prevent removing an atomic field, or choosing another
// member of a union. The plan says what is removed with it.
func TestTakenOverUnions(t *testing.T) {
	t.Parallel()
	says := func(texts ...string) func(*story.Story) plancheck.PlanCheck {
		return func(s *story.Story) plancheck.PlanCheck { return s.ExpectOnlyWarning(texts...) }
	}
	const probe = "{.spec.template.spec.containers[0].livenessProbe"
	tests := map[string]struct {
		had  string
		line string
		want map[string]string
		said func(*story.Story) plancheck.PlanCheck
	}{
		"a probe is removed": {
			story.HTTPProbe, "", map[string]string{probe + "}": ""},
			says("the apply removes 5 fields that yaml_body does not have", `livenessProbe.periodSeconds: "10", owned by "kubectl-client-side-apply"`),
		},
		"a probe of another kind": {
			story.HTTPProbe, "livenessProbe: {tcpSocket: {port: 80}}", map[string]string{probe + ".httpGet}": "", probe + ".tcpSocket.port}": "80"},
			says("the apply removes a field that yaml_body does not have", `livenessProbe.httpGet.scheme: "HTTP", owned by "kubectl-client-side-apply"`),
		},
		"a probe whose part is an empty string": {
			"livenessProbe: {grpc: {port: 80}}", "livenessProbe: {tcpSocket: {port: 80}}",
			map[string]string{probe + ".grpc}": "", probe + ".tcpSocket.port}": "80"},
			says("the apply removes a field that yaml_body does not have", `livenessProbe.grpc.service: "", owned by "kubectl-client-side-apply"`),
		},
		"another port of the probe": {
			story.HTTPProbe, strings.Replace(story.HTTPProbe, "80", "81", 1), map[string]string{probe + ".httpGet.port}": "81"},
			(*story.Story).ExpectNoWarning,
		},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			s := story.New(t)
			after := story.Deployment
			if tt.line != "" {
				after = story.Probed(tt.line)
			}
			s.Run(
				resource.TestStep{
					PreConfig: func() { s.As("kubectl-client-side-apply").ApplyClientSide(story.Probed(tt.had)) },
					Config:    s.ImportBlock(story.WebID) + s.Config(story.Probed(tt.had)),
				},
				resource.TestStep{
					PreConfig:        s.NextStep(),
					Config:           s.Config(after),
					ConfigPlanChecks: story.PlanChecks(tt.said(s)),
					Check:            s.ExpectJSONPath(story.Web, tt.want),
				},
			)
		})
	}
}

// A union that is switched in the apply that also rewrites claims is dry-run as a new object.
func TestUnionsBesideRewrittenClaims(t *testing.T) {
	t.Parallel()
	for name, argument := range map[string]string{
		"a renamed manager": `field_manager = "platform"`,
		"a released field":  `ignore_fields = ["spec.replicas"]`,
	} {
		t.Run(name, func(t *testing.T) {
			s := story.New(t)
			s.Run(
				resource.TestStep{Config: s.Config(story.Probed(story.HTTPProbe))},
				resource.TestStep{
					Config: s.Config(story.Probed("livenessProbe: {tcpSocket: {port: 80}}"), argument),
					Check: s.ExpectJSONPath(story.Web, map[string]string{
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
	s := story.New(t)
	labelled := strings.Replace(story.Deployment, "name: web,", "name: web, labels: {team: shop},", 1)
	s.Run(
		resource.TestStep{
			PreConfig: func() {
				s.As("kubectl-create").Create(strings.Replace(labelled, "team: shop", "team: shop, theirs: x", 1))
			},
			Config: s.ImportBlock(story.WebID) + s.Config(labelled),
		},
		resource.TestStep{
			Config: s.Config(story.Deployment),
			Check: story.LiveChecks(
				s.ExpectLive(story.Web, map[string]any{"metadata.labels.team": story.Absent, "metadata.labels.theirs": "x"}),
				s.ExpectOwners(story.Web, "metadata.labels.theirs", "kubectl-create"),
			),
		},
	)
}

// An object without managers has no conflict to refuse: the server itself adds the other manager.
func TestFailWithNobody(t *testing.T) {
	s := story.New(t)
	s.Run(
		resource.TestStep{Config: s.Config(story.Settings, story.OrFail)},
		resource.TestStep{
			PreConfig: s.NextStep(func() {
				s.As("velero").StripManagedFields(story.SettingsTarget, "[{}]")
				s.As("velero").Patch(story.SettingsTarget, `{"data":{"mode":"off"}}`)
			}),
			Config: s.Config(story.Settings, story.OrFail),
			Check:  s.ExpectOwners(story.SettingsTarget, "data.mode", "k8sconnect"),
		},
	)
}
