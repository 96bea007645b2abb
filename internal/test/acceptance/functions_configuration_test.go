package acceptance_test

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/knownvalue"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
	"github.com/hashicorp/terraform-plugin-testing/statecheck"
	"github.com/hashicorp/terraform-plugin-testing/tfversion"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/serve"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/play"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
)

const (
	annotate = "annotate_yaml"
	parse    = "parse_managed_fields"
)

// fixture returns a file that the tests of package blame use.
func fixture(t *testing.T, name string) string {
	t.Helper()
	content, err := os.ReadFile(filepath.Join("..", "..", "fields", "blame", "testdata", name))
	story.Must(t, err)
	return string(content)
}

// Terraform itself passes on neither null nor unknown.
func TestFunctionsInConfiguration(t *testing.T) {
	story.SkipUnlessAcceptance(t)
	t.Parallel()
	output := func(function, argument string) string {
		return fmt.Sprintf("output %q {\n  value = provider::k8sconnect::%s(%s)\n}\n", function, function, argument)
	}
	const later = "resource \"terraform_data\" \"later\" {\n  input = \"[]\"\n}\n"
	live := fmt.Sprintf("%q", fixture(t, "deployment.yaml"))
	play.Steps(t, play.Case{
		Providers: map[string]func() (tfprotov6.ProviderServer, error){
			"k8sconnect": func() (tfprotov6.ProviderServer, error) { return serve.NewServer("test")(), nil },
		},
		Features: []tfversion.TerraformVersionCheck{tfversion.SkipBelow(tfversion.Version1_8_0)},
		Steps: []resource.TestStep{
			// The last step has to be one that can be destroyed.
			{Config: output(annotate, "null"), ExpectError: regexp.MustCompile(`Invalid value for "yaml" parameter: argument must not be null`)},
			{Config: output(parse, "null"), ExpectError: regexp.MustCompile(`Invalid value for "yaml" parameter: argument must not be null`)},
			{Config: output(annotate, `"a: ["`), ExpectError: regexp.MustCompile(`Invalid value for "yaml" parameter: line 1, column 5 is not valid YAML`)},
			{Config: output(parse, `"a: ["`), ExpectError: regexp.MustCompile(`(?s)Invalid value for "yaml" parameter: line 1, column 5 is not valid YAML.*--show-managed-fields\.\n`)},
			{
				Config: output(annotate, live),
				ConfigStateChecks: []statecheck.StateCheck{
					statecheck.ExpectKnownOutputValue(annotate, knownvalue.StringExact(fixture(t, "status.golden.yaml"))),
				},
			},
			{
				Config:           later + output(parse, "terraform_data.later.output"),
				ConfigPlanChecks: resource.ConfigPlanChecks{PreApply: []plancheck.PlanCheck{plancheck.ExpectUnknownOutputValue(parse)}},
				ConfigStateChecks: []statecheck.StateCheck{
					statecheck.ExpectKnownOutputValue(parse, knownvalue.MapExact(map[string]knownvalue.Check{})),
				},
			},
		},
	})
}

// for_each needs the keys in the plan, before anything is applied.
func TestDocumentsInConfiguration(t *testing.T) {
	story.SkipUnlessAcceptance(t)
	t.Parallel()
	const text = "apiVersion: v1\nkind: Namespace\nmetadata: {name: tides}\n---\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: settings}\n"
	call := func(arguments string) string {
		return fmt.Sprintf("output \"keys\" {\n  value = provider::k8sconnect::documents(%s)\n}\n", arguments)
	}
	quoted := fmt.Sprintf("%q", text)
	object := map[string]knownvalue.Check{
		"core/Namespace//tides":         knownvalue.StringExact("apiVersion: v1\nkind: Namespace\nmetadata: {name: tides}\n"),
		"core/ConfigMap//settings":      knownvalue.StringExact("apiVersion: v1\nkind: ConfigMap\nmetadata: {name: settings}\n"),
		"core/ConfigMap/shore/settings": knownvalue.StringExact("apiVersion: v1\nkind: ConfigMap\nmetadata: {\"namespace\": \"shore\", name: settings}\n"),
		"core/ConfigMap/given/settings": knownvalue.StringExact("apiVersion: v1\nkind: ConfigMap\nmetadata: {\"namespace\": \"given\", name: settings}\n"),
	}
	only := func(keys ...string) knownvalue.Check {
		chosen := map[string]knownvalue.Check{}
		for _, key := range keys {
			chosen[key] = object[key]
		}
		return knownvalue.MapExact(chosen)
	}
	is := func(value knownvalue.Check) []statecheck.StateCheck {
		return []statecheck.StateCheck{statecheck.ExpectKnownOutputValue("keys", value)}
	}
	const variable = "variable \"namespace\" {\n  type    = string\n  default = null\n}\n"
	const each = "resource \"terraform_data\" \"each\" {\n  for_each = provider::k8sconnect::documents(%s, { namespace = \"shore\" })\n  input    = each.value\n}\n"
	const later = "resource \"terraform_data\" \"later\" {\n  input = \"shore\"\n}\n"
	play.Steps(t, play.Case{
		Providers: map[string]func() (tfprotov6.ProviderServer, error){
			"k8sconnect": func() (tfprotov6.ProviderServer, error) { return serve.NewServer("test")(), nil },
		},
		Features: []tfversion.TerraformVersionCheck{tfversion.SkipBelow(tfversion.Version1_8_0)},
		Steps: []resource.TestStep{
			{Config: call("null"), ExpectError: regexp.MustCompile(`Invalid value for "text" parameter: argument must not be null`)},
			{Config: call(quoted + `, { name = "a" }`), ExpectError: regexp.MustCompile(`(?s)options have no attribute "name".*There\s+are\s+namespace,\s+format\s+and\s+secrets`)},
			{Config: call(quoted + `, {}, {}`), ExpectError: regexp.MustCompile(`there are 2 objects of\s+options`)},
			{Config: call(`"a: ["`), ExpectError: regexp.MustCompile(`(?s)Invalid value for "text" parameter: document 1 \(line 1\): line\s+1,\s+column\s+5\s+is\s+not\s+valid\s+YAML`)},
			{
				Config: later + fmt.Sprintf(each, quoted), PlanOnly: true, ExpectNonEmptyPlan: true,
				ConfigPlanChecks: resource.ConfigPlanChecks{PostApplyPreRefresh: []plancheck.PlanCheck{
					plancheck.ExpectResourceAction(`terraform_data.each["core/Namespace//tides"]`, plancheck.ResourceActionCreate),
					plancheck.ExpectResourceAction(`terraform_data.each["core/ConfigMap/shore/settings"]`, plancheck.ResourceActionCreate),
				}},
			},
			{Config: call(quoted), ConfigStateChecks: is(only("core/Namespace//tides", "core/ConfigMap//settings"))},
			{Config: call(quoted + `, { namespace = "shore" }`), ConfigStateChecks: is(only("core/Namespace//tides", "core/ConfigMap/shore/settings"))},
			{Config: variable + call(quoted+`, { namespace = var.namespace }`), ConfigStateChecks: is(only("core/Namespace//tides", "core/ConfigMap//settings"))},
			{Config: call(quoted + `, tomap({ namespace = "given" })`), ConfigStateChecks: is(only("core/Namespace//tides", "core/ConfigMap/given/settings"))},
			{
				Config:            later + call(quoted+", { namespace = terraform_data.later.output }"),
				ConfigPlanChecks:  resource.ConfigPlanChecks{PreApply: []plancheck.PlanCheck{plancheck.ExpectUnknownOutputValue("keys")}},
				ConfigStateChecks: is(only("core/Namespace//tides", "core/ConfigMap/shore/settings")),
			},
		},
	})
}
