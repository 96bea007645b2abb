package acceptance_test

import (
	"context"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
	"github.com/hashicorp/terraform-plugin-testing/statecheck"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
)

const (
	// unknownYet stands for a value that a plan does not know.
	unknownYet = "(known after apply)"
	addedEnv   = `spec.template.spec.containers[name="app"].env`
	addedMiner = `spec.template.spec.containers[name="miner"]`
)

// addByKubectl adds a variable, a container and a label to the Deployment.
func addByKubectl(s *story.Story) {
	setVariable(s, "1")
	s.As("kubectl-edit").StrategicPatch(story.Web, addedContainer)
	s.As("kubectl-label").Patch(story.Web, `{"metadata":{"labels":{"team":"x"}}}`)
}

func setVariable(s *story.Story, value string) {
	s.As("kubectl-set").StrategicPatch(story.Web,
		`{"spec":{"template":{"spec":{"containers":[{"name":"app","env":[{"name":"A","value":"`+value+`"}]}]}}}}`)
}

// changeByKubectl changes each value that addByKubectl has added, and adds one.
func changeByKubectl(s *story.Story) {
	setVariable(s, "2")
	s.As("kubectl-edit").StrategicPatch(story.Web, strings.ReplaceAll(addedContainer, "miner:1", "miner:2"))
	s.As("kubectl-label").Patch(story.Web, `{"metadata":{"labels":{"team":"y"}}}`)
	s.As("kubectl-label").Patch(story.Web, `{"spec":{"minReadySeconds":3}}`)
}

// shownValues returns the values of an attribute additions, by field, or one for "all" if it is unknown as a whole. unknown is
// what of it is unknown.
func shownValues(attribute, unknown any) map[string]string {
	all, _ := attribute.(map[string]any)
	unknowns, _ := unknown.(map[string]any)
	values := map[string]string{}
	if unknown == true {
		values["all"] = unknownYet
	}
	for field, element := range all {
		addition, _ := element.(map[string]any)
		values[field] = fmt.Sprint(addition["value"])
		if parts, _ := unknowns[field].(map[string]any); parts["value"] == true {
			values[field] = unknownYet
		}
	}
	return values
}

var digestOfSecret = regexp.MustCompile(`hmac-sha256:[0-9a-f]+`)

// compareValues compares the values of additions with parts of them, by field. Another field is a difference.
func compareValues(got, want map[string]string) error {
	for field, part := range want {
		if strings.Contains(digestOfSecret.ReplaceAllString(got[field], "digest"), part) {
			got[field] = part
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		return fmt.Errorf("values of additions (-want +got):\n%s", diff)
	}
	return nil
}

// expectAddedValues asserts parts of the values of the additions that a plan shows, by field.
func expectAddedValues(want map[string]string) plancheck.PlanCheck {
	return story.Check(func(_ context.Context, req plancheck.CheckPlanRequest) error {
		for _, change := range req.Plan.ResourceChanges {
			after, _ := change.Change.After.(map[string]any)
			unknown, _ := change.Change.AfterUnknown.(map[string]any)
			if change.Address == manifestAddress {
				return compareValues(shownValues(after["additions"], unknown["additions"]), want)
			}
		}
		return fmt.Errorf("the plan does not have %s", manifestAddress)
	})
}

// expectStoredValues asserts parts of the values of the additions in the state, by field.
func expectStoredValues(want map[string]string) []statecheck.StateCheck {
	return story.StateChecks(story.StateCheck(func(attributes map[string]any) error {
		return compareValues(shownValues(attributes["additions"], nil), want)
	}))
}

var (
	firstValues = map[string]string{
		addedEnv: `[{"name":"A","value":"1"}]`, addedMiner: `"image":"evil/miner:1"`, "metadata.labels": `{"team":"x"}`,
	}
	laterValues = map[string]string{
		addedEnv: `[{"name":"A","value":"2"}]`, addedMiner: `"image":"evil/miner:2"`, "metadata.labels": `{"team":"y"}`, "spec.minReadySeconds": "3",
	}
)

// The first plan of an import knows the values of what other managers have added, whoever created the object. If other
// managers change them before the apply, the apply keeps what was planned, and the next refresh shows what is there.
func TestAdditionsAtAnImport(t *testing.T) {
	t.Parallel()
	for name, from := range provenances {
		for when, meanwhile := range map[string]func(*story.Story){"as planned": func(*story.Story) {}, "changed meanwhile": changeByKubectl} {
			t.Run(name+", "+when, func(t *testing.T) {
				s := story.New(t)
				s.Provider.TakesAdditions = true
				next := firstValues
				if when == "changed meanwhile" {
					next = laterValues
				}
				s.Run(
					resource.TestStep{
						PreConfig: func() {
							from.make(s)
							s.AwaitRollouts()
							addByKubectl(s)
						},
						Config:            s.ImportBlock(story.WebID) + s.Config(story.Deployment),
						ConfigPlanChecks:  story.PlanChecks(expectAddedValues(firstValues), story.Meanwhile(func() { meanwhile(s) })),
						ConfigStateChecks: expectStoredValues(firstValues),
					},
					resource.TestStep{
						PreConfig: s.NextStep(), Config: s.Config(story.Deployment),
						ConfigPlanChecks: story.PlanChecks(plancheck.ExpectEmptyPlan(), expectAddedValues(next)),
					},
				)
			})
		}
	}
}

// The import by the command has no configuration: the refresh of the plan after it reads the values again.
func TestAdditionsAfterAnImportByTheCommand(t *testing.T) {
	s := story.New(t)
	s.Provider.TakesAdditions = true
	s.Run(
		resource.TestStep{
			PreConfig: func() {
				s.As("kubectl-create").Create(story.Deployment)
				s.AwaitRollouts()
				addByKubectl(s)
			},
			Config: s.Config(story.Deployment), ImportState: true, ImportStateKind: resource.ImportCommandWithID,
			ImportStateId: s.Expand(story.WebID), ImportStatePersist: true, ResourceName: manifestAddress,
		},
		resource.TestStep{
			PreConfig: s.NextStep(func() { changeByKubectl(s) }), Config: s.Config(story.Deployment),
			ConfigPlanChecks: story.PlanChecks(expectAddedValues(laterValues)), ConfigStateChecks: expectStoredValues(laterValues),
		},
		resource.TestStep{
			PreConfig: s.NextStep(), Config: s.Config(story.Deployment),
			ConfigPlanChecks: story.PlanChecks(plancheck.ExpectEmptyPlan(), expectAddedValues(laterValues)),
		},
	)
}

// At an import, the data that other managers added to a Secret is a digest. What only the configuration makes secret is
// known after the apply: the import has read it without knowing that.
func TestSecretAdditionsAtAnImport(t *testing.T) {
	t.Parallel()
	const token = "very-secret"
	for name, test := range map[string]struct {
		body, key, id, with string
		// secrets may be in no attribute. A value that the configuration makes secret is in managed_state of the import.
		secrets  []string
		planned  string
		addition func(*story.Story)
	}{
		"of a Secret": {
			body: "{apiVersion: v1, kind: Secret, metadata: {name: web, namespace: NS}, type: Opaque}",
			key:  "data", id: "apiVersion=v1,kind=Secret,namespace=NS,name=web", planned: "(sensitive, digest)", secrets: []string{token, "dmVyeS1zZWNyZXQ="},
			addition: func(s *story.Story) {
				s.As("kubectl-patch").Patch("v1 Secret web", `{"stringData":{"token":"`+token+`"}}`)
			},
		},
		"by the configuration": {
			body: story.ConfigMap, key: "data.token", id: "apiVersion=v1,kind=ConfigMap,namespace=NS,name=web",
			with: `sensitive_fields = ["data.token"]`, planned: unknownYet,
			addition: func(s *story.Story) {
				s.As("kubectl-patch").Patch("v1 ConfigMap web", `{"data":{"token":"`+token+`"}}`)
			},
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := story.New(t)
			s.Provider.TakesAdditions = true
			stored := map[string]string{test.key: "(sensitive, digest)"}
			s.Run(
				resource.TestStep{
					PreConfig: func() {
						s.As("kubectl-create").Create(test.body)
						test.addition(s)
					},
					Config:           s.ImportBlock(test.id) + s.Config(test.body, test.with),
					ConfigPlanChecks: story.PlanChecks(expectAddedValues(map[string]string{test.key: test.planned}), s.ExpectRedacted(test.secrets...)),
					ConfigStateChecks: append(expectStoredValues(stored),
						s.ExpectStateRedacted(token, "dmVyeS1zZWNyZXQ=")),
				},
				resource.TestStep{
					PreConfig: s.NextStep(), Config: s.Config(test.body, test.with),
					ConfigPlanChecks: story.PlanChecks(plancheck.ExpectEmptyPlan(), expectAddedValues(stored), s.ExpectRedacted(token)),
				},
			)
		})
	}
}

// The value of a map from which the apply removes a part is known after the apply.
func TestAdditionsOfWhichAPartIsRemoved(t *testing.T) {
	t.Parallel()
	removing := `remove_fields = ["metadata.labels.team"]`
	labels := func(s *story.Story) {
		s.As("kubectl-label").Patch("v1 ConfigMap web", `{"metadata":{"labels":{"team":"x","tier":"y"}}}`)
	}
	removed := func(s *story.Story, config string) resource.TestStep {
		return resource.TestStep{
			PreConfig: s.NextStep(func() {}), Config: config,
			ConfigPlanChecks:  story.PlanChecks(expectAddedValues(map[string]string{"metadata.labels": unknownYet})),
			ConfigStateChecks: expectStoredValues(map[string]string{"metadata.labels": `{"tier":"y"}`}),
		}
	}
	t.Run("by an import", func(t *testing.T) {
		s := story.New(t)
		s.Provider.TakesAdditions = true
		s.As("kubectl-create").Create(story.ConfigMap)
		labels(s)
		s.Run(removed(s, s.ImportBlock("apiVersion=v1,kind=ConfigMap,namespace=NS,name=web")+s.Config(story.ConfigMap, removing)))
	})
	t.Run("by an update", func(t *testing.T) {
		s := story.New(t)
		s.Provider.TakesAdditions = true
		s.Run(
			resource.TestStep{Config: s.Config(story.ConfigMap)},
			resource.TestStep{
				PreConfig: s.NextStep(func() { labels(s) }), Config: s.Config(story.ConfigMap),
				ConfigPlanChecks: story.PlanChecks(expectAddedValues(map[string]string{"metadata.labels": `{"team":"x","tier":"y"}`})),
			},
			removed(s, s.Config(story.ConfigMap, removing)),
		)
	})
}

// Terraform plans an adoption again in its apply, without anything from the first plan, and refuses another known
// value. So the attribute is unknown in that plan, and the warning has the values. Other managers may change them until
// the apply.
func TestAdditionsAtAnAdoption(t *testing.T) {
	t.Parallel()
	for when, meanwhile := range map[string]func(*story.Story){"as planned": func(*story.Story) {}, "changed meanwhile": changeByKubectl} {
		t.Run(when, func(t *testing.T) {
			s := story.New(t)
			s.Provider.TakesAdditions = true
			stored := firstValues
			if when == "changed meanwhile" {
				stored = laterValues
			}
			s.Run(
				resource.TestStep{
					PreConfig: func() {
						s.As("kubectl-create").Create(story.Deployment)
						s.AwaitRollouts()
						addByKubectl(s)
					},
					Config: s.Config(story.Deployment, story.Adopting),
					ConfigPlanChecks: story.PlanChecks(
						expectAddedValues(map[string]string{"all": unknownYet}),
						s.ExpectPlanSays("which stay with their owners:", `metadata.labels.team: "x", owned by "kubectl-label"`,
							addedEnv+`[name="A"]: "{\"name\":\"A\",\"value\":\"1\"}", owned by "kubectl-set"`,
							addedMiner+`: image "evil/miner:1", privileged, owned by "kubectl-edit"`),
						story.Meanwhile(func() { meanwhile(s) }),
					),
					ConfigStateChecks: expectStoredValues(stored),
				},
				resource.TestStep{
					PreConfig: s.NextStep(), Config: s.Config(story.Deployment, story.Adopting),
					ConfigPlanChecks: story.PlanChecks(plancheck.ExpectEmptyPlan(), expectAddedValues(stored)),
				},
			)
		})
	}
}

// The error of an adoption that on_addition refuses has the values, too. A secret one is hidden.
func TestAdoptionRefusesAdditions(t *testing.T) {
	s := story.New(t)
	s.Provider.TakesAdditions = true
	s.As("kubectl-create").Create(story.Deployment)
	s.AwaitRollouts()
	addByKubectl(s)
	s.Run(
		resource.TestStep{
			Config: s.Config(story.Deployment, story.Adopting, `on_addition = "fail"`),
			ExpectError: story.Saying(`nothing is applied, because on_addition is "fail"`, addedMiner+`: image "evil/miner:1", privileged`,
				addedEnv+`: "[{\"name\":\"A\",\"value\":\"1\"}]"`, `metadata.labels: "{\"team\":\"x\"}", owned by "kubectl-label"`),
		},
		resource.TestStep{
			Config:      s.Config(story.Deployment, story.Adopting, `on_addition = "fail"`, `sensitive_fields = ["spec.template.spec.containers[*].env[*].value"]`),
			ExpectError: story.Saying("Fields Added by Others", addedEnv+`, owned by "kubectl-set"`),
		},
	)
}

// A set that adopts objects knows their additions after the apply, and a set that is imported knows them in its first plan.
func TestAdditionsAtTheBeginningOfASet(t *testing.T) {
	const token = "very-secret"
	s := newSet(t)
	manifests := map[string]string{s.Expand("core/ConfigMap/NS/one"): configMap("one", "1")}
	login := map[string]string{s.Expand("core/Secret/NS/login"): loginSecret}
	s.As("kubectl-create").Create(configMap("one", "1"))
	s.As("kubectl-create").Create(loginSecret)
	s.As("kubectl-edit").Patch("v1 ConfigMap one", `{"data":{"added":"x"}}`)
	s.As("kubectl-edit").Patch("v1 Secret login", `{"stringData":{"token":"`+token+`"}}`)
	s.has(manifests, s.secretly(login), story.Adopting)
	s.expect(s.Do("plan", "-out", "planned", "-no-color"), "additions = (known after apply)", `"data.added"`)
	s.As("kubectl-edit").Patch("v1 ConfigMap one", `{"data":{"added":"y"}}`)
	s.Do("apply", "planned")
	s.settled()
	shown := s.Do("show", "-no-color")
	s.expect(shown, `"data.added"`, `value  = "y"`, `"data.token"`, `value  = "(sensitive, hmac-sha256:`, "not", token)
	s.expect(s.Do("plan", "-refresh-only", "-detailed-exitcode", "-no-color"), "No changes")

	manager := s.manager("v1 ConfigMap one")
	s.Do("state", "rm", "k8sconnect_manifests.test")
	s.has(manifests, s.secretly(login), "}"+s.imports("manager="+manager)+"\nlocals {")
	out := s.Do("plan", "-out", "planned", "-no-color")
	s.expect(out, `"data.added"`, `value  = "y"`, `"data.token"`, "not", token)
	s.As("kubectl-edit").Patch("v1 ConfigMap one", `{"data":{"added":"z"}}`)
	s.Do("apply", "planned")
	s.settled()
	s.expect(s.Do("show", "-no-color"), `value  = "y"`)
}
