package outages_test

import (
	"fmt"
	"strings"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/testcluster"
)

// own returns a resource's connection with a token.
func own(token string) string { return "cluster = " + withToken(token) }

// patched merges a patch into the object as another manager.
func (s *stage) patched(manager, patch string) {
	s.Helper()
	_, err := s.typed.CoreV1().ConfigMaps(s.namespace).Patch(s.Context(), "sized", types.MergePatchType, []byte(patch),
		metav1.PatchOptions{FieldManager: manager})
	must(s.T, err)
}

func (s *stage) resized(size string) {
	s.Helper()
	s.patched("hotfix", fmt.Sprintf(`{"data":{"size":%q}}`, size))
}

// lacks asserts that a text has none of the parts.
func (s *stage) lacks(text string, parts ...string) {
	s.Helper()
	for _, part := range parts {
		if strings.Contains(text, part) {
			s.Errorf("%q is in:\n%s", part, tail(text))
		}
	}
}

// expired applies the object with a token that is refused from then on.
func (s *stage) expired(account string, arguments ...string) {
	s.Helper()
	token := s.token(account)
	s.configure(s.sized("small", append(arguments, own(token))...))
	s.exits(nothing, "apply", "-auto-approve")
	s.revoke(account, token)
}

// expectRequests asserts which requests for the object an account has sent since mark.
func (s *stage) expectRequests(mark testcluster.Position, account string, want ...string) {
	s.Helper()
	all, err := controlPlane.AuditLog().Since(mark)
	must(s.T, err)
	var got []string
	for _, request := range all {
		if request.User == "system:serviceaccount:"+s.namespace+":"+account && request.Resource == "configmaps" {
			got = append(got, request.Verb)
		}
	}
	if strings.Join(got, " ") != strings.Join(want, " ") {
		s.Errorf("%s sent %v, want %v", account, got, want)
	}
}

// What others did to an object while the credentials in the state had ended is told by the plan, which reads
// the object with those of the configuration.
func TestDriftBehindExpiredCredentials(t *testing.T) {
	s := newStage(t)
	s.expired("old")
	fresh := s.token("fresh")
	s.resized("9")
	s.configure(s.sized("small", own(fresh), `on_conflict = "fail"`))
	s.says(s.exits(refused, "plan"), `nothing is applied, because on_conflict is "fail"`, `data.size: "9" -> "small", owned by "hotfix"`)

	s.configure(s.sized("small", own(fresh)))
	said := s.exits(changes, "plan", "-detailed-exitcode", "-out=drift.plan")
	s.says(said, "Field Ownership Conflict: ConfigMap "+s.namespace+"/sized (v1)", `data.size: "9" -> "small", owned by "hotfix"`,
		"(known after apply)", "1 to change, 0 to destroy")
	s.expectSize("9")
	said = s.exits(nothing, "apply", "drift.plan")
	s.lacks(said, "Object Changed During Apply", "inconsistent")
	s.expectSize("small")
	s.settled()

	s.revoke("fresh", fresh)
	last := s.token("last")
	s.configure(s.sized("small", own(last)))
	mark := controlPlane.AuditLog().Mark()
	said = s.exits(changes, "plan", "-detailed-exitcode")
	s.expectRequests(mark, "last", "get")
	s.says(said, "will be updated in-place", "Object Not Refreshed")
	s.lacks(said, "(known after apply)", "Field Ownership")
	s.exits(nothing, "apply", "-auto-approve")
	s.settled()
	s.exits(nothing, "destroy", "-auto-approve")
}

// A second plan of the apply sees what the first one did not, and fails for it neither way.
func TestDriftBetweenPlanAndApplyBehindExpiredCredentials(t *testing.T) {
	for name, size := range map[string]string{"no change of ours": "small", "a change of ours": "large"} {
		t.Run(name, func(t *testing.T) {
			s := newStage(t)
			s.expired("old")
			fresh := s.token("fresh")
			s.configure(s.sized(size, own(fresh)))
			said := s.exits(changes, "plan", "-detailed-exitcode", "-out=quiet.plan")
			s.lacks(said, "(known after apply)", "Field Ownership Conflict")
			s.resized("9")
			s.patched("labeller", `{"metadata":{"labels":{"a":"b"}}}`)
			said = s.exits(nothing, "apply", "quiet.plan")
			s.says(said, "Field Ownership Conflict", `data.size: "9" -> "`+size+`", owned by "hotfix"`)
			s.lacks(said, "inconsistent")
			s.expectSize(size)
			s.settled()
			s.exits(nothing, "destroy", "-auto-approve")
		})
	}
}

// A change of ours meets a change of theirs that the refresh could not see.
func TestUpdateOverDriftBehindExpiredCredentials(t *testing.T) {
	s := newStage(t)
	s.expired("old")
	fresh := s.token("fresh")
	s.resized("9")
	s.configure(s.sized("large", own(fresh)))
	said := s.exits(changes, "plan", "-detailed-exitcode", "-out=drift.plan")
	s.says(said, `data.size: "9" -> "large", owned by "hotfix"`, "(known after apply)")
	said = s.exits(nothing, "apply", "drift.plan")
	s.lacks(said, "Object Changed During Apply", "inconsistent")
	s.expectSize("large")
	s.settled()

	s.configure(s.sized("huge", own(fresh)))
	s.resized("9")
	s.exits(nothing, "plan", "-out=conflict.plan")
	s.exits(nothing, "apply", "conflict.plan")
	s.expectSize("huge")
	s.settled()
	s.exits(nothing, "destroy", "-auto-approve")
}

// Owners who come while the credentials have ended are in the state one run later, and no plan fails or goes on
// for ever because of them.
func TestOwnersBehindExpiredCredentials(t *testing.T) {
	s := newStage(t)
	s.expired("old")
	s.patched("labeller", `{"metadata":{"labels":{"a":"b"}}}`)
	second := s.token("second")
	s.configure(s.sized("small", own(second)))
	said := s.exits(nothing, "apply", "-auto-approve")
	s.lacks(said, "inconsistent", "Field Ownership")
	s.revoke("second", second)

	third := s.token("third")
	s.configure(s.sized("small", own(third)))
	said = s.exits(nothing, "apply", "-auto-approve")
	s.says(said, `"metadata.labels.a" = "labeller"`)
	s.revoke("third", third)

	fourth := s.token("fourth")
	s.configure(s.sized("small", own(fourth)))
	said = s.exits(changes, "plan", "-detailed-exitcode")
	s.lacks(said, "labeller", "(known after apply)")
	s.exits(nothing, "apply", "-auto-approve")
	s.settled()
	s.exits(nothing, "destroy", "-auto-approve")
}

// An object that is gone while the credentials in the state have ended is created again, and nothing is deleted.
func TestGoneBehindExpiredCredentials(t *testing.T) {
	s := newStage(t)
	s.expired("old", "delete_protection = true")
	uid := s.state()[address]
	s.removed()
	fresh := s.token("fresh")
	s.configure(s.sized("small", own(fresh), "delete_protection = true"))
	said := s.exits(changes, "plan", "-detailed-exitcode", "-out=gone.plan")
	s.says(said, "Object Is Gone: ConfigMap "+s.namespace+"/sized (v1)", "deletes nothing and creates the object", "1 to add, 0 to change, 1 to destroy")
	s.exits(nothing, "apply", "gone.plan")
	s.expectSize("small")
	if now := s.state()[address]; now == "" || now == uid {
		t.Errorf("the state has the uid %q, it was %q", now, uid)
	}
	s.settled()

	s.removed()
	s.exits(nothing, "apply", "-auto-approve")
	s.expectSize("small")
	s.configure(s.sized("small", own(fresh)))
	s.exits(nothing, "apply", "-auto-approve")
	s.exits(nothing, "destroy", "-auto-approve")
}

// An object that goes between the plan and its apply is an error of the provider and not of Terraform.
func TestGoneAfterPlanBehindExpiredCredentials(t *testing.T) {
	s := newStage(t)
	s.expired("old")
	fresh := s.token("fresh")
	s.configure(s.sized("small", own(fresh)))
	s.exits(nothing, "plan", "-out=saved.plan")
	s.removed()
	s.says(s.exits(refused, "apply", "saved.plan"), "Object Not Found", "Plan again")
	s.exits(nothing, "apply", "-auto-approve")
	s.expectSize("small")
	s.settled()
}

// Another object of the name is not taken unasked.
func TestSuccessorBehindExpiredCredentials(t *testing.T) {
	s := newStage(t)
	s.expired("old")
	s.removed()
	successor := `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"sized"},"data":{"size":"theirs"}}`
	_, err := s.typed.CoreV1().ConfigMaps(s.namespace).Patch(s.Context(), "sized", types.ApplyPatchType, []byte(successor),
		metav1.PatchOptions{FieldManager: "theirs"})
	must(t, err)
	fresh := s.token("fresh")
	s.configure(s.sized("small", own(fresh)))
	s.says(s.exits(refused, "plan"), "Object Already Exists", "adopt_existing = true")
	s.configure(s.sized("small", own(fresh), "adopt_existing = true"))
	s.exits(nothing, "apply", "-auto-approve")
	s.expectSize("small")
	s.settled()
}

// removed deletes the object as somebody else.
func (s *stage) removed() {
	s.Helper()
	must(s.T, s.typed.CoreV1().ConfigMaps(s.namespace).Delete(s.Context(), "sized", metav1.DeleteOptions{}))
}
