package connections_test

import (
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
)

// The state of an older version lacks the attributes of a connection that came since: nothing changes for its resources.
func TestStateLacksAttributesOfTheConnection(t *testing.T) {
	s := story.New(t)
	w := s.Workspace()
	token, _ := s.Token("deployer")
	w.Configure(named(s, "web", story.Cluster(atHost(), story.Attributes("token", token))))
	w.Do("apply", "-auto-approve")
	path := filepath.Join(w.Dir, "terraform.tfstate")
	state, err := os.ReadFile(path)
	story.Must(t, err)
	newer := regexp.MustCompile(`(?m)^ +"(token_file|in_cluster)": null,\n`)
	if found := len(newer.FindAll(state, -1)); found != 2 {
		t.Fatalf("the state has %d of the 2 attributes:\n%s", found, state)
	}
	story.Must(t, os.WriteFile(path, newer.ReplaceAll(state, nil), 0o600))
	w.Exits(story.Nothing, "plan", "-detailed-exitcode")
	w.Do("destroy", "-auto-approve")
}
