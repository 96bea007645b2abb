package outages_test

import (
	"fmt"
	"net/http"
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

// What others did to an object of a set while the credentials in the state had ended is told by the plan, and set back.
func TestSetDriftBehindExpiredCredentials(t *testing.T) {
	s := newStage(t)
	s.expiredPair("old", "wait = {}")
	fresh := s.token("fresh")
	s.resized("9")
	s.pair("small", own(fresh), "wait = {}")
	said := s.exits(story.Changes, "plan", "-detailed-exitcode", "-out=drift.plan")
	s.says(said, `data.size: "9" -> "small", owned by "hotfix"`, "0 to add, 1 to change, 0 to destroy")
	s.exits(story.Nothing, "apply", "drift.plan")
	s.expectSize("small")
	s.settled()

	s.revoke("fresh", fresh)
	third := s.token("third")
	s.resized("9")
	s.pair("large", own(third), "wait = {}")
	s.exits(story.Nothing, "apply", "-auto-approve")
	s.expectSize("large")
	s.settled()

	s.revoke("third", third)
	last := s.token("last")
	s.pair("large", own(last), "wait = {}")
	s.lacks(s.exits(story.Changes, "plan", "-detailed-exitcode", "-out=quiet.plan"), "(known after apply)")
	s.resized("9")
	s.says(s.exits(story.Nothing, "apply", "quiet.plan"), `data.size: "9" -> "large", owned by "hotfix"`)
	s.expectSize("large")
	s.settled()
	s.exits(story.Nothing, "destroy", "-auto-approve")
}

// The token of a set is not known in the plan, and turns out to be that of the state.
func TestSetWhoseTokenIsKnownAfterThePlan(t *testing.T) {
	s := newStage(t)
	token := s.token("one")
	configure := func(trigger string, arguments ...string) {
		t.Helper()
		s.pair("small", append(arguments, "cluster = "+with("token = terraform_data.token.output"), fmt.Sprintf(`}
resource "terraform_data" "token" {
  input            = %q
  triggers_replace = %q`, token, trigger))...)
	}
	configure("1")
	s.exits(story.Nothing, "apply", "-auto-approve")
	configure("2", "delete_protection = true")
	s.exits(story.Nothing, "apply", "-auto-approve")
	s.settled()
	configure("3", "delete_protection = false")
	s.exits(story.Nothing, "apply", "-auto-approve")
	s.exits(story.Nothing, "destroy", "-auto-approve")
}

// An object that an apply has skipped, because another one failed, starts the next apply from what that plan has read.
func TestSkippedBehindExpiredCredentials(t *testing.T) {
	s := newStage(t)
	f := s.newFront()
	const binding = "rbac.authorization.k8s.io/v1 RoleBinding readers"
	configure := func(verb, connection string) {
		t.Helper()
		s.Configure(s.Expand(fmt.Sprintf(`resource "k8sconnect_manifests" "test" {
  manifests = {
    role    = "{apiVersion: rbac.authorization.k8s.io/v1, kind: Role, metadata: {name: reader, namespace: NS}, rules: [{apiGroups: [''], resources: [pods], verbs: [%s]}]}"
    binding = "{apiVersion: rbac.authorization.k8s.io/v1, kind: RoleBinding, metadata: {name: readers, namespace: NS, labels: {size: small}}, roleRef: {apiGroup: rbac.authorization.k8s.io, kind: Role, name: reader}, subjects: [{kind: ServiceAccount, name: a, namespace: NS}]}"
  }
`, verb)) + connection + "\n}\n")
	}
	old := s.token("old")
	configure("get", own(old))
	s.exits(story.Nothing, "apply", "-auto-approve")
	s.revoke("old", old)

	configure("list", "cluster = "+f.connection())
	f.answering(notDryRun(func(r *http.Request) bool {
		return r.Method == http.MethodPatch && strings.HasSuffix(r.URL.Path, "/roles/reader")
	}), refusing(http.StatusForbidden, "Forbidden"))
	s.says(s.exits(story.Refused, "apply", "-auto-approve"), "Forbidden", "RoleBinding "+s.Namespace+"/readers")
	f.answering(nil, nil)
	s.exits(story.Nothing, "apply", "-auto-approve")
	s.settled()

	s.As("bob").Patch(binding, `{"metadata":{"labels":{"size":"9"}}}`)
	s.says(s.exits(story.Nothing, "apply", "-auto-approve"), `metadata.labels.size: "9" -> "small", owned by "bob"`)
	if got := s.Live(binding).GetLabels()["size"]; got != "small" {
		t.Errorf("the size on the server is %q", got)
	}
	s.settled()
	s.exits(story.Nothing, "destroy", "-auto-approve")
}
