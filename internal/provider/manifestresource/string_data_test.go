package manifestresource_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifest"
)

const credentialsID = "apiVersion=v1,kind=Secret,namespace=NS,name=credentials"

// login is a Secret with two values, and loginSent what is sent of it.
var (
	login     = secret("stringData: {password: " + planted + ", user: admin}\n")
	loginSent = secret("data: {password: " + encoded(planted) + ", user: " + encoded("admin") + "}\n")
)

// editPassword writes to the data of the Secret as somebody else.
func editPassword(s *story, name, value string) {
	s.as(name).patch(credentials, `{"data":{"password":"`+encoded(value)+`"}}`)
}

// expectPassword asserts the live password, "" for none.
func expectPassword(s *story, value string) resource.TestCheckFunc {
	want := `"` + encoded(value) + `"`
	if value == "" {
		want = "null"
	}
	return s.expectLiveJSON(credentials, want, "data", "password")
}

// What is sent is what the server would have made of stringData.
func TestStringDataAgreesWithTheServer(t *testing.T) {
	s := newStory(t)
	for _, lines := range []string{
		"stringData: {a: hello}", "stringData: {a: hello}\ndata: {a: Yg==, c: ZA==}", `stringData: {a: "é\n\t"}`, `stringData: {a: ""}`,
		"stringData: {a: null, b: c}", "stringData: {a: b}\ndata: null", "stringData: {}", "stringData: null\ndata: {a: Yg==}",
	} {
		object := s.parse(secret(lines))
		kept, err := s.resourceOf(object).Apply(t.Context(), object.GetName(), object,
			metav1.ApplyOptions{FieldManager: "vault", DryRun: []string{metav1.DryRunAll}})
		must(t, err)
		ours, err := manifest.Parse(s.expand(secret(lines)))
		must(t, err)
		if diff := cmp.Diff(kept.Object["data"], ours.Object["data"]); diff != "" {
			t.Errorf("%s (-server's data +ours):\n%s", lines, diff)
		}
	}
}

// A value of stringData is owned, shown, set back and removed as the data that the server keeps.
func TestStringData(t *testing.T) {
	s := newStory(t)
	hidden := s.expectUndisclosed(planted, edited)
	asData := secret("data: {user: " + encoded("admin") + "}\n")
	s.run(
		resource.TestStep{
			Config: s.config(login),
			ConfigPlanChecks: checks(
				expectOwner("data.password", absent, "k8sconnect"), expectOwner("stringData.password", absent, absent),
				s.expectPrediction(loginSent), s.expectNoWarning(), hidden,
			),
			ConfigStateChecks: states(
				expectSecretDigest("data.password"), expectState(managedState, "stringData.password: "+absent),
				s.expectStateUndisclosed(planted),
			),
			Check: lives(
				expectPassword(s, planted), s.expectOwners(credentials, "data.password", "k8sconnect"),
				s.expectNoOwner(credentials, "stringData.password"), s.expectSilence(),
			),
		},
		// The same bytes as data are the same manifest.
		resource.TestStep{Config: s.config(loginSent), ConfigPlanChecks: checks(plancheck.ExpectEmptyPlan())},
		resource.TestStep{
			PreConfig: s.anew(func() { editPassword(s, "kubectl-edit", edited) }),
			Config:    s.config(login),
			ConfigPlanChecks: checks(
				expectOwner("data.password", "kubectl-edit", "k8sconnect"), s.expectPrediction(loginSent),
				s.expectWarning("takes back a field", `data.password: "(sensitive, hmac-sha256:`, `owned by "kubectl-edit"`, `ignore_fields = ["data.password"]`),
				hidden,
			),
			ConfigStateChecks: states(s.expectStateUndisclosed(planted, edited)),
			Check:             expectPassword(s, planted),
		},
		// Whoever applies stringData changes the data and does not take them.
		resource.TestStep{
			PreConfig: s.anew(func() { s.as("vault").apply(secret("stringData: {password: " + edited + "}\n")) }),
			Config:    s.config(login),
			ConfigPlanChecks: checks(
				plancheck.ExpectResourceAction(address, plancheck.ResourceActionUpdate), expectOnly(fieldOwnership),
				s.expectOnlyWarning("sets back a field whose value changed since the last apply", "data.password"), hidden,
			),
			Check: lives(expectPassword(s, planted), s.expectOwners(credentials, "stringData.password", "vault")),
		},
		// What leaves stringData leaves the object.
		resource.TestStep{
			PreConfig: s.anew(),
			Config:    s.config(secret("stringData: {user: admin}\n")),
			ConfigPlanChecks: checks(
				expectOnly(fieldOwnership, "data.password: k8sconnect -> (absent)"), s.expectPrediction(asData), s.expectNoWarning(),
			),
			Check: expectPassword(s, ""),
		},
	)
}

// Another owner of the data is met as one of any other field.
func TestStringDataConflicts(t *testing.T) {
	s := newStory(t)
	rotated := secret("stringData: {password: rotated, user: admin}\n")
	refused := []string{
		"Field Ownership Conflict", `on_conflict is "fail"`, "data.password:", `owned by "console" using v1`, `ignore_fields = ["data.password"]`,
	}
	s.run(
		resource.TestStep{Config: s.config(login, orFail)},
		// Equal values are shared.
		resource.TestStep{
			PreConfig:        s.anew(func() { s.as("vault").apply(secret("data: {password: " + encoded(planted) + "}\n")) }),
			Config:           s.config(login, orFail),
			ConfigPlanChecks: checks(plancheck.ExpectEmptyPlan()),
			ConfigStateChecks: states(stateCheck(func(attributes map[string]any) error {
				if got := entry(attributes, coOwners, "data.password"); got != "[vault k8sconnect]" && got != "[k8sconnect vault]" {
					return fmt.Errorf("co_owners[data.password] is %s", got)
				}
				return nil
			})),
		},
		resource.TestStep{
			PreConfig:   s.anew(func() { editPassword(s, "console", edited) }),
			Config:      s.config(login, orFail),
			ExpectError: saying(refused...),
		},
		resource.TestStep{Config: s.config(rotated, orFail), ExpectError: saying(refused...)},
		resource.TestStep{
			PreConfig: s.anew(),
			Config:    s.config(rotated),
			ConfigPlanChecks: checks(
				expectOwner("data.password", "console", "k8sconnect"),
				s.expectPrediction(secret("data: {password: "+encoded("rotated")+", user: "+encoded("admin")+"}\n")),
				s.expectWarning("takes a field from another owner", "data.password", `owned by "console"`),
			),
			Check: lives(expectPassword(s, "rotated"), s.expectOwners(credentials, "data.password", "k8sconnect")),
		},
		// One that is newer than the plan fails the apply.
		resource.TestStep{
			Config:           s.config(login, orFail),
			ConfigPlanChecks: checks(meanwhile(func() { editPassword(s, "console", edited) })),
			ExpectError:      saying("Field Ownership Conflict", `"console"`, "newer than the plan", `ignore_fields = ["data.password"]`),
		},
		resource.TestStep{
			Config: s.config(login, orFail, `ignore_fields = ["data.password"]`),
			Check:  lives(expectPassword(s, edited), s.expectOwners(credentials, "data.password", "console")),
		},
	)
	if err := s.undisclosed([]string{planted, edited}); err != nil {
		t.Error(err)
	}
}

// A pattern may call the field as the manifest does, or as the server does.
func TestStringDataIgnored(t *testing.T) {
	for _, field := range []string{"stringData.password", "data.password", `stringData["password"]`} {
		t.Run(field, func(t *testing.T) {
			s := newStory(t)
			text, err := json.Marshal(field)
			must(t, err)
			ignored := "ignore_fields = [" + string(text) + "]"
			rotated := secret("stringData: {password: rotated, user: root}\n")
			// From the creation on, the value is an initial one.
			s.run(
				resource.TestStep{
					Config: s.config(login, ignored),
					ConfigPlanChecks: checks(
						expectOwner("data.password", absent, absent), expectOwner("data.user", absent, "k8sconnect"), s.expectNoWarning(),
					),
					Check: lives(expectPassword(s, planted), s.expectNoOwner(credentials, "data.password"), s.expectSilence()),
				},
				resource.TestStep{
					PreConfig:        s.anew(func() { editPassword(s, "console", edited) }),
					Config:           s.config(login, ignored),
					ConfigPlanChecks: checks(plancheck.ExpectEmptyPlan(), s.expectNoWarning()),
				},
				resource.TestStep{
					Config: s.config(rotated, ignored),
					Check:  lives(expectPassword(s, edited), s.expectOwners(credentials, "data.password", "console")),
				},
				// Without the pattern it is ours again, and a pattern that joins later releases it.
				resource.TestStep{
					PreConfig: s.anew(),
					Config:    s.config(rotated),
					ConfigPlanChecks: checks(
						expectOwner("data.password", "console", "k8sconnect"), s.expectPrediction(secret("data: {password: "+encoded("rotated")+", user: "+encoded("root")+"}\n")),
						s.expectWarning("takes a field from another owner", "data.password", `owned by "console"`),
					),
					Check: expectPassword(s, "rotated"),
				},
				resource.TestStep{
					PreConfig: s.anew(),
					Config:    s.config(rotated, ignored),
					ConfigPlanChecks: checks(
						expectOwner("data.password", "k8sconnect", absent),
						s.expectOnlyWarning("the apply releases a field, and its value stays", "data.password", "owned by nobody else"),
					),
					Check: lives(expectPassword(s, "rotated"), s.expectNoOwner(credentials, "data.password")),
				},
				// A released key that leaves the manifest stays.
				resource.TestStep{
					Config: s.config(secret("stringData: {user: root}\n"), ignored),
					Check:  expectPassword(s, "rotated"),
				},
			)
		})
	}
}

// Patterns that cover nothing are told as they were written; those of either name cover the data.
func TestStringDataUnmatched(t *testing.T) {
	s := newStory(t)
	s.run(resource.TestStep{
		Config: s.config(login, `ignore_fields = ["stringData.gone", "stringData.password"]`,
			`sensitive_fields = ["stringData.user", "data.password", "stringData.lost"]`),
		ConfigPlanChecks: checks(check(func(context.Context, plancheck.CheckPlanRequest) error {
			warnings, _ := s.provider.take()
			return unmatched(warnings, "stringData.gone", "stringData.lost")
		})),
	})
}

// unmatched asserts one warning for each pattern, which names it and no other of the Secret's.
func unmatched(warnings []string, patterns ...string) error {
	if len(warnings) != len(patterns) {
		return fmt.Errorf("got %d warnings:\n%s", len(warnings), strings.Join(warnings, "\n---\n"))
	}
	all := strings.Join(warnings, "\n---\n")
	for _, pattern := range patterns {
		if !strings.Contains(all, pattern) {
			return fmt.Errorf("no warning of %s:\n%s", pattern, all)
		}
	}
	for _, matched := range []string{"password", "user"} {
		if strings.Contains(all, matched) {
			return fmt.Errorf("a warning of %s, which covers something:\n%s", matched, all)
		}
	}
	return nil
}

// What a manager that is ignored owns of the data is left to it.
func TestStringDataOfIgnoredManagers(t *testing.T) {
	s := newStory(t)
	ignored := `ignore_managers = ["rotator"]`
	s.run(
		resource.TestStep{Config: s.config(login, ignored), Check: s.expectOwners(credentials, "data.password", "k8sconnect")},
		resource.TestStep{
			PreConfig:        s.anew(func() { editPassword(s, "rotator", edited) }),
			Config:           s.config(login, ignored),
			ConfigPlanChecks: checks(expectOwner("data.password", "rotator", "rotator"), s.expectNoWarning()),
			Check:            expectPassword(s, edited),
		},
		resource.TestStep{
			Config: s.config(secret("stringData: {password: "+planted+", user: root}\n"), ignored),
			Check:  expectPassword(s, edited),
		},
	)
}

// A write-only part lies over the manifest, whichever way the two write a key.
func TestStringDataWriteOnlyWins(t *testing.T) {
	for name, test := range map[string]struct{ body, part string }{
		"data over stringData": {"stringData: {password: placeholder, user: admin}", "data: {password: " + encoded(planted) + "}"},
		"stringData over data": {"data: {password: " + encoded("placeholder") + "}\nstringData: {user: admin}", "stringData: {password: " + planted + "}"},
	} {
		t.Run(name, func(t *testing.T) {
			s := newStory(t)
			s.run(resource.TestStep{
				Config:            s.config(secret(test.body), writeOnly(test.part, 1)),
				ConfigPlanChecks:  checks(s.expectPrediction(loginSent), s.expectUndisclosed(planted)),
				ConfigStateChecks: states(expectSecretDigest("data.password"), s.expectStateUndisclosed(planted)),
				Check:             expectPassword(s, planted),
			})
		})
	}
}

// An existing Secret is taken with its data: the plan says who loses what, and refuses what is not wanted.
func TestStringDataAdopted(t *testing.T) {
	s := newStory(t)
	s.run(
		resource.TestStep{
			PreConfig:   func() { s.as("console").create(secret("data: {password: " + encoded(edited) + "}\n")) },
			Config:      s.config(login, adopting, orFail),
			ExpectError: saying("Field Ownership Conflict", `on_conflict is "fail"`, "data.password:", `owned by "console"`),
		},
		resource.TestStep{
			PreConfig: s.anew(),
			Config:    s.config(login, adopting),
			ConfigPlanChecks: checks(
				s.expectPlanSays("Existing Object Adopted: Secret", `data.password: "console" -> "k8sconnect"`),
				s.expectPlanSays("Field Ownership Conflict", "data.password:", `owned by "console"`),
				s.expectUndisclosed(planted, edited),
			),
			Check: lives(expectPassword(s, planted), s.expectOwners(credentials, "data.password", "k8sconnect")),
		},
	)
}
