package outages_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
)

const otherTarget = "v1 ConfigMap other"

// pair configures a set of two ConfigMaps of a size. arguments are those of the resource.
func (s *stage) pair(size string, arguments ...string) {
	s.T.Helper()
	var manifests strings.Builder
	for _, name := range []string{"sized", "other"} {
		fmt.Fprintf(&manifests, "%s = \"{apiVersion: v1, kind: ConfigMap, metadata: {name: %s, namespace: NS}, data: {size: '%s'}}\"\n",
			name, name, size)
	}
	s.Configure("resource \"k8sconnect_manifests\" \"test\" {\nmanifests = {\n" + s.Expand(manifests.String()) + "}\n" +
		strings.Join(arguments, "\n") + "\n}\n")
}

// expiredPair applies the set with a token that is refused from then on.
func (s *stage) expiredPair(account string, arguments ...string) {
	s.T.Helper()
	token := s.token(account)
	s.pair("small", append(arguments, own(token))...)
	s.exits(story.Nothing, "apply", "-auto-approve")
	s.revoke(account, token)
}

// An object of a set that is gone while the credentials in the state had ended is created again, and the others stay.
func TestSetGoneBehindExpiredCredentials(t *testing.T) {
	s := newStage(t)
	s.expiredPair("old", "delete_protection = true")
	uid := s.Live(otherTarget).GetUID()
	s.As("somebody").Remove(sizedTarget)
	fresh := s.token("fresh")
	s.pair("small", own(fresh), "delete_protection = true")
	said := s.exits(story.Changes, "plan", "-detailed-exitcode", "-out=gone.plan")
	s.says(said, "Object Is Gone: ConfigMap "+s.Namespace+"/sized (v1)", "0 to add, 1 to change, 0 to destroy")
	s.exits(story.Nothing, "apply", "gone.plan")
	s.expectSize("small")
	s.settled()

	s.revoke("fresh", fresh)
	s.As("somebody").Remove(sizedTarget)
	s.exits(story.Nothing, "apply", "-refresh-only", "-auto-approve")
	last := s.token("last")
	s.pair("large", own(last), "delete_protection = true")
	s.exits(story.Nothing, "apply", "-refresh=false", "-auto-approve")
	s.expectSize("large")
	s.settled()
	if s.Live(otherTarget).GetUID() != uid {
		t.Error("the other object was created again")
	}
	s.pair("large", own(last))
	s.exits(story.Nothing, "apply", "-auto-approve")
	s.exits(story.Nothing, "destroy", "-auto-approve")
}
