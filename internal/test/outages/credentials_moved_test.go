package outages_test

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/kubernetesstub"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
)

// The credentials that a moved resource has in its state have ended. The plan goes on with those of the configuration.
func TestStoredCredentialsOfMovedExpire(t *testing.T) {
	s := newStage(t)
	old, fresh := s.token("old"), s.token("fresh")
	stub, err := kubernetesstub.Serve(t, kubernetesstub.K8sconnect)
	story.Must(t, err)
	s.Env = append(s.Env, stub)
	configure := func(text string) {
		story.Must(t, os.WriteFile(filepath.Join(s.Dir, "main.tf"), []byte("terraform {\n  required_providers {\n    k8sconnect = { source = \"k8sconnect/k8sconnect\" }\n    former = { source = \"jmorris0x0/k8sconnect\" }\n  }\n}\n"+text), 0o600))
	}
	moved := func(size, token string) string {
		return "moved {\n  from = k8sconnect_object.test\n  to = k8sconnect_manifest.test\n}\n" + s.sized(size, "cluster = "+withToken(token))
	}
	small := s.Expand(fmt.Sprintf(sized, "small"))
	s.As(story.Us).Apply(small)
	configure("resource \"k8sconnect_object\" \"test\" {\n  provider = former\n  cluster = " + withToken(old) + "\n  yaml_body = <<-YAML\n" + small + "YAML\n}\n")
	s.exits(story.Nothing, "apply", "-auto-approve")
	s.revoke("old", old)

	configure(moved("small", old))
	s.says(s.exits(story.Refused, "plan"), "Stored Credentials Refused", "Set new credentials in `cluster`")
	configure(moved("large", fresh))
	s.says(s.exits(story.Refused, "plan", "-refresh=false"), "Moved Without Refresh")
	s.says(s.exits(story.Changes, "plan", "-detailed-exitcode"), "Object Not Refreshed", "the plan reads the object with them", `"data.size" = "large"`, "1 to change, 0 to destroy")
	s.exits(story.Nothing, "apply", "-auto-approve")
	s.expectSize("large")
	s.settled()
}
