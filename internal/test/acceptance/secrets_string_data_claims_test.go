package acceptance_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
)

// Earlier versions of the provider sent stringData, and other tools that apply under our name still do. Then our claim
// is on stringData, and no manager owns the data. The next apply claims the data, removes entries that left the
// manifest, and does not touch ignored ones.
func TestStringDataClaimed(t *testing.T) {
	t.Parallel()
	const value = "data.password"
	// Another client applies under our name, and the plan says so if that was in a later second than our apply.
	const usedTwice = "Field Manager Used Twice"
	stale := func(change string) []plancheck.PlanCheck {
		return []plancheck.PlanCheck{
			story.ExpectOwner("stringData.password", "k8sconnect", story.Absent), story.ExpectOwner(value, story.Absent, change), story.ExpectOwner("data.user", story.Absent, "k8sconnect"),
		}
	}
	slimmer := secret("stringData: {user: admin}\n")
	ignored := `ignore_fields = ["stringData.password"]`
	for name, test := range map[string]struct {
		body      string
		arguments []string
		others    func(s *story.Story)
		plan      func(s *story.Story) []plancheck.PlanCheck
		password  string
		owners    []string
	}{
		"nothing else changes": {
			body: login, password: planted, owners: []string{"k8sconnect"},
			plan: func(s *story.Story) []plancheck.PlanCheck {
				return append(stale("k8sconnect"), s.ExpectPrediction(loginSent), s.ExpectNoWarningBut(usedTwice), story.ExpectOnly(story.ManagedState))
			},
		},
		"a key leaves": {
			body: slimmer,
			plan: func(s *story.Story) []plancheck.PlanCheck {
				return append(stale(story.Absent), s.ExpectNoWarningBut(usedTwice))
			},
		},
		"a key leaves that others hold": {
			body: slimmer, password: planted, owners: []string{"vault"},
			others: func(s *story.Story) { s.As("vault").Apply(secret("data: {password: " + encoded(planted) + "}\n")) },
			plan: func(s *story.Story) []plancheck.PlanCheck {
				return []plancheck.PlanCheck{story.ExpectOwner(value, "vault", "vault"), s.ExpectWarning("data.password", `owned by "vault"`)}
			},
		},
		"a key leaves that kubectl holds": {
			body:   slimmer,
			others: func(s *story.Story) { editPassword(s, "kubectl-client-side-apply", planted+"!") },
		},
		"a key leaves, and the manager is renamed": {
			body: slimmer, arguments: []string{`field_manager = "renamed"`},
		},
		"a key is ignored": {
			body: login, arguments: []string{ignored}, password: planted,
			plan: func(*story.Story) []plancheck.PlanCheck { return stale(story.Absent) },
		},
		"a key is ignored and leaves": {
			body: slimmer, arguments: []string{ignored}, password: planted,
			plan: func(*story.Story) []plancheck.PlanCheck { return stale(story.Absent) },
		},
		"others changed a value": {
			body: login, password: planted, owners: []string{"k8sconnect"},
			others: func(s *story.Story) { editPassword(s, "console", edited) },
			plan: func(s *story.Story) []plancheck.PlanCheck {
				return []plancheck.PlanCheck{
					story.ExpectOwner(value, "console", "k8sconnect"), s.ExpectPrediction(loginSent),
					s.ExpectWarning("takes back a field", "data.password", `owned by "console"`),
				}
			},
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := story.New(t)
			step := resource.TestStep{
				PreConfig: s.NextStep(func() {
					s.As("k8sconnect").Apply(login)
					story.Must(t, s.ExpectOwners(credentials, "stringData.password", "k8sconnect")(nil))
					story.Must(t, s.ExpectNoOwner(credentials, value)(nil))
					if test.others != nil {
						test.others(s)
					}
				}),
				Config: s.Config(test.body, test.arguments...),
				Check: story.LiveChecks(
					expectPassword(s, test.password), s.ExpectOwners(credentials, value, test.owners...),
					s.ExpectNoOwner(credentials, "stringData.password"), s.ExpectNoOwner(credentials, "stringData.user"),
				),
			}
			if test.plan != nil {
				step.ConfigPlanChecks = story.PlanChecks(test.plan(s)...)
			}
			s.Run(resource.TestStep{Config: s.Config(login)}, step)
		})
	}
}

// What kubectl applied as stringData is taken over with its data, and gone from the object once it leaves the
// manifest.
func TestStringDataTakenOver(t *testing.T) {
	s := story.New(t)
	s.Run(
		resource.TestStep{
			PreConfig: func() { s.As("kubectl-client-side-apply").ApplyClientSide(login) },
			Config:    s.ImportBlock(credentialsID) + s.Config(login),
			ConfigPlanChecks: story.PlanChecks(
				story.ExpectOwner("data.password", "kubectl-client-side-apply", "k8sconnect"), story.ExpectOnly(story.ManagedState),
				s.ExpectPrediction(loginSent), s.ExpectRedacted(planted),
			),
			Check: s.ExpectOwners(credentials, "data.password", "k8sconnect"),
		},
		resource.TestStep{
			PreConfig:        s.NextStep(),
			Config:           s.Config(secret("stringData: {user: admin}\n")),
			ConfigPlanChecks: story.PlanChecks(story.ExpectOwner("data.password", "k8sconnect", story.Absent), s.ExpectNoWarning()),
			Check:            story.LiveChecks(expectPassword(s, ""), s.ExpectOwners(credentials, "data.user", "k8sconnect")),
		},
	)
}

// The configuration that an import generates has the data, whoever applied them as stringData.
func TestStringDataImported(t *testing.T) {
	t.Parallel()
	for name, create := range map[string]func(*story.Story){
		"kubectl create":             func(s *story.Story) { s.As("kubectl-create").Create(login) },
		"kubectl apply, client side": func(s *story.Story) { s.As("kubectl-client-side-apply").ApplyClientSide(login) },
		"kubectl apply, server side": func(s *story.Story) { s.As("kubectl").Apply(login) },
	} {
		t.Run(name, func(t *testing.T) {
			s := story.New(t)
			create(s)
			w := s.HostedWorkspace()
			w.Generate(credentialsID)
			s.CompareGenerated(w, loginSent)
			// Written as stringData, it is the same manifest.
			story.Must(t, os.Remove(filepath.Join(w.Dir, "generated.tf")))
			w.Configure(s.ImportBlock(credentialsID), s.Manifest("test", login))
			w.Do("plan", "-out=first")
			w.ExpectSaved("first", story.ExpectOnly(story.ManagedState), s.ExpectPrediction(loginSent))
			w.Do("apply", "first")
			story.Must(t, expectPassword(s, planted)(nil))
			if out := w.Do("plan"); !strings.Contains(out, "No changes.") {
				t.Errorf("a plan after the apply:\n%s", out)
			}
		})
	}
}
