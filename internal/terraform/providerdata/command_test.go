package providerdata

import (
	"strings"
	"testing"
)

func TestCommandOf(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		line string
		env  map[string]string
		want cliCommand
	}{
		"a plan":                                  {line: "terraform plan -out p", want: planCommand},
		"a refresh":                               {line: "/opt/terraform-1.11 refresh", want: planCommand},
		"another directory":                       {line: "tofu -chdir=infra plan", want: planCommand},
		"a destroy":                               {line: "terraform destroy -auto-approve", want: destroyCommand},
		"an apply that destroys":                  {line: "terraform apply -auto-approve -destroy", want: destroyCommand},
		"a plan of a destroy":                     {line: "terraform plan --destroy=true", want: destroyCommand},
		"a plan that says it destroys nothing":    {line: "terraform plan -destroy=false", want: planCommand},
		"a destroy by the environment":            {line: "terraform plan", env: map[string]string{"TF_CLI_ARGS_plan": "-destroy"}, want: destroyCommand},
		"an apply plans and applies":              {line: "terraform apply -auto-approve", want: AnyCommand},
		"an apply with values":                    {line: "terraform apply -var a=b -target k8sconnect_manifest.x", want: AnyCommand},
		"an apply of a plan":                      {line: "terraform apply -no-color -lock-timeout 10s p.tfplan", want: applyPlanCommand},
		"an apply of a plan with an odd name":     {line: "terraform apply destroy", want: applyPlanCommand},
		"a console":                               {line: "terraform console", want: AnyCommand},
		"no command":                              {line: "terraform -version", want: AnyCommand},
		"a test that runs the provider in itself": {line: "planning.test -test.run plan", want: AnyCommand},
		"a debugger":                              {line: "dlv exec ./terraform-provider-k8sconnect plan", want: AnyCommand},
		"nothing":                                 {line: "", want: AnyCommand},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := commandOf(strings.Fields(tt.line), func(name string) string { return tt.env[name] })
			if got != tt.want {
				t.Errorf("%q is %q, want %q", tt.line, got, tt.want)
			}
		})
	}
}
