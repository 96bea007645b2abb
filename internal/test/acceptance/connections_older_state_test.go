package acceptance_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
)

// The state of an older version lacks the attributes of a connection that came since: nothing changes for its resources.
func TestStateLacksAttributesOfTheConnection(t *testing.T) {
	s := story.New(t)
	w := s.HostedWorkspace()
	token, _ := s.Token("deployer")
	w.Configure(redConfigMap(s, "web", story.Cluster(atHost(), story.Attributes("token", token))))
	w.Do("apply", "-auto-approve")
	path := filepath.Join(w.Dir, "terraform.tfstate")
	content, err := os.ReadFile(path)
	story.Must(t, err)
	var state any
	story.Must(t, json.Unmarshal(content, &state))
	if removed := removeKeys(state, "token_file", "in_cluster"); removed != 2 {
		t.Fatalf("the state has %d of the 2 attributes:\n%s", removed, content)
	}
	content, err = json.Marshal(state)
	story.Must(t, err)
	story.Must(t, os.WriteFile(path, content, 0o600))
	w.Exits(story.Nothing, "plan", "-detailed-exitcode")
	w.Do("destroy", "-auto-approve")
}

// removeKeys removes keys from all maps of a value, and returns how many it found.
func removeKeys(value any, keys ...string) (removed int) {
	switch value := value.(type) {
	case map[string]any:
		for _, key := range keys {
			if _, found := value[key]; found {
				delete(value, key)
				removed++
			}
		}
		for _, child := range value {
			removed += removeKeys(child, keys...)
		}
	case []any:
		for _, child := range value {
			removed += removeKeys(child, keys...)
		}
	}
	return removed
}
