package acceptance_test

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
)

const (
	manifestAddress = "k8sconnect_manifest.test"
	patchAddress    = "k8sconnect_patch.test"
	setAddress      = "k8sconnect_manifests.test"
)

// expectConflicts asserts the conflicts that a plan shows, one line each.
func expectConflicts(address string, want ...string) plancheck.PlanCheck {
	return story.Check(func(_ context.Context, req plancheck.CheckPlanRequest) error {
		for _, change := range req.Plan.ResourceChanges {
			if change.Address != address {
				continue
			}
			after, _ := change.Change.After.(map[string]any)
			unknown, _ := change.Change.AfterUnknown.(map[string]any)
			got := conflictsIn(after["conflicts"])
			if unknown["conflicts"] == true {
				got = []string{"unknown"}
			}
			if diff := cmp.Diff(want, got); diff != "" {
				return fmt.Errorf("conflicts of %s (-want +got):\n%s", address, diff)
			}
			return nil
		}
		return fmt.Errorf("the plan does not have %s", address)
	})
}

// conflictsIn returns the elements of an attribute conflicts, one line each.
func conflictsIn(attribute any) []string {
	all, _ := attribute.(map[string]any)
	var lines []string
	for _, field := range slices.Sorted(maps.Keys(all)) {
		conflict, _ := all[field].(map[string]any)
		if conflict["effect"] == nil { // It is the element of a set.
			for _, line := range conflictsIn(conflict) {
				lines = append(lines, field+": "+line)
			}
			continue
		}
		line := fmt.Sprintf("%s: %v %v -> %v", field, conflict["effect"], conflict["before"], conflict["after"])
		owners, _ := conflict["owners"].(map[string]any)
		for _, owner := range slices.Sorted(maps.Keys(owners)) {
			line += fmt.Sprintf(", %s (%v)", owner, owners[owner])
		}
		lines = append(lines, line)
	}
	return lines
}

// A declared field was left to an ignored manager until another one took it from that, between the plan and the apply. The next plan
// takes it, and says so.
func TestConflictsOfWhatWasIgnored(t *testing.T) {
	s := story.New(t)
	const ignoring = `ignore_managers = ["flux"]`
	second := s.Config(story.SettingsWith(`mode: "2", level: "2"`), ignoring)
	s.Run(
		resource.TestStep{Config: s.Config(story.SettingsWith(`mode: "1"`), ignoring)},
		resource.TestStep{
			PreConfig: func() { s.As("flux").Apply(story.ConfigMapIn("settings", `data: {level: "9"}`)) },
			Config:    second,
			ConfigPlanChecks: story.PlanChecks(expectConflicts(manifestAddress), story.Meanwhile(func() {
				s.As("kubectl-edit").Patch(story.SettingsTarget, `{"data":{"level":"8"}}`)
			})),
			Check:              s.ExpectOwners(story.SettingsTarget, "data.level", "kubectl-edit"),
			ExpectNonEmptyPlan: true,
		},
		resource.TestStep{
			Config:           second,
			ConfigPlanChecks: story.PlanChecks(expectConflicts(manifestAddress, "data.level: take 8 -> 2, kubectl-edit (person: Update)")),
			Check:            s.ExpectOwners(story.SettingsTarget, "data.level", "k8sconnect"),
		},
		s.Noop(second),
	)
}

// The plan of an apply that takes values from others says so in an attribute, which a saved plan keeps: whose they are,
// and both values. The state has the same after the apply, whatever other managers write in between, until the next
// apply.
func TestConflictsOfAManifest(t *testing.T) {
	s := story.New(t)
	labelled := strings.Replace(story.Deployment, "replicas: 3", "minReadySeconds: 3\n  replicas: 3", 1)
	changed := strings.Replace(labelled, "nginx:1.25", "nginx:1.27", 1)
	const (
		scaler = "kube-controller-manager (controller: Update scale)"
		editor = "kubectl-edit (person: Update)"
	)
	s.Run(
		resource.TestStep{Config: s.Config(story.Deployment), ConfigPlanChecks: story.PlanChecks(expectConflicts(manifestAddress))},
		resource.TestStep{
			PreConfig: s.NextStep(func() {
				s.As("kube-controller-manager").Scale(story.Web, 5)
				s.As("kubectl-edit").Patch(story.Web, `{"spec":{"minReadySeconds":9}}`)
			}),
			Config: s.Config(labelled),
			ConfigPlanChecks: story.PlanChecks(
				expectConflicts(manifestAddress, "spec.minReadySeconds: take 9 -> 3, "+editor, "spec.replicas: take-back 5 -> 3, "+scaler),
				story.Meanwhile(func() { s.As("kubectl-edit").Patch(story.Web, `{"spec":{"minReadySeconds":8,"replicas":8}}`) }),
			),
		},
		resource.TestStep{ // What the last apply did stays, and is no change.
			Config:           s.Config(labelled),
			ConfigPlanChecks: story.PlanChecks(plancheck.ExpectEmptyPlan()),
		},
		resource.TestStep{
			Config:           s.Config(changed),
			ConfigPlanChecks: story.PlanChecks(expectConflicts(manifestAddress)),
		},
		resource.TestStep{ // A value that is not known yet may be anybody's.
			PreConfig: s.NextStep(func() { s.As("kubectl-edit").Patch(story.Web, `{"spec":{"minReadySeconds":9}}`) }),
			Config: story.Later("image", "nginx:1.28") +
				s.Config(strings.Replace(changed, "nginx:1.27", "${terraform_data.image.output}", 1)),
			ConfigPlanChecks: story.PlanChecks(expectConflicts(manifestAddress, "unknown")),
		},
	)
}

// Secret values are digests.
func TestConflictsOfSecrets(t *testing.T) {
	s := story.New(t)
	secret := "apiVersion: v1\nkind: Secret\nmetadata: {name: web, namespace: NS}\nstringData: {password: hunter2-hunter2}\n"
	var before, after string
	s.Run(
		resource.TestStep{Config: s.Config(secret)},
		resource.TestStep{
			PreConfig: func() { s.As("kubectl-edit").Patch("v1 Secret web", `{"stringData":{"password":"hunter3-hunter3"}}`) },
			Config:    s.Config(secret),
			ConfigPlanChecks: story.PlanChecks(story.Check(func(_ context.Context, req plancheck.CheckPlanRequest) error {
				change := req.Plan.ResourceChanges[0].Change
				was, _ := change.Before.(map[string]any)
				is, _ := change.After.(map[string]any)
				before, after = story.Entry(was, "managed_state", "data.password"), story.Entry(is, "managed_state", "data.password")
				if got := strings.Join(conflictsIn(is["conflicts"]), "\n"); got != "data.password: take-back "+before+" -> "+after+
					", kubectl-edit (person: Update)" || strings.Contains(got, "hunter") || before == after {
					return fmt.Errorf("conflicts are %s, and the digests %s and %s", got, before, after)
				}
				return nil
			})),
		},
	)
}

// What others added to a list item of ours is removed with it.
func TestConflictsOfRemovedItems(t *testing.T) {
	s := story.New(t)
	sidecar := strings.Replace(story.Deployment, "containers: [", "containers: [{name: side, image: \"side:1\"}, ", 1)
	s.Run(
		resource.TestStep{Config: s.Config(sidecar)},
		resource.TestStep{
			PreConfig: func() {
				s.As("kubectl-set").Patch(story.Web, `{"spec":{"template":{"spec":{"containers":[{"name":"side","image":"side:1","command":["run"]},
					{"name":"app","image":"nginx:1.25"}]}}}}`)
			},
			Config: s.Config(story.Deployment),
			ConfigPlanChecks: story.PlanChecks(expectConflicts(manifestAddress,
				`spec.template.spec.containers[name="side"].command: remove ["run"] -> <nil>, kubectl-set (person: Update)`)),
		},
	)
}

// A plan says that it does not know what it cannot: null would be a false all-clear.
func TestConflictsOfAnAdoption(t *testing.T) {
	s := story.New(t)
	s.As("kubectl-create").Create(story.Deployment)
	s.Run(
		resource.TestStep{
			Config:           s.Config(story.WithReplicas(4), story.Adopting),
			ConfigPlanChecks: story.PlanChecks(expectConflicts(manifestAddress, "unknown")),
		},
	)
}

// The conflicts of a patch are known from its second apply on, if it is a server-side apply.
func TestConflictsOfAPatch(t *testing.T) {
	s := story.New(t)
	s.As("helm").Apply(story.Deployment)
	edited := func() { s.As("kubectl-edit").Patch(story.Web, `{"spec":{"minReadySeconds":9}}`) }
	s.Run(
		resource.TestStep{
			Config:           s.PatchConfig(story.Web, "spec: {minReadySeconds: 4}"),
			ConfigPlanChecks: story.PlanChecks(expectConflicts(patchAddress, "unknown")),
		},
		resource.TestStep{
			PreConfig: s.NextStep(edited),
			Config:    s.PatchConfig(story.Web, "spec: {minReadySeconds: 4}"),
			ConfigPlanChecks: story.PlanChecks(expectConflicts(patchAddress,
				"spec.minReadySeconds: take-back 9 -> 4, kubectl-edit (person: Update)")),
		},
		resource.TestStep{
			PreConfig:        s.NextStep(edited),
			Config:           s.TypedPatchConfig(story.Web, "merge", `{"spec":{"minReadySeconds":4}}`),
			ConfigPlanChecks: story.PlanChecks(expectConflicts(patchAddress, "unknown")),
		},
	)
}

// A set has the conflicts of each of its objects.
func TestConflictsOfASet(t *testing.T) {
	s := story.New(t)
	config := func(level string) string {
		settings := "    settings = <<-YAML\n" + strings.Replace(s.Expand(story.Settings), `level: "1"`, `level: "`+level+`"`, 1) + "\nYAML\n"
		if level == "" {
			settings = ""
		}
		return s.ProviderBlock() + "resource \"k8sconnect_manifests\" \"test\" {\n  manifests = {\n    web = <<-YAML\n" + s.Expand(story.Deployment) +
			"\nYAML\n" + settings + "  }\n}\n"
	}
	s.Run(
		resource.TestStep{Config: config("1"), ConfigPlanChecks: story.PlanChecks(expectConflicts(setAddress))},
		resource.TestStep{
			PreConfig: s.NextStep(func() { s.As("kubectl-edit").Patch(story.Web, `{"spec":{"replicas":9}}`) }),
			Config:    config("2"),
			ConfigPlanChecks: story.PlanChecks(expectConflicts(setAddress,
				"web: spec.replicas: take-back 9 -> 3, kubectl-edit (person: Update)")),
		},
		resource.TestStep{Config: config("2"), ConfigPlanChecks: story.PlanChecks(plancheck.ExpectEmptyPlan())},
		resource.TestStep{Config: config(""), ConfigPlanChecks: story.PlanChecks(expectConflicts(setAddress))},
	)
}

// What an apply took stays in the state until the next one: no later plan shows its end as a change that other managers
// made. An update that applies nothing takes nothing.
func TestConflictsAreNoDrift(t *testing.T) {
	s := story.New(t)
	w := s.HostedWorkspace()
	object := func(name string) string { return s.Expand(story.ConfigMapIn(name, "data: {a: x}")) }
	s.As("kubectl-create").Create(story.ConfigMapIn("patched", "data: {b: x}"))
	configure := func(arguments string) {
		w.Configure(
			s.Manifest("test", object("one"), arguments),
			s.PatchBlock("test", "v1 ConfigMap patched", "data: {a: x}", arguments),
			"resource \"k8sconnect_manifests\" \"test\" {\n  manifests = { a = <<-YAML\n"+object("many")+"\nYAML\n  }\n  "+arguments+"\n}\n",
		)
	}
	configure("")
	w.Do("apply", "-auto-approve")
	for _, name := range []string{"one", "patched", "many"} {
		s.As("kubectl-patch").Patch("v1 ConfigMap "+name, `{"data":{"a":"z"}}`)
	}
	inState := func() []string {
		var all []string
		for _, r := range w.State() {
			all = append(all, conflictsIn(r.AttributeValues["conflicts"])...)
		}
		return all
	}
	w.Do("apply", "-auto-approve")
	if taken := inState(); len(taken) != 3 {
		t.Fatalf("the state has the conflicts %q", taken)
	}
	w.Exits(story.Nothing, "plan", "-refresh-only", "-detailed-exitcode")
	w.Do("apply", "-refresh-only", "-auto-approve")
	w.Exits(story.Nothing, "plan", "-refresh-only", "-detailed-exitcode")
	w.Exits(story.Nothing, "plan", "-detailed-exitcode")
	configure("timeouts {\n    update = \"9m\"\n  }")
	w.Exits(story.Changes, "plan", "-detailed-exitcode", "-out=plan")
	for _, address := range []string{manifestAddress, patchAddress, setAddress} {
		w.ExpectSaved("plan", expectConflicts(address))
	}
	w.Do("apply", "plan")
	if left := inState(); len(left) > 0 {
		t.Errorf("after an update that takes nothing the state has the conflicts %q", left)
	}
	w.Exits(story.Nothing, "plan", "-refresh-only", "-detailed-exitcode")
}

// A rule that another client adds to a Role of twenty is a plan of few lines: conflicts and drifted have the entries
// that differ, and not twice the list.
func TestPlanOfALongList(t *testing.T) {
	w := story.New(t).HostedWorkspace()
	w.Configure(w.Expand(`
locals {
  rules = [for i in range(20) : { apiGroups = ["g${i}.example.com"], resources = ["a", "b", "c"], verbs = ["get", "list", "watch"] }]
}
resource "k8sconnect_manifest" "one" {
  yaml_body = jsonencode({ apiVersion = "rbac.authorization.k8s.io/v1", kind = "Role", metadata = { name = "one", namespace = "NS" }, rules = local.rules })
}
resource "k8sconnect_manifests" "set" {
  manifests = {
    two = jsonencode({ apiVersion = "rbac.authorization.k8s.io/v1", kind = "Role", metadata = { name = "two", namespace = "NS" }, rules = local.rules })
  }
}
`))
	w.Do("apply", "-auto-approve")
	for _, name := range []string{"one", "two"} {
		w.As("kubectl-patch").JSONPatch("rbac.authorization.k8s.io/v1 Role "+name,
			`[{"op": "add", "path": "/rules/-", "value": {"apiGroups": ["x"], "resources": ["y"], "verbs": ["get"]}}]`)
	}
	printed := w.Do("plan", "-no-color")
	const was = `before = "entry [20]: {\"apiGroups\":[\"x\"],\"resources\":[\"y\"],\"verbs\":[\"get\"]}"`
	if n := strings.Count(printed, was); n != 2 || strings.Count(printed, `after  = "entry [20]: (none)"`) != 2 {
		t.Errorf("%d conflicts have the entry that differs:\n%s", n, printed)
	}
	if strings.Count(printed, `- "rules" = "entry [20]: {`) != 1 {
		t.Errorf("drifted lacks the entry that differs:\n%s", printed)
	}
	if n := strings.Count(printed, "\n"); n > 150 {
		t.Errorf("the plan has %d lines:\n%s", n, printed)
	}
	w.Do("apply", "-auto-approve")
	w.Do("plan", "-detailed-exitcode")
}

// A rollout and a restarted pod change the status of a Deployment, and its controller an annotation with it. A nightly job
// that looks for drift sees no change of an attribute. (Private state follows: -detailed-exitcode says 2.)
func TestStatusIsNoDrift(t *testing.T) {
	s := story.New(t)
	w := s.HostedWorkspace()
	const deployment = "{apiVersion: apps/v1, kind: Deployment, metadata: {name: %s, namespace: NS}, spec: {selector: {matchLabels: {app: %[1]s}}, " +
		"template: {metadata: {labels: {app: %[1]s}}, spec: {containers: [{name: app, image: \"nginx:%s\"}]}}}}"
	configure := func(version string) {
		body := func(name string) string { return s.Expand(fmt.Sprintf(deployment, name, version)) }
		w.Configure(s.Manifest("test", body("one"), ""),
			"resource \"k8sconnect_manifests\" \"test\" {\n  manifests = { a = <<-YAML\n"+body("many")+"\nYAML\n  }\n}\n")
	}
	drift := func(when string) {
		t.Helper()
		s.AwaitRollouts()
		if said := w.Do("plan", "-refresh-only", "-no-color"); !strings.Contains(said, "No changes") {
			t.Errorf("%s:\n%s", when, said)
		}
	}
	configure("1.25")
	w.Do("apply", "-auto-approve")
	drift("after the create")
	configure("1.27")
	w.Do("apply", "-auto-approve")
	drift("after an update")
	for _, name := range []string{"one", "many"} {
		s.As("kube-controller-manager").Patch("apps/v1 Deployment "+name, `{"status":{"conditions":[{"type":"Restarted","status":"True"}]}}`, "status")
	}
	drift("after a restart")
	for _, name := range []string{"one", "many"} {
		s.As("kubectl-patch").Patch("apps/v1 Deployment "+name, `{"spec":{"template":{"spec":{"containers":[{"name":"app","image":"nginx:1.26"}]}}}}`)
	}
	s.AwaitRollouts()
	if said := w.Do("plan", "-refresh-only", "-no-color"); strings.Contains(said, "No changes") {
		t.Errorf("a changed image is no drift:\n%s", said)
	}
	w.Do("apply", "-auto-approve")
	drift("after an apply that takes a field back")
}
