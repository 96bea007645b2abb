package acceptance_test

import (
	"strings"
	"testing"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
)

// Messages name manifest where the user wrote manifest, and never yaml_body.
func TestMessagesNameManifest(t *testing.T) {
	s := story.New(t)
	w := s.HostedWorkspace()
	const object = `manifest = { apiVersion = "v1", kind = "ConfigMap", metadata = { name = "web", namespace = "NS" }, data = { colour = "red" } }`
	for name, test := range map[string]struct {
		arguments string
		says      []string
	}{
		"a pin":            {object + "\n  pin_fields = [\"data.colour\"]", []string{`"data.colour"`, "is in manifest.", "manifest sets a value"}},
		"a list":           {object + "\n  list_lengths = { data = { max = 1 } }", []string{"manifest is not a list"}},
		"a server's field": {strings.Replace(object, `name = "web"`, `name = "web", uid = "a"`, 1), []string{"manifest: only the API server writes metadata.uid"}},
		"a wrong value":    {strings.Replace(object, `colour = "red"`, `colour = { a = "b" }`, 1), []string{"Put the value of data.colour in quotes in manifest."}},
		"no such field":    {strings.Replace(object, `data =`, `dta =`, 1), []string{"dta"}},
		"a bad name":       {strings.Replace(object, `name = "web"`, `name = "Web_1"`, 1), []string{"Correct the fields named above in manifest."}},
	} {
		t.Run(name, func(t *testing.T) {
			w.Configure("resource \"k8sconnect_manifest\" \"test\" {\n  " + s.Expand(test.arguments) + "\n}\n")
			out := w.Exits(story.Refused, "plan")
			if !story.Saying(test.says...).MatchString(out) || strings.Contains(out, "yaml_body") {
				t.Errorf("want %q and no yaml_body in:\n%s", test.says, out)
			}
		})
	}
}
