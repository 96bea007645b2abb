package acceptance_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
)

// manifested returns a block of a manifest.
func manifested(body string, own ...string) func(*story.Story, ...string) string {
	return func(s *story.Story, lines ...string) string {
		return s.Manifest("test", body, append(lines, own...)...)
	}
}

// patched returns a block of a patch of the Deployment web.
func patched(body string, own ...string) func(*story.Story, ...string) string {
	return func(s *story.Story, lines ...string) string {
		return s.PatchBlock("test", story.Web, body, append(lines, own...)...)
	}
}

// asSet returns a block of a set with one object.
func asSet(body string, own ...string) func(*story.Story, ...string) string {
	return func(s *story.Story, lines ...string) string {
		return "resource \"k8sconnect_manifests\" \"test\" {\n  manifests = {\n    one = <<-YAML\n" + s.Expand(body) +
			"\nYAML\n  }\n  " + strings.Join(append(lines, own...), "\n  ") + "\n}\n"
	}
}

func scaledTo(to int) func(*story.Story) {
	return func(s *story.Story) { s.As("kube-controller-manager").Scale(story.Web, to) }
}

// ruledSteps are steps by the arguments that manifests and sets have. block returns a block with one object.
func ruledSteps(block func(body string, own ...string) func(*story.Story, ...string) string) map[string][]story.RuledStep {
	web, settings := block(story.Deployment), block(story.Settings)
	edited := block(strings.Replace(story.Deployment, "nginx:1.25", "nginx:1.27", 1))
	changed := block(strings.Replace(story.Settings, `level: "1"`, `level: "2"`, 1))
	secret, fail := []string{`sensitive_fields = ["data"]`}, []string{story.OrFail}
	left := []string{`ignore_managers = ["kube-controller-*"]`}
	return map[string][]story.RuledStep{
		"ignore_managers": {
			{Block: web, Arguments: left},
			{Writes: scaledTo(5), Block: web, Arguments: left},
			{Block: edited, Arguments: left},
			{Block: web},
		},
		"on_conflict": {
			{Block: web, Arguments: fail},
			{Writes: scaledTo(5), Block: edited, Arguments: fail, IsRefused: true},
			{Block: edited},
		},
		"take_over_managers": {
			{
				Writes: func(s *story.Story) { s.As("kubectl-create").Create(story.Deployment) },
				Block:  block(story.Deployment, story.Adopting), Arguments: []string{`take_over_managers = []`},
			},
			{Block: web, Arguments: []string{`take_over_managers = ["kubectl-create"]`}},
			{Block: block(story.WithReplicas(0)), Arguments: []string{`take_over_managers = ["kubectl-create"]`}},
		},
		"sensitive_fields": {
			{Block: settings, Arguments: secret},
			{Writes: func(s *story.Story) { s.As("kubectl-edit").Patch(story.SettingsTarget, `{"data":{"level":"7"}}`) }, Block: settings, Arguments: secret},
			{Block: changed},
		},
		"delete_protection": {
			{Block: settings},
			{Block: settings, Arguments: []string{story.Protected}},
			{Block: changed, Arguments: []string{"delete_protection = false"}},
			{},
		},
		"wait": {
			{Block: settings, Arguments: []string{`wait = { fields = { "data.level" = "1" } }`}},
			{Block: changed, Arguments: []string{`wait = { fields = { "data.level" = "*" }, on_failure = "report" }`}},
			{Block: changed},
		},
	}
}

// A rule of the provider block plans and does what the same argument of the resource does, as it comes, stays and goes.
func TestRulesPlanAsArguments(t *testing.T) {
	t.Parallel()
	steps := ruledSteps(manifested)
	web, edited := manifested(story.Deployment), manifested(strings.Replace(story.Deployment, "nginx:1.25", "nginx:1.27", 1))
	ignored := []string{story.IgnoreReplicas}
	steps["ignore_fields"] = []story.RuledStep{
		{Block: web},
		{Block: web, Arguments: ignored},
		{Writes: scaledTo(5), Block: web, Arguments: ignored},
		{Block: edited, Arguments: ignored},
		{Block: edited},
	}
	for name, steps := range steps {
		t.Run(name, func(t *testing.T) { story.PlansAlike(t, steps...) })
	}
}

// So it is for patches, with the arguments that they have.
func TestRulesOfPatchesPlanAsArguments(t *testing.T) {
	t.Parallel()
	const body = "spec: {minReadySeconds: 4, replicas: 4}"
	applied := func(s *story.Story) { s.As("helm").Apply(story.Deployment) }
	waits := func(to int) func(*story.Story) {
		return func(s *story.Story) {
			s.As("kubectl-edit").Patch(story.Web, fmt.Sprintf(`{"spec":{"minReadySeconds":%d}}`, to))
		}
	}
	ignored, fail, secret := []string{story.IgnoreReplicas}, []string{story.OrFail}, []string{`sensitive_fields = ["spec.minReadySeconds"]`}
	for name, steps := range map[string][]story.RuledStep{
		"ignore_fields": {
			{Writes: applied, Block: patched(body), Arguments: ignored},
			{Writes: scaledTo(5), Block: patched("spec: {minReadySeconds: 5, replicas: 4}"), Arguments: ignored},
			{Block: patched(body)},
		},
		"on_conflict": {
			{Writes: applied, Block: patched(body)},
			{Writes: waits(9), Block: patched(body), Arguments: fail, IsRefused: true},
			{Block: patched(body)},
		},
		"sensitive_fields": {
			{Writes: applied, Block: patched(body), Arguments: secret},
			{Writes: waits(9), Block: patched(body), Arguments: secret},
			{Block: patched(body)},
		},
		"wait": {
			{Writes: applied, Block: patched("metadata: {annotations: {a: b}}"), Arguments: []string{`wait = { fields = { "metadata.annotations.a" = "b" } }`}},
			{Block: patched("metadata: {annotations: {a: c}}"), Arguments: []string{`wait = { fields = { "metadata.annotations.a" = "*" }, on_failure = "report" }`}},
			{Block: patched("metadata: {annotations: {a: c}}")},
		},
	} {
		t.Run(name, func(t *testing.T) { story.PlansAlike(t, steps...) })
	}
}

// So it is for sets.
func TestRulesOfSetsPlanAsArguments(t *testing.T) {
	t.Parallel()
	for name, steps := range ruledSteps(asSet) {
		t.Run(name, func(t *testing.T) { story.PlansAlike(t, steps...) })
	}
}
