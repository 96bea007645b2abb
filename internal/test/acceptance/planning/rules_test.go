package planning_test

import (
	"strings"
	"testing"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
)

// manifested returns a block of a manifest.
func manifested(body string) func(*story.Story, ...string) string {
	return func(s *story.Story, lines ...string) string { return s.Manifest("test", body, lines...) }
}

// patched returns a block of a patch of the Deployment web.
func patched(body string, own ...string) func(*story.Story, ...string) string {
	return func(s *story.Story, lines ...string) string {
		return s.PatchBlock("test", story.Web, body, append(lines, own...)...)
	}
}

func scaled(to int) func(*story.Story) {
	return func(s *story.Story) { s.As("kube-controller-manager").Scale(story.Web, to) }
}

// A rule of the provider block plans and does what the same argument of the resource does, as it comes, stays and goes.
func TestRulesPlanAsArguments(t *testing.T) {
	t.Parallel()
	edited := manifested(strings.Replace(story.Deployment, "nginx:1.25", "nginx:1.27", 1))
	web, settings := manifested(story.Deployment), manifested(story.Settings)
	colour := manifested(strings.Replace(story.Settings, `level: "1"`, `level: "2"`, 1))
	write := func(to string) func(*story.Story) {
		return func(s *story.Story) { s.As("kubectl-edit").Patch(story.SettingsTarget, `{"data":{"level":"`+to+`"}}`) }
	}
	secret, fail := []string{`sensitive_fields = ["data"]`}, []string{story.OrFail}
	ignored, left := []string{story.IgnoreReplicas}, []string{`ignore_managers = ["kube-controller-*"]`}
	for name, steps := range map[string][]story.RuledStep{
		"ignore_fields": {
			{Block: web},
			{Block: web, Arguments: ignored},
			{Writes: scaled(5), Block: web, Arguments: ignored},
			{Block: edited, Arguments: ignored},
			{Block: edited},
		},
		"ignore_managers": {
			{Block: web, Arguments: left},
			{Writes: scaled(5), Block: web, Arguments: left},
			{Block: edited, Arguments: left},
			{Block: web},
		},
		"on_conflict": {
			{Block: web, Arguments: fail},
			{Writes: scaled(5), Block: edited, Arguments: fail, IsRefused: true},
			{Block: edited},
		},
		"take_over_managers": {
			{Writes: func(s *story.Story) { s.As("kubectl-create").Create(story.Deployment) }, Block: func(s *story.Story, lines ...string) string {
				return s.Manifest("test", story.Deployment, append(lines, story.Adopting)...)
			}, Arguments: []string{`take_over_managers = []`}},
			{Block: web, Arguments: []string{`take_over_managers = ["kubectl-create"]`}},
			{Block: manifested(story.WithReplicas(0)), Arguments: []string{`take_over_managers = ["kubectl-create"]`}},
		},
		"sensitive_fields": {
			{Block: settings, Arguments: secret},
			{Writes: write("7"), Block: settings, Arguments: secret},
			{Block: colour},
		},
		"delete_protection": {
			{Block: settings},
			{Block: settings, Arguments: []string{story.Protected}},
			{Block: colour, Arguments: []string{"delete_protection = false"}},
			{},
		},
		"wait": {
			{Block: settings, Arguments: []string{`wait = { fields = { "data.level" = "1" } }`}},
			{Block: colour, Arguments: []string{`wait = { fields = { "data.level" = "*" }, on_failure = "report" }`}},
			{Block: colour},
		},
		"a patch": {
			{Writes: func(s *story.Story) { s.As("helm").Apply(story.Deployment) }, Block: patched("spec: {minReadySeconds: 4, replicas: 4}"), Arguments: ignored},
			{Writes: func(s *story.Story) { s.As("kubectl-edit").Patch(story.Web, `{"spec":{"minReadySeconds":9}}`) }, Block: patched("spec: {minReadySeconds: 4}"), Arguments: fail, IsRefused: true},
			{Block: patched("spec: {minReadySeconds: 4, replicas: 4}")},
		},
	} {
		t.Run(name, func(t *testing.T) { story.PlansAlike(t, steps...) })
	}
}
