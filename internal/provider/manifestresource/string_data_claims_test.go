package manifestresource_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
)

// Versions before this one sent stringData, and whoever applies under our name does still: our claim is on
// stringData then, and the data have no owner. The next apply claims the data, removes those that left the
// manifest, and leaves alone what is ignored.
func TestStringDataClaimed(t *testing.T) {
	const value = "data.password"
	stale := func(change string) []plancheck.PlanCheck {
		return []plancheck.PlanCheck{
			expectOwner("stringData.password", "k8sconnect", absent), expectOwner(value, absent, change), expectOwner("data.user", absent, "k8sconnect"),
		}
	}
	slimmer := secret("stringData: {user: admin}\n")
	ignored := `ignore_fields = ["stringData.password"]`
	for name, test := range map[string]struct {
		body      string
		arguments []string
		others    func(s *story)
		plan      func(s *story) []plancheck.PlanCheck
		password  string
		owners    []string
	}{
		"nothing else changes": {
			body: login, password: planted, owners: []string{"k8sconnect"},
			plan: func(s *story) []plancheck.PlanCheck {
				return append(stale("k8sconnect"), s.expectPrediction(loginSent), s.expectNoWarning(), expectOnly(managedState))
			},
		},
		"a key leaves": {
			body: slimmer,
			plan: func(s *story) []plancheck.PlanCheck { return append(stale(absent), s.expectNoWarning()) },
		},
		"a key leaves that others hold": {
			body: slimmer, password: planted, owners: []string{"vault"},
			others: func(s *story) { s.as("vault").apply(secret("data: {password: " + encoded(planted) + "}\n")) },
			plan: func(s *story) []plancheck.PlanCheck {
				return []plancheck.PlanCheck{expectOwner(value, "vault", "vault"), s.expectOnlyWarning("data.password", `owned by "vault"`)}
			},
		},
		"a key leaves that kubectl holds": {
			body:   slimmer,
			others: func(s *story) { editPassword(s, "kubectl-client-side-apply", planted+"!") },
		},
		"a key leaves, and the manager is renamed": {
			body: slimmer, arguments: []string{`field_manager = "renamed"`},
		},
		"a key is ignored": {
			body: login, arguments: []string{ignored}, password: planted,
			plan: func(*story) []plancheck.PlanCheck { return stale(absent) },
		},
		"a key is ignored and leaves": {
			body: slimmer, arguments: []string{ignored}, password: planted,
			plan: func(*story) []plancheck.PlanCheck { return stale(absent) },
		},
		"others changed a value": {
			body: login, password: planted, owners: []string{"k8sconnect"},
			others: func(s *story) { editPassword(s, "console", edited) },
			plan: func(s *story) []plancheck.PlanCheck {
				return []plancheck.PlanCheck{
					expectOwner(value, "console", "k8sconnect"), s.expectPrediction(loginSent),
					s.expectWarning("takes back a field", "data.password", `owned by "console"`),
				}
			},
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := newStory(t)
			step := resource.TestStep{
				PreConfig: s.anew(func() {
					s.as("k8sconnect").apply(login)
					must(t, s.expectOwners(credentials, "stringData.password", "k8sconnect")(nil))
					must(t, s.expectNoOwner(credentials, value)(nil))
					if test.others != nil {
						test.others(s)
					}
				}),
				Config: s.config(test.body, test.arguments...),
				Check: lives(
					expectPassword(s, test.password), s.expectOwners(credentials, value, test.owners...),
					s.expectNoOwner(credentials, "stringData.password"), s.expectNoOwner(credentials, "stringData.user"),
				),
			}
			if test.plan != nil {
				step.ConfigPlanChecks = checks(test.plan(s)...)
			}
			s.run(resource.TestStep{Config: s.config(login)}, step)
		})
	}
}

// What kubectl applied as stringData is taken over with its data, and gone from the object once it leaves the
// manifest.
func TestStringDataTakenOver(t *testing.T) {
	s := newStory(t)
	s.run(
		resource.TestStep{
			PreConfig: func() { s.as("kubectl-client-side-apply").applyClientSide(login) },
			Config:    s.importBlock(credentialsID) + s.config(login),
			ConfigPlanChecks: checks(
				expectOwner("data.password", "kubectl-client-side-apply", "k8sconnect"), expectOnly(managedState),
				s.expectPrediction(loginSent), s.expectUndisclosed(planted),
			),
			Check: s.expectOwners(credentials, "data.password", "k8sconnect"),
		},
		resource.TestStep{
			PreConfig:        s.anew(),
			Config:           s.config(secret("stringData: {user: admin}\n")),
			ConfigPlanChecks: checks(expectOwner("data.password", "k8sconnect", absent), s.expectNoWarning()),
			Check:            lives(expectPassword(s, ""), s.expectOwners(credentials, "data.user", "k8sconnect")),
		},
	)
}

// The configuration that an import generates has the data, whoever applied them as stringData.
func TestStringDataImported(t *testing.T) {
	for name, create := range map[string]func(*story){
		"kubectl create":             func(s *story) { s.as("kubectl-create").create(login) },
		"kubectl apply, client side": func(s *story) { s.as("kubectl-client-side-apply").applyClientSide(login) },
		"kubectl apply, server side": func(s *story) { s.as("kubectl").apply(login) },
	} {
		t.Run(name, func(t *testing.T) {
			s := newStory(t)
			create(s)
			w := s.workspace()
			w.configure(s.importBlock(credentialsID))
			w.do("plan", "-generate-config-out=generated.tf")
			s.compareGenerated(w, loginSent)
			// Written as stringData, it is the same manifest.
			must(t, os.Remove(filepath.Join(w.Dir, "generated.tf")))
			w.configure(s.importBlock(credentialsID), s.manifest("test", login))
			w.do("plan", "-out=first")
			w.expectSaved("first", expectOnly(managedState), s.expectPrediction(loginSent))
			w.do("apply", "first")
			must(t, expectPassword(s, planted)(nil))
			if out := w.do("plan"); !strings.Contains(out, "No changes.") {
				t.Errorf("a plan after the apply:\n%s", out)
			}
		})
	}
}
