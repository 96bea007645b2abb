package acceptance_test

import (
	"context"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
)

// writeTime is the time in an owner of an addition.
var writeTime = regexp.MustCompile(` at 20\d\d-\d\d-\d\dT\d\d:\d\d:\d\dZ`)

// additionsIn returns the elements of an attribute additions, one line each, without the times of writes.
func additionsIn(attribute any) []string {
	all, _ := attribute.(map[string]any)
	var lines []string
	for _, field := range slices.Sorted(maps.Keys(all)) {
		addition, _ := all[field].(map[string]any)
		owners, isAddition := addition["owners"].(map[string]any)
		if !isAddition { // It is the element of a set.
			for _, line := range additionsIn(addition) {
				lines = append(lines, field+": "+line)
			}
			continue
		}
		line := field
		for _, owner := range slices.Sorted(maps.Keys(owners)) {
			line += fmt.Sprintf(", %s (%s)", owner, writeTime.ReplaceAllString(fmt.Sprint(owners[owner]), ""))
		}
		lines = append(lines, line)
	}
	return lines
}

// expectAdditions asserts the additions that a plan shows after the apply, one line each.
func expectAdditions(address string, want ...string) plancheck.PlanCheck {
	return story.Check(func(_ context.Context, req plancheck.CheckPlanRequest) error {
		for _, change := range req.Plan.ResourceChanges {
			if change.Address != address {
				continue
			}
			after, _ := change.Change.After.(map[string]any)
			if diff := cmp.Diff(want, additionsIn(after["additions"])); diff != "" {
				return fmt.Errorf("additions of %s (-want +got):\n%s", address, diff)
			}
			return nil
		}
		return fmt.Errorf("the plan does not have %s", address)
	})
}

const addedContainer = `{"spec":{"template":{"spec":{"containers":[{"name":"miner","image":"evil/miner:1",
	"securityContext":{"privileged":true}}]}}}}`

// Each class of writers and each verb: the attribute has what people and their tools add, and the plan warns of what people
// have written by commands. What controllers write, and the notes of commands, is no addition.
func TestAdditions(t *testing.T) {
	t.Parallel()
	container := `spec.template.spec.containers[name="miner"]`
	deployment := story.WithReplicas(0)
	for name, test := range map[string]struct {
		write func(s *story.Story)
		with  string
		want  []string
		says  string
	}{
		"a container by kubectl edit": {
			write: func(s *story.Story) { s.As("kubectl-edit").StrategicPatch(story.Web, addedContainer) },
			want:  []string{container + ", kubectl-edit (person: Update)"},
			says:  container + `: image "evil/miner:1", privileged, owned by "kubectl-edit"`,
		},
		"the network of the node by kubectl patch": {
			write: func(s *story.Story) {
				s.As("kubectl-patch").Patch(story.Web, `{"spec":{"template":{"spec":{"hostNetwork":true}}}}`)
			},
			want: []string{"spec.template.spec.hostNetwork, kubectl-patch (person: Update)"}, says: `hostNetwork: "true"`,
		},
		"a variable by kubectl set env": {
			write: func(s *story.Story) {
				s.As("kubectl-set").StrategicPatch(story.Web,
					`{"spec":{"template":{"spec":{"containers":[{"name":"app","env":[{"name":"LD_PRELOAD","value":"/tmp/x.so"}]}]}}}}`)
			},
			want: []string{`spec.template.spec.containers[name="app"].env, kubectl-set (person: Update)`}, says: "/tmp/x.so",
		},
		"two restarts and an undo": {
			write: func(s *story.Story) {
				restart := func(manager, at string) {
					s.As(manager).StrategicPatch(story.Web, `{"spec":{"template":{"metadata":{"annotations":{"kubectl.kubernetes.io/restartedAt":"`+at+`"}}}}}`)
				}
				restart("kubectl-rollout", "2026-11-30T10:00:00Z")
				restart("kubectl-rollout", "2026-11-30T11:00:00Z")
				restart("kubectl", "2026-11-30T10:00:00Z")
			},
			with: `on_addition = "fail"`,
		},
		"replicas by kubectl scale": {
			// The API server records a scale only of replicas that a manager owns.
			write: func(s *story.Story) {
				s.As("kubectl-edit").Patch(story.Web, `{"spec":{"replicas":2}}`)
				s.As("kubectl").Scale(story.Web, 4)
			},
			want: []string{"spec.replicas, kubectl (person: Update scale)"}, says: `spec.replicas: "4"`,
		},
		"a label and an annotation": {
			write: func(s *story.Story) {
				s.AwaitRollouts() // A controller has an annotation of its own since.
				s.As("kubectl-label").Patch(story.Web, `{"metadata":{"labels":{"team":"x"}}}`)
				s.As("kubectl-annotate").Patch(story.Web, `{"metadata":{"annotations":{"note":"x"}}}`)
			},
			want: []string{"metadata.annotations.note, kubectl-annotate (person: Update)", "metadata.labels, kubectl-label (person: Update)"},
			says: "others have added 2 fields",
		},
		"kubectl apply --server-side": {
			write: func(s *story.Story) {
				s.As("kubectl").Apply("{apiVersion: apps/v1, kind: Deployment, metadata: {name: web, namespace: NS}, spec: {minReadySeconds: 3, template: {spec: {nodeSelector: {disk: ssd}}}}}")
			},
			want: []string{"spec.minReadySeconds, kubectl (person: Apply)", "spec.template.spec.nodeSelector, kubectl (person: Apply)"},
			says: "spec.minReadySeconds",
		},
		"Helm, silent by default": {
			write: func(s *story.Story) {
				s.As("helm").Apply("{apiVersion: apps/v1, kind: Deployment, metadata: {name: web, namespace: NS}, spec: {minReadySeconds: 3}}")
			},
			want: []string{"spec.minReadySeconds, helm (tool: Apply)"},
		},
		"Flux, if the configuration asks for warnings": {
			write: func(s *story.Story) {
				s.As("kustomize-controller").Apply("{apiVersion: apps/v1, kind: Deployment, metadata: {name: web, namespace: NS}, spec: {minReadySeconds: 3}}")
			},
			with: `on_addition = "warn"`,
			want: []string{"spec.minReadySeconds, kustomize-controller (tool: Apply)"}, says: "(Flux, last write",
		},
		"a manager that nobody knows, allowed": {
			write: func(s *story.Story) { s.As("acme").Patch(story.Web, `{"spec":{"minReadySeconds":3}}`) },
			with:  `on_addition = "allow"`, want: []string{"spec.minReadySeconds, acme (tool: Update)"},
		},
		"an operator, a built-in controller and a write through a subresource": {
			write: func(s *story.Story) {
				s.As("shop-operator").Patch(story.Web, `{"metadata":{"annotations":{"shop":"x"}}}`)
				s.As("kube-controller-manager").Patch(story.Web, `{"metadata":{"annotations":{"built-in":"x"}}}`)
				s.As("scaler").Scale(story.Web, 3)
			},
			with: `on_addition = "warn"`,
		},
		"kubectl rollout restart": {
			write: func(s *story.Story) {
				s.As("kubectl-rollout").Patch(story.Web, `{"spec":{"template":{"metadata":{"annotations":{"kubectl.kubernetes.io/restartedAt":"now"}}}}}`)
			},
		},
		"another resource of this provider": {
			write: func(s *story.Story) {
				s.As("k8sconnect-patch-12345678").Apply("{apiVersion: apps/v1, kind: Deployment, metadata: {name: web, namespace: NS}, spec: {minReadySeconds: 3}}")
			},
			with: `on_addition = "warn"`,
		},
		"a field that ignore_fields covers": {
			write: func(s *story.Story) { s.As("kubectl-edit").StrategicPatch(story.Web, addedContainer) },
			with:  `ignore_fields = ["spec.template.spec.containers[name=\"miner\"]"]`,
		},
		"a manager that is ignored": {
			write: func(s *story.Story) { s.As("kubectl-edit").StrategicPatch(story.Web, addedContainer) },
			with:  `ignore_managers = ["kubectl-*"]`,
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := story.New(t)
			s.Provider.TakesAdditions = true
			told := s.ExpectNoWarning()
			if test.says != "" {
				told = s.ExpectOnlyWarning("Fields Added by Others", test.says)
			}
			s.Run(
				resource.TestStep{Config: s.Config(deployment, test.with)},
				resource.TestStep{
					PreConfig: s.NextStep(func() { test.write(s) }), Config: s.Config(deployment, test.with),
					ConfigPlanChecks: story.PlanChecks(expectAdditions(manifestAddress, test.want...), told),
				},
			)
		})
	}
}

// An addition in another addition is not told apart, a part of ours in an item that we own is, and who declares a field has
// added nothing.
func TestAdditionsBecomeOurs(t *testing.T) {
	s := story.New(t)
	s.Provider.TakesAdditions = true
	const own = `spec.template.spec.containers[name="app"].`
	s.Run(
		resource.TestStep{Config: s.Config(story.Deployment)},
		resource.TestStep{
			PreConfig: s.NextStep(func() {
				s.As("kubectl-edit").StrategicPatch(story.Web, addedContainer)
				s.As("kubectl-set").StrategicPatch(story.Web, `{"spec":{"template":{"spec":{"containers":[
					{"name":"miner","command":["run"]},{"name":"app","command":["run"]}]}}}}`)
			}),
			Config: s.Config(story.Deployment),
			ConfigPlanChecks: story.PlanChecks(expectAdditions(manifestAddress, own+"command, kubectl-set (person: Update)",
				`spec.template.spec.containers[name="miner"], kubectl-edit (person: Update), kubectl-set (person: Update)`)),
		},
		resource.TestStep{
			PreConfig: s.NextStep(),
			Config:    s.Config(strings.Replace(story.Deployment, "image: \"nginx:1.25\"", "image: \"nginx:1.25\", command: [run]", 1), `on_addition = "remove"`),
			ConfigPlanChecks: story.PlanChecks(expectAdditions(manifestAddress),
				s.ExpectWarning("the apply removes", `removed with the list item spec.template.spec.containers[name="miner"]`, "To keep it, ignore it:",
					`ignore_fields = ["spec.template.spec.containers[name=\"miner\"]"]`)),
			Check: story.LiveChecks(s.ExpectJSONPath(story.Web, map[string]string{
				"{.spec.template.spec.containers[*].name} {.spec.template.spec.containers[0].command[0]}": "app run"})),
		},
	)
}

// "fail" refuses the plan before anything is sent, together with what on_conflict refuses. No user is told to remove
// what a controller owns, too.
func TestAdditionsThatFail(t *testing.T) {
	s := story.New(t)
	s.Provider.TakesAdditions = true
	const fail = `on_addition = "fail"`
	s.Run(
		resource.TestStep{Config: s.Config(story.Deployment)},
		resource.TestStep{
			PreConfig: s.NextStep(func() { s.As("kubectl-edit").StrategicPatch(story.Web, addedContainer) }), Config: s.Config(story.Deployment, fail),
			ExpectError: story.Saying("Fields Added by Others", `nothing is applied, because on_addition is "fail"`, "Others have added a field",
				`To accept it:`, `on_addition = "remove"`),
		},
		resource.TestStep{
			PreConfig: s.NextStep(func() { s.As("kubectl-edit").Patch(story.Web, `{"spec":{"replicas":9}}`) }), Config: s.Config(story.Deployment, fail, story.OrFail),
			ExpectError: story.Saying("Field Ownership Conflict", `because on_conflict is "fail" and on_addition is "fail".`, "Others have added a field",
				"If you copy the other ignore_fields line, too, join both into one", `spec.replicas: "9" -> "3"`),
		},
		resource.TestStep{ // The conflict alone would not be refused.
			Config: s.Config(story.Deployment, fail), ExpectError: story.Saying("Fields Added by Others", `because on_addition is "fail".`),
		},
		resource.TestStep{
			PreConfig: s.NextStep(func() {
				s.As("kubectl-edit").Patch(story.Web, `{"spec":{"replicas":3,"minReadySeconds":7}}`)
				s.As("shop-operator").StrategicPatch(story.Web, `{"spec":{"template":{"spec":{"containers":[{"name":"miner","command":["run"]}]}}}}`)
			}),
			Config: s.Config(story.Deployment, `on_addition = "remove"`),
			ConfigPlanChecks: story.PlanChecks(expectAdditions(manifestAddress,
				`spec.template.spec.containers[name="miner"], kubectl-edit (person: Update), shop-operator (controller: Update)`),
				s.ExpectWarnings("The apply does not remove it, because a controller owns a part, too.",
					`spec.minReadySeconds: "7", removed, owned by "kubectl-edit"`)),
		},
	)
}

// What an object had before its resource: the defaults in the entry of its creator are no additions, and a container, a
// label and what only an edit can have written are. The first plan of an adoption lists them.
func TestAdditionsOfAnAdoptedObject(t *testing.T) {
	t.Parallel()
	created := strings.Replace(story.Deployment, "containers: [", "containers: [{name: side, image: \"side:1\"}, ", 1)
	for _, creator := range []string{"kubectl-create", "kubectl-client-side-apply", "acme"} {
		t.Run(creator, func(t *testing.T) {
			s := story.New(t)
			s.Provider.TakesAdditions = true
			s.As(creator).Create(created)
			s.As("kubectl-edit").Patch(story.Web, `{"spec":{"revisionHistoryLimit":3}}`)
			side := `spec.template.spec.containers[name="side"], ` + creator + " (person: Update)"
			if creator == "acme" {
				side = `spec.template.spec.containers[name="side"], acme (tool: Update)`
			}
			s.Run(
				resource.TestStep{
					Config:           s.Config(story.Deployment, story.Adopting, `on_addition = "warn"`),
					ConfigPlanChecks: story.PlanChecks(s.ExpectPlanSays("which stays with its owner:", `containers[name="side"]: image "side:1", owned by "`+creator+`"`)),
				},
				resource.TestStep{
					PreConfig: s.NextStep(), Config: s.Config(story.Deployment, story.Adopting),
					ConfigPlanChecks: story.PlanChecks(expectAdditions(manifestAddress, "spec.revisionHistoryLimit, kubectl-edit (person: Update)", side)),
				},
			)
		})
	}
}

// A set has the additions of its objects, a rule decides about those of some, and the drift that a refresh finds is recorded
// by an apply of the refresh alone. It costs no request.
func TestAdditionsToASet(t *testing.T) {
	s := newSet(t)
	manifests := configMaps("1", "a", "b")
	s.has(manifests)
	s.Do("apply", "-auto-approve")
	s.expect(s.Do("plan", "-refresh-only", "-detailed-exitcode", "-no-color"), "No changes")
	s.As("kubectl-edit").Patch("v1 ConfigMap a", `{"data":{"added":"x"}}`)
	s.As("kubectl-edit").Patch("v1 ConfigMap b", `{"data":{"added":"x"}}`)
	s.expect(s.Exits(story.Changes, "plan", "-refresh-only", "-no-color", "-detailed-exitcode"), "+ additions", `"data.added"`, "person: Update at 20")
	s.Do("apply", "-refresh-only", "-auto-approve")
	s.expect(s.Do("plan", "-refresh-only", "-detailed-exitcode", "-no-color"), "No changes")
	s.expect(s.Do("plan", "-detailed-exitcode", "-no-color"), "Fields Added by Others", "that is not in its manifest:", "ConfigMap NS/a (v1)", "ConfigMap NS/b (v1)", "No changes")
	s.has(manifests, `rules = [{ names = ["a"], on_addition = "remove" }, { names = ["b"], on_addition = "allow" }]`)
	s.expect(s.Do("plan", "-out", "planned", "-no-color"), "the apply removes a field of another owner", "ignore_fields = [\"data.added\"]")
	s.Do("apply", "planned")
	s.settled()
	story.Must(t, s.ExpectJSONPath("v1 ConfigMap a", map[string]string{"{.data}": `{"a":"1"}`})(nil))
	story.Must(t, s.ExpectJSONPath("v1 ConfigMap b", map[string]string{"{.data}": `{"a":"1","added":"x"}`})(nil))
	s.has(manifests, `on_addition = "fail"`)
	s.expect(s.Exits(story.Refused, "plan", "-refresh=false", "-no-color"), "Fields Added by Others", "ConfigMap NS/b (v1): nothing is applied, because on_addition", "data.added")
}

// A value that is not known yet comes out as it was, and another manager is left alone from now on: nothing is applied, so that
// the additions of that manager stay in the state until the next refresh.
func TestAdditionsBesideAnUnknownValue(t *testing.T) {
	s := story.New(t)
	s.Provider.TakesAdditions = true
	config := func(colour string, arguments ...string) string {
		return s.ProviderBlock() + story.Later("later", colour) + s.Expand("resource \"k8sconnect_manifest\" \"test\" {\n"+
			"  manifest = { apiVersion = \"v1\", kind = \"ConfigMap\", metadata = { name = \"settings\", namespace = \"NS\" },\n"+
			"    data = { colour = substr(terraform_data.later.output, 0, 3) } }\n  "+strings.Join(arguments, "\n  ")+"\n}\n")
	}
	s.Run(
		resource.TestStep{Config: config("red 1")},
		resource.TestStep{
			PreConfig: s.NextStep(func() { s.As("kubectl-edit").Patch(story.SettingsTarget, `{"data": {"note": "one"}}`) }),
			Config:    config("red 2", `ignore_managers = ["kubectl*"]`),
			Check:     s.ExpectLiveJSON(story.SettingsTarget, `{"colour":"red","note":"one"}`, "data"),
		},
		s.Noop(config("red 2", `ignore_managers = ["kubectl*"]`)),
	)
}
