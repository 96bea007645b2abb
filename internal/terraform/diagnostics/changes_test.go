package diagnostics_test

import (
	"fmt"
	"maps"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/ownership"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/arguments"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/prediction"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/record"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/ssa"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/diagnostics/changes"
)

var now = time.Date(2024, 5, 1, 12, 0, 0, 0, time.UTC)

func holder(name string, operation metav1.ManagedFieldsOperationType, subresource string, ago time.Duration) ownership.Holder {
	h := ownership.Holder{Manager: ownership.Manager{Name: name, Operation: operation, APIVersion: "apps/v1", Subresource: subresource}}
	if ago > 0 {
		h.Time = now.Add(-ago)
	}
	return h
}

const cpu = `spec.template.spec.containers[name="app"].resources.limits.cpu`

// TestChanges holds the texts of the warnings that the reader of a plan sees.
func TestChanges(t *testing.T) {
	t.Parallel()
	autoscaler := holder("kube-controller-manager", metav1.ManagedFieldsOperationUpdate, "scale", 4*time.Minute)
	flux := holder("kustomize-controller", metav1.ManagedFieldsOperationApply, "", 0)
	custom := holder("tuner", metav1.ManagedFieldsOperationUpdate, "", 50*time.Hour)
	scaler := holder("kubectl", metav1.ManagedFieldsOperationUpdate, "scale", 4*time.Minute)
	tests := map[string]struct {
		changes []ownership.Change
		ignored []string
		summary string
		want    string
	}{
		"taking": {
			changes: []ownership.Change{
				{Field: "spec.replicas", What: ownership.Taking, Was: "5", Becomes: "3", Owners: []ownership.Holder{autoscaler}},
			},
			summary: "Field Ownership Conflict: Deployment default/web (apps/v1)",
			want: `Deployment default/web (apps/v1): the apply takes a field from another owner and changes its value:

  spec.replicas: "5" -> "3", owned by "kube-controller-manager" with subresource "scale" using apps/v1 (the HorizontalPodAutoscaler, last write 4m ago)

To leave it to its owner, with the value it has now:

  ignore_fields = ["spec.replicas"]`,
		},
		"taking, re-taking and overruling": {
			changes: []ownership.Change{
				{Field: "spec.paused", What: ownership.Overruling, Was: "true", Becomes: "false", Owners: []ownership.Holder{custom}, Owned: true},
				{Field: "spec.replicas", What: ownership.Retaking, Was: "5", Becomes: "3", Owners: []ownership.Holder{flux, autoscaler}, Again: 1},
				{Field: "spec.revisionHistoryLimit", What: ownership.Overruling, Was: "7", Becomes: "4", Owners: []ownership.Holder{custom}},
				{Field: cpu, What: ownership.Taking, Was: "1", Becomes: "1000m", Owners: []ownership.Holder{flux}},
			},
			ignored: []string{`metadata.annotations["${x}"]`},
			summary: "Field Ownership Conflict: Deployment default/web (apps/v1)",
			want: `Deployment default/web (apps/v1): the apply takes 4 fields from other owners and changes their values:

  spec.replicas: "5" -> "3", owned by "kustomize-controller" (Flux) and "kube-controller-manager" with subresource "scale" using apps/v1 (the HorizontalPodAutoscaler, last write 4m ago)
    Taken back: the last apply set it.
  spec.paused: "true" -> "false", owned by "tuner" using apps/v1 (last write 2d2h ago)
    The field is shared now; this change takes it from them.
  spec.revisionHistoryLimit: "7" -> "4", owned by "tuner" using apps/v1 (last write 2d2h ago)
    They changed it since the last apply, and yaml_body changes it too.
  ` + cpu + `: "1" -> "1000m", owned by "kustomize-controller" (Flux)
    The values are equivalent; write "1" to share the field instead of taking it.

To leave them to their owners, with the values they have now:

  ignore_fields = ["metadata.annotations[\"$${x}\"]", "spec.paused", "spec.replicas", "spec.revisionHistoryLimit", ` +
				`"spec.template.spec.containers[name=\"app\"].resources.limits.cpu"]`,
		},
		"many, by what is lost": {
			changes: []ownership.Change{
				{Field: "metadata.annotations.note", What: ownership.Taking, Was: "a", Becomes: "b", Owners: []ownership.Holder{autoscaler}},
				{Field: "metadata.labels.team", What: ownership.Taking, Was: "a", Becomes: "b", Owners: []ownership.Holder{scaler}},
				{Field: "spec.minReadySeconds", What: ownership.Taking, Was: "1", Becomes: "2", Owners: []ownership.Holder{custom}},
				{Field: "spec.paused", What: ownership.Taking, Was: "true", Becomes: "false", Owners: []ownership.Holder{flux}},
				{Field: "spec.progressDeadlineSeconds", What: ownership.Taking, Was: "1", Becomes: "2", Owners: []ownership.Holder{scaler}},
				{Field: "spec.replicas", What: ownership.Taking, Was: "5", Becomes: "3", Owners: []ownership.Holder{flux, autoscaler}},
			},
			summary: "Field Ownership Conflict: Deployment default/web (apps/v1)",
			want: `Deployment default/web (apps/v1): the apply takes 6 fields from other owners and changes their values:

  spec.replicas: "5" -> "3", owned by "kustomize-controller" (Flux) and "kube-controller-manager" with subresource "scale" using apps/v1 (the HorizontalPodAutoscaler, last write 4m ago)
  spec.progressDeadlineSeconds: "1" -> "2", owned by "kubectl" with subresource "scale" using apps/v1 (kubectl scale, last write 4m ago)
  spec.minReadySeconds: "1" -> "2", owned by "tuner" using apps/v1 (last write 2d2h ago)
  spec.paused: "true" -> "false", owned by "kustomize-controller" (Flux)
  metadata.annotations.note: "a" -> "b", owned by "kube-controller-manager" with subresource "scale" using apps/v1 (the HorizontalPodAutoscaler, last write 4m ago)
  metadata.labels.team: "a" -> "b", owned by "kubectl" with subresource "scale" using apps/v1 (kubectl scale, last write 4m ago)

To leave them to their owners, with the values they have now:

  ignore_fields = ["metadata.annotations.note", "metadata.labels.team", "spec.minReadySeconds", "spec.paused", ` +
				`"spec.progressDeadlineSeconds", "spec.replicas"]`,
		},
		"removing": {
			changes: []ownership.Change{
				{Field: cpu, What: ownership.Removing, Was: "1", With: `spec.template.spec.containers[name="app"]`, Item: `spec.template.spec.containers[name="app"]`, Owners: []ownership.Holder{flux}},
			},
			summary: "Field Ownership Conflict: Deployment default/web (apps/v1)",
			want: `Deployment default/web (apps/v1): the apply removes a field of another owner:

  ` + cpu + `: "1", removed with the list item spec.template.spec.containers[name="app"], owned by "kustomize-controller" (Flux)

To leave it to its owner, with the value it has now:

  ignore_fields = ["spec.template.spec.containers[name=\"app\"]"]`,
		},
		"taking and removing": {
			changes: []ownership.Change{
				{Field: "spec.cfg", What: ownership.Taking, Was: "(a map)", Becomes: "text", Owners: []ownership.Holder{flux}},
				{Field: "spec.cfg.x", What: ownership.Removing, Was: "", With: "spec.cfg", Owners: []ownership.Holder{custom}},
				{Field: "spec.cfg.y", What: ownership.Removing, Was: "2", With: "spec.cfg", Owners: []ownership.Holder{flux}},
			},
			summary: "Field Ownership Conflict: Deployment default/web (apps/v1)",
			want: `Deployment default/web (apps/v1): the apply takes 3 fields from other owners, and changes or removes their values:

  spec.cfg: "(a map)" -> "text", owned by "kustomize-controller" (Flux)
  spec.cfg.x: "", removed with spec.cfg, owned by "tuner" using apps/v1 (last write 2d2h ago)
  spec.cfg.y: "2", removed with spec.cfg, owned by "kustomize-controller" (Flux)

To leave them to their owners, with the values they have now:

  ignore_fields = ["spec.cfg"]`,
		},
		"a fight": {
			changes: []ownership.Change{
				{Field: "spec.replicas", What: ownership.Retaking, Was: "5", Becomes: "3", Owners: []ownership.Holder{autoscaler}, Again: 3},
			},
			summary: "Field Ownership Conflict: Deployment default/web (apps/v1)",
			want: `Deployment default/web (apps/v1): the apply again takes back what the same manager changed: spec.replicas, for the 3rd time in a row. This repeats until one of the two stops setting it.

To leave it to its owner, with the value it has now:

  ignore_fields = ["spec.replicas"]

The apply takes back a field that another owner changed:

  spec.replicas: "5" -> "3", owned by "kube-controller-manager" with subresource "scale" using apps/v1 (the HorizontalPodAutoscaler, last write 4m ago)`,
		},
		"a type that changes": {
			changes: []ownership.Change{
				{Field: "spec.ports", What: ownership.Changing, Was: "1", Becomes: "1", WasType: ownership.AString, BecomesType: "a number"},
			},
			summary: "Field Ownership Change: Deployment default/web (apps/v1)",
			want: `Deployment default/web (apps/v1): yaml_body changes the type of a value (managed_state shows both types alike):

  spec.ports: "1" (a string) -> 1 (a number)`,
		},
		"a type that changes against another owner": {
			changes: []ownership.Change{{
				Field: "spec.ports", What: ownership.Taking, Was: "1", Becomes: "1",
				WasType: "a number", BecomesType: ownership.AString, Owners: []ownership.Holder{flux},
			}},
			summary: "Field Ownership Conflict: Deployment default/web (apps/v1)",
			want: `Deployment default/web (apps/v1): the apply takes a field from another owner and changes its value:

  spec.ports: 1 (a number) -> "1" (a string), owned by "kustomize-controller" (Flux)

To leave it to its owner, with the value it has now:

  ignore_fields = ["spec.ports"]`,
		},
		"what asks for no decision": {
			changes: []ownership.Change{
				{Field: "spec.minReadySeconds", What: ownership.Retaking, Was: "9", Becomes: "0"},
				{Field: "spec.paused", What: ownership.Leaving, Was: "true", Why: ownership.Ignored},
				{Field: "spec.replicas", What: ownership.Yielding, Was: "5", Why: ownership.Ignored, Owners: []ownership.Holder{autoscaler}},
				{Field: "spec.revisionHistoryLimit", What: ownership.Leaving, Was: "4", Owners: []ownership.Holder{flux}},
				{Field: cpu, What: ownership.Declaring, Was: "1", Becomes: "1", Owners: []ownership.Holder{flux}},
			},
			summary: "Field Ownership Change: Deployment default/web (apps/v1)",
			want: `Deployment default/web (apps/v1): the apply sets back a field whose value changed since the last apply:

  spec.minReadySeconds: "9" -> "0"

The apply leaves a field to its owner, with the value it has:

  spec.replicas: "5", owned by "kube-controller-manager" with subresource "scale" using apps/v1 (the HorizontalPodAutoscaler, last write 4m ago)

The apply releases a field, and its value stays:

  spec.paused: "true", owned by nobody else

A field leaves yaml_body and stays on the object, because others own it:

  spec.revisionHistoryLimit: "4", owned by "kustomize-controller" (Flux)

The apply shares a field that others own with the same value:

  ` + cpu + `: "1", owned by "kustomize-controller" (Flux)

If you change a shared field, you take it from the others. If they change it, they take it from you, and the next plan takes it back.`,
		},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := changes.Planned(manifestWords, planOf(tt.changes, tt.ignored), now)
			readBack(t, d)
			if diff := cmp.Diff(tt.summary, d.Summary()); diff != "" {
				t.Errorf("summary (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(tt.want, d.Detail()); diff != "" {
				t.Errorf("detail (-want +got):\n%s", diff)
			}
		})
	}
}

func planOf(fieldChanges []ownership.Change, ignored []string) ssa.Plan {
	return ssa.Plan{
		Object: web, Changes: fieldChanges, Lines: ssa.Lines{Ignored: ignored},
		State: &prediction.PlannedState{Shown: record.Shown{ManagedState: map[string]string{"spec.replicas": "3", cpu: "1"}}},
	}
}

// TestLineThatRemoves holds that the remove_fields line has every field that stays: names that begin alike are different
// fields, and a list item stands for its fields.
func TestLineThatRemoves(t *testing.T) {
	t.Parallel()
	const item = `spec.template.spec.containers[name="app"].env[name="A"]`
	flux := []ownership.Holder{holder("kustomize-controller", metav1.ManagedFieldsOperationApply, "", 0)}
	words := manifestWords
	words.Arguments = maps.Clone(words.Arguments)
	words.Arguments[arguments.RemoveFields] = "remove_fields"
	d := changes.Planned(words, planOf([]ownership.Change{
		{Field: "metadata.labels.app", What: ownership.Leaving, Was: "web", Owners: flux},
		{Field: "metadata.labels.app.kubernetes.io/name", What: ownership.Leaving, Was: "web", Owners: flux},
		{Field: item + ".name", Item: item, What: ownership.Leaving, Was: "A", Owners: flux},
		{Field: item + ".value", Item: item, What: ownership.Leaving, Was: "1", Owners: flux},
	}, nil), now)
	want := `remove_fields = ["metadata.labels.app", "metadata.labels.app.kubernetes.io/name", ` +
		`"spec.template.spec.containers[name=\"app\"].env[name=\"A\"]"]`
	if !strings.Contains(d.Detail(), want) {
		t.Errorf("no line %s:\n%s", want, d.Detail())
	}
}

// TestChangesInNumbers holds that a paragraph that asks for no decision stays short.
func TestChangesInNumbers(t *testing.T) {
	t.Parallel()
	var fieldChanges []ownership.Change
	for i := range 12 {
		fieldChanges = append(fieldChanges, ownership.Change{Field: "data.k" + string(rune('a'+i)), What: ownership.Leaving, Was: "v", Why: ownership.Ignored})
	}
	want := "Deployment default/web (apps/v1): the apply releases 12 fields, and their values stay:\n"
	for i := range 10 {
		want += "\n  data.k" + string(rune('a'+i)) + `: "v", owned by nobody else`
	}
	want += "\n  and 2 more"
	if diff := cmp.Diff(want, changes.Planned(manifestWords, planOf(fieldChanges, nil), now).Detail()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestConflictsRefused(t *testing.T) {
	t.Parallel()
	d := changes.Refused(manifestWords, planOf([]ownership.Change{
		{Field: "spec.replicas", What: ownership.Retaking, Was: "5", Becomes: "3", Again: 1, Owners: []ownership.Holder{
			holder("kubectl-edit", metav1.ManagedFieldsOperationUpdate, "", time.Hour),
		}},
		{Field: "spec.paused", What: ownership.Leaving, Was: "true", Why: ownership.Ignored},
	}, nil), now)
	want := `Deployment default/web (apps/v1): nothing is applied, because on_conflict is "fail".

The apply takes back a field that another owner changed:

  spec.replicas: "5" -> "3", owned by "kubectl-edit" using apps/v1 (kubectl edit, last write 60m ago)

To leave it to its owner, with the value it has now:

  ignore_fields = ["spec.replicas"]

To take it anyway, set on_conflict = "force".`
	if diff := cmp.Diff(want, d.Detail()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if d.Summary() != "Field Ownership Conflict" {
		t.Errorf("summary %q", d.Summary())
	}
}

// Nobody decides about thousands of fields one by one, and Terraform shows a warning as a whole.
func TestManyConflictsAreCounted(t *testing.T) {
	t.Parallel()
	var fieldChanges []ownership.Change
	for i := range 5000 {
		fieldChanges = append(fieldChanges, ownership.Change{
			Field: fmt.Sprintf("data.key%04d", i), What: ownership.Retaking, Was: "a", Becomes: "b",
			Owners: []ownership.Holder{holder("kubectl", metav1.ManagedFieldsOperationUpdate, "", 0)}, Again: 1,
		})
	}
	plan := ssa.Plan{Object: manifest.Identity{APIVersion: "v1", Kind: "ConfigMap", Namespace: "shop", Name: "web"}, Changes: fieldChanges, State: &prediction.PlannedState{}}
	text := changes.Planned(manifestWords, plan, now).Detail()
	for _, want := range []string{
		"takes back 5000 fields", "data.key0099: ", "\n  and 4900 more\n",
		"To leave these fields to their owners", `"data.key0098", "data.key0099"]`,
	} {
		if !strings.Contains(text, want) {
			t.Errorf("the warning lacks %q", want)
		}
	}
	if strings.Contains(text, "key0100") {
		t.Error("the warning names more than 100 fields")
	}
}

func TestWithoutDryRun(t *testing.T) {
	t.Parallel()
	warning := changes.WithoutDryRun(12, []*cluster.MissingRightError{
		{Verb: "patch", Resource: "clusterroles.rbac.authorization.k8s.io"},
		{Verb: "create", Resource: "deployments.apps", Namespace: "shop"},
		{Verb: "patch", Resource: "deployments.apps", Namespace: "dev"},
		{Verb: "patch", Resource: "deployments.apps", Namespace: "shop"},
		{Verb: "patch", Resource: "deployments.apps", Namespace: "test"},
	})
	want := `The credentials may not write, and plan_without_dry_run of the provider allows plans without that. So the API server was not asked what the apply makes of 12 objects. The missing rights:

  patch clusterroles.rbac.authorization.k8s.io at the cluster scope
  create deployments.apps in the namespace shop
  patch deployments.apps in the namespaces dev, shop, test

The plan shows the fields that other managers own, and the values that it changes there. It does not show defaults, immutable fields that replace the object, and what validation, policies and webhooks refuse: the apply asks the API server about each object before it changes it. Computed values are known after the apply.

To see all of it now, plan with credentials that may patch and create. A dry-run changes nothing.`
	if diff := cmp.Diff("Planned Without Dry-Run: 12 objects", warning.Summary()); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(want, warning.Detail()); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	if one := changes.WithoutDryRun(1, nil).Summary(); one != "Planned Without Dry-Run: 1 object" {
		t.Error(one)
	}
}

// A set has no depends_on between its objects.
func TestWebhookThatASetInstalls(t *testing.T) {
	t.Parallel()
	plan := ssa.Plan{Object: web, Awaited: ssa.Awaited{Err: &cluster.Error{
		Reason: cluster.ReasonWebhookUnreachable, Object: web, Details: &cluster.WebhookUnreachableError{Name: "w"},
	}}}
	set := manifestWords
	set.Type = arguments.SetResource
	said, _ := set.Awaited(plan, time.Minute)
	if want := "move the objects that it checks into another set"; !strings.Contains(said.Detail(), want) {
		t.Errorf("%q lacks %q", said.Detail(), want)
	}
	if said, _ = manifestWords.Awaited(plan, time.Minute); !strings.Contains(said.Detail(), "name that resource in depends_on") {
		t.Errorf("a single resource gets %q", said.Detail())
	}
}
