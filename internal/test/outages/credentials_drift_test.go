package outages_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/testcluster"
)

// own returns a resource's connection with a token.
func own(token string) string { return "cluster = " + withToken(token) }

func (s *stage) resized(size string) {
	s.T.Helper()
	s.As("hotfix").Patch(sizedTarget, fmt.Sprintf(`{"data":{"size":%q}}`, size))
}

// expired applies the object with a token that is refused from then on.
func (s *stage) expired(account string, arguments ...string) {
	s.T.Helper()
	token := s.token(account)
	s.Configure(s.sized("small", append(arguments, own(token))...))
	s.exits(story.Nothing, "apply", "-auto-approve")
	s.revoke(account, token)
}

// expectRequests asserts which requests for the object an account has sent since mark.
func (s *stage) expectRequests(mark testcluster.Position, account string, want ...string) {
	s.T.Helper()
	all, err := story.ControlPlane().AuditLog().Since(mark)
	story.Must(s.T, err)
	var got []string
	for _, request := range all {
		if request.User == "system:serviceaccount:"+s.Namespace+":"+account && request.Resource == "configmaps" {
			got = append(got, request.Verb)
		}
	}
	if strings.Join(got, " ") != strings.Join(want, " ") {
		s.T.Errorf("%s sent %v, want %v", account, got, want)
	}
}

// What others did to an object while the credentials in the state had ended is told by the plan, which reads
// the object with those of the configuration.
func TestDriftBehindExpiredCredentials(t *testing.T) {
	s := newStage(t)
	s.expired("old")
	fresh := s.token("fresh")
	s.resized("9")
	s.Configure(s.sized("small", own(fresh), `on_conflict = "fail"`))
	s.says(s.exits(story.Refused, "plan"), `nothing is applied, because on_conflict is "fail"`, `data.size: "9" -> "small", owned by "hotfix"`)

	s.Configure(s.sized("small", own(fresh)))
	said := s.exits(story.Changes, "plan", "-detailed-exitcode", "-out=drift.plan")
	s.says(said, "Field Ownership Conflict: ConfigMap "+s.Namespace+"/sized (v1)", `data.size: "9" -> "small", owned by "hotfix"`,
		"(known after apply)", "1 to change, 0 to destroy")
	s.expectSize("9")
	said = s.exits(story.Nothing, "apply", "drift.plan")
	s.lacks(said, "Object Changed During Apply", "inconsistent")
	s.expectSize("small")
	s.settled()

	s.revoke("fresh", fresh)
	last := s.token("last")
	s.Configure(s.sized("small", own(last)))
	mark := story.ControlPlane().AuditLog().Mark()
	said = s.exits(story.Changes, "plan", "-detailed-exitcode")
	s.expectRequests(mark, "last", "get")
	s.says(said, "will be updated in-place", "Object Not Refreshed")
	s.lacks(said, "(known after apply)", "Field Ownership")
	s.exits(story.Nothing, "apply", "-auto-approve")
	s.settled()
	s.exits(story.Nothing, "destroy", "-auto-approve")
}

// The second plan, which the apply makes, reads a change that the first plan did not see, and does not fail because of it.
func TestDriftBetweenPlanAndApplyBehindExpiredCredentials(t *testing.T) {
	t.Parallel()
	for name, with := range map[string][]string{
		"no change of ours": {"small"}, "no change of ours, and a wait": {"small", "wait = {}"}, "a change of ours": {"large"},
	} {
		t.Run(name, func(t *testing.T) {
			s := newStage(t)
			size, arguments := with[0], with[1:]
			s.expired("old", arguments...)
			fresh := s.token("fresh")
			s.Configure(s.sized(size, append(arguments, own(fresh))...))
			said := s.exits(story.Changes, "plan", "-detailed-exitcode", "-out=quiet.plan")
			s.lacks(said, "(known after apply)", "Field Ownership Conflict")
			s.resized("9")
			s.As("labeller").Patch(sizedTarget, `{"metadata":{"labels":{"a":"b"}}}`)
			said = s.exits(story.Nothing, "apply", "quiet.plan")
			s.says(said, "Field Ownership Conflict", `data.size: "9" -> "`+size+`", owned by "hotfix"`)
			s.lacks(said, "inconsistent")
			s.expectSize(size)
			s.settled()
			s.exits(story.Nothing, "destroy", "-auto-approve")
		})
	}
}

// The apply of a drift that the refresh could not see waits, and tells if the object does not become ready.
func TestWaitAfterDriftBehindExpiredCredentials(t *testing.T) {
	s := newStage(t)
	const wait = `wait = { fields = { "data.done" = "yes" } }`
	token := s.token("old")
	s.Configure(s.sized("small", own(token)))
	s.exits(story.Nothing, "apply", "-auto-approve")
	s.As("controller").Patch(sizedTarget, `{"data":{"done":"yes"}}`)
	s.Configure(s.sized("small", wait, own(token)))
	s.exits(story.Nothing, "apply", "-auto-approve")
	s.revoke("old", token)
	s.As("hotfix").Patch(sizedTarget, `{"data":{"size":"9","done":"no"}}`)
	fresh := s.token("fresh")
	s.Configure(s.sized("small", wait, own(fresh), "timeouts {\n    update = \"10s\"\n  }"))
	said := s.exits(story.Refused, "apply", "-auto-approve")
	s.says(said, "Object Not Ready", "Field data.done does not have the expected value yet.")
	s.lacks(said, "inconsistent")
}

// A change of ours meets a change of theirs that the refresh could not see.
func TestUpdateOverDriftBehindExpiredCredentials(t *testing.T) {
	s := newStage(t)
	s.expired("old")
	fresh := s.token("fresh")
	s.resized("9")
	s.Configure(s.sized("large", own(fresh)))
	said := s.exits(story.Changes, "plan", "-detailed-exitcode", "-out=drift.plan")
	s.says(said, `data.size: "9" -> "large", owned by "hotfix"`, "(known after apply)")
	said = s.exits(story.Nothing, "apply", "drift.plan")
	s.lacks(said, "Object Changed During Apply", "inconsistent")
	s.expectSize("large")
	s.settled()

	s.Configure(s.sized("huge", own(fresh)))
	s.resized("9")
	s.exits(story.Nothing, "plan", "-out=conflict.plan")
	s.exits(story.Nothing, "apply", "conflict.plan")
	s.expectSize("huge")
	s.settled()
	s.exits(story.Nothing, "destroy", "-auto-approve")
}

// Owners who come while the credentials have ended are in the state one run later, and no plan fails or goes on
// for ever because of them.
func TestOwnersBehindExpiredCredentials(t *testing.T) {
	s := newStage(t)
	s.expired("old")
	s.As("labeller").Patch(sizedTarget, `{"metadata":{"labels":{"a":"b"}}}`)
	second := s.token("second")
	s.Configure(s.sized("small", own(second)))
	said := s.exits(story.Nothing, "apply", "-auto-approve")
	s.lacks(said, "inconsistent", "Field Ownership")
	s.revoke("second", second)

	third := s.token("third")
	s.Configure(s.sized("small", own(third)))
	said = s.exits(story.Nothing, "apply", "-auto-approve")
	s.says(said, `"metadata.labels.a" = "labeller"`)
	s.revoke("third", third)

	fourth := s.token("fourth")
	s.Configure(s.sized("small", own(fourth)))
	said = s.exits(story.Changes, "plan", "-detailed-exitcode")
	s.lacks(said, "labeller", "(known after apply)")
	s.exits(story.Nothing, "apply", "-auto-approve")
	s.settled()
	s.exits(story.Nothing, "destroy", "-auto-approve")
}

// An object that is gone while the credentials in the state have ended is created again, and nothing is deleted.
func TestGoneBehindExpiredCredentials(t *testing.T) {
	s := newStage(t)
	s.expired("old", "delete_protection = true")
	uid := s.state()[address]
	s.As("somebody").Remove(sizedTarget)
	fresh := s.token("fresh")
	s.Configure(s.sized("small", own(fresh), "delete_protection = true"))
	said := s.exits(story.Changes, "plan", "-detailed-exitcode", "-out=gone.plan")
	s.says(said, "Object Is Gone: ConfigMap "+s.Namespace+"/sized (v1)", "deletes nothing and creates the object", "1 to add, 0 to change, 1 to destroy")
	s.exits(story.Nothing, "apply", "gone.plan")
	s.expectSize("small")
	if now := s.state()[address]; now == "" || now == uid {
		t.Errorf("the state has the uid %q, it was %q", now, uid)
	}
	s.settled()

	s.As("somebody").Remove(sizedTarget)
	s.exits(story.Nothing, "apply", "-auto-approve")
	s.expectSize("small")
	s.Configure(s.sized("small", own(fresh)))
	s.exits(story.Nothing, "apply", "-auto-approve")
	s.exits(story.Nothing, "destroy", "-auto-approve")
}

// An object that goes between the plan and its apply is an error of the provider and not of Terraform.
func TestGoneAfterPlanBehindExpiredCredentials(t *testing.T) {
	s := newStage(t)
	s.expired("old")
	fresh := s.token("fresh")
	s.Configure(s.sized("small", own(fresh)))
	s.exits(story.Nothing, "plan", "-out=saved.plan")
	s.As("somebody").Remove(sizedTarget)
	s.says(s.exits(story.Refused, "apply", "saved.plan"), "Object Not Found", "Plan again")
	s.exits(story.Nothing, "apply", "-auto-approve")
	s.expectSize("small")
	s.settled()
}

// Another object of the name is not taken unasked.
func TestSuccessorBehindExpiredCredentials(t *testing.T) {
	s := newStage(t)
	s.expired("old")
	s.As("somebody").Remove(sizedTarget)
	s.As("theirs").Apply(fmt.Sprintf(sized, "theirs"))
	fresh := s.token("fresh")
	s.Configure(s.sized("small", own(fresh)))
	s.says(s.exits(story.Refused, "plan"), "Object Already Exists", "adopt_existing = true")
	s.Configure(s.sized("small", own(fresh), "adopt_existing = true"))
	s.exits(story.Nothing, "apply", "-auto-approve")
	s.expectSize("small")
	s.settled()
}

// A Job that has run once and is gone does not run again because the credentials in the state have ended.
func TestJobThatRanBehindExpiredCredentials(t *testing.T) {
	t.Parallel()
	const job = `
apiVersion: batch/v1
kind: Job
metadata: {name: once, namespace: NS}
spec: {template: {spec: {restartPolicy: Never, containers: [{name: a, image: "migrate:1"}]}}}
`
	const target = "batch/v1 Job once"
	for name, write := range map[string]func(s *stage, job string, arguments ...string){
		"a manifest": func(s *stage, job string, arguments ...string) { s.Configure(s.Manifest("test", job, arguments...)) },
		"a set": func(s *stage, job string, arguments ...string) {
			s.Configure(fmt.Sprintf("resource \"k8sconnect_manifests\" \"test\" {\nmanifests = { job = %q }\n%s\n}\n",
				s.Expand(job), strings.Join(arguments, "\n")))
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := newStage(t)
			configure := func(job, token string) { write(s, job, "once = true", "wait = {}", own(token)) }
			old := s.token("old")
			configure(job, old)
			s.exits(story.Nothing, "apply", "-auto-approve")
			s.As("somebody").Remove(target)
			s.Await("the Job is gone", func() bool { return s.Gone(target) })
			s.revoke("old", old)

			fresh := s.token("fresh")
			configure(job, fresh)
			said := s.exits(story.Nothing, "apply", "-auto-approve")
			s.says(said, "0 added, 1 changed, 0 destroyed")
			s.settled()
			if !s.Gone(target) {
				t.Error("the Job has run again")
			}

			s.revoke("fresh", fresh)
			last := s.token("last")
			configure(strings.Replace(job, "migrate:1", "migrate:2", 1), last)
			s.exits(story.Nothing, "apply", "-auto-approve")
			if s.Gone(target) {
				t.Error("the changed Job has not run")
			}
			s.settled()
			s.exits(story.Nothing, "destroy", "-auto-approve")
		})
	}
}
