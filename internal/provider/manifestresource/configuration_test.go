package manifestresource_test

import (
	"fmt"
	"strings"
)

// providerBlock connects to the control plane.
func (s *story) providerBlock() string {
	return fmt.Sprintf("provider \"k8sconnect\" {\n  cluster = { config_path = %q }\n}\n", controlPlane().KubeconfigPath())
}

// config returns a configuration with one resource k8sconnect_manifest.test: body is its YAML, in which NS
// stands for the story's namespace, and arguments are further lines of HCL.
func (s *story) config(body string, arguments ...string) string {
	return s.providerBlock() + s.manifest("test", body, arguments...)
}

// manifest returns one resource block.
func (s *story) manifest(name, body string, arguments ...string) string {
	return fmt.Sprintf("resource \"k8sconnect_manifest\" %q {\n  yaml_body = <<-YAML\n%s\nYAML\n  %s\n}\n",
		name, s.expand(body), strings.Join(arguments, "\n  "))
}

func (s *story) expand(text string) string { return strings.ReplaceAll(text, "NS", s.namespace) }

// importBlock imports an object as the resource test.
func (s *story) importBlock(id string) string {
	return fmt.Sprintf("import {\n  to = k8sconnect_manifest.test\n  id = %q\n}\n", s.expand(id))
}

func providerWith(lines ...string) string {
	return "provider \"k8sconnect\" {\n" + strings.Join(lines, "\n") + "\n}\n"
}

func cluster(lines ...string) string { return "cluster = {\n" + strings.Join(lines, "\n") + "\n}" }

// attributes returns lines of HCL, one for each name and value.
func attributes(namesAndValues ...string) string {
	var lines []string
	for i := 0; i < len(namesAndValues); i += 2 {
		lines = append(lines, fmt.Sprintf("%s = %q", namesAndValues[i], namesAndValues[i+1]))
	}
	return strings.Join(lines, "\n")
}

// later returns a resource whose output is known after the apply only; it changes with its input.
func later(name, value string) string {
	return fmt.Sprintf("resource \"terraform_data\" %q {\n  input = %q\n}\n", name, value)
}
