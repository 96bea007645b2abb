package functions_test

import (
	"fmt"
	"os"
	"regexp"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/knownvalue"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
	"github.com/hashicorp/terraform-plugin-testing/statecheck"
	"github.com/hashicorp/terraform-plugin-testing/tfversion"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/serve"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/testcluster"
)

// The tests need the CLI and no cluster.
func TestMain(m *testing.M) { os.Exit(testcluster.MainWithCLI(m)) }

// Terraform itself passes on neither null nor unknown.
func TestFunctionsInConfiguration(t *testing.T) {
	story.SkipUnlessAcceptance(t)
	t.Parallel()
	output := func(function, argument string) string {
		return fmt.Sprintf("output %q {\n  value = provider::k8sconnect::%s(%s)\n}\n", function, function, argument)
	}
	const later = "resource \"terraform_data\" \"later\" {\n  input = \"[]\"\n}\n"
	live := fmt.Sprintf("%q", fixture(t, "deployment.yaml"))
	resource.Test(t, resource.TestCase{
		ProtoV6ProviderFactories: map[string]func() (tfprotov6.ProviderServer, error){
			"k8sconnect": func() (tfprotov6.ProviderServer, error) { return serve.NewServer("test")(), nil },
		},
		TerraformVersionChecks: []tfversion.TerraformVersionCheck{tfversion.SkipBelow(tfversion.Version1_8_0)},
		Steps: []resource.TestStep{
			// The last step has to be one that can be destroyed.
			{Config: output(annotate, "null"), ExpectError: regexp.MustCompile(`Invalid value for "yaml" parameter: argument must not be null`)},
			{Config: output(parse, "null"), ExpectError: regexp.MustCompile(`Invalid value for "yaml" parameter: argument must not be null`)},
			{Config: output(annotate, `"a: ["`), ExpectError: regexp.MustCompile(`Invalid value for "yaml" parameter: the text is not valid YAML`)},
			{Config: output(parse, `"a: ["`), ExpectError: regexp.MustCompile(`(?s)Invalid value for "yaml" parameter: the text is not valid YAML.*--show-managed-fields\.\n`)},
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
