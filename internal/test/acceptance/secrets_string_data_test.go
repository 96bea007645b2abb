package acceptance_test

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

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
)

const credentialsID = "apiVersion=v1,kind=Secret,namespace=NS,name=credentials"

// login is a Secret with two values, and loginSent what is sent of it.
var (
	login     = secret("stringData: {password: " + planted + ", user: admin}\n")
	loginSent = secret("data: {password: " + encoded(planted) + ", user: " + encoded("admin") + "}\n")
)

// editPassword writes to the data of the Secret as another client.
func editPassword(s *story.Story, name, value string) {
	s.As(name).Patch(credentials, `{"data":{"password":"`+encoded(value)+`"}}`)
}

// expectPassword asserts the live password, "" for none.
func expectPassword(s *story.Story, value string) resource.TestCheckFunc {
	want := `"` + encoded(value) + `"`
	if value == "" {
		want = "null"
	}
	return s.ExpectLiveJSON(credentials, want, "data", "password")
}

// What is sent is what the server would have made of stringData.
func TestStringDataAgreesWithTheServer(t *testing.T) {
	s := story.New(t)
	for _, lines := range []string{
		"stringData: {a: hello}", "stringData: {a: hello}\ndata: {a: Yg==, c: ZA==}", `stringData: {a: "é\n\t"}`, `stringData: {a: ""}`,
		"stringData: {a: null, b: c}", "stringData: {a: b}\ndata: null", "stringData: {}", "stringData: null\ndata: {a: Yg==}",
	} {
		object := s.Parse(secret(lines))
		kept, err := s.ResourceOf(object).Apply(t.Context(), object.GetName(), object,
			metav1.ApplyOptions{FieldManager: "vault", DryRun: []string{metav1.DryRunAll}})
		story.Must(t, err)
		ours, err := manifest.Parse(s.Expand(secret(lines)))
		story.Must(t, err)
		if diff := cmp.Diff(kept.Object["data"], ours.Object["data"]); diff != "" {
			t.Errorf("%s (-server's data +ours):\n%s", lines, diff)
		}
	}
}

// A value of stringData is owned, shown, set back and removed as the data that the server keeps.
func TestStringData(t *testing.T) {
	s := story.New(t)
	hidden := s.ExpectRedacted(planted, edited)
	asData := secret("data: {user: " + encoded("admin") + "}\n")
	s.Run(
		resource.TestStep{
			Config: s.Config(login),
			ConfigPlanChecks: story.PlanChecks(
				story.ExpectOwner("data.password", story.Absent, "k8sconnect"), story.ExpectOwner("stringData.password", story.Absent, story.Absent),
				s.ExpectPrediction(loginSent), s.ExpectNoWarning(), hidden,
			),
			ConfigStateChecks: story.StateChecks(
				expectSecretDigest("data.password"), story.ExpectState(story.ManagedState, "stringData.password: "+story.Absent),
				s.ExpectStateRedacted(planted),
			),
			Check: story.LiveChecks(
				expectPassword(s, planted), s.ExpectOwners(credentials, "data.password", "k8sconnect"),
				s.ExpectNoOwner(credentials, "stringData.password"), s.ExpectSilence(),
			),
		},
		// The same bytes as data are the same manifest.
		resource.TestStep{Config: s.Config(loginSent), ConfigPlanChecks: story.PlanChecks(plancheck.ExpectEmptyPlan())},
		resource.TestStep{
			PreConfig: s.NextStep(func() { editPassword(s, "kubectl-edit", edited) }),
			Config:    s.Config(login),
			ConfigPlanChecks: story.PlanChecks(
				story.ExpectOwner("data.password", "kubectl-edit", "k8sconnect"), s.ExpectPrediction(loginSent),
				s.ExpectWarning("takes back a field", `data.password: "(sensitive, hmac-sha256:`, `owned by "kubectl-edit"`, `ignore_fields = ["data.password"]`),
				hidden,
			),
			ConfigStateChecks: story.StateChecks(s.ExpectStateRedacted(planted, edited)),
			Check:             expectPassword(s, planted),
		},
		// A manager that applies stringData changes the data, but does not own them.
		resource.TestStep{
			PreConfig: s.NextStep(func() { s.As("vault").Apply(secret("stringData: {password: " + edited + "}\n")) }),
			Config:    s.Config(login),
			ConfigPlanChecks: story.PlanChecks(
				plancheck.ExpectResourceAction(story.Address, plancheck.ResourceActionUpdate), story.ExpectOnly(story.FieldOwnership),
				s.ExpectOnlyWarning("sets back a field whose value changed since the last apply", "data.password"), hidden,
			),
			Check: story.LiveChecks(expectPassword(s, planted), s.ExpectOwners(credentials, "stringData.password", "vault")),
		},
		// A key that leaves stringData leaves the object.
		resource.TestStep{
			PreConfig: s.NextStep(),
			Config:    s.Config(secret("stringData: {user: admin}\n")),
			ConfigPlanChecks: story.PlanChecks(
				story.ExpectOnly(story.FieldOwnership, "data.password: k8sconnect -> (absent)"), s.ExpectPrediction(asData), s.ExpectNoWarning(),
			),
			Check: expectPassword(s, ""),
		},
	)
}

// Another owner of the data is a conflict, as for any other field.
func TestStringDataConflicts(t *testing.T) {
	s := story.New(t)
	rotated := secret("stringData: {password: rotated, user: admin}\n")
	refused := []string{
		"Field Ownership Conflict", `on_conflict is "fail"`, "data.password:", `owned by "console" using v1`, `ignore_fields = ["data.password"]`,
	}
	s.Run(
		resource.TestStep{Config: s.Config(login, story.OrFail)},
		// Equal values are shared.
		resource.TestStep{
			PreConfig:        s.NextStep(func() { s.As("vault").Apply(secret("data: {password: " + encoded(planted) + "}\n")) }),
			Config:           s.Config(login, story.OrFail),
			ConfigPlanChecks: story.PlanChecks(plancheck.ExpectEmptyPlan()),
			ConfigStateChecks: story.StateChecks(story.StateCheck(func(attributes map[string]any) error {
				if got := story.Entry(attributes, story.CoOwners, "data.password"); got != "[vault k8sconnect]" && got != "[k8sconnect vault]" {
					return fmt.Errorf("co_owners[data.password] is %s", got)
				}
				return nil
			})),
		},
		resource.TestStep{
			PreConfig:   s.NextStep(func() { editPassword(s, "console", edited) }),
			Config:      s.Config(login, story.OrFail),
			ExpectError: story.Saying(refused...),
		},
		resource.TestStep{Config: s.Config(rotated, story.OrFail), ExpectError: story.Saying(refused...)},
		resource.TestStep{
			PreConfig: s.NextStep(),
			Config:    s.Config(rotated),
			ConfigPlanChecks: story.PlanChecks(
				story.ExpectOwner("data.password", "console", "k8sconnect"),
				s.ExpectPrediction(secret("data: {password: "+encoded("rotated")+", user: "+encoded("admin")+"}\n")),
				s.ExpectWarning("takes a field from another owner", "data.password", `owned by "console"`),
			),
			Check: story.LiveChecks(expectPassword(s, "rotated"), s.ExpectOwners(credentials, "data.password", "k8sconnect")),
		},
		// A conflict that appears after the plan fails the apply.
		resource.TestStep{
			Config:           s.Config(login, story.OrFail),
			ConfigPlanChecks: story.PlanChecks(story.Meanwhile(func() { editPassword(s, "console", edited) })),
			ExpectError:      story.Saying("Field Ownership Conflict", `"console"`, "appeared after the plan", `ignore_fields = ["data.password"]`),
		},
		resource.TestStep{
			Config: s.Config(login, story.OrFail, `ignore_fields = ["data.password"]`),
			Check:  story.LiveChecks(expectPassword(s, edited), s.ExpectOwners(credentials, "data.password", "console")),
		},
	)
	if err := s.CheckRedacted([]string{planted, edited}); err != nil {
		t.Error(err)
	}
}

// A pattern may call the field as the manifest does, or as the server does.
func TestStringDataIgnored(t *testing.T) {
	t.Parallel()
	for _, field := range []string{"stringData.password", "data.password", `stringData["password"]`} {
		t.Run(field, func(t *testing.T) {
			s := story.New(t)
			text, err := json.Marshal(field)
			story.Must(t, err)
			ignored := "ignore_fields = [" + string(text) + "]"
			rotated := secret("stringData: {password: rotated, user: root}\n")
			// From the creation on, the value is an initial one.
			s.Run(
				resource.TestStep{
					Config: s.Config(login, ignored),
					ConfigPlanChecks: story.PlanChecks(
						story.ExpectOwner("data.password", story.Absent, story.Absent), story.ExpectOwner("data.user", story.Absent, "k8sconnect"), s.ExpectNoWarning(),
					),
					Check: story.LiveChecks(expectPassword(s, planted), s.ExpectNoOwner(credentials, "data.password"), s.ExpectSilence()),
				},
				resource.TestStep{
					PreConfig:        s.NextStep(func() { editPassword(s, "console", edited) }),
					Config:           s.Config(login, ignored),
					ConfigPlanChecks: story.PlanChecks(plancheck.ExpectEmptyPlan(), s.ExpectNoWarning()),
				},
				resource.TestStep{
					Config: s.Config(rotated, ignored),
					Check:  story.LiveChecks(expectPassword(s, edited), s.ExpectOwners(credentials, "data.password", "console")),
				},
				// Without the pattern it is ours again, and a pattern that joins later releases it.
				resource.TestStep{
					PreConfig: s.NextStep(),
					Config:    s.Config(rotated),
					ConfigPlanChecks: story.PlanChecks(
						story.ExpectOwner("data.password", "console", "k8sconnect"), s.ExpectPrediction(secret("data: {password: "+encoded("rotated")+", user: "+encoded("root")+"}\n")),
						s.ExpectWarning("takes a field from another owner", "data.password", `owned by "console"`),
					),
					Check: expectPassword(s, "rotated"),
				},
				resource.TestStep{
					PreConfig: s.NextStep(),
					Config:    s.Config(rotated, ignored),
					ConfigPlanChecks: story.PlanChecks(
						story.ExpectOwner("data.password", "k8sconnect", story.Absent),
						s.ExpectOnlyWarning("the apply releases a field, and its value stays", "data.password", "owned by nobody else"),
					),
					Check: story.LiveChecks(expectPassword(s, "rotated"), s.ExpectNoOwner(credentials, "data.password")),
				},
				// A released key that leaves the manifest stays.
				resource.TestStep{
					Config: s.Config(secret("stringData: {user: root}\n"), ignored),
					Check:  expectPassword(s, "rotated"),
				},
			)
		})
	}
}

// Patterns that cover nothing are told as they were written; those of either name cover the data.
func TestStringDataUnmatched(t *testing.T) {
	s := story.New(t)
	s.Run(resource.TestStep{
		Config: s.Config(login, `ignore_fields = ["stringData.gone", "stringData.password"]`,
			`sensitive_fields = ["stringData.user", "data.password", "stringData.lost"]`),
		ConfigPlanChecks: story.PlanChecks(story.Check(func(context.Context, plancheck.CheckPlanRequest) error {
			warnings := s.Provider.Take()
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
	s := story.New(t)
	ignored := `ignore_managers = ["rotator"]`
	s.Run(
		resource.TestStep{Config: s.Config(login, ignored), Check: s.ExpectOwners(credentials, "data.password", "k8sconnect")},
		resource.TestStep{
			PreConfig: s.NextStep(func() { editPassword(s, "rotator", edited) }),
			Config:    s.Config(login, ignored),
			ConfigPlanChecks: story.PlanChecks(story.ExpectOwner("data.password", "rotator", "rotator"),
				s.ExpectOnlyWarning("the apply leaves a field to its owner", `data.password: "(sensitive`, `owned by "rotator"`)),
			Check: expectPassword(s, edited),
		},
		resource.TestStep{
			Config: s.Config(secret("stringData: {password: "+planted+", user: root}\n"), ignored),
			Check:  expectPassword(s, edited),
		},
	)
}

// A write-only part lies over the manifest, whichever way the two write a key.
func TestStringDataWriteOnlyWins(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct{ body, part string }{
		"data over stringData": {"stringData: {password: placeholder, user: admin}", "data: {password: " + encoded(planted) + "}"},
		"stringData over data": {"data: {password: " + encoded("placeholder") + "}\nstringData: {user: admin}", "stringData: {password: " + planted + "}"},
	} {
		t.Run(name, func(t *testing.T) {
			s := story.New(t)
			s.Run(resource.TestStep{
				Config:            s.Config(secret(test.body), writeOnly(test.part, 1)),
				ConfigPlanChecks:  story.PlanChecks(s.ExpectPrediction(loginSent), s.ExpectRedacted(planted)),
				ConfigStateChecks: story.StateChecks(expectUnstored("data.password"), s.ExpectStateRedacted(planted)),
				Check:             expectPassword(s, planted),
			})
		})
	}
}

// An existing Secret is taken with its data: the plan says who loses what, and refuses what is not wanted.
func TestStringDataAdopted(t *testing.T) {
	s := story.New(t)
	s.Run(
		resource.TestStep{
			PreConfig:   func() { s.As("console").Create(secret("data: {password: " + encoded(edited) + "}\n")) },
			Config:      s.Config(login, story.Adopting, story.OrFail),
			ExpectError: story.Saying("Field Ownership Conflict", `on_conflict is "fail"`, "data.password:", `owned by "console"`),
		},
		resource.TestStep{
			PreConfig: s.NextStep(),
			Config:    s.Config(login, story.Adopting),
			ConfigPlanChecks: story.PlanChecks(
				s.ExpectPlanSays("Existing Object Adopted: Secret", `data.password: "console" -> "k8sconnect"`),
				s.ExpectPlanSays("Field Ownership Conflict", "data.password:", `owned by "console"`),
				s.ExpectRedacted(planted, edited),
			),
			Check: story.LiveChecks(expectPassword(s, planted), s.ExpectOwners(credentials, "data.password", "k8sconnect")),
		},
	)
}
